//! Cases of examples: each as one request of one operation, with its answer.

use serde_json::{Map, Value};

use super::document::{ApiBranch, ApiDocument, ApiExample, ApiFixture, ApiOperation, ApiScheme};
use super::reply::{ApiReply, reply};
use crate::map::IndexMap;

/// One request of one operation, and its answer.
#[derive(Debug, Clone)]
pub struct ExampleCase<'d> {
    /// The example, or what was made: `chat-hello`, `no-credentials`.
    pub name: &'d str,
    /// One line on its purpose.
    pub doc: &'d str,
    /// The place of the example, `spec/examples/chat.yaml: greeting`; for a case that needs no writing, the operation.
    pub at: &'d str,
    /// The operation's name.
    pub id: &'d str,
    /// The operation.
    pub operation: &'d ApiOperation,
    /// The caller, from the fixtures.
    pub caller: Option<&'d str>,
    /// The fixtures that exist before the request.
    pub given: Vec<&'d str>,
    /// The method.
    pub method: &'d str,
    /// The parameters of the path.
    pub path: IndexMap<&'d str, Value>,
    /// The parameters of the query.
    pub query: IndexMap<&'d str, Value>,
    /// The headers by their names on the wire, credentials and the type of the body among them.
    pub headers: IndexMap<&'d str, Value>,
    /// The body.
    pub body: Option<CaseBody>,
    /// The expected answer.
    pub expect: CaseAnswer<'d>,
}

/// A body as it is sent.
#[derive(Debug, Clone, PartialEq)]
pub enum CaseBody {
    /// JSON.
    Json(Value),
    /// This text, whatever the headers say.
    Text(&'static str),
    /// One that is said to be of so many bytes.
    Bytes(u64),
}

/// The expected answer.
#[derive(Debug, Clone)]
pub struct CaseAnswer<'d> {
    /// The code of a refusal, by its name in the spec.
    pub code: Option<&'d str>,
    /// True if the code comes with the last event of a stream.
    pub late: bool,
    /// The status.
    pub status: u16,
    /// The envelope of what is refused.
    pub envelope: &'d str,
    /// The type of what is not refused.
    pub reply: ApiReply<'d>,
    /// Headers; `*` is any value.
    pub headers: IndexMap<&'d str, &'d Value>,
    /// The whole body of a success.
    pub body: Option<&'d Value>,
    /// All events of a success.
    pub stream: Option<&'d [Value]>,
    /// Parts of body or events that differ from time to time.
    pub varies: &'d [String],
}

/// The case that an example is for an operation.
#[must_use]
pub fn case<'d>(document: &'d ApiDocument, id: &str, example: &str) -> Option<ExampleCase<'d>> {
    let (id, operation) = document.operations.get_key_value(id)?;
    let (name, example) = document.examples.get_key_value(example)?;
    Some(of(document, (id, operation), (name, example)))
}

pub(super) fn of<'d>(
    document: &'d ApiDocument,
    (id, operation): (&'d str, &'d ApiOperation),
    (name, example): (&'d str, &'d ApiExample),
) -> ExampleCase<'d> {
    let refusal = example.expect.code.is_some();
    let base = operation.example.as_deref().filter(|base| refusal && *base != name);
    let base = base.and_then(|base| document.examples.get(base));
    let layers: Vec<&'d ApiExample> = base.into_iter().chain([example]).collect();
    let named = layers.iter().rev().find_map(|layer| layer.caller.as_deref());
    let caller = named.or_else(|| first_admitted(document, operation));
    let mut given: Vec<&str> = Vec::new();
    for fixture in layers.iter().flat_map(|layer| &layer.given) {
        if !given.contains(&fixture.as_str()) {
            given.push(fixture);
        }
    }
    let merged = |part: fn(&ApiExample) -> &IndexMap<String, Value>| {
        let pairs = layers.iter().flat_map(|layer| part(layer));
        pairs.map(|(name, value)| (name.as_str(), value.clone())).collect::<IndexMap<&'d str, Value>>()
    };
    let (path, query) = (merged(|layer| &layer.send.path), merged(|layer| &layer.send.query));
    let mut own = merged(|layer| &layer.send.headers);
    own.retain(|name, _| !example.send.without.iter().any(|without| without == name));
    let body = body(&layers);
    let mut asked: Vec<String> = own.keys().map(|name| (*name).to_owned()).collect();
    asked.extend(query.keys().map(|name| format!("query.{name}")));
    let mut headers: IndexMap<&'d str, Value> = IndexMap::default();
    for (name, value) in own {
        headers.insert(document.wire_name(name), value);
    }
    for fixture in caller.into_iter().chain(given.iter().copied()) {
        let Some(found) = document.fixtures.get(fixture) else { continue };
        asked.extend(admitted_by(document, found).and_then(|scheme| scheme.header.clone()));
        headers.extend(sends(document, fixture, found, caller == Some(fixture)));
    }
    if body.is_some() {
        headers.insert("content-type", "application/json".into());
    }
    let method = operation.routes.first().map_or("", |route| route.method.as_str());
    let mut case = ExampleCase {
        name,
        doc: &example.doc,
        at: &example.at,
        id,
        operation,
        caller,
        given,
        method,
        path,
        query,
        headers,
        body: body.map(CaseBody::Json),
        expect: answered(document, operation, &asked),
    };
    case.expect_of(document, example);
    case
}

