//! The check of what examples expect: the operation can answer so.

use super::{NamedOperation, fit::ValueCompleteness};
use crate::{
    check::context::CheckContext,
    diagnostics::{Diagnostic, closest, codes::examples},
    model::{
        DeclaredErrorCode, DeclaredOperation, EnvelopeStyle, Example, ExampleAnswer, SpannedJson, SpannedText,
        SpecEntry, SpecSection,
    },
};

/// Headers of answers that are not of one operation alone.
const COMMON: [&str; 6] =
    ["content-type", "retry-after", "set-cookie", "content-disposition", "cache-control", "allow"];

impl<'a> CheckContext<'a> {
    pub(super) fn expected(&mut self, name: &str, example: &'a SpecEntry<Example>, operations: &[NamedOperation<'a>]) {
        let expect = &example.expect;
        if self.damage.is_hurt(SpecSection::Examples, name) {
            return;
        }
        let refusal = expect.code.is_some();
        if let Some(body) = expect.body.as_ref().filter(|_| refusal) {
            self.wrong(body.place, "the body of a refusal is that of its envelope".to_owned());
        }
        if let Some(first) = expect.stream.as_ref().and_then(|events| events.first()).filter(|_| refusal) {
            self.wrong(first.place, "a refusal has no events of its own".to_owned());
        }
        if expect.late.value && !refusal {
            self.wrong(expect.late.place, "only a refusal is told late".to_owned());
        }
        if let (Some(body), Some(stream)) = (&expect.body, expect.stream.as_ref().and_then(|events| events.first())) {
            self.complain(
                Diagnostic::error(examples::BAD_EXPECTATION, stream.place, "an answer is whole or a stream")
                    .and(body.place, "this is a whole one"),
            );
        }
        for (id, operation) in operations.iter().filter(|(id, _)| !self.damage.is_hurt(SpecSection::Operations, id)) {
            self.answer_status(expect, operation);
            self.answer_headers(id, expect, operation);
            self.answer(id, example, operation);
        }
        for path in &expect.varies {
            self.varies(path, expect);
        }
    }

    fn wrong(&mut self, place: crate::model::SourceSpan, message: String) {
        let what = format!("{}:{}", place.file.0, place.start);
        self.complain_once(&what, Diagnostic::error(examples::BAD_EXPECTATION, place, message));
    }

    fn answer_status(&mut self, expect: &'a ExampleAnswer, operation: &'a DeclaredOperation) {
        let Some(status) = &expect.status else { return };
        let ok = operation.always_http.as_ref().map_or(200, |http| http.value);
        let statuses: Vec<u16> = match &expect.code {
            // What may be asked for by parts may be answered as a part.
            None if operation.headers.keys().any(|name| self.spec.wire_name(name) == "range") => vec![ok, 206],
            None => vec![ok],
            Some(_) if operation.always_http.is_some() => vec![ok],
            Some(code) => {
                let Some(code) = self.spec.errors.get(&code.value) else { return };
                statuses(code)
            }
        };
        if !statuses.contains(&status.value) {
            let known: Vec<String> = statuses.iter().map(u16::to_string).collect();
            self.wrong(status.place, format!("the status is {}", known.join(" or ")));
        }
    }

    fn answer_headers(&mut self, id: &str, expect: &'a ExampleAnswer, operation: &'a DeclaredOperation) {
        for (name, entry) in &expect.headers {
            let own = operation.reply_headers.iter().map(|header| header.value.as_str());
            let by_runtime = self.spec.runtime_headers.values().map(|header| header.value.value.as_str());
            let known: Vec<&str> = own.chain(by_runtime).chain(COMMON).collect();
            if !known.contains(&name.as_str()) {
                let meant = closest(name, known);
                let message = format!("no answer of `{id}` has a header `{name}`");
                let what = format!("{}:{}", entry.place.file.0, entry.place.start);
                let complaint = Diagnostic::error(examples::BAD_EXPECTATION, entry.place, message);
                self.complain_once(&what, complaint.suggest(meant));
            }
        }
    }

    /// Checks that body and events are of the types that the operation answers with.
    fn answer(&mut self, id: &str, example: &'a SpecEntry<Example>, operation: &'a DeclaredOperation) {
        let expect = &example.expect;
        let streams = expect.stream.is_some() || expect.late.value;
        if streams && operation.stream.is_none() {
            let place = expect.stream.as_ref().and_then(|events| events.first()).map_or(example.place, |one| one.place);
            self.wrong(place, format!("`{id}` has no stream"));
        }
        if let (Some(events), Some(stream)) = (&expect.stream, &operation.stream) {
            for event in events {
                let misfits = self.misfits(&event.value, event.place, &stream.event, ValueCompleteness::Yes);
                self.report_mismatches(misfits);
            }
        }
        let Some(body) = expect.body.as_ref().filter(|_| expect.code.is_none()) else { return };
        match (&operation.ok, operation.select.as_slice()) {
            (Some(ok), _) => {
                let misfits = self.misfits(&body.value, body.place, ok, ValueCompleteness::Yes);
                self.report_mismatches(misfits);
            }
            (None, [first, rest @ ..]) => {
                // Any branch will do.
                let of = |ok: &SpannedText| self.misfits(&body.value, body.place, ok, ValueCompleteness::Yes);
                let mut least = of(&first.ok);
                for branch in rest {
                    let misfits = of(&branch.ok);
                    if misfits.len() < least.len() {
                        least = misfits;
                    }
                }
                self.report_mismatches(least);
            }
            // Where the data has no reply around it, that is said there.
            (None, []) if operation.data.is_some() => {}
            (None, []) => self.wrong(body.place, format!("`{id}` answers with no body of a known shape")),
        }
    }

    /// Checks that a path of what varies leads somewhere.
    fn varies(&mut self, path: &'a SpannedText, expect: &'a ExampleAnswer) {
        let steps: Vec<&str> = path.value.split('.').collect();
        let found = match (&expect.body, &expect.stream) {
            (Some(body), _) => leads(&body.value, &steps),
            (None, Some(events)) => each(events.iter().map(|event| &event.value), &steps),
            (None, None) => false,
        };
        if !found {
            let meant = match (&expect.body, &expect.stream) {
                (Some(body), _) => meant_path(&body.value, &steps),
                (None, Some(events)) => events.first().and_then(|event| {
                    Some([steps.first()?, meant_path(&event.value, &steps[1..])?.as_str()].join("."))
                }),
                (None, None) => None,
            };
            let message = format!("`{}` leads to nothing that is expected", path.value);
            let what = format!("{}:{}", path.place.file.0, path.place.start);
            let complaint = Diagnostic::error(examples::BAD_EXPECTATION, path.place, message);
            self.complain_once(&what, complaint.suggest(meant));
        }
    }
}

