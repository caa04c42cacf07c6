//! What the documents share: text that stands in a table of Markdown, and links.

use crate::model::RoleHolder;

/// A text in one line of a table.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}

/// The anchor of a heading, as viewers of Markdown make it.
pub(super) fn anchor(heading: &str) -> String {
    let plain = heading.chars().filter(|letter| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_'));
    plain.map(|letter| if letter == ' ' { '-' } else { letter.to_ascii_lowercase() }).collect()
}

/// A link to a decision.
pub(super) fn decision(fact: &str) -> String {
    format!("[{fact}](decisions.md#{})", anchor(fact))
}

/// The deprecation of an operation in words, behind `Deprecated`: `since 2026-11-21; use keys.change`.
pub(super) fn deprecation(since: &str, until: Option<&str>, successor: Option<String>) -> String {
    let until = until.map(|until| format!(", and may be gone from {until} on")).unwrap_or_default();
    let successor = successor.map(|successor| format!("; use {successor}")).unwrap_or_default();
    format!("since {since}{until}{successor}")
}

/// The heading over the roles of such callers, and what a role is to them.
pub(super) const fn roles(holder: RoleHolder) -> (&'static str, &'static str) {
    match holder {
        RoleHolder::Operator => {
            ("Roles", "An operator has one role. It may call what its role and those that this includes may call.")
        }
        RoleHolder::Member => (
            "Roles of members",
            "Who acts for an organisation is a member of it with one role, and may call what this and those that it includes may \
             call. Who acts for the own account may call all of it.",
        ),
    }
}

/// Words with commas; a dash where there are none.
pub(super) fn list(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}

/// A template's text with one line end at its end.
pub(super) fn bytes(mut text: String) -> Vec<u8> {
    text.truncate(text.trim_end().len());
    text.push('\n');
    text.into_bytes()
}
