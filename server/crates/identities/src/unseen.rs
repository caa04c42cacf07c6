//! People who do not come back: what the groups of a provider have made of them ends.

use std::time::Duration;

use tokio::time::sleep;

use super::oidc_sign_in::read_error;
use super::{IdentityError, IdentityService, sql};
use tollgate_base::AccountId;
use tollgate_organisations::OrganisationError;

const EVERY: Duration = Duration::from_secs(60 * 60);
/// The pause where somebody could not be looked at.
const AGAIN: Duration = Duration::from_secs(60);

impl IdentityService {
    /// Sees to it each hour, without end, that nobody keeps the role of a group who has not signed in for as long as the
    /// configuration of the provider allows.
    pub async fn end_unseen_for_ever(&self) {
        loop {
            let pause = if self.end_unseen().await.is_ok() { EVERY } else { AGAIN };
            sleep(pause).await;
        }
    }

    /// Ends what groups have made of people who have not signed in for as long as the configuration of their provider allows: as where
    /// they lose the groups, with the keys. They are members again from their next sign-in on.
    ///
    /// # Errors
    /// The first failure of the store. It is logged, and everybody else is looked at all the same.
    pub async fn end_unseen(&self) -> Result<(), IdentityError> {
        let mut looked = Ok(());
        for config in self.providers.iter().map(|provider| &provider.config) {
            let Some(within) = config.sign_in_within else { continue };
            let within_ms = i64::try_from(within.as_millis()).unwrap_or(i64::MAX);
            let since_ms = self.clock.now_ms().saturating_sub(within_ms);
            let people = self.unseen(&config.issuer, since_ms).await.unwrap_or_else(|error| {
                looked = failed(&config.issuer, error);
                Vec::new()
            });
            for membership in people {
                if let Err(error) = self.end_unless_seen(membership, &config.issuer, since_ms).await {
                    looked = looked.and(failed(&config.issuer, error));
                }
            }
        }
        looked
    }

    /// Those whom groups have made members, each with an organisation, who have not signed in since then.
    async fn unseen(&self, issuer: &str, since_ms: i64) -> Result<Vec<(AccountId, AccountId)>, IdentityError> {
        let mut people = self.organisations.people_by(issuer).await.map_err(read_error)?;
        if people.is_empty() {
            return Ok(people);
        }
        let seen = sql::seen_since(self.store.readers(), issuer, since_ms).await?;
        people.retain(|(person, _)| !seen.contains(person));
        Ok(people)
    }

    async fn end_unless_seen(
        &self,
        (person, organisation): (AccountId, AccountId),
        issuer: &str,
        since_ms: i64,
    ) -> Result<(), IdentityError> {
        let mut transaction = self.store.begin_of(organisation).await?;
        if sql::last_seen(&mut transaction, person, issuer).await?.is_some_and(|last| last >= since_ms) {
            return Ok(());
        }
        match self.organisations.end_absent(transaction, (person, organisation), issuer).await {
            Ok(()) => {
                tracing::info!(issuer, %organisation, %person, "a membership has ended: its person has not signed in for too long");
                Ok(())
            }
            Err(OrganisationError::Store(error)) => Err(error.into()),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(issuer, %organisation, %person, error, "a member who does not sign in any more stays");
                Ok(())
            }
        }
    }
}

/// An error that has been logged.
fn failed(issuer: &str, error: IdentityError) -> Result<(), IdentityError> {
    let told = &error as &dyn std::error::Error;
    tracing::warn!(issuer, error = told, "whether people still sign in could not be looked at");
    Err(error)
}