impl<'d> ExampleCase<'d> {
    /// Expects what an example does.
    fn expect_of(&mut self, document: &ApiDocument, example: &'d ApiExample) {
        let expect = &example.expect;
        self.expect.headers = expect.headers.iter().map(|(name, value)| (name.as_str(), value)).collect();
        self.expect.body = expect.body.as_ref();
        self.expect.stream = expect.stream.as_deref();
        self.expect.varies = &expect.varies;
        if let Some(code) = expect.code.as_deref() {
            self.refused(document, code);
        }
        self.expect.late = expect.late;
        if expect.late {
            // The head was sent when all was still well.
            self.expect.status = self.operation.always_http.unwrap_or(200);
        }
        self.expect.status = expect.status.unwrap_or(self.expect.status);
    }

    /// Expects a code, with the status that it has here.
    pub(super) fn refused(&mut self, document: &ApiDocument, code: &'d str) {
        let face = document.errors.get(code).and_then(|code| code.faces.get(self.expect.envelope));
        let http = self.operation.always_http.or(face.map(|face| face.http));
        self.expect.code = Some(code);
        self.expect.status = http.unwrap_or(self.expect.status);
    }
}

/// The answer of a success.
fn answered<'d>(document: &'d ApiDocument, operation: &'d ApiOperation, asked: &[String]) -> CaseAnswer<'d> {
    let chosen = operation.select.as_ref().and_then(|select| select.branches.iter().find(|branch| fits(branch, asked)));
    let (envelope, reply) = match chosen {
        Some(branch) => {
            let named = document.types.get_key_value(&branch.ok);
            (branch.envelope.as_str(), named.map_or(ApiReply::Nothing, |(name, _)| ApiReply::Named(name)))
        }
        None => (operation.envelope.as_str(), reply(document, operation.ok.as_ref())),
    };
    CaseAnswer {
        code: None,
        late: false,
        status: operation.always_http.unwrap_or(200),
        envelope,
        reply,
        headers: IndexMap::default(),
        body: None,
        stream: None,
        varies: &[],
    }
}

fn fits(branch: &ApiBranch, asked: &[String]) -> bool {
    branch.has.iter().all(|name| asked.contains(name))
        && (branch.has_any.is_empty() || branch.has_any.iter().any(|name| asked.contains(name)))
}

/// The bodies of all layers as one: where both are objects, member by member.
fn body(layers: &[&ApiExample]) -> Option<Value> {
    let mut whole: Option<Value> = None;
    for layer in layers {
        match (&mut whole, &layer.send.body) {
            (Some(Value::Object(members)), Some(Value::Object(others))) => members.extend(others.clone()),
            (whole, Some(body)) => *whole = Some(body.clone()),
            (_, None) => {}
        }
        if let Some(Value::Object(members)) = &mut whole {
            let kept = std::mem::take(members).into_iter();
            *members = kept.filter(|(name, _)| !layer.send.without.contains(name)).collect::<Map<_, _>>();
        }
    }
    whole
}

/// The first fixture that may call an operation.
pub(super) fn first_admitted<'d>(document: &'d ApiDocument, operation: &ApiOperation) -> Option<&'d str> {
    let admits = |fixture: &ApiFixture| fixture.caller.as_ref().is_some_and(|scheme| operation.auth.contains(scheme));
    document.fixtures.iter().find(|(_, fixture)| admits(fixture)).map(|(name, _)| name.as_str())
}

fn admitted_by<'d>(document: &'d ApiDocument, fixture: &ApiFixture) -> Option<&'d ApiScheme> {
    document.auth.get(fixture.caller.as_deref()?)
}

/// The headers that a fixture adds to a request, credentials included where it calls.
fn sends<'d>(document: &'d ApiDocument, name: &str, fixture: &'d ApiFixture, calls: bool) -> Vec<(&'d str, Value)> {
    let mut headers = Vec::new();
    if let Some(scheme) = admitted_by(document, fixture).filter(|_| calls) {
        headers.extend(credentials(document, scheme, &format!("{{{name}.secret}}")));
    }
    let own = fixture.sends.iter();
    headers.extend(own.map(|(name, value)| (document.wire_name(name), value.as_str().into())));
    headers
}

/// The header by which a scheme admits.
pub(super) fn credentials<'d>(
    document: &'d ApiDocument,
    scheme: &'d ApiScheme,
    secret: &str,
) -> Option<(&'d str, Value)> {
    if let Some(header) = &scheme.header {
        let prefix = scheme.prefix.as_deref().unwrap_or_default();
        return Some((document.wire_name(header), format!("{prefix}{secret}").into()));
    }
    let cookie = scheme.cookie.as_ref()?;
    Some(("cookie", format!("{cookie}={secret}").into()))
}
