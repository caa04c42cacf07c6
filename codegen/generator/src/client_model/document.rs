//! What `resolved.json` says of the interface, as it is written there; what is said of machines, rails and decisions is
//! left where it is.

use schemars::JsonSchema;
use serde::Deserialize;

use super::api_type::{ApiField, ApiTargetNames, ApiType, ApiTypeDef};
use crate::map::IndexMap;

/// The resolved spec.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(title = "The resolved spec")]
pub struct ApiDocument {
    /// The version of this form; clients are made of version 1.
    #[serde(rename = "$version")]
    pub version: u32,
    /// Name, title and purpose.
    pub service: ApiService,
    /// Headers with several names on the wire.
    #[serde(default)]
    pub wire_names: IndexMap<String, ApiWireName>,
    /// Ways to say who is calling.
    #[serde(default)]
    pub auth: IndexMap<String, ApiScheme>,
    /// Roles of operators.
    #[serde(default)]
    pub roles: IndexMap<String, ApiRole>,
    /// Roles of members of organisations.
    #[serde(default)]
    pub member_roles: IndexMap<String, ApiRole>,
    /// Second authorizations.
    #[serde(default)]
    pub proofs: IndexMap<String, ApiProof>,
    /// Bounds.
    #[serde(default)]
    pub limits: IndexMap<String, ApiLimit>,
    /// Path prefixes and their envelopes where no operation matched, longest first.
    #[serde(default)]
    pub families: Vec<ApiPathFamily>,
    /// Bodies of errors.
    pub envelopes: IndexMap<String, ApiEnvelope>,
    /// Error codes.
    pub errors: IndexMap<String, ApiErrorCode>,
    /// The error code for each event that the server answers by itself.
    #[serde(default)]
    pub framework: IndexMap<String, String>,
    /// The name of each header that the server reads or sends by itself.
    #[serde(default)]
    pub runtime_headers: IndexMap<String, String>,
    /// Operations.
    pub operations: IndexMap<String, ApiOperation>,
    /// Types.
    #[serde(default)]
    pub types: IndexMap<String, ApiTypeDef>,
    /// Things that may exist before a request of an example is sent.
    #[serde(default)]
    pub fixtures: IndexMap<String, ApiFixture>,
    /// Requests and their answers.
    #[serde(default)]
    pub examples: IndexMap<String, ApiExample>,
}

impl ApiDocument {
    /// A header's first name on the wire.
    #[must_use]
    pub fn wire_name<'d>(&'d self, name: &'d str) -> &'d str {
        self.wire_names.get(name).and_then(|wire| wire.accepts.first()).map_or(name, String::as_str)
    }

    /// A header of the runtime by its key: the name that it is sent by, and its words.
    #[must_use]
    pub fn runtime_header(&self, key: &str) -> Option<(&str, &str)> {
        let wire = self.wire_names.get(self.runtime_headers.get(key)?)?;
        Some((wire.accepts.first()?, wire.doc.as_deref().unwrap_or_default().trim_end()))
    }
}

/// The names of the service.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Service")]
pub struct ApiService {
    /// In code and packages.
    pub name: String,
    /// For readers.
    pub title: String,
    /// A paragraph on the service.
    pub doc: Option<String>,
    /// The licence, as an SPDX expression.
    pub license: Option<String>,
    /// The purpose of each group of operations, by the first word of their ids.
    #[serde(default)]
    pub tags: IndexMap<String, String>,
    /// Path prefixes below which pages of any origin may call, without cookies.
    #[serde(default)]
    pub any_origin: Vec<String>,
    /// Path prefixes below which the operations of operators are.
    #[serde(default)]
    pub operator_paths: Vec<String>,
}

/// A header, and every name it is accepted under.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "WireName")]
pub struct ApiWireName {
    /// The value that the header carries, in words.
    pub doc: Option<String>,
    /// The accepted names; the first is what is sent.
    pub accepts: Vec<String>,
}

