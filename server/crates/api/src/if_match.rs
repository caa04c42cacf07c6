//! `If-Match`: the version of a thing that a change is of (RFC 9110, section 13.1.1).

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

const VERSION_BYTES: usize = 8;

/// The version of a thing, from a text of all that can be changed of it: 16 hexadecimal digits.
#[must_use]
pub fn version_of(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text)[..VERSION_BYTES])
}

/// True if the value of an `If-Match` names the version: `*`, the version, or a list with it, each in quotes or without.
#[must_use]
pub fn is_version(if_match: &str, version: &str) -> bool {
    let named = |tag: &str| tag == "*" || tag.trim_matches('"') == version;
    if_match.split(',').any(|tag| named(tag.trim()))
}

#[cfg(test)]
mod tests {
    use super::is_version;

    #[test]
    fn a_version_is_named_in_quotes_or_without_or_by_a_star() {
        for (value, is) in [
            ("*", true),
            ("abc", true),
            ("\"abc\"", true),
            ("\"x\", \"abc\"", true),
            ("", false),
            ("\"abcd\"", false),
            ("W/\"abc\"", false),
        ] {
            assert_eq!(is_version(value, "abc"), is, "{value}");
        }
    }
}
