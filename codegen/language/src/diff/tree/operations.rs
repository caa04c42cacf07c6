//! Operations that are served.

use super::super::measure::{newtypes, underlying};
use super::super::node::{DiffNode, FacetKind, FacetValue, NodeLink, WireDirection};
use super::facets::{choice, flag, plain, switch, word, written_at};
use super::service::capped;
use super::shapes::{bounds, fields, names, typed};
use crate::model::{
    BODY_BYTES, BaseType, DeclaredBranch, DeclaredOperation, DeclaredRoute, DeclaredSession, DeclaredStream, OneOrMore,
    OperationAuth, OperationStage, Primitive, RoleHolder, SessionEffect, SourceSpan, SpannedText, Spec, SpecEntry,
    TargetNames, TypeExpr,
};
use crate::naming;

pub(super) fn all(spec: &Spec) -> Vec<DiffNode> {
    let served = spec.operations.iter().filter(|(_, entry)| entry.stage == OperationStage::Routed);
    served.map(|(name, entry)| operation(spec, name, entry)).collect()
}

fn operation(spec: &Spec, name: &str, entry: &SpecEntry<DeclaredOperation>) -> DiffNode {
    let place = entry.place;
    let always = entry.always_http.as_ref();
    let once = entry.idempotency_key.as_ref();
    let deprecated = entry.deprecated.as_ref();
    let open = entry.errors_open.as_ref();
    DiffNode::thing(FacetKind::Operation, name, place)
        .under("operations")
        .closed(entry.errors_open.is_none())
        .with([
            plain(FacetKind::OperationId, Some(name), place),
            admission(entry),
            parameters(spec, entry),
            plain(
                FacetKind::Session,
                session(entry).as_deref(),
                entry.session.as_ref().map_or(place, DeclaredSession::place),
            ),
            flag(FacetKind::Proxy, *entry.proxy && has_members(spec, entry), written_at(&entry.proxy, place)),
            flag(FacetKind::ErrorsOpen, entry.errors_open.is_some(), open.map_or(place, |open| open.place)),
            plain(
                FacetKind::AlwaysHttp,
                always.map(|http| http.value.to_string()).as_deref(),
                always.map_or(place, |http| http.place),
            ),
            flag(
                FacetKind::Idempotent,
                entry.is_idempotent(),
                entry.idempotent.as_ref().map_or(place, |said| said.place),
            ),
            switch(FacetKind::Conditional, &entry.conditional, place),
            choice(FacetKind::Deprecated, deprecated.map(|deprecated| &deprecated.since), place)
                .step("deprecated.since"),
            choice(FacetKind::Sunset, deprecated.and_then(|deprecated| deprecated.until.as_ref()), place)
                .step("deprecated.until"),
            flag(FacetKind::OnceKey, once.is_some_and(|once| once.value), once.map_or(place, |once| once.place)),
        ])
        .with(names(&generated_names(name, entry), place))
        .with(routes(spec, entry))
        .with(roles(spec, RoleHolder::Operator, entry))
        .with(roles(spec, RoleHolder::Member, entry))
        .with(entry.proof.iter().map(|proof| listed(FacetKind::AskedProof, proof, "proof")))
        .with(fields(spec, FacetKind::Query, &entry.query).into_iter().map(|node| node.going(WireDirection::Sent)))
        .with(fields(spec, FacetKind::Header, &entry.headers).into_iter().map(|node| node.going(WireDirection::Sent)))
        .with(entry.reply_headers.iter().map(|header| listed(FacetKind::ReplyHeader, header, "reply_headers")))
        .with(body(spec, entry))
        .with(replies(spec, entry))
        .with(entry.stream.as_ref().map(|stream| events(stream, place)))
        .with(csv(entry))
        .with(pages(entry))
        .with(answers(spec, entry))
        .with(entry.limits.iter().map(|limit| listed(FacetKind::BoundBy, limit, "limits")))
        .with(entry.moves.iter().map(|step| listed(FacetKind::Moves, step, "moves")))
}

