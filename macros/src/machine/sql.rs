//! The compare-and-set statement of a move. One text for SQLite and PostgreSQL: both know `$1`.

use syn::LitStr;

use super::syntax::RowSyntax;
use crate::complaints::ItemComplaints;

const NOW: &str = "now";

/// The condition of a guard, ready to stand in a statement.
pub(super) struct GuardSql {
    pub(super) text: String,
    pub(super) needs_now: bool,
}

/// `UPDATE t SET state = $2, rev = rev + 1 WHERE key = $1 AND state = $3 AND (guard)`.
pub(super) fn statement<'g>(row: &RowSyntax, guards: impl IntoIterator<Item = &'g GuardSql>) -> String {
    let (table, key, state) = (row.table.value(), row.key.value(), row.state.value());
    let revision =
        row.revision.as_ref().map(LitStr::value).map(|rev| format!(", {rev} = {rev} + 1")).unwrap_or_default();
    let guards: String = guards.into_iter().map(|guard| format!(" AND ({})", guard.text)).collect();
    format!("UPDATE {table} SET {state} = $2{revision} WHERE {key} = $1 AND {state} = $3{guards}")
}

/// Complains about what is no plain column or table name.
pub(super) fn check_row(row: &RowSyntax, complaints: &mut ItemComplaints) {
    for name in [&row.table, &row.key, &row.state].into_iter().chain(&row.revision) {
        let text = name.value();
        let plain = text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
        if !plain || !text.starts_with(|first: char| first.is_ascii_lowercase()) {
            complaints.add(name, format!("`{text}` is no plain name of a table or column"));
        }
    }
}

/// The guard with `:now` as `$4`; complains about every other placeholder.
pub(super) fn guard(text: &LitStr, complaints: &mut ItemComplaints) -> GuardSql {
    let source = text.value();
    let mut guard = GuardSql { text: String::new(), needs_now: false };
    let mut rest = source.as_str();
    while let Some(place) = rest.find(['\'', ':', '$', '?', ';']) {
        guard.text.push_str(&rest[..place]);
        rest = &rest[place..];
        rest = if let Some(quoted) = rest.strip_prefix('\'') {
            let end = quoted.find('\'').map_or(rest.len(), |end| end + 2);
            guard.text.push_str(&rest[..end]);
            &rest[end..]
        } else if let Some(after) = rest.strip_prefix("::") {
            guard.text.push_str("::");
            after
        } else if let Some(after) = rest.strip_prefix(':') {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            if after[..end] != *NOW {
                complaints.add(text, format!("`:{}` is no placeholder of a guard; there is `:now`", &after[..end]));
            }
            guard.text.push_str("$4");
            guard.needs_now = true;
            &after[end..]
        } else {
            complaints.add(
                text,
                format!("a guard is one condition with `:now` as its only placeholder, without `{}`", &rest[..1]),
            );
            &rest[1..]
        };
    }
    guard.text.push_str(rest);
    guard
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    fn guarded(sql: &str) -> Result<(String, bool), String> {
        let mut complaints = ItemComplaints::default();
        let guard = guard(&LitStr::new(sql, Span::call_site()), &mut complaints);
        complaints.finish((guard.text, guard.needs_now)).map_err(|error| error.to_string())
    }

    #[test]
    fn now_is_the_fourth_parameter() {
        assert_eq!(guarded("expires_at > :now"), Ok(("expires_at > $4".to_owned(), true)));
        assert_eq!(guarded("a = ':now' AND b <= :now"), Ok(("a = ':now' AND b <= $4".to_owned(), true)));
        assert_eq!(guarded("paid::text = 'it''s'"), Ok(("paid::text = 'it''s'".to_owned(), false)));
    }

    #[test]
    fn other_placeholders_and_statements_are_refused() {
        for (sql, complaint) in [
            ("a > :nwo", "`:nwo` is no placeholder"),
            ("a > :now_ms", "`:now_ms` is no placeholder"),
            ("a > $4", "without `$`"),
            ("a > ?", "without `?`"),
            ("true; DROP TABLE t", "without `;`"),
        ] {
            let error = guarded(sql).expect_err(sql);
            assert!(error.contains(complaint), "{sql}: {error}");
        }
    }
}
