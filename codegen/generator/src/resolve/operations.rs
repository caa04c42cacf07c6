//! Operations: routes, callers, what goes in, what comes out.

use serde::Serialize;

use super::context::ResolveContext;
use super::fields::ResolvedType;
use super::{
    ResolvedCsv, ResolvedField, ResolvedOrigin, ResolvedPages, ResolvedRoute, ResolvedSelect, ResolvedTargetNames,
    ResolvedTypeDef, csv, envelopes, errors, limits, pages, routes, select,
};
use crate::map::IndexMap;
use crate::model::{self, OperationStage, RoleHolder, SessionEffect, SourceSpan, SpecEntry, StreamSwitch, TypeExpr};
use crate::naming;

/// One operation.
#[derive(Debug, Serialize)]
pub struct ResolvedOperation<'s> {
    /// One line on the purpose of the operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<&'s str>,
    /// Checked and documented, not served.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub planned: bool,
    /// Every way to it; the first is the one to use.
    pub routes: Vec<ResolvedRoute>,
    /// The schemes that admit a caller; empty for public operations.
    pub auth: Vec<&'s str>,
    /// The roles by which operators may call it, those that include a named one too; empty where it admits no operators.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<&'s str>,
    /// The roles by which members may call it, those that include a named one too; empty where it admits nobody who is signed in to an
    /// account.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<&'s str>,
    /// The effect on the caller's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionEffect>,
    /// The scheme of the session that it begins, where it is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session_scheme: Option<&'s str>,
    /// A second authorization.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'s str>,
    /// The parameters of the path.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub path: IndexMap<&'s str, ResolvedField<'s>>,
    /// The query parameters.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub query: IndexMap<&'s str, ResolvedField<'s>>,
    /// The headers, by their canonical names.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<&'s str, ResolvedField<'s>>,
    /// The headers that its answers may have beside those of all answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reply_headers: Vec<&'s str>,
    /// The body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<ResolvedBody<'s>>,
    /// The envelope of its errors.
    pub envelope: &'s str,
    /// True if the answer may be the upstream's own bytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub proxy: bool,
    /// True if it tells about the service itself: it is answered also while others are turned away, and where those of operators are
    /// served alone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub about_service: bool,
    /// True if what is passed on exists as types in Rust too.
    #[serde(skip)]
    pub converts: bool,
    /// The reply.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ok: Option<ResolvedField<'s>>,
    /// True if the reply is a file.
    #[serde(skip)]
    pub file: bool,
    /// The reply, chosen by what the request has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub select: Option<ResolvedSelect<'s>>,
    /// The reply as a stream of events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<ResolvedStream<'s>>,
    /// The reply as CSV.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub csv: Option<ResolvedCsv<'s>>,
    /// The pagination of its list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pages: Option<ResolvedPages<'s>>,
    /// The codes it may answer with, groups spelled out.
    pub errors: Vec<&'s str>,
    /// The reason why clients must expect further codes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors_open: Option<&'s str>,
    /// The status of every answer, errors too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub always_http: Option<u16>,
    /// The limits that it is bound by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<&'s str>,
    /// The moves that it makes: `machine.move`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<&'s str>,
    /// True if sending it twice does no more than once.
    pub idempotent: bool,
    /// True if it is carried out once for each Idempotency-Key that a client sends.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub idempotency_key: bool,
    /// True if a request whose `If-None-Match` names the `ETag` of the answer gets 304 and no body.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub conditional: bool,
    /// The day from which it should not be used any more, and what to use in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<ResolvedDeprecation<'s>>,
    /// The example that its refusals start from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<&'s str>,
    /// Names that are not derived.
    #[serde(skip_serializing_if = "ResolvedTargetNames::is_empty")]
    pub name: ResolvedTargetNames<'s>,
    /// The place, source and decision of the entry.
    #[serde(flatten)]
    pub origin: ResolvedOrigin<'s>,
    /// Its trait in Rust.
    #[serde(skip)]
    pub rust: String,
    /// The Rust module it is in: its group.
    #[serde(skip)]
    pub module: String,
}

impl<'s> ResolvedOperation<'s> {
    /// The roles by which such callers may call it.
    #[must_use]
    pub fn roles_for(&self, holder: RoleHolder) -> &[&'s str] {
        match holder {
            RoleHolder::Operator => &self.roles,
            RoleHolder::Member => &self.members,
        }
    }

