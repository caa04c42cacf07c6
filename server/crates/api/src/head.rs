//! Proxied bodies: the client's own bytes, and the few members that decide, found in one pass. Parts of a form decide in
//! the same way.
//!
//! The pass looks at top-level keys only. Members that nobody asked for are skipped without being built; the skipping
//! is iterative, so that depth costs no stack. Nothing is copied but the values that were asked for.

use std::ops::Range;

use bytes::Bytes;

use super::body::{json_text, not_json, refused};
use super::fast_scan;
use super::form::MultipartForm;
use super::scan::{self, FoundMembers, NAMES_MAX};
use super::wire::Refusal;
use super::{Failure, Framework, HeadValue, Raw, Rules, ValueConstraint, WithValue};

/// A body to pass on. What the handler does not splice reaches the upstream as the client wrote it.
#[derive(Debug, Clone)]
pub struct ProxyBody<H> {
    /// Exactly what the client sent: a JSON object in UTF-8, or a form.
    pub bytes: Bytes,
    /// The parts of a form; `None` where the body is JSON.
    pub form: Option<MultipartForm>,
    /// The members that decide.
    pub head: H,
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The bytes of its JSON inside the body; in a form, of the part's text.
    pub span: Range<usize>,
}

/// The members that decide, as the operation's `reads:` lists them; generated.
pub trait Head: Sized {
    /// The keys to look for.
    const NAMES: &'static [&'static str];

    /// Reads their values.
    ///
    /// # Errors
    /// When one is missing or of another type.
    fn read(members: &Members<'_>) -> Result<Self, Failure>;
}

/// The members that were asked for, found but not yet read.
#[derive(Debug)]
pub struct Members<'b> {
    body: &'b [u8],
    /// True if values are the texts of a form's parts and not JSON.
    words: bool,
    names: &'static [&'static str],
    found: FoundMembers<'b>,
    framework: &'static Framework,
}

impl<H: Head> ProxyBody<H> {
    /// Checks the encoding and the syntax once, and reads the head.
    ///
    /// # Errors
    /// When the bytes are no JSON object, name a member of the head twice, or the head cannot be read.
    pub fn read(bytes: Bytes, rules: &'static Rules) -> Result<Self, Failure> {
        const { assert!(H::NAMES.len() <= NAMES_MAX, "an operation reads more members than a head can hold") }
        let head = H::read(&Members::find(&bytes, H::NAMES, rules)?)?;
        Ok(Self { bytes, form: None, head })
    }

    /// Takes a form apart and reads the head from its parts.
    ///
    /// # Errors
    /// When the bytes are no form, have a part of the head twice, or the head cannot be read.
    pub(super) fn read_form(bytes: Bytes, boundary: &str, rules: &'static Rules) -> Result<Self, Failure> {
        const { assert!(H::NAMES.len() <= NAMES_MAX, "an operation reads more parts than a head can hold") }
        let no_form = |why: &'static str| {
            let failure = Failure::new(rules.framework.bad_field).with("field", "body");
            failure.with("expected", "a complete form").with("found", format!("one {why}"))
        };
        let form = MultipartForm::read(&bytes, boundary, rules.multipart_parts).map_err(no_form)?;
        let head = H::read(&Members::of_form(&bytes, &form, H::NAMES, &rules.framework)?)?;
        Ok(Self { bytes, form: Some(form), head })
    }
}

impl<'b> Members<'b> {
    fn find(body: &'b [u8], names: &'static [&'static str], rules: &'static Rules) -> Result<Self, Failure> {
        let framework = &rules.framework;
        let found = match skimmed(body, names, rules) {
            Some(found) => found,
            None => scan::members(json_text(body, rules)?, names).map_err(|error| not_json(&error, framework))?,
        };
        Self { body, words: false, names, found, framework }.once("the member twice")?.alone()
    }

    /// The parts of a form that are read; others, files among them, are left to the handler.
    fn of_form(
        body: &'b [u8],
        form: &MultipartForm,
        names: &'static [&'static str],
        framework: &'static Framework,
    ) -> Result<Self, Failure> {
        let mut members = Self { body, words: true, names, found: FoundMembers::default(), framework };
        for part in &form.parts {
            let Some(index) = names.iter().position(|name| *name == part.name) else {
                members.found.pass(&part.name, names);
                continue;
            };
            // Some servers read a file as the text that it holds, after we have gone by the absence of that text.
            if part.file_name.is_some() {
                return Err(members.bad_field(names[index], "text", "a file"));
            }
            let text = std::str::from_utf8(&body[part.span.clone()])
                .map_err(|_| members.bad_field(names[index], "UTF-8 text", "other bytes"))?;
            members.found.add(index, text);
        }
        members.once("the part twice")?.alone()
    }

