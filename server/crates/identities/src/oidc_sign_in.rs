//! Signing in by a provider of OpenID Connect, and the roles that its groups have.

use std::collections::BTreeMap;
use std::net::IpAddr;

use super::identity::IdentityKey;
use super::oidc::{OidcPerson, OidcProvider, OidcPurpose};
use super::{GroupRole, Identity, IdentityError, IdentityService, OidcAnswer, OidcProviderConfig, OidcStart, sql};
use tollgate_accounts::{AccountError, NewSession, is_address};
use tollgate_api::generated::types::{IdentityKind, MemberRole};
use tollgate_base::{AccountId, Caller, draw_text};
use tollgate_organisations::{OrganisationError, ProviderPerson};
use tollgate_store::StoreError;

const RANDOM_NAME_LETTERS: usize = 20;

impl IdentityService {
    /// The sign-in providers in the order of the configuration: their names there, and for people.
    pub fn providers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.providers.iter().map(|provider| (provider.config.name.as_str(), provider.config.label.as_str()))
    }

    /// Begins a sign-in by a provider. Nothing is kept.
    ///
    /// # Errors
    /// When there is no such provider, it cannot be asked, or too many were begun from there.
    pub async fn begin_oidc(&self, provider: &str, from: Option<IpAddr>) -> Result<OidcStart, IdentityError> {
        self.begin(provider, OidcPurpose::SignIn, from).await
    }

    /// Begins what makes a person of a provider a way to sign in to the caller's account.
    ///
    /// # Errors
    /// As [`begin_oidc`](Self::begin_oidc), and when the session is over or began too long ago, or the store fails.
    pub async fn begin_own_oidc(
        &self,
        caller: &Caller,
        provider: &str,
        from: Option<IpAddr>,
    ) -> Result<OidcStart, IdentityError> {
        // What a new sign-in would not mend comes first.
        self.provider(provider)?;
        let account = self.accounts.recently_signed_in(caller).await?;
        self.begin(provider, OidcPurpose::Link(account), from).await
    }

    async fn begin(
        &self,
        provider: &str,
        purpose: OidcPurpose,
        from: Option<IpAddr>,
    ) -> Result<OidcStart, IdentityError> {
        let provider = self.provider(provider)?;
        self.count_begun(from)?;
        Ok(provider.begin(purpose).await?)
    }

    /// Signs a person in by what a browser brought back from a provider. Whoever comes for the first time gets an account, where the
    /// provider's people may open one, or one of the groups has a role. Roles are given and taken before the session begins.
    ///
    /// # Errors
    /// When there is no such provider, it cannot be asked, or what came back shows nobody; too many failed from there; nobody knows the
    /// person, and registration is off; the account is frozen; or the store fails.
    pub async fn sign_in_by_oidc(
        &self,
        answer: &OidcAnswer,
        from: Option<IpAddr>,
    ) -> Result<NewSession, IdentityError> {
        self.counted(from, self.try_sign_in_by_oidc(answer, from)).await
    }

    /// Makes a person that a browser came back from a provider with a way to sign in to the caller's account.
    ///
    /// # Errors
    /// As [`sign_in_by_oidc`](Self::sign_in_by_oidc), and when the session is over or began too long ago, the person signs in already, or
    /// the account has as many identities as it may.
    pub async fn link_oidc(
        &self,
        caller: &Caller,
        answer: &OidcAnswer,
        from: Option<IpAddr>,
    ) -> Result<Identity, IdentityError> {
        self.counted(from, self.try_link_oidc(caller, answer)).await
    }

    async fn try_sign_in_by_oidc(
        &self,
        answer: &OidcAnswer,
        from: Option<IpAddr>,
    ) -> Result<NewSession, IdentityError> {
        // 1. Who it is, by the provider alone.
        let provider = self.provider(&answer.provider)?;
        let person = provider.person(answer, OidcPurpose::SignIn).await?;
        // 2. The account, and what the groups of the person give it.
        let config = &provider.config;
        let identity = self.identity_of(config, &person, from).await?;
        self.come_back(config, &person, &identity).await?;
        // 3. The session, where the identity was not taken away meanwhile.
        let mut transaction = self.store.begin_of(identity.account).await?;
        let account = self.used(&mut transaction, &identity).await.map_err(taken_away)?;
        let session = self.accounts.begin_session_within(&mut transaction, account, Some(&config.issuer)).await?;
        let session = session.ok_or(IdentityError::Frozen)?;
        transaction.commit().await.map_err(StoreError::commit("a session"))?;
        Ok(session)
    }

    async fn try_link_oidc(&self, caller: &Caller, answer: &OidcAnswer) -> Result<Identity, IdentityError> {
        let provider = self.provider(&answer.provider)?;
        // Here as well: nothing is kept of what begins, so whoever has an old session could make it up.
        let account = self.accounts.recently_signed_in(caller).await?;
        let person = provider.person(answer, OidcPurpose::Link(account)).await?;
        let mut transaction = self.store.begin_of(account).await?;
        self.accounts.person_now(&mut transaction, caller).await?;
        let identity = self.add_own(transaction, account, &key_of(&provider.config, &person.subject)).await?;
        // As signing in by it would: it is the last that the provider has said of this account.
        self.follow_groups(&provider.config, &person, account).await?;
        Ok(identity)
    }

    pub(super) fn provider(&self, name: &str) -> Result<&OidcProvider, IdentityError> {
        self.providers.iter().find(|provider| provider.config.name == name).ok_or(IdentityError::NoProvider)
    }

    /// The identity that a person is, or becomes with an account of its own.
    async fn identity_of(
        &self,
        config: &OidcProviderConfig,
        person: &OidcPerson,
        from: Option<IpAddr>,
    ) -> Result<Identity, IdentityError> {
        let key = key_of(config, &person.subject);
        if let Some(known) = sql::find(self.store.readers(), &key).await? {
            return Ok(known);
        }
        if !config.roles.iter().any(|role| person.groups.contains(&role.group)) {
            self.may_register(config.registration, from)?;
        }
        for name in names(config, person) {
            let mut transaction = self.store.begin().await?;
            let account = match self.accounts.open_account(&mut transaction, &name, "registration".into()).await {
                Ok(account) => account.id,
                // Nobody is known by a name: an account that has it already is another's.
                Err(AccountError::NameTaken | AccountError::NameInvalid) => continue,
                Err(error) => return Err(error.into()),
            };
            match self.add(&mut transaction, account, &key, "registration").await {
                Ok(identity) => {
                    transaction.commit().await.map_err(StoreError::commit("an account"))?;
                    return Ok(identity);
                }
                // The same person came twice at once, and the other was quicker.
                Err(IdentityError::Exists) => break,
                Err(error) => return Err(error),
            }
        }
        sql::find(self.store.readers(), &key).await?.ok_or(IdentityError::NameTaken)
    }

    /// Follows the groups of a person who signs in. That it has signed in is written down first, so that what they give is not ended
    /// for its absence at the same time.
    pub(super) async fn come_back(
        &self,
        config: &OidcProviderConfig,
        person: &OidcPerson,
        identity: &Identity,
    ) -> Result<(), IdentityError> {
        let mut transaction = self.store.begin_of(identity.account).await?;
        self.used(&mut transaction, identity).await.map_err(taken_away)?;
        transaction.commit().await.map_err(StoreError::commit("the use of an identity"))?;
        self.follow_groups(config, person, identity.account).await
    }

    /// Lets the roles of a person in organisations be what its groups say now.
    async fn follow_groups(
        &self,
        config: &OidcProviderConfig,
        person: &OidcPerson,
        account: AccountId,
    ) -> Result<(), IdentityError> {
        let mut roles = roles(&config.roles, &person.groups);
        // And where groups have none any more, since the configuration is another.
        for organisation in self.members_by(account, &config.issuer).await? {
            roles.entry(organisation).or_default();
        }
        let by = ProviderPerson { issuer: config.issuer.clone(), subject: person.subject.clone() };
        for (organisation, role) in roles {
            self.follow((account, organisation), role, &by).await?;
        }
        Ok(())
    }

    /// Ends what the groups of a provider have made of a person who no longer signs in by it.
    pub(super) async fn forget_groups(&self, account: AccountId, by: &ProviderPerson) -> Result<(), IdentityError> {
        for organisation in self.members_by(account, &by.issuer).await? {
            self.follow((account, organisation), None, by).await?;
        }
        Ok(())
    }

    /// The same before the person loses the way to sign in by it, which stays where an organisation would be left without an owner.
    pub(super) async fn leave_groups(&self, account: AccountId, by: &ProviderPerson) -> Result<(), IdentityError> {
        for organisation in self.members_by(account, &by.issuer).await? {
            match self.organisations.follow_groups((account, organisation), None, by).await {
                Err(OrganisationError::LastOwner) => return Err(IdentityError::LastOwner),
                done => followed(done, (account, organisation), &by.issuer)?,
            }
        }
        Ok(())
    }

    /// Sees, before anything is ended, that the groups of a provider have made a person the only owner of no organisation.
    pub(super) async fn leaves_owners(&self, account: AccountId, issuer: &str) -> Result<(), IdentityError> {
        let only = self.organisations.is_only_owner_by(account, issuer).await.map_err(read_error)?;
        if only { Err(IdentityError::LastOwner) } else { Ok(()) }
    }

    async fn members_by(&self, account: AccountId, issuer: &str) -> Result<Vec<AccountId>, IdentityError> {
        self.organisations.organisations_by(account, issuer).await.map_err(read_error)
    }

    /// Lets one role follow. A refusal of the organisation keeps nobody out; it is logged.
    async fn follow(
        &self,
        (account, organisation): (AccountId, AccountId),
        role: Option<MemberRole>,
        by: &ProviderPerson,
    ) -> Result<(), IdentityError> {
        let done = self.organisations.follow_groups((account, organisation), role, by).await;
        followed(done, (account, organisation), &by.issuer)
    }
}

