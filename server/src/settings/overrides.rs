//! The file and the environment over it.
//!
//! A variable `TOLLGATE_LOG__FORMAT` stands for the key `log.format`: double underscores part tables, names are lower
//! case. Values are TOML (`true`, `7`, `["a"]`); what is no TOML is taken as text, and so is what the key does not take
//! otherwise: amounts are texts that read as numbers.

use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::complaints::ConfigComplaint;
use super::file::ConfigFile;
use super::locate::line_and_column;

/// Keys that a variable may override. Upstreams and models are for the file: their names are not fit for variables.
const KEYS: [&[&str]; 84] = [
    &["mode"],
    &["listen"],
    &["public_url"],
    &["data_dir"],
    &["price_list"],
    &["database", "url"],
    &["database", "url_env"],
    &["database", "url_file"],
    &["log", "filter"],
    &["log", "format"],
    &["listener", "connections_per_address"],
    &["listener", "requests_in_flight"],
    &["listener", "requests_in_flight_per_account"],
    &["listener", "bodies_in_flight_mib"],
    &["listener", "answers_in_flight_mib"],
    &["listener", "client_read_idle_seconds"],
    &["listener", "proxies"],
    &["listener", "trusted_proxies"],
    &["accounts", "registration"],
    &["admin", "listen"],
    &["admin", "public"],
    &["admin", "public_url"],
    &["admin", "secrets_key_env"],
    &["admin", "secrets_key_file"],
    &["admin", "secrets_key_former_env"],
    &["admin", "secrets_key_former_file"],
    &["admin", "provider_networks"],
    &["admin", "backup_dir"],
    &["admin", "backups_kept"],
    &["console", "name"],
    &["console", "logo_file"],
    &["console", "accent"],
    &["mail", "host"],
    &["mail", "port"],
    &["mail", "tls"],
    &["mail", "from"],
    &["mail", "username"],
    &["mail", "password_env"],
    &["mail", "password_file"],
    &["mail", "per_day"],
    &["agents", "enabled"],
    &["agents", "solana_network"],
    &["agents", "cap_order_usd"],
    &["agents", "cap_day_usd"],
    &["agents", "cap_usd"],
    &["agents", "budget_day_usd"],
    &["agents", "budget_week_usd"],
    &["agents", "budget_month_usd"],
    &["agents", "budget_usd"],
    &["metrics", "open_to"],
    &["telemetry", "traces"],
    &["telemetry", "traces_ratio"],
    &["sandbox", "enabled"],
    &["fetch", "allowed"],
    &["topup", "ewallet", "enabled"],
    &["topup", "ewallet", "provider"],
    &["topup", "ewallet", "base_url"],
    &["topup", "ewallet", "client_id"],
    &["topup", "ewallet", "key_version"],
    &["topup", "ewallet", "merchant_key_env"],
    &["topup", "ewallet", "merchant_key_file"],
    &["topup", "ewallet", "provider_key_env"],
    &["topup", "ewallet", "provider_key_file"],
    &["topup", "ewallet", "request_time"],
    &["topup", "ewallet", "min_usd"],
    &["topup", "ewallet", "max_usd"],
    &["topup", "ewallet", "return_url"],
    &["breaker", "failures"],
    &["patience", "connect_seconds"],
    &["patience", "first_event_seconds"],
    &["patience", "first_content_milliseconds"],
    &["patience", "idle_seconds"],
    &["patience", "total_seconds"],
    &["patience", "abandoned_seconds"],
    &["pictures", "poll_first_milliseconds"],
    &["video", "deadline_seconds"],
    &["video", "poll_first_milliseconds"],
    &["topup", "crypto", "enabled"],
    &["topup", "crypto", "min_usd"],
    &["topup", "crypto", "max_usd"],
    &["topup", "x402", "enabled"],
    &["topup", "x402", "min_usd"],
    &["topup", "x402", "max_usd"],
    &["topup", "x402", "wait_seconds"],
];

