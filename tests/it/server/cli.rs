//! The commands of the binary, as an operator types them.

// suite of this file: quick

mod check;

use std::process::Command;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection};
use tollgate_base::Usd;
use tollgate_tests::binary::{Served, run, run_json};
use tollgate_tests::client;
use tollgate_tests::gateway::{amount, exact};
use tollgate_tests::wait::until;
use tollgate_tests::wallet::Wallet;

#[test]
fn help_begins_with_what_the_binary_is() {
    let told = run(&["--help"]);
    let told = String::from_utf8_lossy(&told.stdout).into_owned();
    assert!(told.starts_with("A model gateway that charges. Without a command it serves"), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_default_start_can_be_tried_as_it_is_printed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let served = Served::start(&["--data", &data]);
    let key = served.greeting["demo_key"].as_str().expect("a key").to_owned();
    let ask = |stream: bool| {
        let body = json!({"model": "sandbox-1", "stream": stream, "messages": [{"role": "user", "content": "Hello"}]});
        let request = client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(&key);
        request.header("content-type", "application/json").body(body.to_string()).send()
    };
    let whole: Value = ask(false).await.expect("an answer").json().await.expect("JSON");
    assert!(whole["choices"][0]["message"]["content"].as_str().expect("text").ends_with("You said: Hello"));
    let streamed = ask(true).await.expect("an answer").text().await.expect("a body");
    assert!(streamed.starts_with("data: {") && streamed.ends_with("data: [DONE]\n\n"), "{streamed}");

    // The ledger can be worked on while the server runs, and the server follows.
    let args = |rest: &[&'static str]| [&["--data", String::leak(data.clone())], rest].concat();
    let (ok, keys) = run_json(&args(&["key", "list", "--account", "demo"]));
    assert!(ok && keys["keys"][0]["state"] == "active", "{keys}");
    let (ok, granted) =
        run_json(&args(&["credit", "grant", "--account", "demo", "--usd", "1.5", "--idempotency-key", "a"]));
    assert!(ok && granted["repeated"] == false, "{granted}");
    let (_, again) =
        run_json(&args(&["credit", "grant", "--account", "demo", "--usd", "1.5", "--idempotency-key", "a"]));
    assert_eq!((&again["repeated"], &again["available_usd"]), (&json!(true), &granted["available_usd"]));
    let (ok, conflict) =
        run_json(&args(&["credit", "grant", "--account", "demo", "--usd", "2", "--idempotency-key", "a"]));
    assert!(!ok && conflict["error"].is_string(), "{conflict}");
    // An agent of the account, which is listed and revoked by its wallet. It would outlive the key of the demo, which ends.
    let (ok, lasting) = run_json(&args(&["key", "create", "--account", "demo"]));
    assert!(ok, "{lasting}");
    let wallet = Wallet::evm();
    let lasting = lasting["key"].as_str().expect("a key").to_owned();
    let registration = client().post(format!("{}/api/user/self/agents", served.url())).bearer_auth(&lasting);
    let registration = registration.header("content-type", "application/json");
    let body = wallet.registration(served.url()).to_string();
    assert_eq!(registration.body(body).send().await.expect("an answer").status(), 200);
    let (ok, agents) = run_json(&args(&["agent", "list", "--account", "demo"]));
    assert!(ok && agents["agents"][0]["wallet"] == wallet.address().to_lowercase(), "{agents}");
    let (ok, ended) = run_json(&[&args(&["agent", "revoke"])[..], &[String::leak(wallet.address())]].concat());
    assert!(ok && ended["was_active"] == true && ended["state"] == "revoked", "{ended}");
    let table = run(&args(&["agent", "list", "--account", "demo"])).stdout;
    assert!(String::from_utf8_lossy(&table).contains("revoked"), "{table:?}");
    let (ok, revoked) =
        run_json(&[&args(&["key", "revoke"])[..], &[String::leak(keys["keys"][0]["id"].to_string())]].concat());
    assert!(ok && revoked["was_active"] == true, "{revoked}");
    until("the server to refuse the key", || async { (ask(false).await.ok()?.status() == 401).then_some(()) }).await;
    let (clean, report) = run_json(&args(&["audit"]));
    assert!(clean, "{report}");
    // A second server on the same ledger is refused, and says which file.
    let second = run(&["serve", "--data", &data, "--listen", "127.0.0.1:0"]);
    assert!(!second.status.success());
    assert!(String::from_utf8_lossy(&second.stderr).contains("sandbox.db"), "{second:?}");
    assert!(served.terminate());
}

#[test]
fn credit_is_taken_back_and_the_rest_is_owed_where_that_is_asked_for() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let tell = |command: &[&str]| run_json(&[&["--data", &data], command].concat());
    assert!(tell(&["account", "create", "one"]).0 && tell(&["credit", "grant", "--account", "one", "--usd", "3"]).0);
    let take = ["credit", "take", "--account=one", "--usd=5", "--reason", "a test", "--debt", "--idempotency-key", "t"];
    let (ok, taken) = tell(&take);
    assert!(ok && taken["repeated"] == false && amount(&taken["taken_usd"]) == "3", "{taken}");
    assert_eq!((amount(&taken["debt_usd"]).as_str(), amount(&taken["owed_usd"]).as_str()), ("2", "2"), "{taken}");
    let again = tell(&take).1;
    assert_eq!((&again["repeated"], &again["reversal"]), (&json!(true), &taken["reversal"]));
    let (ok, conflict) =
        tell(&["credit", "take", "--account=one", "--usd=1", "--reason", "a test", "--idempotency-key", "t"]);
    assert!(!ok && conflict["error"].as_str().is_some_and(|text| text.contains("--idempotency-key t")), "{conflict}");
    let (ok, paid) = tell(&["credit", "grant", "--account", "one", "--usd", "3"]);
    assert!(ok && amount(&paid["debt_paid_usd"]) == "2" && amount(&paid["available_usd"]) == "1", "{paid}");
    let rest = run(&["--data", &data, "credit", "take", "--account=one", "--usd=1.5", "--reason", "a test"]).stdout;
    let told = String::from_utf8_lossy(&rest);
    assert!(told.contains("1 of 1.5 USD taken; 0.5 USD were not available, and are left: with --debt"), "{told}");
    let (ok, refused) = tell(&["credit", "take", "--account=nobody", "--usd=1", "--reason", "a test"]);
    assert!(!ok && refused["error"].as_str().is_some_and(|text| text.contains("account")), "{refused}");
    assert!(
        !run(&["--data", &data, "credit", "take", "--account=one", "--usd=1"]).status.success(),
        "a reason is asked for"
    );
    let (clean, report) = tell(&["audit"]);
    assert!(clean && amount(&report["house_usd"]["promo"]) == "0", "{report}");
}

/// A line as a person pastes it into a shell; what it prints.
fn pasted(line: &str) -> String {
    // A proxy of the machine is not for its own addresses.
    let output = Command::new("sh").args(["-c", line]).env("no_proxy", "127.0.0.1").output().expect("a shell");
    assert!(output.status.success(), "{line}: {output:?}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn the_printed_lines_work_as_pasted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let (served, lines) = Served::start_for_people(&["--data", &data], "curl ", 2);
    let [chat, balance] = lines.as_slice() else { panic!("{lines:?}") };
    let available = || {
        let reply = exact(&pasted(balance));
        assert_eq!(reply["success"], true, "{reply}");
        amount(&reply["data"]["available_usd"]).parse::<Usd>().expect("an amount")
    };
    let before = available();
    let whole: Value = serde_json::from_str(&pasted(chat)).expect("JSON");
    assert!(whole["choices"][0]["message"]["content"].as_str().expect("text").ends_with("You said: Hello"), "{whole}");
    assert!(available() < before, "it was paid for");
    // As the text beside it says.
    let streamed = pasted(&chat.replacen('{', "{\"stream\":true,", 1));
    assert!(streamed.starts_with("data: {") && streamed.ends_with("data: [DONE]\n\n"), "{streamed}");
    assert!(served.terminate());
}

#[test]
fn a_ledger_is_brought_up_to_date_once_and_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().join("new").display().to_string();
    let file = folder.path().join("new/sandbox.db");
    for turn in ["fresh", "again"] {
        let output = run(&["--data", &data, "migrate"]);
        let told = String::from_utf8(output.stdout).expect("text");
        assert!(output.status.success() && file.exists(), "{turn}");
        assert_eq!(told, format!("{} has this version's schema\n", file.display()), "{turn}");
    }
    let (ok, told) = run_json(&["--data", &data, "migrate"]);
    assert_eq!((ok, told), (true, json!({"path": file.display().to_string(), "migrated": true})));
    assert!(run_json(&["--data", &data, "audit"]).0, "it can be worked with");
    std::fs::write(&file, "no ledger at all, and long enough to be looked at as one").expect("a file of ours");
    let (ok, told) = run_json(&["--data", &data, "migrate"]);
    assert!(!ok && told["error"].is_string(), "{told}");
}

/// What no sum tells is told by the seals: who is named as the one who moved money.
#[tokio::test(flavor = "multi_thread")]
async fn an_audit_of_the_seals_names_the_first_that_does_not_fit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let audit = |more: &[&str]| run_json(&[&["--data", &data, "audit"], more].concat());
    let served = Served::start(&["--data", &data]);
    let key = served.greeting["demo_key"].as_str().expect("a key");
    let body = json!({"model": "sandbox-1", "messages": [{"role": "user", "content": "Hello"}]});
    let asked =
        client().post(format!("{}/v1/chat/completions", served.url())).bearer_auth(key).json(&body).send().await;
    assert_eq!(asked.expect("an answer").status(), 200);
    // A grant and a charge at least.
    let is_sealed = |report: &Value| report["seals"]["unsealed"] == 0 && report["settled"] == 1;
    let (ok, report) =
        until("a seal over all", || async { Some(audit(&["--seals"])).filter(|(_, report)| is_sealed(report)) }).await;
    let (chain, head) = (&report["seals"], &report["seals"]["head"]);
    assert!(ok && chain["whole"] == true && chain["first_broken"].is_null(), "{report}");
    let hash = head["hash"].as_str().expect("a hash");
    let (ok, told) = audit(&["--seals", "--told", hash]);
    assert!(ok && told["seals"]["told"] == head["number"], "{told}");
    let (ok, told) = audit(&["--seals", "--told", &"0".repeat(hash.len())]);
    assert!(!ok && told["seals"]["whole"] == false && told["seals"]["first_broken"].is_null(), "{told}");
    assert!(!run(&["--data", &data, "audit", "--told", hash]).status.success(), "a hash is one of the seals");
    assert!(served.terminate());

    let file = SqliteConnectOptions::new().filename(folder.path().join("sandbox.db"));
    let mut file = file.connect().await.expect("the ledger");
    let rule = "SELECT sql FROM sqlite_schema WHERE name = 'transfers_no_update'";
    let rule: String = sqlx::query_scalar(rule).fetch_one(&mut file).await.expect("a rule");
    let tampered =
        format!("DROP TRIGGER transfers_no_update; UPDATE transfers SET actor = 'nobody' WHERE kind = 'promo'; {rule}");
    sqlx::raw_sql(AssertSqlSafe(tampered)).execute(&mut file).await.expect("a careless hand");
    file.close().await.expect("it closes");
    assert!(audit(&[]).0, "the sums are right");
    let (ok, told) = audit(&["--seals", "--told", hash]);
    let broken = &told["seals"]["first_broken"];
    assert!(!ok && told["clean"] == false && broken.is_number(), "{told}");
    let shown = run(&["--data", &data, "audit", "--seals"]);
    let shown_text = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(
        !shown.status.success() && shown_text.contains(&format!("DIFFERENCE: seal {broken} does not fit")),
        "{shown_text}"
    );
}