fn listed(kind: FacetKind, word: &SpannedText, above: &str) -> DiffNode {
    DiffNode::thing(kind, &word.value, word.place).under(above)
}

/// Its names in the target languages, that of its trait included where it is derived.
fn generated_names(name: &str, operation: &SpecEntry<DeclaredOperation>) -> TargetNames {
    let place = operation.name.rust.as_ref().map_or(operation.place, |rust| rust.place);
    let rust = SpannedText { value: naming::operation_trait(name, operation), place };
    TargetNames { rust: Some(rust), ..operation.name.clone() }
}

fn session(operation: &DeclaredOperation) -> Option<String> {
    let session = operation.session.as_ref()?;
    let effect = match session.effect() {
        SessionEffect::Begins => "begins",
        SessionEffect::Ends => "ends",
    };
    Some(session.scheme().map_or_else(|| effect.to_owned(), |scheme| format!("{effect} ({})", scheme.value)))
}

/// The roles that may call it, those that include a named one too.
fn roles(spec: &Spec, holder: RoleHolder, operation: &SpecEntry<DeclaredOperation>) -> Vec<DiffNode> {
    let place = holder.named(operation).first().map_or(operation.place, |role| role.place);
    let kind = match holder {
        RoleHolder::Operator => FacetKind::AdmitsRole,
        RoleHolder::Member => FacetKind::AdmitsMember,
    };
    let role = |role| DiffNode::thing(kind, role, place).under(holder.operation_key());
    spec.roles_of(holder, operation).into_iter().map(role).collect()
}

/// The callers: a flag for anyone, else the schemes.
fn admission(operation: &SpecEntry<DeclaredOperation>) -> DiffNode {
    let place = match &operation.auth {
        OperationAuth::Unsaid => operation.place,
        OperationAuth::Public(public) => public.place,
        OperationAuth::Schemes(schemes) => schemes.first().map_or(operation.place, |scheme| scheme.place),
    };
    let schemes = operation.auth.schemes();
    flag(FacetKind::Public, schemes.is_empty(), place)
        .step("auth")
        .with(schemes.iter().map(|scheme| DiffNode::thing(FacetKind::Admits, &scheme.value, scheme.place)))
}

/// A flag: calls have an argument for parameters of query and headers, which stands before that for options. What carries the
/// caller's key is no such parameter.
fn parameters(spec: &Spec, operation: &SpecEntry<DeclaredOperation>) -> DiffNode {
    let schemes = || operation.auth.schemes().iter().filter_map(|name| spec.auth.get(&name.value));
    let carries =
        |carrier: &Option<SpannedText>, name: &str| carrier.as_ref().is_some_and(|carrier| carrier.value == name);
    let query = operation.query.iter().filter(|(name, _)| !schemes().any(|scheme| carries(&scheme.query, name)));
    let headers = operation.headers.iter().filter(|(name, _)| !schemes().any(|scheme| carries(&scheme.header, name)));
    let first = query.chain(headers).next();
    flag(FacetKind::Parameters, first.is_some(), first.map_or(operation.place, |(_, field)| field.place))
}

/// Every path with its methods, and the parameters of the first by their position.
fn routes(spec: &Spec, operation: &DeclaredOperation) -> Vec<DiffNode> {
    let mut nodes: Vec<DiffNode> = Vec::new();
    for (index, text) in [&operation.route].into_iter().chain(&operation.also).enumerate() {
        let Ok(route) = DeclaredRoute::parse(&text.value) else { continue };
        let path = route.erased();
        let method = DiffNode::thing(FacetKind::Method, route.method.word(), text.place);
        match nodes.iter_mut().find(|node| node.kind == FacetKind::RoutePath && node.key == path) {
            Some(node) => node.children.push(method),
            None => nodes.push(DiffNode::thing(FacetKind::RoutePath, path, text.place).step("route").with([method])),
        }
        if index == 0 {
            let parameters = route.parameters().enumerate();
            nodes.extend(parameters.filter_map(|(at, parameter)| path_parameter(spec, operation, at, &parameter.name)));
        }
    }
    nodes
}

