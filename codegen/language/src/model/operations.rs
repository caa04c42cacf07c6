//! Operations.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    DeclaredBody, DeclaredFields, DeclaredRoute, DeclaredSession, OneOrMore, OperationAuth, RouteMethod, SpannedText,
    SpannedValue, TargetNames, WordOr,
};

/// One operation: a route, who may call it, what goes in and what comes out.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Operation")]
#[serde(deny_unknown_fields)]
pub struct DeclaredOperation {
    /// One line on the purpose of the operation.
    pub doc: Option<String>,
    /// Names in the target languages, where the derived ones do not please.
    #[serde(default)]
    pub name: TargetNames,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
    /// Planned or routed: whether it is served.
    #[serde(default)]
    pub stage: OperationStage,
    /// The day from which it should not be used any more, and what to use in its place.
    pub deprecated: Option<DeclaredDeprecation>,
    /// `METHOD /path/{parameter}`.
    pub route: SpannedText,
    /// Further routes of the same operation.
    #[serde(default)]
    pub also: Vec<SpannedText>,
    /// The envelope of its errors, from `envelopes`; a branch of `select` names its own for what comes after. Absent: that of the
    /// family that its route is in.
    #[serde(default)]
    pub envelope: SpannedText,
    /// True if the handler may answer with the upstream's bytes.
    #[serde(default)]
    pub proxy: SpannedValue<bool>,
    /// With `proxy`: whether body, reply and events exist as types too, because other formats are turned into them.
    #[serde(default)]
    pub converts: Option<SpannedValue<bool>>,
    /// True if it tells about the service itself: it is answered also while others are turned away, and where those of operators are
    /// served alone.
    #[serde(default)]
    pub about_service: SpannedValue<bool>,
    /// `public`, or the schemes of `auth` that admit a caller, in the order they are tried. Absent: those of the family that its
    /// route is in.
    #[serde(default)]
    pub auth: OperationAuth,
    /// With schemes of operators: the least roles that may call it, from `roles`. Those that include one of them may too.
    #[serde(default)]
    pub roles: Vec<SpannedText>,
    /// With schemes of a cookie that are not of operators: the least roles, from `member_roles`, of members who may call it. Those that
    /// include one of them may too.
    #[serde(default)]
    pub members: Vec<SpannedText>,
    /// The effect on the caller's session: `begins` or `ends`; `begins: NAME` where it is that of another scheme than the first which
    /// has a cookie.
    pub session: Option<DeclaredSession>,
    /// A second authorization, from `proofs`.
    pub proof: Option<SpannedText>,
    /// The parameters of the route's path: exactly those. One that is absent is that of `parameters`.
    #[serde(default)]
    pub path: DeclaredFields,
    /// The query parameters.
    #[serde(default)]
    pub query: DeclaredFields,
    /// The headers, by our names for them (`wire_names`) or literally.
    #[serde(default)]
    pub headers: DeclaredFields,
    /// The headers that its answers may have beside those of all answers, by our names for them (`wire_names`).
    #[serde(default)]
    pub reply_headers: Vec<SpannedText>,
    /// The body: a type's name, or a mapping.
    pub body: Option<WordOr<DeclaredBody>>,
    /// The stream of events that it answers with, and its switch.
    pub stream: Option<DeclaredStream>,
    /// The reply chosen by what the request has; the first match wins, `else` is last.
    #[serde(default)]
    pub select: Vec<SpannedValue<DeclaredBranch>>,
    /// The type of the reply.
    pub ok: Option<SpannedText>,
    /// The `data` of a reply whose other members are those of the envelope's `reply`.
    pub data: Option<WordOr<DeclaredData>>,
    /// The list of the reply that becomes CSV where a client asks for it.
    pub csv: Option<DeclaredCsv>,
    /// The pagination of its list.
    pub pages: Option<DeclaredPages>,
    /// Error codes and groups (`$auth`).
    #[serde(default)]
    pub errors: Vec<SpannedText>,
    /// The reason why clients must expect further codes.
    pub errors_open: Option<SpannedText>,
    /// The status of every answer, errors too.
    #[schemars(range(min = 200, max = 599))]
    pub always_http: Option<SpannedValue<u16>>,
    /// The limits it is bound by.
    #[serde(default)]
    pub limits: Vec<SpannedText>,
    /// The moves it makes: `machine.move`.
    #[serde(default)]
    pub moves: Vec<SpannedText>,
    /// True if sending it twice does no more than once. Absent: what the method says, true for `GET`, `PUT` and `DELETE`.
    pub idempotent: Option<SpannedValue<bool>>,
    /// True if it is carried out once for each Idempotency-Key that a client sends.
    #[serde(default)]
    pub idempotency_key: Option<SpannedValue<bool>>,
    /// True if a request whose `If-None-Match` names the `ETag` of the answer gets 304 and no body.
    #[serde(default)]
    pub conditional: SpannedValue<bool>,
}

impl DeclaredOperation {
    /// Every route that leads to it, as written.
    pub fn all_routes(&self) -> impl Iterator<Item = &SpannedText> {
        std::iter::once(&self.route).chain(&self.also)
    }