#[test]
fn mistakes_are_told_and_change_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let fails = |rest: &[&str], word: &str| {
        let (ok, printed) = run_json(&[&["--data", &data], rest].concat());
        let error = printed["error"].as_str().unwrap_or_else(|| panic!("{rest:?}: {printed}"));
        assert!(!ok && error.contains(word), "{rest:?}: {error}");
    };
    assert!(run_json(&["--data", &data, "account", "create", "one"]).0);
    fails(&["account", "create", "one"], "already");
    fails(&["account", "create", ""], "name");
    fails(&["key", "create", "--account", "two"], "account");
    fails(&["key", "revoke", "12345"], "key");
    fails(&["agent", "revoke", "12345"], "agent");
    fails(&["credit", "grant", "--account", "two", "--usd", "1"], "account");
    fails(&["credit", "grant", "--account", "one", "--usd", "0"], "zero");
    fails(&["--config", "/nowhere.toml", "check"], "/nowhere.toml");
    for usd in ["1e3", "abc", "0.0000000001", ""] {
        assert!(
            !run(&["--data", &data, "credit", "grant", "--account", "one", "--usd", usd]).status.success(),
            "{usd}"
        );
    }
    let (clean, report) = run_json(&["--data", &data, "audit"]);
    assert!(clean && report["holds_open"] == json!(0), "{report}");
}