/// A way to say who is calling.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Scheme")]
pub struct ApiScheme {
    /// The purpose of the scheme.
    pub doc: Option<String>,
    /// The header that carries the secret, by its canonical name.
    pub header: Option<String>,
    /// The text before the secret in the header.
    pub prefix: Option<String>,
    /// The query parameter that carries the secret.
    pub query: Option<String>,
    /// The cookie that carries the secret.
    pub cookie: Option<String>,
    /// The beginning of every secret.
    pub key_starts: Option<String>,
}

/// A role of operators or of members.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Role")]
pub struct ApiRole {
    /// The rights that it has.
    pub doc: String,
    /// The roles whose rights it has too.
    #[serde(default)]
    pub includes: Vec<String>,
}

/// A second authorization.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Proof")]
pub struct ApiProof {
    /// The statement that it proves, and the way in which it does.
    pub doc: Option<String>,
    /// One of each kind that is right.
    pub example: Option<String>,
}

/// A bound; one of `count`, `seconds`, `bytes` and `usd`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Limit")]
pub struct ApiLimit {
    /// The quantity that it bounds, in words.
    pub doc: Option<String>,
    /// At most so many.
    pub count: Option<u64>,
    /// A time.
    pub seconds: Option<u64>,
    /// A size.
    pub bytes: Option<u64>,
    /// Least and most, as decimals.
    pub usd: Option<(Option<String>, Option<String>)>,
    /// The scope over which it is counted.
    pub per: Option<String>,
    /// True for the least that there must be, false for the most that there may be.
    #[serde(default)]
    pub least: bool,
    /// True if a deployment may change it while running.
    #[serde(default)]
    pub live: bool,
    /// The code that is answered when it is broken.
    pub error: Option<String>,
}

/// A path prefix and the envelope of what is answered under it where no operation matched.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Family")]
pub struct ApiPathFamily {
    /// The prefix.
    pub prefix: String,
    /// True if only paths that end with a verb belong.
    #[serde(default)]
    pub verb: bool,
    /// A header, or `query.<name>`, that requests of the family have; absent where the path alone decides.
    pub with: Option<String>,
    /// The envelope.
    pub envelope: String,
}

/// The body of errors in one family of operations.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Envelope")]
pub struct ApiEnvelope {
    /// The purpose of the envelope.
    pub doc: Option<String>,
    /// The JSON, with its placeholders.
    pub body: serde_json::Value,
}

/// One error code.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "ErrorCode")]
pub struct ApiErrorCode {
    /// The other statuses that the server may choose.
    #[serde(default)]
    pub http_also: Vec<u16>,
    /// The sentence for people.
    pub say: String,
    /// The advice for the caller.
    #[serde(rename = "do")]
    pub remedy: String,
    /// The values it carries: `string`, `int`, `usd` or `bool`.
    #[serde(default)]
    pub with: IndexMap<String, String>,
    /// `never`, `now` or `after`.
    pub retry: String,
    /// More than `say` tells.
    pub doc: Option<String>,
    /// The code in each envelope.
    #[serde(rename = "in")]
    pub faces: IndexMap<String, ApiWireError>,
}

/// An error code in one envelope.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Face")]
pub struct ApiWireError {
    /// The HTTP status.
    pub http: u16,
    /// The kind on the wire.
    pub kind: String,
    /// The code on the wire.
    pub code: String,
}