fn path_parameter(spec: &Spec, operation: &DeclaredOperation, at: usize, name: &str) -> Option<DiffNode> {
    let entry = operation.path.get(name)?;
    let base = TypeExpr::parse(&entry.ty.value).ok()?.base;
    let node = DiffNode::thing(FacetKind::PathParameter, at.to_string(), entry.place)
        .step(format!("path.{name}"))
        .going(WireDirection::Sent)
        .with([plain(FacetKind::ParameterName, Some(name), entry.place)])
        .with(bounds(spec, entry, &base));
    Some(typed(node, &entry.ty))
}

fn body(spec: &Spec, operation: &SpecEntry<DeclaredOperation>) -> Option<DiffNode> {
    let body = &operation.body.as_ref()?.0;
    let form = |kind, text: &Option<SpannedText>, step: &str| {
        text.as_ref().map(|text| typed(DiffNode::thing(kind, step, text.place), text))
    };
    let forms = [
        form(FacetKind::JsonBody, &body.ty, "json"),
        form(FacetKind::FormBody, &body.multipart, "multipart"),
        form(FacetKind::RawBody, &body.raw, "raw"),
    ];
    let place = forms.iter().flatten().next().map_or(operation.place, |node| node.place);
    let named = body.limit.as_ref().map_or_else(|| spec.runtime_limit(BODY_BYTES), |limit| Some(limit.value.as_str()));
    let named = named.filter(|name| spec.limits.contains_key(*name)).map(str::to_owned);
    let cap = capped(spec, FacetKind::BodyCap, named, body.limit.as_ref().map_or(place, |limit| limit.place));
    Some(
        DiffNode::thing(FacetKind::Body, "body", place)
            .going(WireDirection::Sent)
            .with(forms.into_iter().flatten())
            .with([cap]),
    )
}

/// The reply and the shape of errors, by what the request has. Without `select` there is one branch, the last.
fn replies(spec: &Spec, operation: &SpecEntry<DeclaredOperation>) -> Vec<DiffNode> {
    let branch = |key: String, envelope: &SpannedText, ok: Option<&SpannedText>, place: SourceSpan| {
        let step = if key == LAST { String::new() } else { format!("select.{key}") };
        let reply = ok.map(|ok| {
            let node = typed(DiffNode::thing(FacetKind::Reply, "reply", ok.place).step("ok"), ok);
            node.with([flag(FacetKind::PlainText, is_plain_text(spec, operation, ok), ok.place)])
        });
        DiffNode::thing(FacetKind::Branch, key, place)
            .step(step)
            .going(WireDirection::Received)
            .leading_to(NodeLink::Envelope(envelope.value.clone()))
            .with(reply)
    };
    if operation.select.is_empty() {
        return vec![branch(LAST.to_owned(), &operation.envelope, operation.ok.as_ref(), operation.place)];
    }
    let branches = || operation.select.iter();
    let order = FacetValue::Order(branches().map(|branch| condition(branch)).collect());
    branches()
        .map(|it| branch(condition(it), &it.envelope, Some(&it.ok), it.place))
        .chain([DiffNode::facet(FacetKind::BranchOrder, order, operation.select[0].place)])
        .collect()
}

/// True if a reply is a text as it is, and none in JSON: a file, or what somebody else has sent.
fn is_plain_text(spec: &Spec, operation: &DeclaredOperation, ok: &SpannedText) -> bool {
    let Ok(TypeExpr { base, .. }) = TypeExpr::parse(&ok.value) else { return false };
    let is_file = match &base {
        BaseType::Named(name) => newtypes(spec, name).first().is_some_and(|(_, named)| named.media.is_some()),
        _ => false,
    };
    (is_file || *operation.proxy) && underlying(spec, &base) == BaseType::Primitive(Primitive::String)
}

/// True if what an operation takes or answers has members, so that there may be some that the spec does not know.
fn has_members(spec: &Spec, operation: &DeclaredOperation) -> bool {
    let is_opaque = |ok: &SpannedText| {
        let base = TypeExpr::parse(&ok.value).map(|expr| underlying(spec, &expr.base));
        matches!(base, Ok(BaseType::Primitive(Primitive::String | Primitive::Bytes | Primitive::Json)))
    };
    operation.body.is_some()
        || operation.stream.is_some()
        || !operation.select.is_empty()
        || operation.ok.as_ref().is_some_and(|ok| !is_opaque(ok))
}