    fn once(self, twice: &str) -> Result<Self, Failure> {
        match self.found.twice {
            Some(index) => Err(self.bad_field(self.names[index], "one value", twice)),
            None => Ok(self),
        }
    }

    /// Refuses a member whose name stands there in other letters too.
    /// A server that does not tell capitals apart would go by the member that we do not look at.
    fn alone(self) -> Result<Self, Failure> {
        match self.found.alike {
            Some(index) => Err(self.bad_field(self.names[index], "this spelling alone", "the name in other letters")),
            None => Ok(self),
        }
    }

    /// A member that has to be there.
    ///
    /// # Errors
    /// When it is missing or not `expected`.
    pub fn required<T: HeadValue>(
        &self,
        name: &'static str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Spanned<T>, Failure> {
        let raw = self.raw(name).ok_or_else(|| Failure::new(self.framework.missing_field).with("field", name))?;
        self.value(name, raw, expected)
    }

    /// A member that may be absent, and is as `expected` when it is there; null is absent.
    ///
    /// # Errors
    /// When it is there and not `expected`.
    pub fn optional<T: HeadValue>(
        &self,
        name: &'static str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Option<Spanned<T>>, Failure> {
        let given = self.raw(name).filter(|raw| !self.is_null(raw));
        given.map(|raw| self.value(name, raw, expected)).transpose()
    }

    /// A member that may be absent or null, both of which the handler can tell apart.
    ///
    /// # Errors
    /// When it is there and neither null nor `expected`.
    pub fn nullable<T: HeadValue>(
        &self,
        name: &'static str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Option<Spanned<Option<T>>>, Failure> {
        let Some(raw) = self.raw(name) else { return Ok(None) };
        if self.is_null(raw) {
            return Ok(Some(Spanned { value: None, span: self.span(raw) }));
        }
        let found = self.value(name, raw, expected)?;
        Ok(Some(Spanned { value: Some(found.value), span: found.span }))
    }

    /// A member that has to be there, perhaps as null.
    ///
    /// # Errors
    /// When it is missing, or neither null nor `expected`.
    pub fn required_nullable<T: HeadValue>(
        &self,
        name: &'static str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Spanned<Option<T>>, Failure> {
        let missing = || Failure::new(self.framework.missing_field).with("field", name);
        self.nullable(name, expected)?.ok_or_else(missing)
    }

    /// True for a JSON null. A form has none: the word is a text like any other.
    fn is_null(&self, raw: &str) -> bool {
        !self.words && raw == "null"
    }

    fn raw(&self, name: &str) -> Option<&'b str> {
        self.names.iter().position(|known| *known == name).and_then(|index| self.found.raw[index])
    }

    fn value<T: HeadValue>(
        &self,
        name: &'static str,
        raw: &str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Spanned<T>, Failure> {
        match if self.words { read_word(raw) } else { T::read(raw) } {
            Ok(value) if expected.holds(&value) => Ok(Spanned { value, span: self.span(raw) }),
            // A fault further inside has its own place and words.
            Err(refusal) if refusal.path.is_some() => Err(refused(refusal.under(name), self.framework)),
            Ok(_) | Err(_) => Err(self.bad_field(name, expected.words(), found(raw))),
        }
    }

    /// The place of `raw`, which lies inside the text: the difference of their addresses.
    fn span(&self, raw: &str) -> Range<usize> {
        let start = raw.as_ptr().addr() - self.body.as_ptr().addr();
        start..start + raw.len()
    }

    fn bad_field(&self, name: &'static str, expected: impl Into<WithValue>, found: &str) -> Failure {
        let failure = Failure::new(self.framework.bad_field).with("field", name).with("expected", expected);
        failure.with("found", found.to_owned())
    }
}

/// The members by the fast pass, which takes nearly all bodies.
/// The fault of any other body is told by the slow pass.
fn skimmed<'b>(body: &'b [u8], names: &'static [&'static str], rules: &Rules) -> Option<FoundMembers<'b>> {
    fast_scan::members(simdutf8::basic::from_utf8(body).ok()?, names, rules.json_levels)
}

/// The text of a part, as a text where the type is one, else as what it says: a number, true or false.
fn read_word<T: HeadValue>(text: &str) -> Result<T, Refusal> {
    T::read(&serde_json::Value::from(text).to_string()).or_else(|_| T::read(text))
}

/// The kind of a JSON text, in the words of an error; numbers and words are shown as they are.
fn found(raw: &str) -> &str {
    match raw.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') if Raw::read(raw).is_ok_and(|raw| raw.is_empty()) => "an empty list",
        Some(b'[') => "a list",
        Some(b'"') => "text",
        _ if raw.len() <= 32 => raw,
        _ => "a very long number",
    }
}
