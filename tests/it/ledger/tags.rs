//! The tags of a request whose server dies: the hold has them, and so has the receipt that the next start writes.

// suite of this file: waiting

use serde_json::{Value, json};
use tollgate_tests::ReplyGate;
use tollgate_tests::binary::Served;
use tollgate_tests::client;
use tollgate_tests::gateway::hello;
use tollgate_tests::reply::{Reply, Step, completion};
use tollgate_tests::wait::until;

use crate::ledger::restartable::{Mortal, On};

async fn a_hold_that_a_crash_ends_keeps_its_tags(on: On) {
    let mortal = Mortal::open(on).await;
    let gate = ReplyGate::default();
    mortal.upstream.answer(Reply::json(200, &completion("ab", 9, 3)).step_at(0, Step::Wait(gate)));
    let served = Served::start(&mortal.args);
    let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&mortal.key);
    let request = request.header("x-tollgate-tags", "team-search,nightly").json(&hello(false));
    let asked = tokio::spawn(request.send());
    let path = "/api/user/self/receipts?tag=nightly";
    let open = until("the hold", || async {
        let page = mortal.get(&served, path).await;
        page["data"]["receipts"].get(0).cloned()
    })
    .await;
    assert_eq!((&open["status"], &open["tags"]), (&json!("held"), &json!(["team-search", "nightly"])));
    served.kill();
    assert!(asked.await.expect("no panic").is_err());
    let served = Served::start(&mortal.args);
    mortal.released(&served, "after a crash").await;
    let ended: Value = mortal.get(&served, path).await["data"]["receipts"][0].clone();
    assert_eq!((&ended["request_id"], &ended["tags"]), (&open["request_id"], &open["tags"]));
    assert_eq!((&ended["status"], &ended["rule"]), (&json!("released"), &json!("crashed")));
    assert!(served.terminate());
    mortal.audited("after a crash");
}

on_both!(a_hold_that_a_crash_ends_keeps_its_tags);
