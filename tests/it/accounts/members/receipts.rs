//! The list of receipts for whoever sees the own keys alone, among many requests of others.

use sqlx::{AssertSqlSafe, Connection, Executor, SqliteConnection};

use super::*;

const RECEIPTS: &str = "/api/user/self/receipts";
/// More than one page looks at.
const MANY: i64 = 10_050;

/// Writes down open requests of a key, after all that there are.
async fn others(house: &House, key: i64) {
    let mut ledger =
        SqliteConnection::connect(&house.gateway.ledger().display().to_string()).await.expect("the ledger");
    let many = format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MANY}) \
        INSERT INTO holds (id, account_id, key_id, request_id, amount, model, stream, price_id, ratio_ppm, epoch, \
            created_at, expires_at) \
        SELECT 1000000 + i, r.account_id, r.key_id, 'req_00000000000000000000' || (100000 + i), 0, r.model, 0, r.price_id, \
            1000000, 99, r.created_at + 10 + i, r.created_at + 1000000000 FROM n, receipts r WHERE r.key_id = {key}"
    );
    ledger.execute(AssertSqlSafe(many)).await.expect("open requests");
}

#[tokio::test]
async fn a_developer_is_told_no_request_of_others_and_that_there_may_be_older_receipts() {
    let house = House::open().await;
    let (owner, _) = house.organisation("acme").await;
    let (dev, _) = house.joined(&owner, "dev@example.org", "developer").await;
    let (mine, mine_id) = house.key(&dev, json!({"label": "mine"})).await;
    let (theirs, theirs_id) = house.key(&owner, json!({"label": "theirs"})).await;
    assert_eq!(house.chat(&mine).await.status(), 200);
    house.hand.advance_ms(1_000);
    assert_eq!(house.chat(&theirs).await.status(), 200);
    let all = house.get(&owner, RECEIPTS).await["receipts"].clone();
    let request = |key: i64| {
        let receipt = all.as_array().expect("a list").iter().find(|receipt| receipt["key_id"] == key);
        receipt.expect("a receipt")["request_id"].as_str().expect("an id").to_owned()
    };
    // Another's receipt is no place to begin, as one that is not there.
    let after = |request: &str| format!("{RECEIPTS}?after={request}");
    for place in [request(theirs_id), "req_00000000000000000000000000".to_owned(), "at_1_x".to_owned()] {
        let refused = house.refused(&dev, Method::GET, &after(&place), None).await;
        assert_eq!(refused, (404, "RECEIPT_NOT_FOUND".to_owned()), "{place}");
    }
    assert_eq!(house.get(&dev, &after(&request(mine_id))).await["receipts"], json!([]));
    others(&house, theirs_id).await;
    let page = house.get(&dev, RECEIPTS).await;
    let next = page["next"].as_str().expect("more to see");
    assert!(page["receipts"] == json!([]) && next.starts_with("at_"), "{page}");
    let page = house.get(&dev, &after(next)).await;
    assert_eq!((page["receipts"][0]["request_id"].as_str(), &page["next"]), (Some(&*request(mine_id)), &Value::Null));
    // Whoever sees all of the account is told a request, as ever.
    let page = house.get(&owner, &format!("{RECEIPTS}?key_id={mine_id}")).await;
    assert!(page["next"].as_str().is_some_and(|next| next.starts_with("req_")), "{page}");
    // The page does not say that there is none.
    for path in ["/console/overview", "/console/receipts"] {
        let page = house.send(Some(&dev), Method::GET, path, None).await.text().await.expect("a page");
        assert!(page.contains("There is no receipt among the latest requests."), "{path}");
        assert!(!page.contains("There is no receipt.<"), "{path}");
    }
    let page = house.send(Some(&dev), Method::GET, "/console/overview", None).await.text().await.expect("a page");
    assert!(page.contains(r#"<a href="/console/receipts">Look for older receipts</a>"#));
}