/// The key of the branch that always fits.
const LAST: &str = "else";

fn condition(branch: &DeclaredBranch) -> String {
    let words = |words: &[SpannedText], between: &str| {
        let mut words: Vec<&str> = words.iter().map(|word| word.value.as_str()).collect();
        words.sort_unstable();
        words.join(between)
    };
    match (words(&branch.has, "+"), words(&branch.has_any, "|")) {
        (has, any) if has.is_empty() && any.is_empty() => LAST.to_owned(),
        (has, any) if any.is_empty() => has,
        (has, any) if has.is_empty() => any,
        (has, any) => format!("{has}+({any})"),
    }
}

fn events(stream: &DeclaredStream, operation: SourceSpan) -> DiffNode {
    let place = stream.event.place;
    let node = DiffNode::thing(FacetKind::Stream, "stream", place).going(WireDirection::Received).with([
        choice(FacetKind::StreamSwitch, stream.when.as_ref(), operation),
        switch(FacetKind::StreamNames, &stream.named, place),
        end(stream, place),
    ]);
    typed(node, &stream.event)
}

/// The events or lines that end it, in whatever order they are written.
fn end(stream: &DeclaredStream, otherwise: SourceSpan) -> DiffNode {
    let ends = stream.ends_with.as_ref().map(OneOrMore::all).unwrap_or_default();
    let mut words: Vec<&str> = ends.iter().map(|end| end.value.as_str()).collect();
    words.sort_unstable();
    let place = ends.first().map_or(otherwise, |end| end.place);
    plain(FacetKind::StreamEnd, (!words.is_empty()).then(|| words.join(" | ")).as_deref(), place)
}

fn csv(operation: &DeclaredOperation) -> Option<DiffNode> {
    let csv = operation.csv.as_ref()?;
    let place = csv.rows.place;
    let may = |of: &str, text: Option<&SpannedText>| {
        let at = text.map_or(place, |text| text.place);
        plain(FacetKind::CsvRows, Some(text.map_or("none", |text| &text.value)), at).keyed(of).step(of)
    };
    Some(DiffNode::thing(FacetKind::Csv, "csv", place).with([
        word(FacetKind::CsvRows, &csv.rows).step("rows"),
        may("next", csv.next.as_ref()),
        may("header", csv.header.as_ref()),
    ]))
}

/// The pagination of its list. Clients that sent the parameter before know it; for all others, the reply becomes a part of the
/// list.
fn pages(operation: &DeclaredOperation) -> Option<DiffNode> {
    let pages = operation.pages.as_ref()?;
    let place = pages.items.place;
    Some(DiffNode::thing(FacetKind::Pages, "pages", place).forced_without(FacetKind::Query, &pages.by.value).with([
        word(FacetKind::PageItems, &pages.items).step("items"),
        word(FacetKind::PageParameter, &pages.by).step("by"),
        word(FacetKind::PageCursor, &pages.next).step("next"),
        choice(FacetKind::PageEnd, pages.more.as_ref(), place).step("more"),
    ]))
}

/// The codes that it may answer with, each once. Those of a group are reported of the group, once for all who list it.
fn answers(spec: &Spec, operation: &DeclaredOperation) -> Vec<DiffNode> {
    let mut nodes: Vec<DiffNode> = Vec::new();
    for word in &operation.errors {
        let group = spec.groups.get(&word.value);
        let codes = group.map_or(std::slice::from_ref(word), |group| group.value.as_slice());
        for code in codes {
            if nodes.iter().any(|node| node.key == code.value) {
                continue;
            }
            let node = DiffNode::thing(FacetKind::Answers, &code.value, code.place).under("errors");
            let subject = format!("groups.{}.{}", word.value, code.value);
            nodes.push(if group.is_some() { node.whole_subject(subject) } else { node });
        }
    }
    nodes
}
