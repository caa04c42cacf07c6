//! The server that commands are sent to, and the key that they are sent with.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use http::HeaderValue;
use reqwest::Url;

use tollgate_base::Secret;

use super::error::RemoteError;

/// The variable that holds the operator key where no file is named.
const KEY_VARIABLE: &str = "TOLLGATE_OPERATOR_KEY";
/// The start of operator keys, by which a key of an account is told apart before it is sent.
const KEY_START: &str = "op-";

/// A server and an operator key for it, both well formed.
#[derive(Debug)]
pub(in super::super) struct ServerTarget {
    pub(super) url: Url,
    pub(super) key: Secret,
}

impl ServerTarget {
    /// Reads what was typed: the address, and the file of the key, which counts more than the variable.
    ///
    /// # Errors
    /// When the address is none of a server or would carry the key in clear, or there is no key.
    pub(in super::super) fn read(
        server: &str,
        key_file: Option<&Path>,
        env: impl Fn(&str) -> Option<String>,
    ) -> Result<Self, RemoteError> {
        let url = address(server)?;
        let (place, text) = match key_file {
            Some(path) => {
                let failed = |source| RemoteError::KeyFile { path: PathBuf::from(path), source };
                (path.display().to_string(), std::fs::read_to_string(path).map_err(failed)?)
            }
            None => (KEY_VARIABLE.to_owned(), env(KEY_VARIABLE).ok_or(RemoteError::NoKey)?),
        };
        let key = Secret::new(text.trim().to_owned());
        if !key.reveal().starts_with(KEY_START) || HeaderValue::from_str(key.reveal()).is_err() {
            return Err(RemoteError::NotAKey(place));
        }
        Ok(Self { url, key })
    }
}

/// The address of a server, without a slash at its end.
fn address(typed: &str) -> Result<Url, RemoteError> {
    let not_an_address = || RemoteError::NotAnAddress(typed.to_owned());
    let url = Url::parse(typed.trim_end_matches('/')).map_err(|_| not_an_address())?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(RemoteError::Credentials);
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(not_an_address());
    }
    match (url.scheme(), url.host_str()) {
        ("https", Some(_)) => Ok(url),
        ("http", Some(host)) if is_this_machine(host) => Ok(url),
        ("http", Some(_)) => Err(RemoteError::InClear(typed.to_owned())),
        _ => Err(not_an_address()),
    }
}

/// True for names and addresses of this machine, which no network carries anything to.
fn is_this_machine(host: &str) -> bool {
    host == "localhost"
        || host.trim_matches(['[', ']']).parse().is_ok_and(|address: IpAddr| address.to_canonical().is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(server: &str, key: Option<&str>) -> Result<String, String> {
        let target = ServerTarget::read(server, None, |_| key.map(str::to_owned));
        target.map(|target| target.url.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn keys_go_in_clear_to_this_machine_alone() {
        for server in [
            "https://admin.example",
            "https://10.0.0.7:8443/gateway/",
            "http://127.0.0.1:8081",
            "http://[::1]:8081",
            "http://[::ffff:127.0.0.1]:8081",
            "http://localhost:8081/",
        ] {
            assert!(read(server, Some("op-abc")).is_ok(), "{server}");
        }
        for server in ["http://admin.example", "http://10.0.0.7:8081", "http://localhost.example", "http://0.0.0.0:1"] {
            let refused = read(server, Some("op-abc")).expect_err(server);
            assert!(refused.contains("in clear") && !refused.contains("op-abc"), "{refused}");
        }
    }

    #[test]
    fn what_is_no_address_or_no_key_is_told_without_it() {
        for server in ["", "admin.example", "admin.example:8081", "ftp://admin.example", "https://a.example/?key=1"] {
            assert!(read(server, Some("op-abc")).expect_err(server).contains("https://"), "{server}");
        }
        let refused = read("https://root:op-abc@admin.example", Some("op-abc")).expect_err("a password");
        assert!(!refused.contains("op-abc"), "{refused}");
        for key in ["", "sk-abc", "op-abc\nop-def"] {
            let refused = read("https://admin.example", Some(key)).expect_err(key);
            assert!(refused.contains(KEY_VARIABLE) && !refused.contains("abc"), "{refused}");
        }
        assert!(read("https://admin.example", None).expect_err("no key").contains("--operator-key-file"));
    }
}