/// Logs why an organisation has not followed the groups of a provider. What remains is an error of the store.
fn followed(
    done: Result<(), OrganisationError>,
    (account, organisation): (AccountId, AccountId),
    issuer: &str,
) -> Result<(), IdentityError> {
    match done {
        Ok(()) => Ok(()),
        Err(OrganisationError::Store(error)) => Err(error.into()),
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(issuer, %organisation, %account, error, "groups could not be followed");
            Ok(())
        }
    }
}

/// The error of reading what organisations there are: of the store alone.
pub(super) fn read_error(error: OrganisationError) -> IdentityError {
    match error {
        OrganisationError::Store(error) => error.into(),
        _ => IdentityError::NotFound,
    }
}

/// The error of a sign-in by an identity that was taken away.
fn taken_away(error: IdentityError) -> IdentityError {
    match error {
        IdentityError::Challenge => IdentityError::OidcRefused("it was taken away from the account meanwhile"),
        error => error,
    }
}

/// The key of a person of a provider.
pub(super) fn key_of(config: &OidcProviderConfig, subject: &str) -> IdentityKey {
    IdentityKey { kind: IdentityKind::Oidc, issuer: config.issuer.clone(), subject: subject.to_owned() }
}

/// Names for the account of a person, the best first. What the provider says of its mail is a name where it is an address: others are
/// names of people by wallets, and of organisations.
fn names(config: &OidcProviderConfig, person: &OidcPerson) -> Vec<String> {
    let named = |name: &str| format!("{}:{name}", config.name);
    let random = draw_text::<RANDOM_NAME_LETTERS>();
    person
        .email
        .iter()
        .filter(|email| is_address(email))
        .cloned()
        .chain([named(&person.subject), named(&random)])
        .collect()
}

