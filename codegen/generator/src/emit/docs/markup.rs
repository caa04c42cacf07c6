//! Markup: templates written out, and texts as HTML.

use askama::Template;

/// The text of a template.
pub(super) fn rendered(template: &impl Template) -> String {
    template.render().expect("writing to a string cannot fail")
}

/// Text as HTML.
pub(super) fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    let mut rest = text;
    // Most of it is as it is, and is copied piece by piece.
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'&' | b'<' | b'>' | b'"')) {
        html.push_str(&rest[..at]);
        html.push_str(match rest.as_bytes()[at] {
            b'&' => "&amp;",
            b'<' => "&lt;",
            b'>' => "&gt;",
            _ => "&quot;",
        });
        rest = &rest[at + 1..];
    }
    html.push_str(rest);
    html
}
