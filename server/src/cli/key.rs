//! `tollgate key …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::{AccountError, AccountService, ApiKey, KeyState, NewKey};
use tollgate_base::rfc3339;

use super::args::KeyLimitArgs;
use super::key_limits;
use super::operator::{ACTOR, open};
use super::output::{CommandOutput, CommandResult, table};

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

/// A key that is asked for.
pub(super) struct TypedKey<'a> {
    pub(super) account: &'a str,
    pub(super) label: String,
    pub(super) expires_days: Option<u32>,
    pub(super) limits: KeyLimitArgs,
}

pub(super) async fn create(settings: &Settings, new: TypedKey<'_>, output: CommandOutput) -> CommandResult {
    let TypedKey { account, label, expires_days, limits } = new;
    let limits = key_limits::read(limits).map_err(AccountError::BadLimit)?;
    let (store, clock) = open(settings).await?;
    let accounts = AccountService::new(store, clock.clone());
    let account = accounts.find_account(account).await?.id;
    let expires_at_ms = expires_days.map(|days| clock.now_ms() + i64::from(days) * DAY_MS);
    let created = accounts.create_limited_key(NewKey { account, label, expires_at_ms }, limits, ACTOR).await?;
    let mut value = described(&created.key);
    value["key"] = json!(created.secret.reveal());
    output.result(&format!("{}\nkeep it now: it is not shown again", created.secret.reveal()), &value);
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn list(settings: &Settings, account: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let accounts = AccountService::new(store, clock);
    let keys = accounts.keys(accounts.find_account(account).await?.id).await?;
    let row = |key: &ApiKey| {
        let expires = key.expires_at_ms.map_or("never".to_owned(), rfc3339);
        let (state, limits) = (state(key).to_owned(), key_limits::words(&key.limits));
        vec![
            key.id.to_string(),
            key.shown.clone(),
            key.label.clone(),
            state,
            rfc3339(key.created_at_ms),
            expires,
            limits,
        ]
    };
    let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
    let values: Vec<Value> = keys.iter().map(described).collect();
    let head = ["ID", "KEY", "LABEL", "STATE", "CREATED", "EXPIRES", "LIMITS"];
    output.result(&table(&head, &rows), &json!({"keys": values}));
    Ok(ExitCode::SUCCESS)
}

pub(super) async fn revoke(settings: &Settings, key: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let revoked = AccountService::new(store, clock).revoke_key(key, ACTOR).await?;
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
    let mut value = json!({
        "id": key.id.0,
        "shown": key.shown,
        "label": key.label,
        "state": state(key),
        "created_at": rfc3339(key.created_at_ms),
        "expires_at": key.expires_at_ms.map(rfc3339),
    });
    key_limits::describe(&key.limits, &mut value);
    value
}

fn state(key: &ApiKey) -> &'static str {
    match key.state {
        KeyState::Active => "active",
        KeyState::Revoked => "revoked",
    }
}
