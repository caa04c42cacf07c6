//! What operators do about the whole service: audits, backups and archives that are asked for, and a configuration that is read again.

use std::process::Command;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, SqliteConnection};
use tollgate_base::Clock;
use tollgate_tests::TestGateway;
use tollgate_tests::alarm_log::AlarmLog;
use tollgate_tests::binary::run;
use tollgate_tests::gateway::{Options, exact};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::wait::until;

use super::admin_client::AdminClient;

/// The first millisecond of January 2027.
const JANUARY_MS: i64 = 1_798_761_600_000;
const DAY_MS: i64 = 86_400_000;

/// The id of a request that was charged.
async fn charged(gateway: &TestGateway) -> String {
    let reply = gateway.hello().send().await.expect("an answer");
    let id = reply.headers()["x-request-id"].to_str().expect("text").to_owned();
    reply.bytes().await.expect("a body");
    gateway.receipt(&id).await;
    id
}

/// Asks for a job and waits for its end.
async fn done(admin: &AdminClient, kind: &str, body: &Value) -> Value {
    let started = AdminClient::data(admin.post(&format!("jobs/{kind}"), body).await);
    ended(admin, &started["job_id"]).await
}

async fn ended(admin: &AdminClient, job: &Value) -> Value {
    until("the end of a job", async || {
        let job = AdminClient::data(admin.get(&format!("jobs/{job}")).await);
        (job["state"] != "running").then_some(job)
    })
    .await
}

async fn ledger(path: impl AsRef<std::path::Path>) -> SqliteConnection {
    SqliteConnectOptions::new().filename(path).connect().await.expect("a ledger")
}

#[tokio::test]
async fn an_audit_tells_what_is_right_and_what_is_not() {
    let gateway = TestGateway::start().await;
    let (admin, alarms) = (AdminClient::of(&gateway).await, AlarmLog::of_this_test());
    charged(&gateway).await;
    let job = done(&admin, "audit", &json!({"reason": "month's end"})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(true)), "{job}");
    assert!(job["report"].as_str().is_some_and(|report| report.contains("every seal fits its rows")), "{job}");
    assert!(alarms.rung().is_empty());
    let log = AdminClient::data(admin.get("changes?action=job.start").await);
    assert_eq!((&log["changes"][0]["detail"], &log["changes"][0]["reason"]), (&json!("audit"), &json!("month's end")));
    // Somebody who owns the file takes its rules away and gives himself credit.
    let mut file = ledger(gateway.ledger()).await;
    file.execute("DROP TRIGGER balances_keep_owner; UPDATE balances SET posted = posted + 1").await.expect("a damage");
    file.close().await.expect("closed");
    let job = done(&admin, "audit", &json!({})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(false)), "{job}");
    assert!(job["report"].as_str().is_some_and(|report| report.contains("DIFFERENCE")), "{job}");
    alarms.rings("audit").await;
}

#[tokio::test]
async fn a_backup_is_a_copy_that_was_audited() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    let job = done(&admin, "backup", &json!({})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(true)), "{job}");
    let file = std::path::PathBuf::from(job["file"].as_str().expect("a file"));
    assert!(file.starts_with(gateway.folder.path().join("backups")), "{}", file.display());
    let mode = std::os::unix::fs::PermissionsExt::mode(&file.metadata().expect("it is there").permissions());
    assert_eq!(mode & 0o777, 0o600, "its owner alone reads it");
    let mut copy = ledger(&file).await;
    let accounts: i64 =
        sqlx::query_scalar("SELECT count(*) FROM accounts").fetch_one(&mut copy).await.expect("a count");
    copy.close().await.expect("closed");
    assert_eq!(accounts, 1);
    let job = done(&admin, "reconciliation", &json!({})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(true)), "{job}");
}

