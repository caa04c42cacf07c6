//! From a key's path to its line and column.

use toml::de::{DeTable, DeValue};

/// Line and column, from 1, of the deepest part of `path` that stands in `text`; `None` when not even the first does.
pub(super) fn position(text: &str, path: &[&str]) -> Option<(usize, usize)> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut found = None;
    for part in path {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == part) else { break };
        found = Some(key.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            // `candidates` and other lists: the place of the list is near enough.
            _ => break,
        }
    }
    found.map(|offset| line_and_column(text, offset))
}

/// Line and column, from 1, of a byte offset.
pub(super) fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let before = &text[..offset.min(text.len())];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_found_where_it_stands() {
        let text = "mode = \"production\"\n[models.a]\nprice = { prompt = \"x\" }\n";
        assert_eq!(position(text, &["models", "a", "price", "prompt"]), Some((3, 11)));
        assert_eq!(position(text, &["models", "a", "candidates"]), Some((2, 9)));
        assert_eq!(position(text, &["upstreams"]), None);
    }
}
