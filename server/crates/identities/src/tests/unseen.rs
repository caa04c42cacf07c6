//! People who do not sign in by their provider any more.

use super::company::{Company, ISSUER};
use super::*;
use tollgate_api::generated::types::MemberRole;
use tollgate_store::query;

const DAY_MS: i64 = 24 * 60 * 60 * 1_000;
const DAYS: u32 = 30;

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