#[tokio::test]
async fn so_many_backups_are_kept_and_nothing_is_left_of_one_that_was_cut() {
    let config = "[admin]\nbackups_kept = 2\n".to_owned();
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let admin = AdminClient::of(&gateway).await;
    let folder = gateway.folder.path().join("backups");
    // A stop has cut a backup days ago, another server is at work on one, and a person has copied something here.
    let [cut, others] = ["1", "2"].map(|name| folder.join(format!(".unfinished-{name}")));
    for folder in [&cut, &others] {
        std::fs::create_dir_all(folder).expect("a folder of ours");
        std::fs::write(folder.join("tollgate-1.db"), "half").expect("a file of ours");
    }
    let days_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 24 * 60 * 60);
    std::fs::File::open(&cut).and_then(|cut| cut.set_modified(days_ago)).expect("a folder of ours");
    let own = folder.join("tollgate-20200101T000000000Z.db");
    std::fs::write(&own, "a person's").expect("a file of ours");
    let mut files = Vec::new();
    for _ in 0..4 {
        let job = done(&admin, "backup", &json!({})).await;
        assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(true)), "{job}");
        files.push(std::path::PathBuf::from(job["file"].as_str().expect("a file")));
    }
    assert_eq!(files.iter().map(|file| file.exists()).collect::<Vec<_>>(), [false, false, true, true]);
    assert!(own.exists() && others.exists() && !cut.exists());
    let names = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    let databases = names.filter(|name| name.to_string_lossy().starts_with("tollgate-"));
    let beside = |file: &std::path::PathBuf| usize::from(file.with_extension("responses.db").exists());
    assert_eq!(databases.count(), 3 + files.iter().map(beside).sum::<usize>(), "nothing stays beside what was removed");
    // A ledger that is not right keeps the copies that are.
    let mut file = ledger(gateway.ledger()).await;
    file.execute("DROP TRIGGER balances_keep_owner; UPDATE balances SET posted = posted + 1").await.expect("a damage");
    file.close().await.expect("closed");
    let job = done(&admin, "backup", &json!({})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(false)), "{job}");
    assert!(files[2].exists() && files[3].exists());
}

#[tokio::test]
async fn no_backups_kept_is_no_configuration() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = folder.path().join("tollgate.toml");
    std::fs::write(&config, "[admin]\nbackups_kept = 0\n").expect("a file of ours");
    let output = run(&["--config", &config.display().to_string(), "check"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success() && told.contains("tollgate.toml:2") && told.contains("nonzero"), "{told}");
}

#[tokio::test]
async fn a_ledger_in_a_database_archives_months_and_copies_no_file() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    let config = format!("[database]\nurl = {url:?}\n");
    let gateway = TestGateway::with(Options { config, ..Options::default() }).await;
    let admin = AdminClient::of(&gateway).await;
    let (code, detail) = AdminClient::refused(admin.post("jobs/backup", &json!({})).await);
    assert!(code == "JOB_UNSUPPORTED" && detail.contains("database"), "{detail}");
    // A month that is not over stays where it is.
    let job = done(&admin, "archive", &json!({"month": "2099-01"})).await;
    assert_eq!((&job["state"], &job["clean"], &job["file"]), (&json!("failed"), &Value::Null, &Value::Null), "{job}");
    assert!(job["report"].as_str().is_some_and(|report| report.contains("2099-01")), "{job}");
    let job = done(&admin, "audit", &json!({})).await;
    assert_eq!((&job["state"], &job["clean"]), (&json!("done"), &json!(true)), "{job}");
    let servers = AdminClient::data(admin.get("servers").await);
    assert_eq!((&servers[0]["state"], &servers[0]["answers"]), (&json!("up"), &json!(true)), "{servers}");
}

#[tokio::test]
async fn an_archived_month_is_in_a_file_and_the_books_add_up() {
    let url = tokio::task::spawn_blocking(|| Postgres::shared().database()).await.expect("PostgreSQL starts");
    let (clock, hand) = Clock::manual(JANUARY_MS - 60_000);
    let config = format!("[database]\nurl = {url:?}\n");
    let gateway = TestGateway::with(Options { config, clock, ..Options::default() }).await;
    let admin = AdminClient::of(&gateway).await;
    let id = charged(&gateway).await;
    let balance = gateway.balance().await;
    hand.advance_ms(2 * DAY_MS);
    let asked = json!({"month": "2026-12", "reason": "its year is over"});
    let job = done(&admin, "archive", &asked).await;
    assert_eq!(
        (&job["state"], &job["clean"], &job["month"]),
        (&json!("done"), &json!(true), &json!("2026-12")),
        "{job}"
    );
    let file = std::path::PathBuf::from(job["file"].as_str().expect("a file"));
    let unpacked = Command::new("gzip").arg("-dc").arg(&file).output().expect("gzip runs");
    let csv = String::from_utf8(unpacked.stdout).expect("text");
    assert!(file.starts_with(gateway.folder.path().join("archives")) && csv.contains(&id), "{}: {csv}", file.display());
    assert_eq!(job["sha256"].as_str().map(str::len), Some(64));
    let (code, _) = AdminClient::refused(admin.get(&format!("receipts/{id}")).await);
    assert_eq!(code, "RECEIPT_NOT_FOUND");
    // It goes once, and what was charged stays charged.
    let again = done(&admin, "archive", &asked).await;
    assert_eq!((&again["state"], &again["file"]), (&json!("failed"), &Value::Null), "{again}");
    assert_eq!(done(&admin, "audit", &json!({})).await["clean"], json!(true));
    assert_eq!(gateway.balance().await, balance);
}

