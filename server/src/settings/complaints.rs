//! Complaints about a configuration: where, and what to do about it.

use std::fmt;
use std::path::Path;

use tollgate_catalog::UnplacedComplaint;

use super::locate::position;

/// One thing that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigComplaint {
    /// `file:line:column`, as near as is known; or the name of a variable.
    pub place: String,
    /// The key's path, `models.small.price.prompt`.
    pub key: String,
    /// The mistake, and what to do about it.
    pub message: String,
}

impl fmt::Display for ConfigComplaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, key, message } = self;
        if key.is_empty() { write!(f, "{place}: {message}") } else { write!(f, "{place}: `{key}`: {message}") }
    }
}

/// Gives each complaint its place in the file's text.
pub(super) fn placed(name: &Path, found: Vec<UnplacedComplaint>, text: &str) -> Vec<ConfigComplaint> {
    let place = |found: UnplacedComplaint| {
        let path: Vec<&str> = found.path.iter().map(String::as_str).collect();
        let place = match position(text, &path) {
            Some((line, column)) => format!("{}:{line}:{column}", name.display()),
            None => name.display().to_string(),
        };
        ConfigComplaint { place, key: found.path.join("."), message: found.message }
    };
    found.into_iter().map(place).collect()
}
