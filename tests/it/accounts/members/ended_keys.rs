//! Keys that have ended, in the lists and on the pages of those who have them.

use sqlx::{AssertSqlSafe, Connection, Executor, SqliteConnection};

use super::*;

const TEAMS: &str = "/api/user/self/teams";
const HOUR_MS: i64 = 3_600_000;

impl House {
    async fn console_page(&self, person: &Person, path: &str) -> String {
        let reply = self.send(Some(person), Method::GET, path, None).await;
        assert_eq!(reply.status(), 200, "{path}");
        reply.text().await.expect("a page")
    }
}

/// A key of a team counts for the team until it is revoked, and the pages let it be revoked once it has ended.
#[tokio::test]
async fn a_key_that_has_ended_is_revoked_on_its_page_and_lets_its_team_be_closed() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let team = house.post(&owner, TEAMS, json!({"name": "search"})).await["team_id"].clone();
    let ends_at = (START_MS + HOUR_MS) / 1000;
    let (_, id) = house.key(&owner, json!({"label": "for an hour", "team_id": team, "expires_at": ends_at})).await;
    let (one, form) = (format!("{KEYS}/{id}"), format!(r#"data-api="DELETE {KEYS}/{id}""#));
    let change = format!(r#"data-api="PATCH {KEYS}/{id}""#);
    let on_pages = async || {
        let pages = [
            house.console_page(&owner, "/console/keys").await,
            house.console_page(&owner, &format!("/console/keys/{id}")).await,
        ];
        (pages.each_ref().map(|page| page.contains(&form)), pages[1].contains(&change))
    };
    assert_eq!(on_pages().await, ([true, true], true));
    house.hand.advance_ms(HOUR_MS);
    assert_eq!(on_pages().await, ([true, true], false), "it has ended");
    let close = format!("{TEAMS}/{team}");
    assert_eq!(house.refused(&owner, Method::DELETE, &close, None).await, (409, "TEAM_IN_USE".to_owned()));
    data(house.send(Some(&owner), Method::DELETE, &one, None).await).await;
    assert_eq!(on_pages().await, ([false, false], false), "it is revoked");
    data(house.send(Some(&owner), Method::DELETE, &close, None).await).await;
}

/// The keys of others push a developer's own out of no list, and a page shows its key however many have ended since.
#[tokio::test]
async fn the_own_keys_are_listed_however_many_others_there_are() {
    let house = House::open().await;
    let (owner, account) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let (_, own) = house.key(&dev, json!({"label": "mine"})).await;
    let (_, live) = house.key(&owner, json!({"label": "of the organisation"})).await;
    data(house.send(Some(&dev), Method::DELETE, &format!("{KEYS}/{own}"), None).await).await;
    let mut ledger =
        SqliteConnection::connect(&house.gateway.ledger().display().to_string()).await.expect("the ledger");
    let made_ms = START_MS + HOUR_MS;
    let many = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) \
        INSERT INTO api_keys (id, account_id, hash, shown_prefix, label, state, created_at, expires_at) \
        SELECT i, {account}, randomblob(32), 's', '', 'active', {made_ms}, {made_ms} + 1 FROM n"
    );
    ledger.execute(AssertSqlSafe(many)).await.expect("keys");
    house.hand.advance_ms(2 * HOUR_MS);
    let mine = house.get(&dev, KEYS).await;
    let ids: Vec<_> = mine.as_array().expect("a list").iter().map(|key| key["key_id"].as_i64()).collect();
    assert_eq!(ids, [Some(own)]);
    let all = house.get(&owner, KEYS).await;
    assert!(all.as_array().expect("a list").iter().any(|key| key["key_id"] == live), "what lives is there");
    for (person, id) in [(&dev, own), (&owner, own), (&owner, live)] {
        assert!(house.console_page(person, &format!("/console/keys/{id}")).await.contains("<code>sk-"), "{id}");
    }
    let hidden = house.send(Some(&dev), Method::GET, &format!("/console/keys/{live}"), None).await;
    assert_eq!(hidden.status(), 404, "another's key");
}
