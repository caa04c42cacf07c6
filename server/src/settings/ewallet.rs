//! The rail of e-wallets, where it is on.

use std::collections::BTreeSet;

use tollgate_base::{Secret, Usd};
use tollgate_topup::RailConfig;
use tollgate_topup::ewallet::{
    Cents, Config, KeyError, SigningKey, VerifyingKey, VerifyingKeys, WalletOption, default_wallets, published,
};

use super::file::{self, ConfigFile, EwalletTable, ServerMode};
use super::secrets::SecretReference;
use tollgate_catalog::UnplacedComplaint;

const TABLE: [&str; 2] = ["topup", "ewallet"];
/// Prefix of the client ids of a provider's sandbox.
const SANDBOX: &str = "SANDBOX_";

/// The rail's bounds, and what its provider is called with; absent where the rail is off.
pub(super) fn rail(
    file: &ConfigFile,
    sandbox: bool,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> (RailConfig, Option<Config>) {
    let table = &file.topup.ewallet;
    let merchant = merchant_key(table);
    if !table.enabled.unwrap_or(merchant.is_given()) {
        return (RailConfig::default(), None);
    }
    let mut complain =
        |key: &str, message: &str| found.push(UnplacedComplaint::new(&[TABLE[0], TABLE[1], key], message));
    if sandbox {
        complain("enabled", "the credit of a sandbox is not for sale: turn the sandbox off, or this");
    }
    if file.public_url.is_none() {
        complain("enabled", "set public_url: the payment provider has to know where to report payments");
    }
    check_names(table, &mut complain);
    let bounds = bounds(table, &mut complain);
    let wallets = wallets(table, &mut complain);
    if file.mode == ServerMode::Production {
        check_production(table, &mut complain);
    }
    let merchant_key = key(&merchant, file.mode, env, found, |text| SigningKey::read(&text));
    let provider_keys = provider_keys(table, file.mode, env, found);
    let config = || {
        Some(Config {
            provider: table.provider.clone(),
            base_url: table.base_url.clone()?.trim_end_matches('/').to_owned(),
            client_id: table.client_id.clone()?,
            key_version: table.key_version.clone(),
            merchant_key: merchant_key?,
            provider_keys: provider_keys?,
            request_time: table.request_time,
            wallets,
            return_url: table.return_url.clone(),
        })
    };
    (bounds, config())
}

fn merchant_key(table: &EwalletTable) -> SecretReference<'_> {
    let (variable, file) = (table.merchant_key_env.as_ref(), table.merchant_key_file.as_ref());
    SecretReference { table: &TABLE, name: "merchant_key", variable, file }
}

/// The provider's public keys: the one of `key_version` where it is named, and those of the list.
fn provider_keys(
    table: &EwalletTable,
    mode: ServerMode,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
) -> Option<VerifyingKeys> {
    let (variable, file) = (table.provider_key_env.as_ref(), table.provider_key_file.as_ref());
    let single = SecretReference { table: &TABLE, name: "provider_key", variable, file };
    let read = |text: Secret| VerifyingKey::read(text.reveal());
    let (mut versions, mut keys) = (BTreeSet::new(), Vec::new());
    if single.is_given() || table.provider_keys.is_empty() {
        versions.insert(&table.key_version);
        keys.push(key(&single, mode, env, found, read).map(|key| (table.key_version.clone(), key)));
    }
    for (index, entry) in table.provider_keys.iter().enumerate() {
        let index = index.to_string();
        let path = [TABLE[0], TABLE[1], "provider_keys", &index];
        if !is_name(&entry.version) || !versions.insert(&entry.version) {
            let message = "must be a version as the provider's console shows it, as \"2\", and each once: the key that \
                provider_key_env or provider_key_file names has the version key_version";
            found.push(UnplacedComplaint::new(&[&path[..], &["version"]].concat(), message));
        }
        let (variable, file) = (entry.key_env.as_ref(), entry.key_file.as_ref());
        let reference = SecretReference { table: &path, name: "key", variable, file };
        keys.push(key(&reference, mode, env, found, read).map(|key| (entry.version.clone(), key)));
    }
    keys.into_iter().collect()
}

