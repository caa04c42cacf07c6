//! `tollgate key …`

use std::process::ExitCode;

use serde_json::{Value, json};

use crate::settings::Settings;
use tollgate_accounts::{AccountError, AccountService, ApiKey, KeyLimits, KeyState, NewKey};
use tollgate_api::generated::types::KeyStatus;
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
    report_created(&created.key.into(), created.secret.reveal(), output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_created(key: &KeyReport, secret: &str, output: CommandOutput) {
    let mut value = described(key);
    value["key"] = json!(secret);
    output.result(&format!("{secret}\nkeep it now: it is not shown again"), &value);
}

pub(super) async fn list(settings: &Settings, account: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let accounts = AccountService::new(store, clock);
    let keys = accounts.keys(accounts.find_account(account).await?.id).await?;
    let keys: Vec<KeyReport> = keys.into_iter().map(KeyReport::from).collect();
    report_list(&keys, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_list(keys: &[KeyReport], output: CommandOutput) {
    let row = |key: &KeyReport| {
        vec![
            key.id.to_string(),
            key.shown.clone(),
            key.label.clone(),
            key.state.as_str().to_owned(),
            rfc3339(key.created_at_ms),
            key.expires_at_ms.map_or("never".to_owned(), rfc3339),
            key_limits::words(&key.limits),
        ]
    };
    let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
    let values: Vec<Value> = keys.iter().map(described).collect();
    let head = ["ID", "KEY", "LABEL", "STATE", "CREATED", "EXPIRES", "LIMITS"];
    output.result(&table(&head, &rows), &json!({"keys": values}));
}

pub(super) async fn revoke(settings: &Settings, key: &str, output: CommandOutput) -> CommandResult {
    let (store, clock) = open(settings).await?;
    let revoked = AccountService::new(store, clock).revoke_key(key, ACTOR).await?;
    report_revoked(&revoked.key.into(), revoked.was_active, output);
    Ok(ExitCode::SUCCESS)
}

pub(super) fn report_revoked(key: &KeyReport, was_active: bool, output: CommandOutput) {
    let text = if was_active {
        format!("key {} is revoked; a running server refuses it within a second", key.shown)
    } else {
        format!("key {} was revoked before", key.shown)
    };
    let mut value = described(key);
    value["was_active"] = json!(was_active);
    output.result(&text, &value);
}

/// A key without its secret.
pub(super) struct KeyReport {
    pub(super) id: i64,
    pub(super) shown: String,
    pub(super) label: String,
    pub(super) state: KeyStatus,
    pub(super) created_at_ms: i64,
    pub(super) expires_at_ms: Option<i64>,
    pub(super) limits: KeyLimits,
}

impl From<ApiKey> for KeyReport {
    fn from(key: ApiKey) -> Self {
        let state = match key.state {
            KeyState::Active => KeyStatus::Active,
            KeyState::Revoked => KeyStatus::Revoked,
        };
        let ApiKey { id, shown, label, created_at_ms, expires_at_ms, limits, .. } = key;
        Self { id: id.0, shown, label, state, created_at_ms, expires_at_ms, limits }
    }
}

fn described(key: &KeyReport) -> Value {
    let mut value = json!({
        "id": key.id,
        "shown": key.shown,
        "label": key.label,
        "state": key.state.as_str(),
        "created_at": rfc3339(key.created_at_ms),
        "expires_at": key.expires_at_ms.map(rfc3339),
    });
    key_limits::describe(&key.limits, &mut value);
    value
}