    /// True if its handler gives all of the answer: status, headers and bytes.
    #[must_use]
    pub fn is_raw(&self) -> bool {
        let bytes = |ok: &ResolvedField<'_>| ok.ty == ResolvedType::Primitive(model::Primitive::Bytes);
        self.proxy || self.file || self.stream.is_some() || self.ok.as_ref().is_none_or(bytes)
    }

    /// True if its handler gives a reply of a type, and headers beside it.
    #[must_use]
    pub fn is_headed(&self) -> bool {
        !self.is_raw() && self.csv.is_none() && !self.reply_headers.is_empty()
    }
}

/// The deprecation of an operation, and its successor.
#[derive(Debug, Serialize)]
pub struct ResolvedDeprecation<'s> {
    /// The day from which it should not be used.
    pub since: &'s str,
    /// The day from which it may not be there any more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<&'s str>,
    /// The operation to use in its place.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    pub successor: Option<&'s str>,
    /// The path of that operation.
    #[serde(skip)]
    pub successor_path: Option<String>,
    /// The reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'s str>,
}

/// The body of an operation.
#[derive(Debug, Serialize)]
pub struct ResolvedBody<'s> {
    /// The encoding of the body, and its type.
    #[serde(flatten)]
    pub form: BodyForm<'s>,
    /// The type of the form, where the same may be sent as a form of parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multipart: Option<&'s str>,
    /// The limit of its size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<&'s str>,
}

/// The way in which a body is read.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyForm<'s> {
    /// A value of this type.
    Json(ResolvedType),
    /// Bytes; the type documents them.
    Raw(ResolvedType),
    /// Bytes to pass on, of which these fields are read.
    Passed {
        /// The type that documents it.
        #[serde(rename = "type")]
        ty: &'s str,
        /// The fields that decide.
        reads: IndexMap<&'s str, ResolvedField<'s>>,
    },
    /// Parts to pass on, of which these are read.
    PassedParts {
        /// The type that documents them.
        #[serde(rename = "type")]
        ty: &'s str,
        /// The parts that decide.
        reads: IndexMap<&'s str, ResolvedField<'s>>,
    },
    /// Parts only.
    Parts,
}

/// The stream of events that an operation answers with, and its switch.
#[derive(Debug, Serialize)]
pub struct ResolvedStream<'s> {
    /// The switch, `body.<field>` or `query.<name>=<word>`; absent where it always streams.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<&'s str>,
    /// The switch, taken apart.
    #[serde(skip)]
    pub switch: Option<StreamSwitch<'s>>,
    /// The type of an event.
    pub event: &'s str,
    /// True if each event has its type as its name on the wire.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub named: bool,
    /// The events or lines that end it, one of them each time.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ends_with: Vec<&'s str>,
    /// The decision behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact: Option<&'s str>,
}

pub(super) fn resolve<'s>(
    cx: &mut ResolveContext<'s>,
    types: &IndexMap<&'s str, ResolvedTypeDef<'s>>,
) -> IndexMap<&'s str, ResolvedOperation<'s>> {
    let spec = cx.spec;
    let mut operations = IndexMap::default();
    for (name, entry) in &spec.operations {
        operations.extend(operation(cx, types, name, entry).map(|operation| (name.as_str(), operation)));
    }
    operations
}