/// The highest role that groups have in each organisation for which groups have any; none where it is none of these.
fn roles(known: &[GroupRole], groups: &[String]) -> BTreeMap<AccountId, Option<MemberRole>> {
    let rank = |role: MemberRole| MemberRole::ALL.iter().position(|each| *each == role);
    let mut roles = BTreeMap::new();
    for GroupRole { group, organisation, role } in known {
        let given: &mut Option<MemberRole> = roles.entry(*organisation).or_default();
        let is_higher = given.is_none_or(|given| rank(*role) < rank(given));
        if groups.contains(group) && is_higher {
            *given = Some(*role);
        }
    }
    roles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_role_counts_and_a_lost_group_is_none() {
        let role = |group: &str, organisation, role| GroupRole {
            group: group.to_owned(),
            organisation: AccountId(organisation),
            role,
        };
        let known = [
            role("all", 1, MemberRole::Viewer),
            role("engineers", 1, MemberRole::Admin),
            role("staff", 1, MemberRole::Developer),
            role("finance", 2, MemberRole::Billing),
        ];
        let groups = |groups: &[&str]| groups.iter().map(|group| (*group).to_owned()).collect::<Vec<_>>();
        let told = |of: &[&str]| roles(&known, &groups(of)).into_values().collect::<Vec<_>>();
        assert_eq!(told(&["all", "staff", "engineers"]), [Some(MemberRole::Admin), None]);
        assert_eq!(
            told(&["staff", "all", "finance", "others"]),
            [Some(MemberRole::Developer), Some(MemberRole::Billing)]
        );
        assert_eq!(told(&[]), [None, None]);
    }
}