    /// True if sending it twice does no more than once: as it says, or as its method does (RFC 9110, 9.2.2).
    #[must_use]
    pub fn is_idempotent(&self) -> bool {
        let by_method = || {
            let route = DeclaredRoute::parse(&self.route.value);
            route.is_ok_and(|route| !matches!(route.method, RouteMethod::Post | RouteMethod::Patch))
        };
        self.idempotent.as_ref().map_or_else(by_method, |said| said.value)
    }
}

/// An operation that should not be used any more. Its answers say so in the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594)
/// and `Link`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Deprecation")]
#[serde(deny_unknown_fields)]
pub struct DeclaredDeprecation {
    /// The day from which it should not be used, `2026-11-21`.
    pub since: SpannedText,
    /// The day from which it may not be there any more.
    pub until: Option<SpannedText>,
    /// The operation to use in its place.
    #[serde(rename = "use")]
    pub successor: Option<SpannedText>,
    /// The reason, in a sentence.
    pub because: Option<String>,
}

/// The `data` of a reply: a type expression, or a mapping.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Data")]
#[serde(deny_unknown_fields)]
pub struct DeclaredData {
    /// The type expression.
    #[serde(rename = "type")]
    pub ty: SpannedText,
    /// The meaning of `data`; that of its type where it is absent.
    pub doc: Option<String>,
    /// The type of the whole reply, where it is not called after that of `data`: `Key` in `KeyReply`, `list of Key` in
    /// `KeyListReply`.
    #[serde(rename = "in")]
    pub reply: Option<SpannedText>,
}

impl From<SpannedText> for DeclaredData {
    fn from(ty: SpannedText) -> Self {
        Self { ty, doc: None, reply: None }
    }
}

/// Planned or routed: whether an operation is served.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Stage")]
#[serde(rename_all = "snake_case")]
pub enum OperationStage {
    /// Checked and documented only.
    Planned,
    /// Checked, documented and served.
    #[default]
    Routed,
}

/// The stream of events that an operation answers with, and its switch.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Stream")]
#[serde(deny_unknown_fields)]
pub struct DeclaredStream {
    /// `body.<field>`, a bool field of the body, or `query.<name>=<word>`; absent where it always streams.
    pub when: Option<SpannedText>,
    /// The type of an event.
    pub event: SpannedText,
    /// True if each event has its type as its name on the wire, in a line of its own.
    #[serde(default)]
    pub named: SpannedValue<bool>,
    /// The event or literal line that ends it, or a list of those that do: a stream without one of them broke off.
    pub ends_with: Option<OneOrMore>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}

impl DeclaredStream {
    /// The switch that asks for the stream; `None` where it always streams, and where `when` has neither form.
    #[must_use]
    pub fn switch(&self) -> Option<StreamSwitch<'_>> {
        let when = self.when.as_ref()?.value.as_str();
        if let Some(field) = when.strip_prefix("body.") {
            return Some(StreamSwitch::Body { field });
        }
        let (name, word) = when.strip_prefix("query.")?.split_once('=')?;
        Some(StreamSwitch::Query { name, word })
    }
}

/// The part of a request that asks for a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StreamSwitch<'s> {
    /// A bool field of the body.
    Body {
        /// Its name.
        field: &'s str,
    },
    /// A query parameter with a certain value.
    Query {
        /// Its name.
        name: &'s str,
        /// The value.
        word: &'s str,
    },
}

/// The CSV form of a reply: with `format=csv` in the query, or where `Accept` prefers it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Csv")]
#[serde(deny_unknown_fields)]
pub struct DeclaredCsv {
    /// The fields that lead to the list whose items are the rows: `data.things`.
    pub rows: SpannedText,
    /// The fields that lead to what the next page is asked for by, where there are pages.
    pub next: Option<SpannedText>,
    /// The header that tells it, by our name for it (`wire_names`); one of `reply_headers`.
    pub header: Option<SpannedText>,
}

/// The pagination of a list.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Pages")]
#[serde(deny_unknown_fields)]
pub struct DeclaredPages {
    /// The fields that lead to the list: `data.things`.
    pub items: SpannedText,
    /// The query parameter that asks for a later page.
    pub by: SpannedText,
    /// The fields that lead to what it has to be for the next one.
    pub next: SpannedText,
    /// The fields that lead to whether there is a next one; without it, there is one where `next` leads to something.
    pub more: Option<SpannedText>,
}

/// One branch of `select`.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Branch")]
#[serde(deny_unknown_fields)]
pub struct DeclaredBranch {
    /// All of these must be present: header names, or `query.<name>`.
    #[serde(default)]
    pub has: Vec<SpannedText>,
    /// One of these must be present.
    #[serde(default)]
    pub has_any: Vec<SpannedText>,
    /// The last branch: `else: true`.
    #[serde(default, rename = "else")]
    pub otherwise: bool,
    /// The envelope of errors in this branch.
    pub envelope: SpannedText,
    /// The type of the reply in this branch.
    pub ok: SpannedText,
}
