//! `tollgate key …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::accounts::{Accounts, ApiKey, KeyState, NewKey};
use crate::base::rfc3339;
use crate::settings::Settings;

use super::output::{Output, table};
use super::{ACTOR, CommandResult, open};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

pub(super) async fn create(
    settings: &Settings,
    account: &str,
    label: String,
    expires_days: Option<u32>,
    output: Output,
) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let accounts = Accounts::new(store, clock.clone());
    let account = accounts.find_account(account).await?.id;
    let expires_at_ms = expires_days.map(|days| clock.now_ms() + i64::from(days) * DAY_MS);
    let created = accounts.create_key(NewKey { account, label, expires_at_ms }, ACTOR).await?;
    let mut value = described(&created.key);
    value["key"] = json!(created.secret.reveal());
    output.result(&format!("{}\nkeep it now: it is not shown again", created.secret.reveal()), &value);
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(settings: &Settings, account: &str, output: Output) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let accounts = Accounts::new(store, clock);
    let keys = accounts.keys(accounts.find_account(account).await?.id).await?;
    let rows: Vec<Vec<String>> = keys
        .iter()
        .map(|key| {
            let expires = key.expires_at_ms.map_or("never".to_owned(), rfc3339);
            let state = state(key).to_owned();
            vec![key.id.to_string(), key.shown.clone(), key.label.clone(), state, rfc3339(key.created_at_ms), expires]
        })
        .collect();
    let values: Vec<Value> = keys.iter().map(described).collect();
    output.result(&table(&["ID", "KEY", "LABEL", "STATE", "CREATED", "EXPIRES"], &rows), &json!({"keys": values}));
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn revoke(settings: &Settings, key: &str, output: Output) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let revoked = Accounts::new(store, clock).revoke_key(key, ACTOR).await?;
    let text = if revoked.was_active {
        format!("key {} is revoked; a running server refuses it within a second", revoked.key.shown)
    } else {
        format!("key {} was revoked before", revoked.key.shown)
    };
    let mut value = described(&revoked.key);
    value["was_active"] = json!(revoked.was_active);
    output.result(&text, &value);
    Ok(ExitCode::SUCCESS)
}

fn described(key: &ApiKey) -> Value {
    json!({
        "id": key.id.0,
        "shown": key.shown,
        "label": key.label,
        "state": state(key),
        "created_at": rfc3339(key.created_at_ms),
        "expires_at": key.expires_at_ms.map(rfc3339),
    })
}

fn state(key: &ApiKey) -> &'static str {
    match key.state {
        KeyState::Active => "active",
        KeyState::Revoked => "revoked",
    }
}