fn operation<'s>(
    cx: &mut ResolveContext<'s>,
    types: &IndexMap<&'s str, ResolvedTypeDef<'s>>,
    name: &'s str,
    entry: &'s SpecEntry<model::DeclaredOperation>,
) -> Option<ResolvedOperation<'s>> {
    let raw = &entry.value;
    let operation = ResolvedOperation {
        doc: raw.doc.as_deref().map(str::trim_end),
        planned: raw.stage == OperationStage::Planned,
        routes: routes::of(cx.spec, raw),
        auth: words(raw.auth.schemes()),
        roles: cx.spec.roles_of(RoleHolder::Operator, raw),
        members: cx.spec.roles_of(RoleHolder::Member, raw),
        session: raw.session.as_ref().map(model::DeclaredSession::effect),
        session_scheme: raw.session.as_ref().and_then(|session| word(session.scheme())),
        proof: word(raw.proof.as_ref()),
        path: ResolvedField::all(&raw.path),
        query: ResolvedField::all(&raw.query),
        headers: ResolvedField::all(&raw.headers),
        body: raw.body.as_ref().map(|body| resolve_body(cx, types, *raw.proxy, &body.0)),
        envelope: envelopes::named(cx, &raw.envelope)?,
        proxy: *raw.proxy,
        about_service: *raw.about_service,
        converts: raw.converts.as_ref().is_some_and(|converts| converts.value),
        ok: raw.ok.as_ref().and_then(|ok| select::reply(&ok.value)),
        file: raw.ok.as_ref().and_then(|ok| types.get(ok.value.as_str())).is_some_and(|ok| !ok.media.is_empty()),
        select: select::resolve(cx, raw),
        stream: raw.stream.as_ref().map(stream),
        csv: raw.csv.as_ref().and_then(|csv| csv::resolve(cx, types, raw, csv)),
        pages: raw.pages.as_ref().and_then(|pages| pages::resolve(cx, raw, pages)),
        errors: errors::expand(cx.spec, &raw.errors),
        errors_open: word(raw.errors_open.as_ref()),
        always_http: raw.always_http.as_ref().map(|http| http.value),
        reply_headers: words(&raw.reply_headers),
        limits: words(&raw.limits),
        moves: words(&raw.moves),
        idempotent: raw.is_idempotent(),
        idempotency_key: raw.idempotency_key.as_ref().is_some_and(|switch| switch.value),
        conditional: *raw.conditional,
        deprecated: raw.deprecated.as_ref().map(|deprecated| deprecation(cx, deprecated)),
        example: None,
        name: ResolvedTargetNames::of(&raw.name),
        origin: ResolvedOrigin::of(cx.spec, name, entry),
        rust: naming::operation_trait(name, raw),
        module: naming::module(name.split('.').next().unwrap_or(name)),
    };
    refuse_unserved(cx, entry, &operation);
    Some(operation)
}

fn deprecation<'s>(cx: &ResolveContext<'s>, deprecated: &'s model::DeclaredDeprecation) -> ResolvedDeprecation<'s> {
    let successor = word(deprecated.successor.as_ref());
    let taken = successor.and_then(|successor| cx.spec.operations.get(successor));
    ResolvedDeprecation {
        since: &deprecated.since.value,
        until: word(deprecated.until.as_ref()),
        successor,
        successor_path: taken.and_then(|taken| Some(taken.route.value.split_once(' ')?.1.to_owned())),
        because: deprecated.because.as_deref(),
    }
}

/// Refuses what the language can say and the runtime cannot serve yet.
fn refuse_unserved(
    cx: &mut ResolveContext<'_>,
    entry: &SpecEntry<model::DeclaredOperation>,
    operation: &ResolvedOperation<'_>,
) {
    if operation.planned {
        return;
    }
    let place = entry.place;
    if operation.body.as_ref().is_some_and(|body| body.multipart.is_some()) && !operation.proxy {
        cx.refuse(place, "a form is passed on, not read whole: set `proxy: true`, or `stage: planned`");
    }
    if let Some(StreamSwitch::Body { field }) = operation.stream.as_ref().and_then(|stream| stream.switch)
        && operation.proxy
        && !is_read(operation, field)
    {
        cx.refuse(place, format!("what asks for the stream has to be read: add `{field}` to `reads`"));
    }
    if let Some(StreamSwitch::Body { .. }) = operation.stream.as_ref().and_then(|stream| stream.switch)
        && !operation.proxy
    {
        cx.refuse(place, "what is asked for in the body is passed on: set `proxy: true`, or `when: query.name=word`");
    }
    if operation.stream.is_some() && operation.select.is_some() && !operation.proxy {
        cx.refuse(place, "a stream does not go with `select`: leave one of them out");
    }
    if operation.session.is_some() && !cx.spec.auth.values().any(|scheme| scheme.cookie.is_some()) {
        cx.refuse(place, "no scheme of `auth` has a `cookie` that a session could be kept in");
    }
    if operation.session.is_some() && operation.is_raw() {
        cx.refuse(place, "what begins or ends a session answers with a reply of its own: it needs `ok:`");
    }
    if operation.is_headed() && (operation.session.is_some() || operation.idempotency_key) {
        cx.refuse(place, "headers of its own do not go with `session` or `idempotency_key`: leave `reply_headers` out");
    }
    if operation.select.is_some() && !operation.proxy && !operation.reply_headers.is_empty() {
        cx.refuse(place, "headers of its own do not go with `select`: leave `reply_headers` out");
    }
    if operation.conditional && (!operation.is_raw() || operation.select.is_some() && !operation.proxy) {
        cx.refuse(
            place,
            "only a file can be answered with 304: answer with a type that has `media`, or set `proxy: true`",
        );
    }
    let says_none = operation.ok.is_none() && operation.select.is_none() && operation.stream.is_none();
    if says_none && !operation.proxy {
        cx.refuse(place, "a routed operation needs `ok:`, `select:` or `stream:`, or `proxy: true`");
    }
}

