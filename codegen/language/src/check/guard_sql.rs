//! Conditions in SQL: one expression with `:now` as its only placeholder, closed in itself.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, closest, codes::machines},
    model::SpannedText,
};

/// The one placeholder of a condition.
const NOW: &str = "now";

/// A mistake in a condition, with the bytes at fault.
struct SqlMistake {
    start: usize,
    end: usize,
    message: String,
}

impl CheckContext<'_> {
    /// Checks the condition of a guard, which is put into a statement in brackets.
    pub(super) fn guard_sql(&mut self, sql: &SpannedText) {
        let Some(SqlMistake { start, end, message }) = mistake(&sql.value) else { return };
        let word = sql.value[start..end].strip_prefix(':');
        let meant = word.and_then(|word| closest(word, [NOW])).map(|now| format!(":{now}"));
        let place = sql.place.part(&sql.value, start, end);
        self.complain(Diagnostic::error(machines::GUARD_SQL, place, message).suggest(meant));
    }
}

/// The first mistake in a condition.
fn mistake(sql: &str) -> Option<SqlMistake> {
    let at = |start: usize, length: usize, message: String| Some(SqlMistake { start, end: start + length, message });
    if sql.trim().is_empty() {
        return at(0, sql.len(), "a condition that says nothing".to_owned());
    }
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut next = 0;
    while let Some(found) = sql[next..].find(SIGNS) {
        let start = next + found;
        let rest = &sql[start..];
        let sign = rest.chars().next()?;
        next = start
            + match sign {
                '\'' | '"' => match rest[1..].find(sign) {
                    Some(end) => end + 2,
                    None => return at(start, 1, format!("this {sign} is not closed")),
                },
                ':' if rest.starts_with("::") => 2,
                // A slice of an array: `tags[1:2]`.
                ':' if open.last().is_some_and(|(_, closing)| *closing == ']') => 1,
                ':' => {
                    let name =
                        rest[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len() - 1);
                    if rest[1..=name] != *NOW {
                        return at(start, name + 1, format!("`{}` is no placeholder; there is `:now`", &rest[..=name]));
                    }
                    name + 1
                }
                '-' | '/' if rest.starts_with("--") || rest.starts_with("/*") => {
                    return at(start, 2, "a comment would take in what follows the condition".to_owned());
                }
                '-' | '/' => 1,
                '(' | '[' => {
                    open.push((start, if sign == '(' { ')' } else { ']' }));
                    1
                }
                ')' | ']' => {
                    if open.pop().is_none_or(|(_, closing)| closing != sign) {
                        return at(start, 1, format!("this `{sign}` closes nothing"));
                    }
                    1
                }
                ';' => return at(start, 1, "a guard is one condition, and this would end the statement".to_owned()),
                _ => {
                    let digits = rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
                    let message = format!("`{}` is bound by nobody; the only placeholder is `:now`", &rest[..=digits]);
                    return at(start, digits + 1, message);
                }
            };
    }
    open.first().and_then(|(start, _)| at(*start, 1, format!("this `{}` is not closed", &sql[*start..=*start])))
}

/// The signs that a condition is searched for.
const SIGNS: [char; 12] = ['\'', '"', ':', '$', '?', ';', '-', '/', '(', ')', '[', ']'];

#[cfg(test)]
mod tests {
    use super::mistake;

    #[test]
    fn conditions_are_closed_in_themselves() {
        for sql in [
            "expires_at > :now",
            "a = ':x (' AND \"b)\" <= :now",
            "paid::text = 'it''s' OR (a - 1) / 2 > tags[1]",
            "state IN ('a', 'b')",
        ] {
            assert!(mistake(sql).is_none(), "{sql}");
        }
        for (sql, bytes) in [
            ("a > :nwo", 4..8),
            ("a > :now_ms", 4..11),
            ("a > $12", 4..7),
            ("a > ?", 4..5),
            ("true; DROP TABLE t", 4..5),
            ("(a = 1", 0..1),
            ("a = 1)", 5..6),
            ("(a = b[1)]", 8..9),
            ("a = 'x", 4..5),
            ("a = 1 -- or", 6..8),
            (" ", 0..1),
            ("a = :", 4..5),
        ] {
            let found = mistake(sql).unwrap_or_else(|| panic!("{sql}"));
            assert_eq!(found.start..found.end, bytes, "{sql}");
        }
    }
}