/// One operation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Operation")]
pub struct ApiOperation {
    /// One line on the purpose of the operation.
    pub doc: Option<String>,
    /// Checked and documented, not served.
    #[serde(default)]
    pub planned: bool,
    /// Every way to it; the first is the one to use.
    pub routes: Vec<ApiRoute>,
    /// The schemes that admit a caller; empty for public operations.
    #[serde(default)]
    pub auth: Vec<String>,
    /// The roles by which operators may call it; empty where it admits no operators.
    #[serde(default)]
    pub roles: Vec<String>,
    /// The roles by which members of organisations may call it; empty where it admits nobody who is signed in to an account.
    #[serde(default)]
    pub members: Vec<String>,
    /// `begins` or `ends` the caller's session.
    pub session: Option<String>,
    /// The scheme of the session that it begins, where it is not the first with a cookie.
    pub session_scheme: Option<String>,
    /// A second authorization.
    pub proof: Option<String>,
    /// The parameters of the path.
    #[serde(default)]
    pub path: IndexMap<String, ApiField>,
    /// The query parameters.
    #[serde(default)]
    pub query: IndexMap<String, ApiField>,
    /// The headers, by their canonical names.
    #[serde(default)]
    pub headers: IndexMap<String, ApiField>,
    /// The headers that its answers may have beside those of all answers.
    #[serde(default)]
    pub reply_headers: Vec<String>,
    /// The body.
    pub body: Option<ApiBody>,
    /// The envelope of its errors.
    pub envelope: String,
    /// True if the answer may be the upstream's own bytes.
    #[serde(default)]
    pub proxy: bool,
    /// The reply.
    pub ok: Option<ApiField>,
    /// The reply, chosen by what the request has.
    pub select: Option<ApiSelect>,
    /// The reply as a stream of events.
    pub stream: Option<ApiStream>,
    /// The reply as CSV.
    pub csv: Option<ApiCsv>,
    /// The pagination of its list.
    pub pages: Option<ApiPages>,
    /// The codes it may answer with beside those of `framework`.
    #[serde(default)]
    pub errors: Vec<String>,
    /// The reason why clients must expect further codes.
    pub errors_open: Option<String>,
    /// The status of every answer, errors too.
    pub always_http: Option<u16>,
    /// The limits that it is bound by.
    #[serde(default)]
    pub limits: Vec<String>,
    /// True if sending it twice does no more than once.
    #[serde(default)]
    pub idempotent: bool,
    /// True if it is carried out once for each Idempotency-Key that a client sends.
    #[serde(default)]
    pub idempotency_key: bool,
    /// True if a request whose `If-None-Match` names the `ETag` of the answer gets 304 and no body.
    #[serde(default)]
    pub conditional: bool,
    /// The day from which it should not be used any more, and what to use in its place.
    pub deprecated: Option<ApiDeprecation>,
    /// The example that its refusals start from.
    pub example: Option<String>,
    /// Names that are not derived.
    #[serde(default)]
    pub name: ApiTargetNames,
    /// The file and key in the spec.
    #[serde(default)]
    pub at: String,
    /// The decision behind it.
    pub fact: Option<String>,
}

/// The deprecation of an operation, and its successor.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Deprecation")]
pub struct ApiDeprecation {
    /// The day from which it should not be used.
    pub since: String,
    /// The day from which it may not be there any more.
    pub until: Option<String>,
    /// The operation to use in its place.
    #[serde(rename = "use")]
    pub successor: Option<String>,
    /// The reason.
    pub because: Option<String>,
}

/// One way to an operation.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Route")]
pub struct ApiRoute {
    /// The method.
    pub method: String,
    /// The path, with `{name}` for one segment and a final `{*name}` for the rest.
    pub path: String,
    /// The end of the last segment.
    #[serde(default)]
    pub suffix: String,
}

/// The body of an operation; one of `json`, `raw`, `passed` and `passed_parts`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Body")]
pub struct ApiBody {
    /// A value of this type.
    pub json: Option<ApiType>,
    /// Bytes; the type documents them.
    pub raw: Option<ApiType>,
    /// JSON that is passed on.
    pub passed: Option<ApiPassedBody>,
    /// A form that is passed on.
    pub passed_parts: Option<ApiPassedBody>,
    /// The type of the form, where the same may be sent as a form of parts.
    pub multipart: Option<String>,
    /// The limit of its size.
    pub limit: Option<String>,
}

/// A body that is passed on.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Passed")]
pub struct ApiPassedBody {
    /// The type that documents it.
    #[serde(rename = "type")]
    pub ty: String,
}

/// The choice of the form of a reply by the request; the first branch that fits decides.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Select")]
pub struct ApiSelect {
    /// The branches.
    pub branches: Vec<ApiBranch>,
}

