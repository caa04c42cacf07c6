//! Whoever was taken out by people, or has left, is not made a member again by the groups of any provider.

use super::company::{Company, ISSUER, provider};
use super::*;
use tollgate_api::generated::types::{MemberKeys, MemberRole, MemberStatus};
use tollgate_base::MemberCaller;
use tollgate_organisations::{Member, OrganisationError};

impl Company {
    async fn listed(&self, person: AccountId) -> Vec<Member> {
        let members = self.identities.organisations.members(&self.owner).await.unwrap();
        members.into_iter().filter(|member| member.person == person).collect()
    }

    /// Takes out what a person is at the moment, or whom groups would bring back.
    async fn take_out(&self, person: AccountId) -> Result<Member, OrganisationError> {
        let listed = self.listed(person).await;
        let mut found = listed.iter().filter(|member| member.may_return || member.state == MemberStatus::Active);
        let (member, none) = (found.next().unwrap(), found.next());
        assert_eq!(none, None);
        self.identities.organisations.remove_member(&self.owner, member.id, MemberKeys::Revoke).await
    }

    async fn joins_by_invitation(&self, person: &Caller) {
        let organisations = &self.identities.organisations;
        let made = organisations.invite(&self.owner, "somebody".to_owned(), MemberRole::Admin).await.unwrap();
        organisations.accept(person, made.token.reveal()).await.unwrap();
    }

    /// Somebody comes for the first time, and loses the group.
    async fn comes_and_loses_the_group(&self, subject: &str) -> AccountId {
        let person = self.comes(subject).await;
        assert_eq!(self.listed(person).await[0].state, MemberStatus::Active);
        self.comes_in(subject, &[]).await
    }
}

async fn the_only_owner_by_groups_keeps_the_person_of_the_provider(on: On) {
    let house = house(on).await;
    let founder = house.person("founder").await;
    let organisations = &house.identities.organisations;
    let made = organisations.create_organisation(&founder, "acme").await.unwrap();
    let member = MemberCaller {
        id: made.member.unwrap(),
        person: founder.account,
        role: MemberRole::Owner.as_str(),
        by_groups: false,
    };
    let owner = Caller { account: made.account, member: Some(member), ..founder };
    let mut config = provider(ISSUER, None, made.account);
    config.roles[0].role = MemberRole::Owner;
    let identities = house.identities.clone().with_providers(vec![config.clone()]).unwrap();
    let company = Company { identities, config, owner };
    let ann = house.person("ann").await;
    let identity = company.is_known_as(ann.account, "ann").await;
    assert_eq!(company.comes("ann").await, ann.account);
    organisations.leave(&company.owner).await.unwrap();
    let refused = company.identities.remove(&ann, identity.id).await.unwrap_err();
    assert!(matches!(refused, IdentityError::LastOwner), "{refused}");
    assert_eq!(company.identities.own(&ann).await.unwrap().len(), 1, "nothing is ended, the session neither");
    let by_groups = async || organisations.organisations_by(ann.account, ISSUER).await.unwrap();
    assert_eq!(by_groups().await, [made.account]);
    // Somebody else owns it: whoever signs in to its account.
    let password = tollgate_base::Secret::new("correct horse battery".to_owned());
    house.identities.accounts.set_password(made.account, password, "test").await.unwrap();
    company.identities.remove(&ann, identity.id).await.unwrap();
    assert_eq!(by_groups().await, []);
}

async fn who_was_invited_after_a_group_was_lost_stays_out(on: On) {
    let house = house(on).await;
    let company = Company::new(&house, ISSUER, None).await;
    let ann = company.comes_and_loses_the_group("ann").await;
    let joins = async || company.joins_by_invitation(&signed_in(&house.identities.store, ann, NOW_MS).await).await;
    let told = async || company.listed(ann).await.iter().filter(|member| member.may_return).count();
    assert_eq!(told().await, 1);
    joins().await;
    assert_eq!(told().await, 0, "groups change nothing of who was invited");
    company.take_out(ann).await.unwrap();
    company.comes("ann").await;
    assert_eq!((company.members().await, told().await), (vec![], 0));
    joins().await;
    assert_eq!(company.members().await, [ann]);
}

async fn who_was_invited_and_taken_out_is_made_no_member_by_groups(on: On) {
    let house = house(on).await;
    let company = Company::new(&house, ISSUER, None).await;
    let caller = house.person("bob").await;
    let bob = caller.account;
    company.joins_by_invitation(&caller).await;
    company.take_out(bob).await.unwrap();
    company.is_known_as(bob, "bob").await;
    assert_eq!(company.comes("bob").await, bob);
    assert_eq!(company.members().await, []);
}

async fn who_was_taken_out_is_brought_back_by_no_other_provider(on: On) {
    let house = house(on).await;
    let company = Company::new(&house, ISSUER, None).await;
    let config = provider("https://elsewhere.example.com", None, company.owner.account);
    let elsewhere = Company { identities: company.identities.clone(), config, owner: company.owner.clone() };
    let cat = company.comes_and_loses_the_group("cat").await;
    let dan = company.comes_and_loses_the_group("dan").await;
    company.take_out(cat).await.unwrap();
    for (person, subject) in [(cat, "cat"), (dan, "dan")] {
        elsewhere.is_known_as(person, subject).await;
        assert_eq!(elsewhere.comes(subject).await, person);
    }
    assert_eq!(company.members().await, [dan], "nobody has taken dan out");
}

/// Owners whose membership groups have ended are taken out by owners alone.
async fn an_admin_does_not_take_out_an_owner_whom_groups_have_ended(on: On) {
    let house = house(on).await;
    let mut company = Company::new(&house, ISSUER, None).await;
    company.config.roles[0].role = MemberRole::Owner;
    let ann = company.comes_and_loses_the_group("ann").await;
    let bob = house.person("bob").await;
    company.joins_by_invitation(&bob).await;
    let id = company.listed(bob.account).await[0].id;
    let admin = MemberCaller { id, person: bob.account, role: "admin", by_groups: false };
    let admin = Caller { member: Some(admin), by: bob.by, ..company.owner.clone() };
    let owner = std::mem::replace(&mut company.owner, admin);
    let refused = company.take_out(ann).await.unwrap_err();
    assert!(matches!(refused, OrganisationError::OwnersOnly), "{refused:?}");
    company.owner = owner;
    company.take_out(ann).await.unwrap();
}

on_both!(
    the_only_owner_by_groups_keeps_the_person_of_the_provider,
    who_was_invited_after_a_group_was_lost_stays_out,
    who_was_invited_and_taken_out_is_made_no_member_by_groups,
    who_was_taken_out_is_brought_back_by_no_other_provider,
    an_admin_does_not_take_out_an_owner_whom_groups_have_ended,
);
