//! Examples of requests and answers, where tools that know OpenAPI look for them.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde_json::{Map, Value};

use super::object::{object, some};
use super::text::{self, JsonText};
use crate::client_model::{ApiDocument, ApiReply, CaseBody, ExampleCase, FixtureValues, filled, refusal, samples};
use crate::map::{IndexMap, IndexSet};

/// The cases of a document by operation, and the values in them.
pub(super) struct OpenApiExamples<'d> {
    document: &'d ApiDocument,
    cases: IndexMap<&'d str, &'d [ExampleCase<'d>]>,
    values: FixtureValues,
}

impl<'d> OpenApiExamples<'d> {
    pub(super) fn new(document: &'d ApiDocument, cases: &'d [ExampleCase<'d>]) -> Self {
        let by_operation = cases.chunk_by(|one, other| one.id == other.id).map(|cases| (cases[0].id, cases));
        Self { document, cases: by_operation.collect(), values: samples(document) }
    }

    fn of(&self, id: &str) -> impl Iterator<Item = &ExampleCase<'d>> {
        self.cases.get(id).copied().unwrap_or_default().iter()
    }

    fn successes(&self, id: &str) -> impl Iterator<Item = &ExampleCase<'d>> {
        self.of(id).filter(|case| case.expect.code.is_none())
    }

    /// The bodies that an operation is sent.
    pub(super) fn sent(&self, id: &str) -> Option<Value> {
        let sent = self.successes(id).filter_map(|case| match &case.body {
            Some(CaseBody::Json(body)) => Some((case.name.to_owned(), shown(case.doc, filled(body, &self.values)))),
            _ => None,
        });
        some(sent.collect())
    }

    /// A parameter of the path or the query.
    pub(super) fn parameter(&self, id: &str, place: &str, name: &str) -> Option<Value> {
        let value = |case: &ExampleCase<'_>| match place {
            "path" => case.path.get(name).cloned(),
            "query" => case.query.get(name).cloned(),
            _ => None,
        };
        self.successes(id).find_map(value).map(|value| filled(&value, &self.values))
    }

    /// The bodies that an operation answers with where all is well.
    pub(super) fn answered(&self, id: &str) -> Map<String, Value> {
        let json = |case: &&ExampleCase<'_>| matches!(case.expect.reply, ApiReply::Json(_) | ApiReply::Named(_));
        let bodies = self.successes(id).filter(json).filter_map(|case| {
            let body = filled(case.expect.body?, &self.values);
            Some((case.name.to_owned(), shown(case.doc, body)))
        });
        bodies.collect()
    }

    /// The types of what an operation answers with where all is well, and the usual one where examples show none.
    pub(super) fn media_types<'e>(&'e self, id: &str, usual: &'e str) -> impl Iterator<Item = &'e str> {
        let told = self.successes(id).filter_map(|case| case.expect.headers.get("content-type")?.as_str());
        let types = told.filter_map(|ty| ty.split(';').next()).map(str::trim).filter(|ty| *ty != "*");
        let types: IndexSet<&str> = types.collect();
        let usual = types.is_empty().then_some(usual);
        types.into_iter().chain(usual)
    }

    /// The statuses that an operation is shown to tell a header with.
    pub(super) fn header_statuses(&self, id: &str, header: &str) -> BTreeSet<u16> {
        let told = self.of(id).filter(|case| case.expect.headers.contains_key(header));
        told.map(|case| case.expect.status).collect()
    }

    /// The events that an operation answers with, one by one.
    pub(super) fn streamed(&self, id: &str) -> Option<Value> {
        let mut events = Map::new();
        for case in self.successes(id) {
            for (index, event) in case.expect.stream.into_iter().flatten().enumerate() {
                events.insert(format!("{}.{index}", case.name), shown(case.doc, filled(event, &self.values)));
            }
        }
        some(events)
    }

    /// Refusals, each once for each of its shapes, as texts at that depth.
    pub(super) fn components(&self, refusals: BTreeSet<RefusalExample<'_>>, depth: usize) -> Vec<(String, JsonText)> {
        let refusals: Vec<_> = refusals.into_iter().collect();
        let written = refusals.into_par_iter().filter_map(|shown| {
            let body = refusal(self.document, shown.envelope, shown.code, shown.http)?;
            let name = shown.name();
            let text = text::value(depth, &name, &object([("value", body)]));
            Some((name, text))
        });
        written.collect()
    }
}

/// A code as an envelope shows it with a status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct RefusalExample<'d> {
    pub(super) envelope: &'d str,
    pub(super) code: &'d str,
    pub(super) http: u16,
}

impl RefusalExample<'_> {
    /// The name of its example.
    pub(super) fn name(&self) -> String {
        format!("{}.{}.{}", self.envelope, self.code, self.http)
    }
}

fn shown(doc: &str, value: Value) -> Value {
    object([("summary", doc.into()), ("value", value)])
}
