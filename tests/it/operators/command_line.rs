//! The command line at a running server: each command prints what it prints for a ledger at this machine.

mod refusals;

use std::process::Command;
use std::sync::mpsc::Receiver;

use serde_json::Value;
use sqlx::ConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use tempfile::TempDir;
use tollgate_tests::binary::{Served, path, run_json};
use tollgate_tests::client;
use tollgate_tests::wallet::Wallet;

use super::admin_client::AdminClient;

const KEY_VARIABLE: &str = "TOLLGATE_OPERATOR_KEY";
/// A word with a digit or `…` that is so long is of one ledger alone: an id, a key, a time, an address.
const DRAWN_BYTES: usize = 10;

/// A ledger with an account `acme`, an owner's key and payments, and the server on it.
struct Ledger {
    folder: TempDir,
    served: Served,
    log: Receiver<String>,
    key: String,
}

/// The way that commands take to a ledger.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The file, at the machine.
    Local,
    /// The server.
    Remote,
}

/// An order of 5 USD that one payment has paid, and another payment that came for it.
const PAID_TWICE: &str = "INSERT INTO topup_order (id, trade_no, account_id, rail, amount, status, created_at, expires_at) \
        SELECT 11, 'tg11', id, 'ewallet', 5000000000, 'pending', 1, 2 FROM accounts WHERE name = 'acme'; \
    INSERT INTO payments (id, source, reference, order_id, state, asset, amount, claimed_at) VALUES \
        (12, 'antom', 'r12', 11, 'claimed', 'USD', '500', 1), (13, 'antom', 'r13', 11, 'claimed', 'USD', '500', 1); \
    UPDATE payments SET state = 'paid', rev = 1, decided_at = 1 WHERE id = 12; \
    UPDATE topup_order SET status = 'settling', rev = 1 WHERE id = 11; \
    UPDATE topup_order SET settled_at = 1 WHERE id = 11; \
    UPDATE topup_order SET status = 'success', rev = 2 WHERE id = 11; \
    UPDATE payments SET state = 'surplus', rev = 1, decided_at = 1 WHERE id = 13";

impl Ledger {
    async fn open() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let data = folder.path().display().to_string();
        let tell = |command: &[&str]| run_json(&[&["--data", &data], command].concat());
        assert!(tell(&["account", "create", "acme"]).0);
        let (ok, owner) = tell(&["operator", "create", "root", "--key"]);
        assert!(ok, "{owner}");
        plant(&folder, PAID_TWICE).await;
        let (served, log) = Served::start_logged(&["--data", &data]);
        Self { folder, served, log, key: owner["key"].as_str().expect("a key").to_owned() }
    }

    fn command(&self, way: Way, words: &[&str]) -> Command {
        let mut command = Command::new(path());
        match way {
            Way::Local => command.arg("--data").arg(self.folder.path()),
            Way::Remote => command.args(["--server", self.served.url()]).env(KEY_VARIABLE, &self.key),
        };
        command.args(words);
        command
    }

    fn json(&self, way: Way, words: &[&str]) -> Value {
        let output = self.command(way, words).arg("--json").output().expect("the binary runs");
        serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{words:?}: {error}: {output:?}"))
    }

    /// The error of a command at the server by a key.
    fn refused(&self, key: &str, words: &[&str]) -> String {
        let mut command = self.command(Way::Remote, words);
        command.env(KEY_VARIABLE, key);
        refusal(command)
    }

    /// Writes rows into the ledger's file.
    async fn plant(&self, rows: &'static str) {
        plant(&self.folder, rows).await;
    }

    /// An agent of the account, whose key would outlive a key that ends.
    async fn register_agent(&self, wallet: &Wallet) {
        let key = self.json(Way::Local, &["key", "create", "--account", "acme"]);
        let key = key["key"].as_str().expect("a key");
        let url = self.served.url();
        let registration = client().post(format!("{url}/api/user/self/agents")).bearer_auth(key);
        let registration = registration.header("content-type", "application/json");
        let reply = registration.body(wallet.registration(url).to_string()).send().await.expect("an answer");
        assert_eq!(reply.status(), 200);
    }

    /// The log of the server, which is ended.
    fn log(self) -> String {
        assert!(self.served.terminate());
        self.log.iter().collect::<Vec<_>>().join("\n")
    }
}