/// One branch: headers by their canonical names, or `query.<name>`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Branch")]
pub struct ApiBranch {
    /// All of these must be present.
    #[serde(default)]
    pub has: Vec<String>,
    /// One of these must be present.
    #[serde(default)]
    pub has_any: Vec<String>,
    /// The envelope of errors.
    pub envelope: String,
    /// The type of the reply.
    pub ok: String,
}

/// The stream of events that an operation answers with, and its switch.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Stream")]
pub struct ApiStream {
    /// `body.<field>`, or `query.<name>=<word>`; absent where it always streams.
    pub when: Option<String>,
    /// The type of an event.
    pub event: String,
    /// True if each event has its type as its name.
    #[serde(default)]
    pub named: bool,
    /// The events or lines that end it, one of them each time: without one, it broke off.
    #[serde(default)]
    pub ends_with: Vec<String>,
}

/// The CSV form of a reply.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Csv")]
pub struct ApiCsv {
    /// The columns in their order.
    pub columns: Vec<String>,
}

/// The pagination of a list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Pages")]
pub struct ApiPages {
    /// The fields that lead to the list.
    pub items: Vec<String>,
    /// The query parameter that asks for a later page.
    pub by: String,
    /// The fields that lead to what it has to be for the next page.
    pub next: Vec<String>,
    /// The fields that lead to whether there is a next page.
    pub more: Option<Vec<String>>,
}

/// Something that is there before a request is sent.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Fixture")]
pub struct ApiFixture {
    /// One line on the thing that exists.
    pub doc: String,
    /// Of a caller: the scheme that it is admitted by.
    pub caller: Option<String>,
    /// Headers that it adds to each request.
    #[serde(default)]
    pub sends: IndexMap<String, String>,
    /// Its values, as they may look.
    #[serde(default)]
    pub gives: IndexMap<String, serde_json::Value>,
}

/// A request and its answer. What a refusal does not say is as in the example that its operation names.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Example")]
pub struct ApiExample {
    /// One line on its purpose.
    pub doc: String,
    /// The operations that it is an example of.
    pub of: Vec<String>,
    /// The caller; where absent, the first fixture that the operation admits.
    #[serde(rename = "as")]
    pub caller: Option<String>,
    /// The fixtures that exist before the request.
    #[serde(default)]
    pub given: Vec<String>,
    /// The request.
    #[serde(default)]
    pub send: ApiExampleRequest,
    /// The answer.
    pub expect: ApiExampleAnswer,
    /// The file and key in the spec.
    #[serde(default)]
    pub at: String,
}

/// The request of an example. In all of it, `{fixture.value}` stands for that value.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Sent")]
pub struct ApiExampleRequest {
    /// Parameters of the path.
    #[serde(default)]
    pub path: IndexMap<String, serde_json::Value>,
    /// Parameters of the query.
    #[serde(default)]
    pub query: IndexMap<String, serde_json::Value>,
    /// Headers, by their canonical names.
    #[serde(default)]
    pub headers: IndexMap<String, serde_json::Value>,
    /// The body, or the members of it that differ.
    pub body: Option<serde_json::Value>,
    /// Headers and members of the body that are left out.
    #[serde(default)]
    pub without: Vec<String>,
}

/// The answer that an example expects.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[schemars(rename = "Expected")]
pub struct ApiExampleAnswer {
    /// Of a refusal: its code.
    pub code: Option<String>,
    /// True if the code comes with the last event of a stream.
    #[serde(default)]
    pub late: bool,
    /// The status, where it is another than usual.
    pub status: Option<u16>,
    /// Headers of the answer; `*` is any value.
    #[serde(default)]
    pub headers: IndexMap<String, serde_json::Value>,
    /// The whole body of a success.
    pub body: Option<serde_json::Value>,
    /// The events of a success.
    pub stream: Option<Vec<serde_json::Value>>,
    /// Parts that differ from time to time: `data.created`, with `*` for every item.
    #[serde(default)]
    pub varies: Vec<String>,
}