/// Reads the file's text, then the variables over it.
pub(super) fn read(
    name: &Path,
    text: &str,
    env: &dyn Fn(&str) -> Option<String>,
) -> Result<ConfigFile, Vec<ConfigComplaint>> {
    let file: ConfigFile = toml::from_str(text).map_err(|error| vec![in_file(name, text, &error)])?;
    let given: Vec<_> = variables(env).collect();
    if given.is_empty() {
        return Ok(file);
    }
    let mut table: Table = text.parse().map_err(|error| vec![in_file(name, text, &error)])?;
    let mut complaints = Vec::new();
    for (path, value) in given {
        set(&mut table, path, parsed(&value));
        let Err(error) = ConfigFile::deserialize(Value::Table(table.clone())) else { continue };
        set(&mut table, path, Value::String(value.clone()));
        if ConfigFile::deserialize(Value::Table(table.clone())).is_err() {
            let message = format!("{:?} cannot be used: {}", value, error.message());
            complaints.push(ConfigComplaint { place: variable(path), key: path.join("."), message });
            break;
        }
    }
    match ConfigFile::deserialize(Value::Table(table)) {
        Ok(file) if complaints.is_empty() => Ok(file),
        _ => Err(complaints),
    }
}

/// The keys that variables override, with their values.
pub(super) fn given(env: &dyn Fn(&str) -> Option<String>) -> impl Iterator<Item = (String, Value)> {
    variables(env).map(|(path, value)| (path.join("."), parsed(&value)))
}

/// The keys that variables override, with the texts of the variables.
fn variables(env: &dyn Fn(&str) -> Option<String>) -> impl Iterator<Item = (&'static [&'static str], String)> {
    KEYS.iter().filter_map(|path| Some((*path, env(&variable(path))?)))
}

fn variable(path: &[&str]) -> String {
    format!("TOLLGATE_{}", path.join("__").to_uppercase())
}

fn parsed(text: &str) -> Value {
    let document: Result<Table, _> = format!("value = {text}").parse();
    document.ok().and_then(|mut table| table.remove("value")).unwrap_or_else(|| Value::String(text.to_owned()))
}

fn set(table: &mut Table, path: &[&str], value: Value) {
    match path {
        [] => {}
        [last] => drop(table.insert((*last).to_owned(), value)),
        [first, rest @ ..] => {
            let inner = table.entry(*first).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

pub(super) fn in_file(name: &Path, text: &str, error: &toml::de::Error) -> ConfigComplaint {
    let place = error.span().map_or_else(
        || name.display().to_string(),
        |span| {
            let (line, column) = line_and_column(text, span.start);
            format!("{}:{line}:{column}", name.display())
        },
    );
    ConfigComplaint { place, key: String::new(), message: error.message().to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(variable: &'static str, value: &'static str) -> Result<ConfigFile, Vec<ConfigComplaint>> {
        read(Path::new("f"), "[topup.x402]\nwait_seconds = 7\n", &|name: &str| {
            (name == variable).then(|| value.to_owned())
        })
    }

    #[test]
    fn a_number_stands_for_a_text_where_the_key_takes_texts() {
        for (value, expected) in [("5", "5"), ("0.50", "0.50"), ("\"5\"", "5")] {
            let rail = with("TOLLGATE_TOPUP__X402__MIN_USD", value).unwrap().topup.x402;
            assert_eq!((rail.min_usd.as_deref(), rail.wait_seconds), (Some(expected), Some(7)), "{value}");
        }
        assert_eq!(with("TOLLGATE_TOPUP__X402__WAIT_SECONDS", "9").unwrap().topup.x402.wait_seconds, Some(9));
        for (variable, value) in [("TOLLGATE_TOPUP__X402__WAIT_SECONDS", "soon"), ("TOLLGATE_LISTEN", "8080")] {
            let complaints = with(variable, value).unwrap_err();
            assert_eq!(complaints.iter().map(|it| it.place.as_str()).collect::<Vec<_>>(), [variable]);
        }
    }
}
