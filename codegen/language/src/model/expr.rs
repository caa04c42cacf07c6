//! Type expressions: `[optional] (list of | map of)* Name [or null]`, `[optional] string or list of … [or null]`, or `const word`.

use std::{fmt, ops::Range};

use super::Primitive;

/// A type expression. `optional` and `or null` are of the whole, also of `optional list of T or null`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeExpr {
    /// May be absent.
    pub optional: bool,
    /// May be null.
    pub nullable: bool,
    /// The type of a value that is present.
    pub base: BaseType,
    /// The bytes of the name (or the constant) in the expression.
    pub name: Range<usize>,
}

/// A type expression without `optional` and `or null`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseType {
    /// Always this word.
    Const(String),
    /// A list.
    List(Box<Self>),
    /// A text, or a list of this.
    TextOrList(Box<Self>),
    /// A mapping from string.
    Map(Box<Self>),
    /// A type of the language.
    Primitive(Primitive),
    /// A type of the spec.
    Named(String),
}

/// A syntax error in a type expression or route, with the bytes at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExprError {
    /// The bytes at fault.
    pub range: Range<usize>,
    /// The error in words.
    pub message: String,
    /// The word at fault and what it may have been meant to be one of; empty where there is no list.
    pub candidates: Vec<&'static str>,
}

impl fmt::Display for ExprError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl TypeExpr {
    /// Reads a type expression.
    ///
    /// # Errors
    /// When it does not follow the grammar, with the bytes at fault.
    pub fn parse(text: &str) -> Result<Self, ExprError> {
        ExprReader { text, words: words(text), at: 0 }.expression()
    }

    /// The name of the spec's type it speaks of, through lists and maps.
    #[must_use]
    pub fn named(&self) -> Option<&str> {
        match self.innermost() {
            BaseType::Named(name) => Some(name),
            _ => None,
        }
    }

    /// The type inside all lists and maps.
    #[must_use]
    pub fn innermost(&self) -> &BaseType {
        let mut base = &self.base;
        while let BaseType::List(inner) | BaseType::TextOrList(inner) | BaseType::Map(inner) = base {
            base = inner;
        }
        base
    }
}

/// Reads one expression word by word.
struct ExprReader<'a> {
    text: &'a str,
    words: Vec<Range<usize>>,
    at: usize,
}

impl<'a> ExprReader<'a> {
    fn expression(mut self) -> Result<TypeExpr, ExprError> {
        let optional = self.take("optional");
        let (mut base, mut name) = self.base()?;
        if base == BaseType::Primitive(Primitive::String) && self.is_followed_by_list() {
            self.at += 1;
            let (list, item_name) = self.base()?;
            if let BaseType::List(item) = list {
                (base, name) = (BaseType::TextOrList(item), item_name);
            }
        }
        let nullable = self.take("or");
        if nullable && !self.take("null") {
            return Err(self.complain("`or` is followed by `null` and nothing else", &["null"]));
        }
        if self.at < self.words.len() {
            let rest = &self.text[self.words[self.at].clone()];
            return Err(self.complain(&format!("`{rest}` does not belong here: only `or null` follows a type"), &[]));
        }
        Ok(TypeExpr { optional, nullable, base, name })
    }

    fn is_followed_by_list(&self) -> bool {
        let word = |at: usize| self.words.get(at).map(|range| &self.text[range.clone()]);
        word(self.at) == Some("or") && word(self.at + 1) == Some("list")
    }

    fn base(&mut self) -> Result<(BaseType, Range<usize>), ExprError> {
        // Words come from one line of a file, yet a hostile one may repeat `list of` without end: no recursion.
        let mut wrappers = Vec::new();
        while let Some(word @ ("list" | "map")) = self.peek() {
            self.at += 1;
            if !self.take("of") {
                return Err(self.complain(&format!("`{word}` is followed by `of` and a type"), &["of"]));
            }
            wrappers.push(word);
            if wrappers.len() > 8 {
                return Err(self.complain("lists and maps are nested more than eight deep", &[]));
            }
        }
        let (mut base, name) = self.name()?;
        for wrapper in wrappers.into_iter().rev() {
            base = if wrapper == "list" { BaseType::List(Box::new(base)) } else { BaseType::Map(Box::new(base)) };
        }
        Ok((base, name))
    }