fn is_read(operation: &ResolvedOperation<'_>, field: &str) -> bool {
    match operation.body.as_ref().map(|body| &body.form) {
        Some(BodyForm::Passed { reads, .. } | BodyForm::PassedParts { reads, .. }) => reads.contains_key(field),
        Some(BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::Parts) | None => false,
    }
}

fn resolve_body<'s>(
    cx: &mut ResolveContext<'s>,
    types: &IndexMap<&'s str, ResolvedTypeDef<'s>>,
    proxy: bool,
    body: &'s model::DeclaredBody,
) -> ResolvedBody<'s> {
    let ty = |text: &model::SpannedText| TypeExpr::parse(&text.value).ok().map(|expr| ResolvedType::of(&expr.base));
    let form = match (&body.ty, &body.raw) {
        (Some(passed), _) if proxy => BodyForm::Passed { ty: &passed.value, reads: reads(cx, types, body) },
        (None, None) if proxy && body.multipart.is_some() => BodyForm::PassedParts {
            ty: word(body.multipart.as_ref()).unwrap_or_default(),
            reads: reads(cx, types, body),
        },
        (Some(json), _) => ty(json).map_or(BodyForm::Parts, BodyForm::Json),
        (None, Some(raw)) => ty(raw).map_or(BodyForm::Parts, BodyForm::Raw),
        (None, None) => BodyForm::Parts,
    };
    ResolvedBody {
        form,
        multipart: word(body.multipart.as_ref()),
        limit: limits::body_limit(cx.spec, body.limit.as_ref()),
    }
}

/// The fields that decide, as the types of the body declare them.
fn reads<'s>(
    cx: &mut ResolveContext<'s>,
    types: &IndexMap<&'s str, ResolvedTypeDef<'s>>,
    body: &'s model::DeclaredBody,
) -> IndexMap<&'s str, ResolvedField<'s>> {
    let owners: Vec<&str> = [&body.ty, &body.multipart].into_iter().flatten().map(|ty| ty.value.as_str()).collect();
    let mut reads = IndexMap::default();
    for name in &body.reads {
        match read(types, &owners, &name.value) {
            Ok(field) => reads.extend([(name.value.as_str(), field)]),
            Err(why) => cx.refuse(name.place, why),
        }
    }
    if reads.len() > READS_MAX {
        let place = body.reads.first().map_or_else(SourceSpan::default, |name| name.place);
        cx.refuse(place, format!("an operation reads at most {READS_MAX} fields of a body that it passes on"));
    }
    reads
}

/// A field of all these types as one: where one of them may be without it, it may be absent.
fn read<'s>(
    types: &IndexMap<&'s str, ResolvedTypeDef<'s>>,
    owners: &[&str],
    name: &str,
) -> Result<ResolvedField<'s>, String> {
    let fields_of = |owner: &&str| match types.get(*owner).map(|def| &def.shape) {
        Some(super::ResolvedShape::Struct { fields, .. }) => fields.get(name),
        _ => None,
    };
    let found: Vec<&ResolvedField<'s>> = owners.iter().filter_map(fields_of).collect();
    let Some(first) = found.first() else {
        return Err(format!("`{}` has no field `{name}`", owners.join("` and `")));
    };
    if let Some(other) = found.iter().find(|other| other.ty != first.ty || other.bounds != first.bounds) {
        let (one, other) = (first.ty.words(), other.ty.words());
        return Err(format!("`{name}` is `{one}` in the one body and `{other}` or bounded otherwise in the other"));
    }
    let mut field = (*first).clone();
    field.optional = found.len() < owners.len() || found.iter().any(|field| field.optional);
    field.nullable = found.iter().any(|field| field.nullable);
    Ok(field)
}

/// The runtime finds this many members in its one pass (`NAMES_MAX` of the server's `api::scan`).
const READS_MAX: usize = 16;

fn stream(raw: &model::DeclaredStream) -> ResolvedStream<'_> {
    ResolvedStream {
        when: word(raw.when.as_ref()),
        switch: raw.switch(),
        event: &raw.event.value,
        named: *raw.named,
        ends_with: raw.ends_with.as_ref().map(|ends| words(ends.all())).unwrap_or_default(),
        fact: word(raw.fact.as_ref()),
    }
}

fn word(text: Option<&model::SpannedText>) -> Option<&str> {
    text.map(|text| text.value.as_str())
}

fn words(list: &[model::SpannedText]) -> Vec<&str> {
    list.iter().map(|word| word.value.as_str()).collect()
}
