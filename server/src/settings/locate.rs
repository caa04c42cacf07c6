//! From a key's path to its line and column.

use toml::de::{DeTable, DeValue};

/// Line and column, from 1, of the deepest part of `path` that stands in `text`; `None` when not even the first does.
pub(super) fn position(text: &str, path: &[&str]) -> Option<(usize, usize)> {
    let document = DeTable::parse(text).ok()?;
    let mut table = document.get_ref();
    let mut found = None;
    let mut parts = path.iter();
    while let Some(part) = parts.next() {
        let Some((key, value)) = table.iter().find(|(key, _)| key.get_ref() == part) else { break };
        found = Some(key.span().start);
        match value.get_ref() {
            DeValue::Table(inner) => table = inner,
            // `price.tiers.1`: the table at that place of the list. Of other lists their own place is near enough.
            DeValue::Array(list) => {
                let Some(inner) = parts.next().and_then(|index| list.get(index.parse::<usize>().ok()?)) else { break };
                found = Some(inner.span().start);
                let DeValue::Table(inner) = inner.get_ref() else { break };
                table = inner;
            }
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
        let text = "[p]\nx = 1\n[[p.tiers]]\nabove = 1\n[[p.tiers]]\nabove = 1\nlist = [1]\n";
        assert_eq!(position(text, &["p", "tiers", "1", "above"]), Some((6, 1)));
        assert_eq!(position(text, &["p", "tiers", "1", "list", "0"]), Some((7, 9)));
        assert_eq!(position(text, &["p", "tiers", "2", "above"]), Some((3, 5)));
    }
}