    fn name(&mut self) -> Result<(BaseType, Range<usize>), ExprError> {
        let Some(word) = self.peek() else {
            return Err(self.complain("a type is missing", &[]));
        };
        let mut range = self.words[self.at].clone();
        let base = if word == "const" {
            self.at += 1;
            let Some(constant) = self.peek() else {
                return Err(self.complain("`const` is followed by the word that is always there", &[]));
            };
            range = self.words[self.at].clone();
            BaseType::Const(constant.to_owned())
        } else if let Some(primitive) = Primitive::ALL.iter().find(|primitive| primitive.word() == word) {
            BaseType::Primitive(*primitive)
        } else if is_upper_camel(word) {
            BaseType::Named(word.to_owned())
        } else {
            return Err(self.complain(&format!("`{word}` is no type"), WORDS));
        };
        self.at += 1;
        Ok((base, range))
    }

    fn peek(&self) -> Option<&'a str> {
        self.words.get(self.at).map(|range| &self.text[range.clone()])
    }

    fn take(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        self.at += usize::from(found);
        found
    }

    /// A complaint about the word at hand, or about the last one where there is none left.
    fn complain(&self, message: &str, candidates: &[&'static str]) -> ExprError {
        let range = self.words.get(self.at).or(self.words.last()).cloned().unwrap_or(0..self.text.len());
        ExprError { range, message: message.to_owned(), candidates: candidates.to_vec() }
    }
}

/// The lower-case words of type expressions, offered as corrections of others.
const WORDS: &[&str] = &[
    "string",
    "int",
    "number",
    "bool",
    "json",
    "usd",
    "written_usd",
    "unix_seconds",
    "url",
    "bytes",
    "date",
    "date_time",
    "optional",
    "list",
    "map",
    "const",
];

/// True if a word has the form of a type's name: `StopReason`, `X402Order`, `OK`.
#[must_use]
pub fn is_upper_camel(word: &str) -> bool {
    word.starts_with(|first: char| first.is_ascii_uppercase()) && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The words of a text, by byte ranges.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    text.split_ascii_whitespace()
        .map(|word| {
            let start = word.as_ptr() as usize - text.as_ptr() as usize;
            start..start + word.len()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> TypeExpr {
        TypeExpr::parse(text).expect("a type expression")
    }

    #[test]
    fn the_grammar_in_full() {
        let all = parse("optional list of map of StopReason or null");
        assert!(all.optional && all.nullable);
        assert_eq!(all.named(), Some("StopReason"));
        assert_eq!(&"optional list of map of StopReason or null"[all.name], "StopReason");
        assert_eq!(parse("const chat.completion").base, BaseType::Const("chat.completion".to_owned()));
        let either = parse("optional string or list of map of Part or null");
        let part = BaseType::Map(Box::new(BaseType::Named("Part".to_owned())));
        assert_eq!((either.base, either.nullable), (BaseType::TextOrList(Box::new(part)), true));
        assert_eq!(parse("unix_seconds").base, BaseType::Primitive(Primitive::UnixSeconds));
    }

    #[test]
    fn complaints_point_at_the_word() {
        let range = |text: &str| TypeExpr::parse(text).expect_err("no type expression").range;
        assert_eq!(range("optinal string"), 0..7);
        assert_eq!(range("list string"), 5..11);
        assert_eq!(range("string or nul"), 10..13);
        assert_eq!(range("string?"), 0..7);
        assert_eq!(range("string or list"), 10..14);
        assert_eq!(range("int or list of int"), 7..11);
        assert_eq!(range("string string"), 7..13);
        assert_eq!(range(""), 0..0);
    }
}
