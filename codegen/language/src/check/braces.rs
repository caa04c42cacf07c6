//! Braces in texts: the pairs, and the lone ones.

/// A pair of braces in a text, or a lone one.
pub(super) struct BraceSpan<'t> {
    /// The first byte, of `{`.
    pub(super) start: usize,
    /// The first byte after it.
    pub(super) end: usize,
    /// The text between, where it is a name in snake case.
    pub(super) name: Option<&'t str>,
    /// The text between, whatever it is; `None` for a lone brace.
    pub(super) inside: Option<&'t str>,
}

/// The braces of a text.
pub(super) fn braces(text: &str) -> Vec<BraceSpan<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(['{', '}']) {
        let start = from + at;
        let inner = &text[start + 1..];
        let closed = text[start..].starts_with('{').then(|| inner.find(['{', '}'])).flatten();
        let inside = closed.filter(|end| inner[*end..].starts_with('}')).map(|end| &inner[..end]);
        let is_name = |inside: &&str| {
            !inside.is_empty()
                && inside.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let end = inside.map_or(start + 1, |inside| start + inside.len() + 2);
        found.push(BraceSpan { start, end, name: inside.filter(is_name), inside });
        from = end;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::braces;

    #[test]
    fn braces_are_found() {
        let found =
            |text| braces(text).into_iter().map(|brace| (brace.start, brace.end, brace.name)).collect::<Vec<_>>();
        assert_eq!(found("no {a} in {b_2}"), [(3, 6, Some("a")), (10, 15, Some("b_2"))]);
        assert_eq!(found("{a b} {c"), [(0, 5, None), (6, 7, None)]);
        assert_eq!(found("}{ä}"), [(0, 1, None), (1, 5, None)]);
    }
}