/// Reads a key; the complaint stands where it is referred to.
fn key<K>(
    reference: &SecretReference<'_>,
    mode: ServerMode,
    env: &dyn Fn(&str) -> Option<String>,
    found: &mut Vec<UnplacedComplaint>,
    read: impl FnOnce(Secret) -> Result<K, KeyError>,
) -> Option<K> {
    if !reference.is_given() {
        reference
            .complain(format!("the rail is on: name where its key is, by {0}_env or {0}_file", reference.name), found);
        return None;
    }
    let text = reference.read(env, found)?;
    if mode == ServerMode::Production && published::is_published(text.reveal()) {
        reference.complain("this key is published with the source: anybody can sign with it".to_owned(), found);
        return None;
    }
    read(text).map_err(|error| reference.complain(format!("what it names cannot be used: {error}"), found)).ok()
}

/// Checks the form of values that stand in addresses, headers and paths.
fn check_names(table: &EwalletTable, complain: &mut impl FnMut(&str, &str)) {
    if !is_name(&table.provider) {
        complain("provider", "must be of letters, digits, _ and -: it stands in the path that the provider reports to");
    }
    if !table.client_id.as_deref().is_some_and(is_name) {
        complain("client_id", "missing, or not an id as the provider gives it: letters, digits, _ and -");
    }
    if !is_name(&table.key_version) {
        complain("key_version", "must be a version as the provider's console shows it, as \"1\"");
    }
    if !table.base_url.as_deref().is_some_and(is_bare) {
        complain("base_url", "must be https:// or http:// and a host, without a path: the paths are the provider's");
    }
    if table.return_url.as_ref().is_some_and(|url| !url.starts_with("https://") && !url.starts_with("http://")) {
        complain("return_url", "must start with https:// or http://");
    }
}

/// The wallets on offer: those that are written, or the catalogue.
fn wallets(table: &EwalletTable, complain: &mut impl FnMut(&str, &str)) -> Vec<WalletOption> {
    let Some(written) = &table.wallets else { return default_wallets() };
    let codes: BTreeSet<&str> = written.iter().map(|wallet| wallet.code.as_str()).collect();
    if codes.is_empty() || codes.len() < written.len() || !codes.into_iter().all(is_name) {
        complain("wallets", "each wallet has a code of letters, digits, _ and -, once; there is at least one");
    }
    let mut wallet = |wallet: &file::WalletEntry| WalletOption {
        code: wallet.code.clone(),
        name: wallet.name.clone(),
        region: wallet.region.clone(),
        min_usd: amount("wallets", wallet.min_usd.as_ref(), complain).unwrap_or(WalletOption::MIN_USUAL),
    };
    written.iter().map(&mut wallet).collect()
}

/// True for a name that can stand in a path and a header.
fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte))
}

/// True if an address is a scheme and a host.
fn is_bare(url: &str) -> bool {
    let host = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    host.map(|host| host.trim_end_matches('/'))
        .is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@']))
}

/// The bounds of an order.
fn bounds(table: &EwalletTable, complain: &mut impl FnMut(&str, &str)) -> RailConfig {
    let min = amount("min_usd", table.min_usd.as_ref(), complain);
    let max = amount("max_usd", table.max_usd.as_ref(), complain);
    if min.zip(max).is_some_and(|(min, max)| min > max) {
        complain("max_usd", "must not be less than min_usd");
    }
    RailConfig { enabled: true, min, max }
}

/// An amount that can be paid: the provider counts in cents.
fn amount(key: &str, text: Option<&String>, complain: &mut impl FnMut(&str, &str)) -> Option<Usd> {
    let usd: Option<Usd> = text?.parse().ok();
    let cents = usd.filter(|usd| Cents::try_from(*usd).is_ok());
    if cents.is_none() {
        complain(key, "must be an amount in USD of whole cents above 0, as \"1.50\"");
    }
    cents
}

/// Refuses in production the provider's sandbox and addresses without TLS.
fn check_production(table: &EwalletTable, complain: &mut impl FnMut(&str, &str)) {
    if table.client_id.as_ref().is_some_and(|id| id.starts_with(SANDBOX)) {
        complain("client_id", "is of the provider's sandbox, which is refused when mode = \"production\"");
    }
    if table.base_url.as_ref().is_some_and(|url| !url.starts_with("https://")) {
        complain("base_url", "must start with https:// when mode = \"production\"");
    }
}