#[tokio::test]
async fn a_job_of_a_server_that_ended_is_lost_and_keeps_no_other_from_beginning() {
    let gateway = TestGateway::start().await;
    let (epoch, path) = (gateway.service().credit.epoch(), gateway.ledger());
    let admin = AdminClient::of(&gateway).await;
    let mut file = ledger(&path).await;
    let insert =
        "INSERT INTO ledger_jobs (kind, state, epoch, started_at, started_by) VALUES ('audit', 'running', ?1, 1, 'x')";
    sqlx::query(insert).bind(epoch).execute(&mut file).await.expect("a job");
    file.close().await.expect("closed");
    let (code, _) = AdminClient::refused(admin.post("jobs/audit", &json!({})).await);
    assert_eq!(code, "JOB_UNDER_WAY");
    let gateway = gateway.again("", Clock::system()).await;
    let admin = admin.at(gateway.url(""));
    assert_eq!(AdminClient::data(admin.get("jobs/1").await)["state"], "lost");
    assert_eq!(done(&admin, "audit", &json!({})).await["state"], "done");
    let servers = AdminClient::data(admin.get("servers").await);
    let states: Vec<&Value> = servers.as_array().expect("a list").iter().map(|server| &server["state"]).collect();
    assert_eq!(states, ["up", "gone"]);
}

#[tokio::test]
async fn a_configuration_is_read_again_whole_or_not_at_all() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    let file = gateway.folder.path().join("tollgate.toml");
    let written = std::fs::read_to_string(&file).expect("a file of ours");
    let quote = async || {
        let quoted = admin.post("models/small/quotes", &json!({"prompt_tokens": 1_000_000})).await;
        AdminClient::data(quoted)["cost_usd"].clone()
    };
    let before = quote().await;
    std::fs::write(&file, written.replace("prompt = \"0.15\"", "prompt = \"0.30\"")).expect("a file of ours");
    assert_eq!(quote().await, before, "nothing was read yet");
    AdminClient::data(admin.post("reload", &json!({"reason": "dearer"})).await);
    let after = quote().await;
    assert_ne!(after, before);
    std::fs::write(&file, written.replace("prompt = \"0.15\"", "prompt = \"-1\"")).expect("a file of ours");
    let (code, detail) = AdminClient::refused(admin.post("reload", &json!({})).await);
    assert!(code == "SETTINGS_UNUSABLE" && detail.contains("models.small.price.prompt"), "{detail}");
    assert_eq!(quote().await, after);
    let log = AdminClient::data(admin.get("changes?action=settings.reload").await);
    assert_eq!(log["changes"].as_array().map(Vec::len), Some(1), "{log}");
    assert_eq!(log["changes"][0]["reason"], "dearer");
}

#[tokio::test]
async fn usage_of_all_accounts_adds_up() {
    let gateway = TestGateway::start().await;
    let admin = AdminClient::of(&gateway).await;
    for _ in 0..2 {
        let id = charged(&gateway).await;
        // Whoever asks for it has not to know whose it is.
        let found = AdminClient::data(admin.get(&format!("receipts/{id}")).await);
        assert_eq!(found["account_id"], json!(gateway.account.0));
    }
    let usage = AdminClient::data(admin.get("usage?group_by=account,model").await);
    let row = &usage["rows"][0];
    assert_eq!((&row["account_id"], &row["model"]), (&json!(gateway.account.0), &json!("small")), "{usage}");
    assert_eq!(
        (&row["requests"], &row["day"], usage["rows"].as_array().map(Vec::len)),
        (&json!(2), &Value::Null, Some(1))
    );
    let own =
        exact(&gateway.get("/api/user/self/usage").send().await.expect("an answer").text().await.expect("a body"));
    assert_eq!(row["charged_usd"], own["data"]["rows"][0]["charged_usd"]);
}
