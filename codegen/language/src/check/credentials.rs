//! Schemes of callers: a request says by one of them who calls, and a prefix ends before the secret.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::types},
    map::HashMap,
    model::{AuthScheme, CallerKind, SourceSpan, SpannedText, SpannedValue},
};

impl<'a> CheckContext<'a> {
    pub(super) fn credentials(&mut self) {
        let spec = self.spec;
        let mut before: Vec<(&str, &AuthScheme)> = Vec::new();
        for (name, scheme) in &spec.auth {
            self.callers_twice(scheme);
            self.operators_apart(scheme);
            self.prefix(scheme);
            if let Some((first, place, other)) = before.iter().find_map(|(first, other)| {
                let (place, other) = shared_carrier(scheme, other)?;
                Some((*first, place, other))
            }) {
                let message = format!("`{name}` and `{first}` take the same secret, and nothing tells which is meant");
                let complaint = Diagnostic::error(errors::SCHEMES_ALIKE, place, message).and(other, "the first one");
                self.complain(complaint.note("a header of two schemes has a `prefix` or `key_starts` for each"));
            }
            before.push((name, scheme));
        }
    }

    fn callers_twice(&mut self, scheme: &AuthScheme) {
        let mut seen: HashMap<CallerKind, SourceSpan> = HashMap::default();
        for caller in &scheme.gives {
            if let Some(first) = seen.insert(caller.value, caller.place) {
                let complaint = Diagnostic::error(types::WORD_TWICE, caller.place, "this caller is there twice");
                self.complain(complaint.and(first, "the first one"));
            }
        }
    }

    fn operators_apart(&mut self, scheme: &AuthScheme) {
        let is_operator = |caller: &&SpannedValue<CallerKind>| caller.value == CallerKind::Operator;
        let operator = scheme.gives.iter().find(is_operator);
        let other = scheme.gives.iter().find(|caller| !is_operator(caller));
        if let Some((operator, other)) = operator.zip(other) {
            let message = "a scheme of operators gives `operator` alone";
            let complaint = Diagnostic::error(errors::OPERATORS_AMONG_OTHERS, operator.place, message);
            self.complain(complaint.and(other.place, "another caller"));
        }
    }

    /// A word before a secret ends with a blank, or the two are one word on the wire.
    fn prefix(&mut self, scheme: &AuthScheme) {
        let Some(prefix) = &scheme.prefix else { return };
        if prefix.value.ends_with(|last: char| last.is_ascii_alphanumeric()) {
            let message = format!("`{}` and the secret would be one word", prefix.value);
            let complaint = Diagnostic::error(errors::PREFIX_WITHOUT_END, prefix.place, message);
            self.complain(complaint.suggest(Some(format!("\"{} \"", prefix.value))));
        }
    }
}

/// The places of a carrier that two schemes share, where nothing about the secret tells them apart.
fn shared_carrier(one: &AuthScheme, other: &AuthScheme) -> Option<(SourceSpan, SourceSpan)> {
    let differ = |one: &Option<SpannedText>, other: &Option<SpannedText>| {
        one.as_ref()
            .zip(other.as_ref())
            .is_some_and(|(one, other)| !one.value.starts_with(&other.value) && !other.value.starts_with(&one.value))
    };
    if differ(&one.key_starts, &other.key_starts) {
        return None;
    }
    let same = |one: &Option<SpannedText>, other: &Option<SpannedText>| {
        let (one, other) = one.as_ref().zip(other.as_ref())?;
        one.value.eq_ignore_ascii_case(&other.value).then_some((one.place, other.place))
    };
    same(&one.header, &other.header)
        .filter(|_| !differ(&one.prefix, &other.prefix))
        .or_else(|| same(&one.query, &other.query))
        .or_else(|| same(&one.cookie, &other.cookie))
}
