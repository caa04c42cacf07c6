//! Plain words of YAML, and those that mean different things to different readers.

use std::borrow::Cow;

use super::{
    SourceSpan,
    tree::{YamlKind, YamlNode},
};
use crate::diagnostics::{Diagnostic, codes::syntax};

/// The value of a plain (unquoted) scalar; where readers do not agree on it, it is broken, with a complaint.
pub(super) fn plain(text: Cow<'_, str>, place: SourceSpan) -> (YamlNode<'_>, Option<Diagnostic>) {
    let mut complaint = None;
    let kind = match text.as_ref() {
        "" | "~" | "null" | "Null" | "NULL" => YamlKind::Null,
        "true" | "True" | "TRUE" => YamlKind::Bool(true),
        "false" | "False" | "FALSE" => YamlKind::Bool(false),
        word if is_switch(word) => YamlKind::Switch(text),
        word if is_decimal(word) => YamlKind::Number(text),
        word if is_odd_number(word) => {
            complaint = Some(odd_number(word, place));
            YamlKind::Broken
        }
        _ => YamlKind::Word(text),
    };
    (YamlNode { place, kind }, complaint)
}

/// A complaint about a plain key that is no word to every reader.
pub(super) fn plain_key(text: &str, place: SourceSpan) -> Option<Diagnostic> {
    let what = match text {
        "<<" => {
            return Some(Diagnostic::error(syntax::MERGE_KEY, place, "merge keys are not in the language"));
        }
        "" => "nothing",
        "~" | "null" | "Null" | "NULL" => "null",
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => "true or false",
        word if is_switch(word) => return Some(switch(word, place, false)),
        word if is_decimal(word) || is_odd_number(word) => "a number",
        _ => return None,
    };
    let complaint = Diagnostic::error(syntax::KEY_NOT_A_WORD, place, format!("a key is a word, and this is {what}"));
    Some(complaint.suggest((!text.is_empty()).then(|| format!("\"{text}\""))))
}

/// The booleans of YAML 1.1 that are words in 1.2.
fn is_switch(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let cased = word == lower || word == word.to_ascii_uppercase() || word == capital(&lower);
    cased && matches!(lower.as_str(), "y" | "n" | "yes" | "no" | "on" | "off")
}

fn capital(lower: &str) -> String {
    let mut letters = lower.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}

/// The complaint about a boolean of YAML 1.1, where a word or where a boolean is wanted.
pub(crate) fn switch(word: &str, place: SourceSpan, wants_bool: bool) -> Diagnostic {
    let truth = switched_on(word);
    let message = format!("`{word}` is a word to some readers of YAML, `{truth}` to others");
    let meant = if wants_bool { truth.to_string() } else { format!("\"{word}\"") };
    Diagnostic::error(syntax::YAML_1_1_WORD, place, message)
        .label("write it so that it cannot be mistaken")
        .suggest(Some(meant))
}

/// The value of a boolean of YAML 1.1: true for `y`, `yes` and `on` in any case.
pub(crate) fn switched_on(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "y" | "yes" | "on")
}

/// A number that every reader reads alike: JSON's, without an exponent.
fn is_decimal(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let plain = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    plain(whole) && plain(fraction) && (whole == "0" || !whole.starts_with('0'))
}

/// True for a number to some reader: signs, leading zeros, other bases, `_`, exponents, base sixty, infinities.
fn is_odd_number(word: &str) -> bool {
    let rest = word.strip_prefix(['+', '-']).unwrap_or(word);
    if matches!(rest.to_ascii_lowercase().as_str(), ".inf" | ".nan") {
        return true;
    }
    let base = |prefix: &str, digit: fn(&char) -> bool| {
        rest.strip_prefix(prefix)
            .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| digit(&c) || c == '_'))
    };
    if base("0x", char::is_ascii_hexdigit)
        || base("0o", |c| ('0'..='7').contains(c))
        || base("0b", |c| "01".contains(*c))
    {
        return true;
    }
    let begins = rest.starts_with(|first: char| first.is_ascii_digit())
        || rest.starts_with('.') && rest[1..].starts_with(|second: char| second.is_ascii_digit());
    begins && (is_base_sixty(rest) || is_float(rest))
}

/// `1:30`, `190:20:30.15`
fn is_base_sixty(rest: &str) -> bool {
    let mut parts = rest.split(':');
    let first = parts.next().is_some_and(|first| first.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_'));
    let mut count = 0;
    let rest_fits = parts.all(|part| {
        count += 1;
        let whole = part.split('.').next().unwrap_or_default();
        (1..=2).contains(&whole.len()) && part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
    });
    first && rest_fits && count > 0
}

/// Digits with at most one point, `_` anywhere, and perhaps an exponent.
fn is_float(rest: &str) -> bool {
    let (mantissa, exponent) = match rest.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (rest, None),
    };
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    digits(whole) && digits(fraction) && exponent.is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

fn odd_number(word: &str, place: SourceSpan) -> Diagnostic {
    Diagnostic::error(
        syntax::ODD_NUMBER,
        place,
        format!("`{word}` is a number to some readers of YAML and not to others"),
    )
    .label("write a plain decimal, or put it in quotes")
    .suggest(Some(format!("\"{word}\"")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(word: &str) -> YamlKind<'_> {
        plain(word.into(), SourceSpan::default()).0.kind
    }

    #[test]
    fn words_that_readers_disagree_on() {
        for word in ["yes", "No", "ON", "y"] {
            assert!(matches!(kind(word), YamlKind::Switch(_)), "{word}");
        }
        for word in ["007", "1:30", "1e3", "1_000", "0x1F", ".5", "5.", "+5", "-.inf", "0b1"] {
            assert!(matches!(kind(word), YamlKind::Broken), "{word}");
        }
    }

    #[test]
    fn words_that_all_read_alike() {
        for word in
            ["yEs", "2026-11-21", "1.2.3", "10 MiB", "x402", "4:threads", "..", "eip155:8453", "-", "1-2", "0.5"]
        {
            assert!(matches!(kind(word), YamlKind::Word(_) | YamlKind::Number(_)), "{word}");
        }
        assert!(matches!(kind("-0.25"), YamlKind::Number(_)));
        assert!(matches!(kind("2026-11-21"), YamlKind::Word(_)));
    }
}
