//! Commands at a server that come to nothing, each with what to do.

use std::process::Command;

use serde_json::json;
use tollgate_tests::binary::path;
use tollgate_tests::broken_peer::{BrokenPeer, PeerFault};
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::Reply;
use tollgate_tests::{TestGateway, Upstream};

use super::{KEY_VARIABLE, Ledger, Way, refusal};

/// A key that no server knows.
const UNKNOWN: &str = "op-0123456789abcdefghijABCDEFGHIJ0123456789abcdefghi";

/// A command at an address, by a key that is not known there.
fn at(server: &str, words: &[&str]) -> String {
    let mut command = Command::new(path());
    command.args(["--server", server]).args(words).env(KEY_VARIABLE, UNKNOWN);
    refusal(command)
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_are_not_enough_are_told_apart() {
    let ledger = Ledger::open().await;
    let told = ledger.refused(UNKNOWN, &["account", "list"]);
    assert!(told.contains("key is not accepted") && told.contains("KEY_INVALID, request req_"), "{told}");
    let made = |name: &str| {
        let made = ledger.json(Way::Remote, &["operator", "create", name, "--role", "reader", "--key"]);
        made["key"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    };
    let (reader, disabled) = (made("eye"), made("gone"));
    let listed = ledger.command(Way::Remote, &["account", "list"]).env(KEY_VARIABLE, &reader).output();
    assert!(listed.expect("the binary runs").status.success());
    let told = ledger.refused(&reader, &["credit", "grant", "--account=acme", "--usd=1"]);
    assert!(told.contains("one of the roles owner, finance") && told.contains("OPERATOR_ROLE"), "{told}");
    ledger.json(Way::Remote, &["operator", "disable", "gone"]);
    let told = ledger.refused(&disabled, &["account", "list"]);
    assert!(told.contains("key is not accepted") && told.contains("TOLLGATE_OPERATOR_KEY"), "{told}");

    let mut nothing = ledger.command(Way::Remote, &["account", "list"]);
    nothing.env_remove(KEY_VARIABLE);
    assert!(refusal(nothing).contains("set TOLLGATE_OPERATOR_KEY"));
    let told = ledger.refused("sk-0123456789", &["account", "list"]);
    assert!(told.contains("begins with `op-`"), "{told}");
    // The file counts more than the variable.
    let file = ledger.folder.path().join("operator.key");
    std::fs::write(&file, format!("{}\n", ledger.key)).expect("a file");
    let mut by_file = ledger.command(Way::Remote, &["account", "list", "--operator-key-file"]);
    let output = by_file.arg(&file).env(KEY_VARIABLE, UNKNOWN).output().expect("the binary runs");
    assert!(output.status.success(), "{output:?}");
    let mut no_file = ledger.command(Way::Remote, &["account", "list", "--operator-key-file"]);
    no_file.arg(ledger.folder.path().join("nothing"));
    assert!(refusal(no_file).contains("could not be read from"));
    // Without a server, it would be another ledger that the command is done on.
    let mut no_server = ledger.command(Way::Local, &["account", "list", "--operator-key-file"]);
    no_server.arg(&file);
    assert!(refusal(no_server).contains("name it by --server"));
    let log = ledger.log();
    assert!(!log.contains(UNKNOWN) && !log.contains(&reader) && !log.contains(&disabled), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_the_server_refuses_is_told_in_its_words() {
    let ledger = Ledger::open().await;
    let refused = |words: &[&str]| ledger.refused(&ledger.key, words);
    let grant = |usd| ["credit", "grant", "--account=acme", usd, "--idempotency-key=a"];
    assert_eq!(ledger.json(Way::Remote, &grant("--usd=2"))["repeated"], false);
    let again = ledger.json(Way::Remote, &grant("--usd=2"));
    assert_eq!((&again["repeated"], &again["available_usd"]), (&json!(true), &json!(7)), "the order's 5 and 2");
    let told = refused(&grant("--usd=3"));
    assert!(told.contains("--idempotency-key a") && told.contains("BOOKING_KEY_USED"), "{told}");
    for (words, code) in [
        (&["account", "create", "acme"][..], "ACCOUNT_NAME_TAKEN"),
        (&["account", "create", "4711"], "BAD_FIELD"),
        (&["operator", "create", "root", "--key"], "OPERATOR_EXISTS"),
        (&["operator", "disable", "root"], "OPERATOR_LAST_OWNER"),
        (&["key", "revoke", "1"], "KEY_NOT_FOUND"),
        (&["agent", "revoke", "1"], "AGENT_NOT_FOUND"),
        (&["payment", "resolve", "12", "--returned"], "PAYMENT_CREDITED"),
        (&["payment", "refund", "no/such order?", "--reason=asked for"], "CREDITED_PAYMENT_NOT_FOUND"),
    ] {
        let told = refused(words);
        assert!(told.contains(code) && told.contains("request req_"), "{words:?}: {told}");
    }
    for (words, part) in [
        (&["account", "freeze", "acm"][..], "no such account"),
        (&["account", "group", "acme", "gold"], "no [groups.gold]"),
        (&["operator", "role", "nobody", "reader"], "no such operator"),
        (&["key", "revoke", "sk-AbCdE"], "by their numbers: take it from `tollgate key list"),
        (&["agent", "revoke", "0x2703250c1319ff6921cfe22c4f3f2bc48cef7067"], "by their numbers"),
        (&["account", "list", "--data=data"], "--data names something of this machine"),
    ] {
        let told = refused(words);
        assert!(told.contains(part), "{words:?}: {told}");
    }
    // As one JSON object, where that is asked for.
    let told = ledger.json(Way::Remote, &["account", "create", "acme"]);
    assert!(told["error"].as_str().is_some_and(|text| text.contains("ACCOUNT_NAME_TAKEN")), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn addresses_without_a_tollgate_are_told() {
    for (server, part) in [
        ("http://127.0.0.1:1", "could not be reached"),
        ("http://10.0.0.7:8081", "in clear"),
        ("http://admin.example", "in clear"),
        ("admin.example", "no address of a server"),
        ("https://root:secret@admin.example", "no name and no password"),
    ] {
        let told = at(server, &["account", "list"]);
        assert!(told.contains(part), "{server}: {told}");
    }
    let told = at("http://127.0.0.1:1", &["credit", "grant", "--account=acme", "--usd=1"]);
    assert!(told.contains("granting with --idempotency-key req_"), "{told}");
    // The key is sent to nobody whose certificate is not known.
    let unknown = BrokenPeer::start(PeerFault::SelfSigned).await;
    let told = at(&unknown.base_url("https"), &["account", "list"]);
    assert!(told.contains("could not be reached") && told.contains("certificate"), "{told}");
    let other = Upstream::start().await;
    let page = Reply::raw(200, "text/html", b"<html>".to_vec());
    let elsewhere = Reply::json(302, &json!({})).header("location", "https://admin.example/");
    for (reply, part) in [
        (Reply::json(200, &json!({"object": "list"})), "status 200 OK) is no Tollgate"),
        (page, "is no Tollgate"),
        (elsewhere, "302"),
        (Reply::raw(502, "text/plain", b"bad gateway".to_vec()), "502"),
        (Reply::json(200, &json!({"success": true, "data": {"accounts": "many"}})), "another version"),
        (Reply::hang_up(), "may be done or not"),
    ] {
        other.answer(reply);
        let told = at(&other.base_url(), &["account", "list"]);
        assert!(told.contains(part), "{part}: {told}");
    }
    let asked = other.take_received();
    assert!(asked.iter().all(|asked| asked.line.starts_with("GET /v1/api/admin/accounts?limit=1000 ")), "{asked:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_without_operators_is_told() {
    let config = "[admin]\nlisten = \"127.0.0.1:0\"\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let told = at(&gateway.url(""), &["account", "list"]);
    assert!(told.contains("no admin API for this key") && told.contains("request req_"), "{told}");
}

#[test]
fn commands_of_the_machine_say_so() {
    for (words, part) in [
        (&["serve"][..], "`tollgate serve` runs at the machine of the ledger"),
        (&[], "`tollgate serve` runs at the machine of the ledger"),
        (&["check"], "check` runs at the machine"),
        (&["audit", "--chains", "--since", "36h"], "audit --since` runs at the machine"),
        (&["backup", "copy.db"], "leave FILE out"),
        (&["migrate"], "migrate` runs at the machine"),
        (&["ledger", "archive", "2026-10", "--drop"], "--drop` runs at the machine"),
        (&["relayer", "list"], "relayer` runs at the machine"),
        (&["prices", "import", "list.json"], "prices` asks no server"),
        (&["sandbox-checkout"], "sandbox-checkout` asks no server"),
    ] {
        // The variable counts as the option does, and no key is needed to hear this.
        let mut command = Command::new(path());
        command.args(words).env("TOLLGATE_SERVER", "http://127.0.0.1:1").env_remove(KEY_VARIABLE);
        let told = refusal(command);
        assert!(told.contains(part) && told.contains("--server"), "{words:?}: {told}");
    }
    let told = at("http://127.0.0.1:1", &["account", "password", "acme"]);
    assert!(told.contains("account password` runs at the machine"), "{told}");
}