/// Somebody who was told that a grant failed gives it again. So each failure names the key that makes it one grant, and
/// what cannot be told after it was made is no failure of it.
#[test]
fn a_grant_that_cannot_be_told_names_its_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    assert!(run_json(&["--data", &data, "account", "create", "one"]).0);
    let grant = ["--data", &data, "credit", "grant", "--usd", "1", "--account"];
    let key = |told: &str| {
        let (_, rest) = told.split_once("--idempotency-key ").unwrap_or_else(|| panic!("no key in {told}"));
        rest.split_whitespace().next().expect("a word").to_owned()
    };
    let (ok, told) = run_json(&[&grant[..], &["two"]].concat());
    assert!(!ok && !key(told["error"].as_str().expect("text")).is_empty(), "{told}");
    let nothing = ["--data", &data, "credit", "grant", "--usd", "0", "--account", "one", "--idempotency-key", "mine"];
    let (ok, told) = run_json(&nothing);
    assert!(!ok && key(told["error"].as_str().expect("text")) == "mine", "{told}");
    // The disk that the result is written to is full: the grant is in the books, and its key is told.
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let mut command = Command::new(tollgate_tests::binary::path());
    let output = command.args([&grant[..], &["one"]].concat()).stdout(full).output().expect("the binary runs");
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && told.contains("1 USD granted to one"), "{told}");
    let (_, key) = told.trim_end().rsplit_once(' ').expect("words");
    let (ok, again) = run_json(&[&grant[..], &["one", "--idempotency-key", key]].concat());
    assert!(ok && again["repeated"] == true && amount(&again["available_usd"]) == "1", "{again}");
}

