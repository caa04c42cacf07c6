//! Fixtures: callers, things that exist before a request, and the values that examples take from them.

use super::NamedOperation;
use crate::{
    check::context::CheckContext,
    diagnostics::{Diagnostic, closest, codes::examples, codes::references},
    model::{Example, Fixture, FixturePlaceholder, SourceSpan, SpannedJson, SpannedText, SpecEntry, SpecSection},
};

/// The value that a caller gives.
const SECRET: &str = "secret";

impl<'a> CheckContext<'a> {
    pub(super) fn fixture(&mut self, name: &'a str, fixture: &'a SpecEntry<Fixture>) {
        if let Some(caller) = &fixture.caller {
            self.resolve(SpecSection::Auth, caller, references::UNKNOWN_SCHEME);
            if !fixture.gives.contains_key(SECRET)
                && !self.damage.lacks(SpecSection::Fixtures, name, &["gives", SECRET])
            {
                let message = format!("the caller `{name}` gives no `{SECRET}`");
                self.complain(Diagnostic::error(examples::BAD_CALLER, caller.place, message));
            }
        }
        for text in fixture.sends.values() {
            self.fixture_values(&text.value, &[name]);
        }
    }

    /// The fixtures of an example, its caller among them.
    pub(super) fn given(&mut self, name: &str, example: &'a SpecEntry<Example>) {
        for fixture in &example.given {
            self.resolve(SpecSection::Fixtures, fixture, references::UNKNOWN_FIXTURE);
        }
        let Example { send, expect, .. } = &example.value;
        // What the success was given, a refusal has too; only for what is written here it is looked at.
        let mut known: Vec<&str> =
            example.given.iter().chain(&example.caller).map(|word| word.value.as_str()).collect();
        if example.caller.is_none() || !example.is_success() {
            known.extend(self.spec.fixtures.keys().map(String::as_str));
        }
        if self.damage.is_hurt(SpecSection::Examples, name) {
            return;
        }
        let sent = [&send.path, &send.query, &send.headers, &expect.headers];
        for entry in sent.into_iter().flat_map(|entries| entries.values()) {
            self.placeholders_of(&entry.value, &known);
        }
        let bodies = [&send.body, &expect.body].into_iter().flatten();
        for value in bodies.chain(expect.stream.iter().flatten()) {
            self.placeholders_of(&value.value, &known);
        }
    }

    fn placeholders_of(&mut self, value: &'a SpannedJson, known: &[&str]) {
        match value {
            SpannedJson::Word(text) => self.fixture_values(text, known),
            SpannedJson::List(items) => items.iter().for_each(|item| self.placeholders_of(&item.value, known)),
            SpannedJson::Mapping(pairs) => pairs.values().for_each(|entry| self.placeholders_of(&entry.value, known)),
            SpannedJson::Null | SpannedJson::Bool(_) | SpannedJson::Number(_) => {}
        }
    }

    fn fixture_values(&mut self, text: &'a SpannedText, known: &[&str]) {
        let spec = self.spec;
        for FixturePlaceholder { range, fixture, value } in FixturePlaceholder::all(&text.value) {
            let at = |from: usize, length: usize| text.place.part(&text.value, from, from + length);
            let named = at(range.start + 1, fixture.len());
            let Some(found) = spec.fixtures.get(fixture) else {
                if !self.damage.lost_name(fixture) {
                    let what = SpecSection::Fixtures.entry();
                    self.unknown(references::UNKNOWN_FIXTURE, what, fixture, named, |context| {
                        context.names(SpecSection::Fixtures)
                    });
                }
                continue;
            };
            if !known.contains(&fixture) {
                let message = format!("the fixture `{fixture}` is not given here");
                self.complain(
                    Diagnostic::error(references::UNKNOWN_FIXTURE, named, message).label("add it to `given`"),
                );
            } else if !found.gives.contains_key(value) && !self.damage.is_hurt(SpecSection::Fixtures, fixture) {
                let message = format!("the fixture `{fixture}` gives no `{value}`");
                let meant = closest(value, found.gives.keys().map(String::as_str));
                let place = at(range.start + 2 + fixture.len(), value.len());
                self.complain(Diagnostic::error(references::UNKNOWN_FIXTURE, place, message).suggest(meant));
            }
        }
    }

    /// Checks the caller: somebody whom the operations admit.
    pub(super) fn callers_of(&mut self, example: &'a SpecEntry<Example>, operations: &[NamedOperation<'a>]) {
        let spec = self.spec;
        let Some(caller) = &example.caller else {
            for (_, operation) in operations {
                let admitted = operation.auth.schemes();
                let first = spec.fixtures.iter().find(|(_, fixture)| {
                    fixture.caller.as_ref().is_some_and(|scheme| admitted.iter().any(|one| one.value == scheme.value))
                });
                if let Some((name, _)) = first {
                    self.mark_used(SpecSection::Fixtures, name);
                }
            }
            return;
        };
        if !self.resolve(SpecSection::Fixtures, caller, references::UNKNOWN_FIXTURE) {
            return;
        }
        let Some(fixture) = spec.fixtures.get(&caller.value) else { return };
        let Some(scheme) = &fixture.caller else {
            if !self.damage.is_hurt(SpecSection::Fixtures, &caller.value) {
                let message = format!("the fixture `{}` cannot call", caller.value);
                let complaint = Diagnostic::error(examples::BAD_CALLER, caller.place, message);
                self.complain(complaint.and(fixture.place, "it has no `caller`"));
            }
            return;
        };
        for (name, operation) in operations {
            let admitted = operation.auth.schemes().iter().any(|one| one.value == scheme.value);
            if !admitted && !self.damage.is_hurt(SpecSection::Operations, name) {
                let message = format!("`{name}` admits nobody by `{}`", scheme.value);
                let complaint = Diagnostic::error(examples::BAD_CALLER, caller.place, message);
                self.complain_once(&caller.value, complaint.and(operation.place, "the operation"));
            }
        }
    }

    /// The sample value that a placeholder stands for.
    pub(super) fn sample(&self, text: &str) -> Option<&'a SpannedJson> {
        let FixturePlaceholder { fixture, value, .. } = FixturePlaceholder::whole(text)?;
        self.spec.fixtures.get(fixture)?.gives.get(value).map(|entry| &entry.value)
    }

    /// The place of a value, or of what stands before it.
    pub(super) fn place_of(value: &SpannedJson, before: SourceSpan) -> SourceSpan {
        match value {
            SpannedJson::Word(text) => text.place,
            _ => before,
        }
    }
}