async fn plant(folder: &TempDir, rows: &'static str) {
    let file = SqliteConnectOptions::new().filename(folder.path().join("sandbox.db"));
    let mut connection = file.connect().await.expect("the ledger's file");
    sqlx::raw_sql(rows).execute(&mut connection).await.expect("rows that the rules allow");
}

/// The error of a command that fails, in which no key of an operator stands.
fn refusal(mut command: Command) -> String {
    let output = command.output().expect("the binary runs");
    assert!(!output.status.success() && output.stdout.is_empty(), "{command:?}: {output:?}");
    let told = String::from_utf8(output.stderr).expect("text");
    for (_, key) in command.get_envs().filter(|(name, _)| *name == KEY_VARIABLE) {
        assert!(key.is_none_or(|key| !told.contains(key.to_str().expect("text"))), "{told}");
    }
    told
}

/// A text without what is drawn, and with one space where a table has several.
fn alike(text: &str) -> String {
    let is_part = |symbol: char| symbol.is_alphanumeric() || "-_:.…".contains(symbol);
    let mut alike = String::new();
    for word in text.split_inclusive(|symbol| !is_part(symbol)) {
        let part = word.trim_end_matches(|symbol| !is_part(symbol));
        let drawn = part.len() >= DRAWN_BYTES && part.contains(|symbol: char| symbol.is_ascii_digit() || symbol == '…');
        alike.push_str(if drawn || part.len() >= 3 * DRAWN_BYTES { "DRAWN" } else { part });
        alike.push_str(&word[part.len()..]);
    }
    alike.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A ledger at this machine, and one behind a server, of the same accounts.
struct Pair {
    local: Ledger,
    remote: Ledger,
    json: bool,
}

impl Pair {
    /// What a command prints that succeeds.
    fn print(&self, way: Way, words: &[&str]) -> String {
        let ledger = match way {
            Way::Local => &self.local,
            Way::Remote => &self.remote,
        };
        let mut command = ledger.command(way, words);
        let output = command.args(self.json.then_some("--json")).output().expect("the binary runs");
        assert!(output.status.success(), "{words:?}: {output:?}");
        let printed = String::from_utf8(output.stdout).expect("text");
        assert!(!printed.contains(&ledger.key), "{words:?}");
        printed
    }

    /// Compares the prints of a command.
    fn same(&self, words: &[&str]) {
        let (here, there) = (self.print(Way::Local, words), self.print(Way::Remote, words));
        assert_eq!(alike(&here), alike(&there), "{words:?}:\n{here}\n{there}");
    }

    /// The same of a command that is run twice for the first thing that each ledger lists.
    fn same_of_first(&self, command: [&str; 2], list: &[&str], of: &str) {
        let first = |ledger: &Ledger, way| ledger.json(way, list)[of][0]["id"].to_string();
        let (here, there) = (first(&self.local, Way::Local), first(&self.remote, Way::Remote));
        for _ in ["it is done", "it was done before"] {
            let here = self.print(Way::Local, &[command[0], command[1], &here]);
            let there = self.print(Way::Remote, &[command[0], command[1], &there]);
            assert_eq!(alike(&here), alike(&there), "{command:?}:\n{here}\n{there}");
        }
    }
}

const COMMANDS: &[&[&str]] = &[
    &["account", "create", "beta"],
    &["account", "group", "beta", "default"],
    &["account", "freeze", "beta"],
    &["account", "freeze", "beta"],
    &["account", "thaw", "beta"],
    &["credit", "grant", "--account=beta", "--usd=3", "--note=a gift", "--idempotency-key=a"],
    &["credit", "grant", "--account=beta", "--usd=3", "--note=a gift", "--idempotency-key=a"],
    &["credit", "take", "--account=beta", "--usd=5", "--reason=a test", "--debt", "--idempotency-key=a"],
    &["credit", "take", "--account=beta", "--usd=5", "--reason=a test", "--debt", "--idempotency-key=a"],
    &["credit", "grant", "--account=beta", "--usd=3.5"],
    &["credit", "take", "--account=beta", "--usd=2", "--reason=a test"],
    &["account", "list"],
    &["payment", "list"],
    &["payment", "resolve", "13", "--credit", "--usd=4.5"],
    &["payment", "resolve", "13", "--credit", "--usd=4.5", "--reason=paid twice"],
    &["payment", "list"],
    &["payment", "refund", "12", "--usd=2", "--reason=asked for", "--idempotency-key=b"],
    &["payment", "refund", "12", "--usd=2", "--reason=asked for", "--idempotency-key=b"],
    &["credit", "take", "--account=acme", "--usd=7", "--reason=spent"],
    &["payment", "chargeback", "12", "--reason=a dispute"],
    &["operator", "create", "till", "--role=finance", "--key", "--expires-days=3"],
    &["operator", "create", "ada", "--role=reader"],
    &["operator", "invite", "ada"],
    &["operator", "role", "till", "support"],
    &["operator", "disable", "till"],
    &["operator", "disable", "ada"],
    &["operator", "enable", "ada"],
    &["operator", "list"],
    &[
        "key",
        "create",
        "--account=beta",
        "--label=laptop",
        "--model=sandbox-1",
        "--operation=chat.create",
        "--address=10.0.0.0/8",
        "--budget-day-usd=0.25",
        "--budget-month-usd=7",
        "--budget-usd=9.25",
        "--requests-per-minute=60",
        "--tokens-per-minute=700",
        "--in-flight=2",
        "--include-cost",
        "--expires-days=3",
    ],
    &["key", "list", "--account=beta"],
];

async fn every_command_prints_the_same(json: bool) {
    let pair = Pair { local: Ledger::open().await, remote: Ledger::open().await, json };
    for words in COMMANDS {
        pair.same(words);
    }
    pair.same_of_first(["key", "revoke"], &["key", "list", "--account=beta"], "keys");
    pair.same(&["key", "list", "--account=beta"]);
    let wallet = Wallet::evm();
    for ledger in [&pair.local, &pair.remote] {
        ledger.register_agent(&wallet).await;
    }
    pair.same(&["agent", "list", "--account=acme"]);
    pair.same_of_first(["agent", "revoke"], &["agent", "list", "--account=acme"], "agents");
    pair.same(&["agent", "list", "--account=acme"]);
    let (clean, report) = run_json(&["audit", "--data", &pair.remote.folder.path().display().to_string()]);
    assert!(clean, "{report}");
    // The log of changes knows the operator whose key it was.
    let admin = AdminClient::new(pair.remote.served.url().to_owned(), pair.remote.key.clone());
    let changes = AdminClient::data(admin.get("changes?actor=operator%20root&limit=1").await);
    assert_eq!(changes["changes"][0]["action"], "agent.revoke", "{changes}");
    let (key, log) = (pair.remote.key.clone(), pair.remote.log());
    assert!(!log.contains(&key), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn work_on_the_whole_ledger_is_done_at_the_server() {
    let ledger = Ledger::open().await;
    let output = ledger.command(Way::Remote, &["audit", "--seals", "--chains"]).output().expect("the binary runs");
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && told.contains("every seal fits its rows"), "{told}");
    assert!(told.contains("(reconciliation): all is right"), "{told}");
    let copied = ledger.json(Way::Remote, &["backup"]);
    let file = copied["jobs"][0]["file"].as_str().unwrap_or_else(|| panic!("{copied}"));
    assert_eq!((&copied["clean"], std::path::Path::new(file).exists()), (&Value::Bool(true), true), "{copied}");
    let refused = ledger.refused(&ledger.key, &["ledger", "archive", "2026-10"]);
    assert!(refused.contains("which has no months"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_prints_the_same_text() {
    every_command_prints_the_same(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_prints_the_same_json() {
    every_command_prints_the_same(true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_are_read_to_their_last_page() {
    let ledger = Ledger::open().await;
    ledger
        .plant(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1100) \
             INSERT INTO accounts (id, name, state, created_at) SELECT 5000000000 + i, 'many ' || i, 'active', 1 FROM n",
        )
        .await;
    let listed = ledger.json(Way::Remote, &["account", "list"]);
    assert_eq!(listed["accounts"].as_array().expect("accounts").len(), 1102, "acme and the demo too");
    // A name that begins others, and a number that is part of others.
    for named in ["many 1", "5000000001"] {
        let granted = ledger.json(Way::Remote, &["credit", "grant", "--account", named, "--usd", "1"]);
        assert_eq!(granted["account"], 5_000_000_001_i64, "{granted}");
    }
}
