//! Colours of code: its words, texts, numbers and remarks, each in an element of its own.

use super::markup::escaped;

/// A language of the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HighlightLanguage {
    Shell,
    Typescript,
    Python,
    Json,
}

impl HighlightLanguage {
    fn keywords(self) -> &'static [&'static str] {
        match self {
            Self::Shell => &["curl"],
            Self::Typescript => &["import", "from", "const", "new", "await", "for", "of", "true", "false", "null"],
            Self::Python => &["from", "import", "for", "in", "True", "False", "None"],
            Self::Json => &["true", "false", "null"],
        }
    }

    fn remark(self) -> Option<&'static str> {
        match self {
            Self::Typescript => Some("//"),
            Self::Python => Some("#"),
            Self::Shell | Self::Json => None,
        }
    }
}

/// Code as HTML.
pub(super) fn html(code: &str, lang: HighlightLanguage) -> String {
    let mut html = String::with_capacity(code.len() * 2);
    let mut rest = code.trim_end();
    let mut put = |class: &str, text: &str| {
        if class.is_empty() {
            html.push_str(&escaped(text));
        } else {
            html.push_str(&format!("<span class={class}>{}</span>", escaped(text)));
        }
    };
    while let Some(first) = rest.chars().next() {
        let (class, length) = token(rest, first, lang);
        put(class, &rest[..length]);
        rest = &rest[length..];
    }
    html
}

/// The class of the first token, and its length in bytes.
fn token(rest: &str, first: char, lang: HighlightLanguage) -> (&'static str, usize) {
    let while_ = |test: fn(char) -> bool| rest.find(|letter| !test(letter)).unwrap_or(rest.len());
    if lang.remark().is_some_and(|mark| rest.starts_with(mark)) {
        return ("r", rest.find('\n').unwrap_or(rest.len()));
    }
    match first {
        '"' => {
            let length = text_length(rest);
            let is_name = lang != HighlightLanguage::Shell && rest[length..].starts_with(':');
            (if is_name { "n" } else { "t" }, length)
        }
        // Everything that a shell is given so is one text, whatever stands in it.
        '\'' if lang == HighlightLanguage::Shell => {
            let end = rest[1..].find('\'').map_or(rest.len(), |at| at + 2);
            ("t", end)
        }
        '0'..='9' => ("d", while_(|letter| letter.is_ascii_alphanumeric() || letter == '.')),
        '-' if lang == HighlightLanguage::Shell => {
            ("k", while_(|letter| letter.is_ascii_alphanumeric() || letter == '-'))
        }
        letter if letter.is_alphabetic() || letter == '_' => {
            let length = while_(|letter| letter.is_alphanumeric() || letter == '_');
            let word = &rest[..length];
            let is_call = rest[length..].starts_with('(')
                && matches!(lang, HighlightLanguage::Typescript | HighlightLanguage::Python);
            let class = match (lang.keywords().contains(&word), is_call) {
                (true, _) => "k",
                (false, true) => "f",
                (false, false) => "",
            };
            // An address is not taken for words and numbers.
            let length = if lang == HighlightLanguage::Shell && class.is_empty() {
                rest.find(char::is_whitespace).unwrap_or(rest.len())
            } else {
                length
            };
            (class, length)
        }
        other => ("", other.len_utf8()),
    }
}

/// The bytes of a text in double quotes, its end included.
fn text_length(rest: &str) -> usize {
    let mut escape = false;
    for (at, letter) in rest.char_indices().skip(1) {
        match letter {
            _ if escape => escape = false,
            '\\' => escape = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_keeps_its_text_and_is_no_markup() {
        let coloured = html("const a = \"<b>\\\"\"; // <i>\nclient.x.get(1)", HighlightLanguage::Typescript);
        assert_eq!(
            coloured,
            "<span class=k>const</span> a = <span class=t>&quot;&lt;b&gt;\\&quot;&quot;</span>; <span class=r>// &lt;i&gt;</span>\n\
             client.x.<span class=f>get</span>(<span class=d>1</span>)"
        );
        let shell = html("curl http://a:1/x \\\n  -d '{\"a\": 1}'", HighlightLanguage::Shell);
        assert_eq!(
            shell,
            "<span class=k>curl</span> http://a:1/x \\\n  <span class=k>-d</span> <span class=t>'{&quot;a&quot;: 1}'</span>"
        );
        assert_eq!(
            html("{\"a\": \"b\"}", HighlightLanguage::Json),
            "{<span class=n>&quot;a&quot;</span>: <span class=t>&quot;b&quot;</span>}"
        );
    }
}
