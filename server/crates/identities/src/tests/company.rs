//! An organisation with a provider of OpenID Connect, whose group makes members of people.

use std::time::Duration;

use super::*;
use crate::identity::IdentityKey;
use crate::oidc::OidcPerson;
use tollgate_api::generated::types::{IdentityKind, MemberRole, MemberStatus};

pub(super) const ISSUER: &str = "https://login.example.com";
const GROUP: &str = "staff";

/// A provider with the bound in days, whose group makes developers of the organisation.
pub(super) fn provider(issuer: &str, days: Option<u32>, organisation: AccountId) -> OidcProviderConfig {
    OidcProviderConfig {
        name: "company".to_owned(),
        label: "Company".to_owned(),
        issuer: issuer.to_owned(),
        client_id: "tollgate".to_owned(),
        client_secret: None,
        scopes: vec!["openid".to_owned()],
        groups_claim: "groups".to_owned(),
        registration: None,
        sign_in_within: days.map(|days| Duration::from_secs(24 * 60 * 60) * days),
        roles: vec![GroupRole { group: GROUP.to_owned(), organisation, role: MemberRole::Developer }],
    }
}

/// An organisation, and people of a provider.
pub(super) struct Company {
    pub(super) identities: IdentityService,
    pub(super) config: OidcProviderConfig,
    pub(super) owner: Caller,
}

impl Company {
    pub(super) async fn new(house: &House, issuer: &str, days: Option<u32>) -> Self {
        let owner = house.person(&format!("organisation of {issuer}")).await;
        let config = provider(issuer, days, owner.account);
        let identities = house.identities.clone().with_providers(vec![config.clone()]).unwrap();
        Self { identities, config, owner }
    }

    fn key(&self, subject: &str) -> IdentityKey {
        IdentityKey { kind: IdentityKind::Oidc, issuer: self.config.issuer.clone(), subject: subject.to_owned() }
    }

    /// Adds a person of the provider to the ways to sign in to an account.
    pub(super) async fn is_known_as(&self, account: AccountId, subject: &str) -> Identity {
        let mut transaction = self.identities.store.begin().await.unwrap();
        let identity = self.identities.add(&mut transaction, account, &self.key(subject), "test").await.unwrap();
        transaction.commit().await.unwrap();
        identity
    }

    /// Somebody comes back from the provider, in the group.
    pub(super) async fn comes(&self, subject: &str) -> AccountId {
        self.comes_in(subject, &[GROUP]).await
    }

    /// Somebody comes back from the provider, in these groups.
    pub(super) async fn comes_in(&self, subject: &str, groups: &[&str]) -> AccountId {
        let known = sql::find(self.identities.store.readers(), &self.key(subject)).await.unwrap();
        let identity = match known {
            Some(known) => known,
            None => {
                let mut transaction = self.identities.store.begin().await.unwrap();
                let name = format!("{subject} of {}", self.config.issuer);
                let accounts = &self.identities.accounts;
                let account = accounts.open_account(&mut transaction, &name, "test".into()).await.unwrap();
                transaction.commit().await.unwrap();
                self.is_known_as(account.id, subject).await
            }
        };
        let person = OidcPerson {
            subject: subject.to_owned(),
            email: None,
            groups: groups.iter().map(|&group| group.to_owned()).collect(),
        };
        self.identities.come_back(&self.config, &person, &identity).await.unwrap();
        identity.account
    }

    /// The people who are members now.
    pub(super) async fn members(&self) -> Vec<AccountId> {
        let members = self.identities.organisations.members(&self.owner).await.unwrap();
        members.into_iter().filter(|member| member.state == MemberStatus::Active).map(|member| member.person).collect()
    }
}