/// As in `tollgate account list | head`: what is not read is dropped, and nothing else changes.
#[test]
fn a_reader_that_went_away_changes_nothing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    for (rest, good) in [
        (&["account", "create", "one"][..], true),
        (&["account", "create", "one"], false),
        (&["account", "create", "one", "--json"], false),
        (&["account", "list"], true),
        (&["audit", "--json"], true),
    ] {
        let closed = || {
            let (reader, writer) = std::io::pipe().expect("a pipe");
            drop(reader);
            writer
        };
        let mut command = Command::new(tollgate_tests::binary::path());
        let status = command.args(["--data", &data]).args(rest).stdout(closed()).stderr(closed()).status();
        assert_eq!(status.expect("the binary runs").code(), Some(i32::from(!good)), "{rest:?}");
    }
}

/// What a key is limited to is typed, kept and shown; what cannot be a limit is named.
#[test]
fn a_key_is_limited_as_it_is_typed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = folder.path().display().to_string();
    let args = |rest: &[&'static str]| [&["--data", String::leak(data.clone())], rest].concat();
    assert!(run_json(&args(&["account", "create", "one"])).0);
    let typed = [
        "key",
        "create",
        "--account",
        "one",
        "--model",
        "small",
        "--model",
        "tiny",
        "--operation",
        "chat.create",
        "--address",
        "10.1.2.3/8",
        "--budget-day-usd",
        "0.5",
        "--budget-week-usd",
        "1",
        "--budget-month-usd",
        "2",
        "--budget-usd",
        "10",
        "--requests-per-minute",
        "60",
        "--tokens-per-minute",
        "1000",
        "--in-flight",
        "2",
        "--include-cost",
    ];
    let (ok, made) = run_json(&args(&typed));
    assert!(ok, "{made}");
    let (_, listed) = run_json(&args(&["key", "list", "--account", "one"]));
    for (member, value) in [
        ("models", json!(["small", "tiny"])),
        ("operations", json!(["chat.create"])),
        ("addresses", json!(["10.0.0.0/8"])),
        ("requests_per_minute", json!(60)),
        ("tokens_per_minute", json!(1000)),
        ("in_flight", json!(2)),
        ("include_cost", json!(true)),
    ] {
        assert_eq!((&made[member], &listed["keys"][0][member]), (&value, &value), "{member}");
    }
    for (member, value) in
        [("budget_day_usd", "0.5"), ("budget_week_usd", "1"), ("budget_month_usd", "2"), ("budget_usd", "10")]
    {
        assert_eq!(amount(&listed["keys"][0][member]), value, "{member}");
    }
    let table = run(&args(&["key", "list", "--account", "one"])).stdout;
    let table = String::from_utf8(table).expect("text");
    let words = "models=small,tiny operations=chat.create addresses=10.0.0.0/8 usd/day=0.5 usd/week=1 usd/month=2 usd=10 \
                 requests/min=60 tokens/min=1000 in_flight=2 include_cost=true";
    assert!(table.contains(words), "{table}");
    for (rest, word) in [
        (["--address", "10.0.0.0/33"], "addresses[0]"),
        (["--operation", "chat.dream"], "operations[0]"),
        (["--in-flight", "0"], "in_flight"),
    ] {
        let (ok, told) = run_json(&args(&[&["key", "create", "--account", "one"][..], &rest].concat()));
        assert!(!ok && told["error"].as_str().expect("text").contains(word), "{told}");
    }
}
