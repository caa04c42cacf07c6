//! Examples, the operations that each is of spelled out.

use serde::Serialize;
use serde_json::Value;

use super::{ResolvedOperation, errors};
use crate::map::{HashMap, HashSet, IndexMap};
use crate::model::{self, EntryMap, OperationStage, SpannedText, Spec};

/// Something that is there before a request is sent.
#[derive(Debug, Serialize)]
pub struct ResolvedFixture<'s> {
    /// One line on the thing that exists.
    pub doc: &'s str,
    /// Of a caller: the scheme that it is admitted by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<&'s str>,
    /// Headers that it adds to each request.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub sends: IndexMap<&'s str, &'s str>,
    /// Its values, as they may look.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub gives: IndexMap<&'s str, Value>,
}

/// A request and its answer. What a refusal does not say is as in the example that its operation names as its own.
#[derive(Debug, Serialize)]
pub struct ResolvedExample<'s> {
    /// One line on its purpose.
    pub doc: &'s str,
    /// The operations that it is an example of.
    pub of: Vec<&'s str>,
    /// The caller; where absent, the first fixture that the operation admits.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub caller: Option<&'s str>,
    /// The fixtures that exist before the request.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<&'s str>,
    /// The request.
    pub send: ResolvedExampleRequest<'s>,
    /// The answer.
    pub expect: ResolvedExampleAnswer<'s>,
    /// The file and key in the spec.
    pub at: String,
}

/// The request of an example.
#[derive(Debug, Default, Serialize)]
pub struct ResolvedExampleRequest<'s> {
    /// Parameters of the path.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub path: IndexMap<&'s str, Value>,
    /// Parameters of the query.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<&'s str, Value>,
    /// Headers, by their canonical names.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<&'s str, Value>,
    /// The body, or the members of it that differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// Headers and members of the body that are left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<&'s str>,
}

/// The answer that an example expects.
#[derive(Debug, Serialize)]
pub struct ResolvedExampleAnswer<'s> {
    /// Of a refusal: its code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<&'s str>,
    /// True if the code comes with the last event of a stream.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub late: bool,
    /// The status, where it is another than usual.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// Headers of the answer; `*` is any value.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<&'s str, Value>,
    /// The whole body of a success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Value>,
    /// The events of a success.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Vec<Value>>,
    /// Parts that differ from time to time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub varies: Vec<&'s str>,
}

/// The reason why some codes have no example.
#[derive(Debug, Serialize)]
pub struct ResolvedUntoldCodes<'s> {
    /// The codes; `success` for having no success.
    pub codes: Vec<&'s str>,
    /// The operations; where empty, all that have no example of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub of: Vec<&'s str>,
    /// The reason.
    pub because: &'s str,
}

pub(super) fn fixtures(spec: &Spec) -> IndexMap<&str, ResolvedFixture<'_>> {
    spec.fixtures.iter().map(|(name, entry)| (name.as_str(), resolve_fixture(&entry.value))).collect()
}

fn resolve_fixture(fixture: &model::Fixture) -> ResolvedFixture<'_> {
    ResolvedFixture {
        doc: fixture.doc.trim_end(),
        caller: fixture.caller.as_ref().map(|caller| caller.value.as_str()),
        sends: fixture.sends.iter().map(|(name, text)| (name.as_str(), text.value.value.as_str())).collect(),
        gives: values(&fixture.gives),
    }
}

pub(super) fn resolve(spec: &Spec) -> IndexMap<&str, ResolvedExample<'_>> {
    spec.examples.iter().map(|(name, entry)| (name.as_str(), example(spec, name, entry))).collect()
}

fn example<'s>(spec: &'s Spec, name: &str, entry: &'s model::SpecEntry<model::Example>) -> ResolvedExample<'s> {
    let model::Example { doc, caller, given, send, expect, .. } = &entry.value;
    ResolvedExample {
        doc: doc.trim_end(),
        of: of(spec, entry),
        caller: caller.as_ref().map(|caller| caller.value.as_str()),
        given: words(given),
        send: ResolvedExampleRequest {
            path: values(&send.path),
            query: values(&send.query),
            headers: values(&send.headers),
            body: send.body.as_ref().map(|body| body.to_json()),
            without: words(&send.without),
        },
        expect: ResolvedExampleAnswer {
            code: expect.code.as_ref().map(|code| code.value.as_str()),
            late: expect.late.value,
            status: expect.status.as_ref().map(|status| status.value),
            headers: values(&expect.headers),
            body: expect.body.as_ref().map(|body| body.to_json()),
            stream: expect.stream.as_ref().map(|events| events.iter().map(|event| event.to_json()).collect()),
            varies: words(&expect.varies),
        },
        at: spec.entry_at(entry.place, name),
    }
}

/// The operations that an example is of.
fn of<'s>(spec: &'s Spec, example: &'s model::Example) -> Vec<&'s str> {
    if let Some(of) = &example.of {
        return words(of.all());
    }
    let Some(code) = &example.expect.code else { return Vec::new() };
    let excepted: HashSet<&str> = example.except.iter().map(|except| except.value.as_str()).collect();
    let operations = spec.operations.iter().filter(|(name, operation)| {
        operation.stage == OperationStage::Routed
            && !excepted.contains(name.as_str())
            && spec.may_call(example, operation)
            && errors::expand(spec, &operation.errors).contains(&code.value.as_str())
    });
    operations.map(|(name, _)| name.as_str()).collect()
}

/// Names for each operation the example that its refusals start from: its first success, or where it has none, the first
/// that is of it alone.
pub(super) fn name_bases<'s>(
    operations: &mut IndexMap<&'s str, ResolvedOperation<'s>>,
    examples: &IndexMap<&'s str, ResolvedExample<'s>>,
) {
    let (mut successes, mut alone) = (HashMap::default(), HashMap::default());
    for (name, example) in examples {
        if example.expect.code.is_none() {
            for id in &example.of {
                successes.entry(*id).or_insert(*name);
            }
        }
        if let [id] = example.of[..] {
            alone.entry(id).or_insert(*name);
        }
    }
    for (id, operation) in operations {
        operation.example = successes.get(id).or_else(|| alone.get(id)).copied();
    }
}

pub(super) fn untold(spec: &Spec) -> IndexMap<&str, ResolvedUntoldCodes<'_>> {
    let untold = spec.untold.iter();
    untold.map(|(name, entry)| (name.as_str(), reason(&entry.value))).collect()
}

fn reason(untold: &model::UntoldCodes) -> ResolvedUntoldCodes<'_> {
    ResolvedUntoldCodes { codes: words(&untold.codes), of: words(&untold.of), because: untold.because.trim_end() }
}

fn values(entries: &EntryMap<model::SpannedJson>) -> IndexMap<&str, Value> {
    entries.iter().map(|(name, entry)| (name.as_str(), entry.to_json())).collect()
}

fn words(list: &[SpannedText]) -> Vec<&str> {
    list.iter().map(|word| word.value.as_str()).collect()
}
