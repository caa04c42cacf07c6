//! People who do not sign in by their provider any more.

use std::time::Duration;

use super::*;
use crate::identity::IdentityKey;
use crate::oidc::OidcPerson;
use tollgate_api::generated::types::{IdentityKind, MemberRole, MemberStatus};
use tollgate_store::query;

pub(super) const ISSUER: &str = "https://login.example.com";
const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const DAYS: u32 = 30;
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

async fn who_does_not_sign_in_for_so_long_is_no_member_until_the_next_time(on: On) {
    let house = house(on).await;
    let company = Company::new(&house, ISSUER, Some(DAYS)).await;
    let (ann, bob) = (company.comes("ann").await, company.comes("bob").await);
    house.hand.advance_ms(DAY_MS);
    let bob_again = company.comes("bob").await;
    assert_eq!(bob_again, bob);
    // To the millisecond so long is not too long.
    house.hand.advance_ms(DAY_MS * i64::from(DAYS - 1));
    company.identities.end_unseen().await.unwrap();
    assert_eq!(company.members().await.len(), 2);
    house.hand.advance_ms(1);
    company.identities.end_unseen().await.unwrap();
    assert_eq!(company.members().await, [bob]);
    let told = query("SELECT action FROM audit_log WHERE action IN ('member.absent', 'member.leave')");
    let told = told.fetch_all(house.identities.store.readers()).await.unwrap();
    assert_eq!(told.iter().map(|row| row.try_get::<String>(0).unwrap()).collect::<Vec<_>>(), ["member.absent"]);
    company.comes("ann").await;
    assert_eq!(company.members().await.len(), 2, "{ann} is a member again");
    company.identities.end_unseen().await.unwrap();
    assert_eq!(company.members().await.len(), 2);
}

async fn nobody_leaves_but_whom_the_groups_of_such_a_provider_have_made_a_member(on: On) {
    let house = house(on).await;
    let unbound = Company::new(&house, "https://elsewhere.example.com", None).await;
    let company = Company::new(&house, ISSUER, Some(DAYS)).await;
    let (other, ann) = (unbound.comes("ann").await, company.comes("ann").await);
    // Invited, and seen by the provider all the same.
    let invited = house.person("invited").await;
    let made = company.identities.organisations.invite(&company.owner, "invited".to_owned(), MemberRole::Viewer).await;
    company.identities.organisations.accept(&invited, made.unwrap().token.reveal()).await.unwrap();
    company.is_known_as(invited.account, "invited").await;
    house.hand.advance_ms(DAY_MS * 400);
    for identities in [&company.identities, &unbound.identities, &house.identities] {
        identities.end_unseen().await.unwrap();
    }
    assert_eq!(
        (company.members().await, unbound.members().await),
        (vec![invited.account], vec![other]),
        "{ann} is out"
    );
}

/// Whoever comes back is a member, however close to the end of the time.
async fn who_signs_in_as_the_time_ends_is_a_member(on: On) {
    let house = house(on).await;
    let company = Company::new(&house, ISSUER, Some(DAYS)).await;
    let ann = company.comes("ann").await;
    for turn in 0..20 {
        house.hand.advance_ms(DAY_MS * i64::from(DAYS) + 1);
        let (came, ended) = tokio::join!(company.comes("ann"), company.identities.end_unseen());
        assert_eq!(came, ann);
        ended.unwrap();
        assert_eq!(company.members().await, [ann], "turn {turn}");
    }
}

on_both!(
    who_does_not_sign_in_for_so_long_is_no_member_until_the_next_time,
    nobody_leaves_but_whom_the_groups_of_such_a_provider_have_made_a_member,
    who_signs_in_as_the_time_ends_is_a_member,
);
