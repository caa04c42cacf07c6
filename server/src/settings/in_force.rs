//! The settings in force, with the place that each comes from, for operators to look at.
//!
//! Secrets are in none of them: the configuration names variables and files. An address may hold one all the same, so of an address
//! only scheme and host are told. What is on offer is left out: it is told beside what operators added.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::command_line::CommandLine;
use super::overrides;
use tollgate_api::generated::types::{Setting, SettingOrigin};

/// Every key with its default.
const DEFAULTS: &str = include_str!("../../config.default.toml");
/// Tables of what is on offer.
const OFFER: [&str; 4] = ["groups", "models", "prices", "upstreams"];

/// The settings of a configuration that was read and can be used, by their keys.
pub(super) fn settings(text: &str, env: &dyn Fn(&str) -> Option<String>, line: &CommandLine) -> Vec<Setting> {
    let mut found = BTreeMap::new();
    let mut put = |key: String, value: &Value, origin| {
        let text = if key.ends_with("rpc_urls") { counted(value) } else { shown(value) };
        found.insert(key, (text, origin))
    };
    for (document, origin) in [(DEFAULTS, SettingOrigin::Default), (text, SettingOrigin::File)] {
        // It was read before: what cannot be has stopped the start.
        for (key, value) in document.parse::<Table>().unwrap_or_default() {
            if !OFFER.contains(&key.as_str()) {
                flat(&key, &value, &mut |key, value| drop(put(key, value, origin)));
            }
        }
    }
    for (key, value) in overrides::given(env) {
        put(key, &value, SettingOrigin::Environment);
    }
    let listen = line.listen.map(|listen| ("listen", listen.to_string()));
    let data_dir = line.data_dir.as_ref().map(|folder| ("data_dir", folder.display().to_string()));
    for (key, value) in listen.into_iter().chain(data_dir) {
        put(key.to_owned(), &Value::String(value), SettingOrigin::CommandLine);
    }
    found.into_iter().map(|(key, (value, origin))| Setting { key, value, origin }).collect()
}

/// Calls `put` with each value that is no table, by its whole key.
fn flat(key: &str, value: &Value, put: &mut impl FnMut(String, &Value)) {
    match value {
        Value::Table(table) => {
            for (inner, value) in table {
                // A name with dots, as of a chain, is quoted as in the file.
                let inner = if inner.contains(['.', ':', ' ']) { format!("{inner:?}") } else { inner.clone() };
                flat(&format!("{key}.{inner}"), value, put);
            }
        }
        Value::Array(items) if items.iter().any(Value::is_table) => {
            for (index, item) in items.iter().enumerate() {
                flat(&format!("{key}.{index}"), item, put);
            }
        }
        value => put(key.to_owned(), value),
    }
}

/// Of nodes how many there are: the name of a host may be a key, too.
fn counted(value: &Value) -> String {
    let count = value.as_array().map_or(1, Vec::len);
    format!("{count} addresses")
}

fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => Value::String(without_secret(text)).to_string(),
        Value::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        other => other.to_string(),
    }
}

/// Of an address scheme and host, with dots for whatever else there is: a user with a password, a path or query with a key.
fn without_secret(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let user = if host.len() < authority.len() { "…@" } else { "" };
    let path = if path.trim_matches('/').is_empty() { "" } else { "/…" };
    format!("{scheme}://{user}{host}{path}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_is_told_with_its_origin_and_without_secrets() {
        let text = "mode = \"production\"\n[database]\nurl = \"postgres://me:hunter2@db:5432/books\"\n\
            [upstreams.main]\nbase_url = \"https://u:hunter2@x\"\n[topup.chains.\"eip155:1\"]\nrpc_urls = [\"https://node/hunter2\"]\n";
        let env = |name: &str| (name == "TOLLGATE_LOG__FILTER").then(|| "debug".to_owned());
        let line = CommandLine { data_dir: Some("/d".into()), ..CommandLine::default() };
        let found = settings(text, &env, &line);
        let of = |key: &str| {
            let setting = found.iter().find(|setting| setting.key == key).unwrap_or_else(|| panic!("{key}: {found:?}"));
            (setting.value.as_str(), setting.origin)
        };
        assert_eq!(of("mode"), ("\"production\"", SettingOrigin::File));
        assert_eq!(of("database.url"), ("\"postgres://…@db:5432/…\"", SettingOrigin::File));
        assert_eq!(of("topup.chains.\"eip155:1\".rpc_urls"), ("1 addresses", SettingOrigin::File));
        assert_eq!(of("log.filter"), ("\"debug\"", SettingOrigin::Environment));
        assert_eq!(of("log.format"), ("\"text\"", SettingOrigin::Default));
        assert_eq!(of("data_dir"), ("\"/d\"", SettingOrigin::CommandLine));
        assert!(!format!("{found:?}").contains("hunter2") && !found.iter().any(|it| it.key.starts_with("upstreams")));
    }
}
