//! A key that may spend nothing buys nothing, by whichever operation: of each that costs money the provider hears no word.

use tollgate_accounts::KeyLimits;

use super::*;

/// Of what is charged by a refusal that its spec declares.
const REFUSAL: &str = "KEY_SPEND_CAP_EXCEEDED";

#[tokio::test]
async fn no_routed_operation_that_costs_money_passes_by_the_budget_of_its_key() {
    let gateway = gateway(Options::default()).await;
    let door = Door::open(gateway.service()).await;
    let names = kept(&gateway, &door).await;
    let key = NewKey { account: gateway.account, label: String::new(), expires_at_ms: None };
    let nothing = KeyLimits { budget_life: Some("0".parse().expect("an amount")), ..KeyLimits::default() };
    let poor = gateway.service().accounts.create_limited_key(key, nothing, "test").await.expect("a key");
    let _ = gateway.upstream.take_received();
    let (mut asked, mut free) = (Vec::new(), Vec::new());
    for operation in routed() {
        if !operation.codes.iter().any(|code| code == REFUSAL) {
            continue;
        }
        let request = Ask::of(&operation.id, &names).request(&door.url).bearer_auth(poor.secret.reveal());
        let reply = request.send().await.expect("an answer");
        let (answered, code) = door.seen(&reply);
        assert_eq!(answered, operation.id, "{}", reply.url());
        let heard = gateway.upstream.take_received().len();
        match (reply.status().as_u16(), code) {
            (402, Some(REFUSAL)) => {
                assert_eq!(heard, 0, "{answered}: the provider was asked");
                asked.push(answered);
            }
            // Of these nothing is charged, whoever asks.
            (200, None) => free.push(answered),
            other => panic!("{answered}: {other:?}"),
        }
    }
    assert_eq!(free, FREE, "these cost nothing");
    assert!(asked.len() > 8, "{asked:?}");
    gateway.assert_books().await;
}

/// What declares the refusal with the others of its kind and is charged nothing here.
const FREE: &[&str] = &["content.count_tokens", "messages.count_tokens", "responses.count_tokens"];