fn leads(value: &SpannedJson, steps: &[&str]) -> bool {
    let Some((first, rest)) = steps.split_first() else { return true };
    match value {
        SpannedJson::Mapping(pairs) if *first == "*" => pairs.values().any(|entry| leads(&entry.value, rest)),
        SpannedJson::Mapping(pairs) => pairs.get(*first).is_some_and(|entry| leads(&entry.value, rest)),
        SpannedJson::List(items) => each(items.iter().map(|item| &item.value), steps),
        SpannedJson::Null | SpannedJson::Bool(_) | SpannedJson::Number(_) | SpannedJson::Word(_) => false,
    }
}

/// The path that leads somewhere where one step is read as the key that it is closest to.
fn meant_path(value: &SpannedJson, steps: &[&str]) -> Option<String> {
    let (first, rest) = steps.split_first()?;
    let (step, inner) = match value {
        SpannedJson::Mapping(pairs) => match pairs.get(*first) {
            Some(entry) => (*first, Some(&entry.value)),
            None => return Some([&[closest(first, pairs.keys().map(String::as_str))?], rest].concat().join(".")),
        },
        SpannedJson::List(items) => (*first, items.first().map(|item| &item.value)),
        SpannedJson::Null | SpannedJson::Bool(_) | SpannedJson::Number(_) | SpannedJson::Word(_) => return None,
    };
    Some([step, &meant_path(inner?, rest)?].join("."))
}

fn each<'v>(mut items: impl Iterator<Item = &'v SpannedJson>, steps: &[&str]) -> bool {
    let Some((first, rest)) = steps.split_first() else { return true };
    match first.parse::<usize>() {
        Ok(index) => items.nth(index).is_some_and(|item| leads(item, rest)),
        Err(_) => *first == "*" && items.any(|item| leads(item, rest)),
    }
}

/// The statuses that a code may come with.
fn statuses(code: &DeclaredErrorCode) -> Vec<u16> {
    let styles = EnvelopeStyle::ALL.into_iter().filter_map(|style| code.http_in.get(style));
    std::iter::once(&code.http).chain(&code.http_also).chain(styles).map(|http| http.value).collect()
}
