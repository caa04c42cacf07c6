//! The page of a group: its operations, each with what goes in, what comes out and what may go wrong, then its types.

use askama::Template;

use super::access::role_anchor;
use super::calls::{OperationSample, sample};
use super::errors::sentence;
use super::fields::{FieldDirection, FieldTable, FieldTableRow, fields};
use super::markup::{escaped, rendered};
use super::site::{ACCESS, DocsPage, ERRORS, title};
use super::types::{TypeSections, types};
use crate::client_model::{ApiCall, codes};
use crate::emit::text::deprecation as deprecation_words;
use crate::model::{RoleHolder, SessionEffect};
use crate::resolve::{BodyForm, ResolvedBody, ResolvedDeprecation, ResolvedOperation, ResolvedShape, ResolvedType};

#[derive(Template)]
#[template(path = "docs/group.html")]
struct GroupPage {
    title: String,
    operations: Vec<OperationSection>,
    types: TypeSections,
}

struct OperationSection {
    id: String,
    method: String,
    /// Markup: the path with its parameters marked.
    path: String,
    also: Vec<String>,
    /// The first sentence, and the others.
    lead: String,
    about: String,
    /// The notes on it: markup.
    notes: Vec<String>,
    /// Headings with fields, and a sentence before them.
    sections: Vec<FieldSection>,
    errors: Vec<OperationErrorRow>,
    /// The codes that every operation of its kind may answer with: markup.
    further: String,
    errors_open: String,
    samples: Vec<OperationSample>,
    is_deprecated: bool,
}

struct FieldSection {
    heading: &'static str,
    about: String,
    fields: FieldTable,
}

struct OperationErrorRow {
    code: String,
    http: String,
    say: String,
    remedy: String,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let site = page.site;
    let Some(group) = site.group(page.name) else { return String::new() };
    let text = |id: &str| {
        let calls: Vec<&ApiCall<'_>> = group.calls.iter().filter(|call| call.id == id).collect();
        text(*page, id, &site.lowered.operations[id], &calls)
    };
    let operations = site.operations(page.name).into_iter().map(text).collect();
    rendered(&GroupPage { title: title(group.name), operations, types: types(*page) })
}

fn text(
    page: DocsPage<'_, '_>,
    id: &str,
    operation: &ResolvedOperation<'_>,
    calls: &[&ApiCall<'_>],
) -> OperationSection {
    let route = &operation.routes[0];
    let words = route.words();
    let (method, path) = words.split_once(' ').unwrap_or(("", &words));
    let also = operation.routes.iter().skip(1).map(|route| route.words().replace("{*", "{"));
    let doc = operation.doc.unwrap_or_default();
    let (lead, about) = doc.split_once(". ").map_or((doc, ""), |(lead, about)| (&doc[..=lead.len()], about));
    let (errors, further) = errors(page, id, operation);
    let mut samples: Vec<OperationSample> = calls.iter().map(|call| sample(page.site, call)).collect();
    if let [_, _, ..] = samples[..] {
        for (sample, call) in samples.iter_mut().zip(calls) {
            sample.title = format!("{}.{}", id.split('.').next().unwrap_or_default(), call.verb);
        }
    }
    OperationSection {
        id: id.to_owned(),
        method: method.to_owned(),
        path: marked(&path.replace("{*", "{")),
        also: also.collect(),
        lead: page.words(lead),
        about: page.words(about),
        notes: notes(page, operation),
        sections: sections(page, operation),
        errors,
        further,
        errors_open: operation.errors_open.map(|why| page.words(why)).unwrap_or_default(),
        samples,
        is_deprecated: operation.deprecated.is_some(),
    }
}

/// A path whose parameters stand out, and that may break after each part.
fn marked(path: &str) -> String {
    escaped(path).replace('/', "/<wbr>").replace('{', "<var>{").replace('}', "}</var>")
}

fn deprecation(page: DocsPage<'_, '_>, deprecated: &ResolvedDeprecation<'_>) -> String {
    let successor = deprecated.successor.map(|successor| page.operation(successor));
    let because = deprecated.because.map(|because| format!(" {}", page.words(because))).unwrap_or_default();
    let words = deprecation_words(deprecated.since, deprecated.until, successor);
    format!("<strong>Deprecated</strong> {words}.{because}")
}

fn notes(page: DocsPage<'_, '_>, operation: &ResolvedOperation<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    notes.extend(operation.deprecated.as_ref().map(|deprecated| deprecation(page, deprecated)));
    notes.push(if operation.auth.is_empty() {
        "Public: no key is asked for.".to_owned()
    } else {
        let scheme = |name: &&str| format!("<a href=\"{}\">{}</a>", page.href(ACCESS, name), escaped(name));
        format!("Needs one of: {}.", operation.auth.iter().map(scheme).collect::<Vec<_>>().join(", "))
    });
    for (holder, heading) in [(RoleHolder::Operator, "Roles"), (RoleHolder::Member, "Members")] {
        let role = |name: &&str| {
            format!("<a href=\"{}\">{}</a>", page.href(ACCESS, &role_anchor(holder, name)), escaped(name))
        };
        let roles: Vec<String> = operation.roles_for(holder).iter().map(role).collect();
        notes.extend((!roles.is_empty()).then(|| format!("{heading}: {}.", roles.join(", "))));
    }
    notes.extend(
        operation
            .proof
            .map(|proof| format!("Needs a proof: <a href=\"{}\">{}</a>.", page.href(ACCESS, proof), escaped(proof))),
    );
    notes.extend(operation.session.map(|session| match session {
        SessionEffect::Begins => {
            let link = |name: &str| format!(" of <a href=\"{}\">{}</a>", page.href(ACCESS, name), escaped(name));
            let of = operation.session_scheme.map(link).unwrap_or_default();
            format!("Begins a session{of}: the answer sets its cookie. Pages of other origins are refused.")
        }
        SessionEffect::Ends => "Ends the session: the answer takes its cookie away.".to_owned(),
    }));
    notes.extend(operation.idempotent.then(|| "Safe to send again: twice does no more than once.".to_owned()));
    let once = "With the header <code>Idempotency-Key</code>, carried out once for each key of the account.";
    notes.extend(operation.idempotency_key.then(|| once.to_owned()));
    let unchanged = "With the header <code>If-None-Match</code>, answered with 304 and without a body where <code>ETag</code> is \
                     still the same.";
    notes.extend(operation.conditional.then(|| unchanged.to_owned()));
    notes.extend(operation.always_http.map(|http| format!("Every answer has the status {http}, errors too.")));
    if !operation.limits.is_empty() {
        let limits: Vec<String> = operation.limits.iter().map(|name| page.limit(name)).collect();
        notes.push(format!("Bounds: {}.", limits.join(", ")));
    }
    notes
}

fn sections(page: DocsPage<'_, '_>, operation: &ResolvedOperation<'_>) -> Vec<FieldSection> {
    let section = |heading, about: String, fields| FieldSection { heading, about, fields };
    let mut sections = Vec::new();
    let read = page.site.lowered.read_headers(operation).map(|(name, about)| header_row(page, name, about));
    let mut headers = fields(page, &operation.headers, FieldDirection::Asked);
    headers.rows.extend(read);
    let [path, query] = [&operation.path, &operation.query].map(|all| fields(page, all, FieldDirection::Asked));
    for (heading, table) in [("Path", path), ("Query", query), ("Headers", headers)] {
        if !table.is_empty() {
            sections.push(section(heading, String::new(), table));
        }
    }
    sections
        .extend(operation.body.as_ref().map(|body| section("Body", body_words(page, body), body_fields(page, body))));
    sections.push(section("Reply", reply_words(page, operation), FieldTable::default()));
    sections.extend(operation.stream.as_ref().map(|stream| {
        let when = stream.when.map_or_else(
            || "Always answers with a stream".to_owned(),
            |when| format!("With {}, answers with a stream", page.words(&format!("`{when}`"))),
        );
        let named = if stream.named { ", each with its type as its name" } else { "" };
        let ends: Vec<String> = stream.ends_with.iter().map(|end| format!("<code>{}</code>", escaped(end))).collect();
        let end = if ends.is_empty() { String::new() } else { format!(" It ends with {}.", ends.join(" or ")) };
        let about = format!("{when} of server-sent events, each {}{named}.{end}", page.links([stream.event]));
        section("Stream", about, FieldTable::default())
    }));
    let told = operation.reply_headers.iter().map(|name| {
        header_row(page, name, page.site.lowered.wire_names.get(name).and_then(|name| name.doc).unwrap_or_default())
    });
    let added = page.site.lowered.added_headers(operation).map(|(name, about)| header_row(page, name, about));
    let told = FieldTable { rows: told.chain(added).collect() };
    if !told.is_empty() {
        sections.push(section("Headers of the answer", String::new(), told));
    }
    sections
}

fn header_row(page: DocsPage<'_, '_>, name: &str, about: &str) -> FieldTableRow {
    FieldTableRow { name: name.to_owned(), ty: "optional string".to_owned(), mark: "", about: page.words(about) }
}

fn body_words(page: DocsPage<'_, '_>, body: &ResolvedBody<'_>) -> String {
    let ty = |ty: &ResolvedType| format!("<code>{}</code>", page.ty(ty));
    let form = match &body.form {
        BodyForm::Json(of) => format!("JSON, {}", ty(of)),
        BodyForm::Raw(of) => format!("{}, read as it came", ty(of)),
        BodyForm::Passed { ty, .. } => format!("JSON, {}, handed on as it came", page.links([*ty])),
        BodyForm::PassedParts { .. } => "A form of parts, handed on as it came".to_owned(),
        BodyForm::Parts => "A form of parts".to_owned(),
    };
    let multipart =
        body.multipart.map(|ty| format!("; or multipart/form-data, {}", page.links([ty]))).unwrap_or_default();
    let limit = body.limit.map(|limit| format!("; at most {}", page.limit(limit))).unwrap_or_default();
    format!("{form}{multipart}{limit}.")
}

fn body_fields(page: DocsPage<'_, '_>, body: &ResolvedBody<'_>) -> FieldTable {
    let name = match &body.form {
        BodyForm::Json(ResolvedType::Ref(name)) | BodyForm::Raw(ResolvedType::Ref(name)) => Some(name.as_str()),
        BodyForm::Passed { ty, .. } | BodyForm::PassedParts { ty, .. } => Some(*ty),
        BodyForm::Json(_) | BodyForm::Raw(_) | BodyForm::Parts => body.multipart,
    };
    match name.and_then(|name| page.site.lowered.types.get(name)).map(|def| &def.shape) {
        Some(ResolvedShape::Struct { fields: all, .. }) => fields(page, all, FieldDirection::Asked),
        _ => FieldTable::default(),
    }
}

fn reply_words(page: DocsPage<'_, '_>, operation: &ResolvedOperation<'_>) -> String {
    let mut words = match (&operation.select, &operation.ok) {
        (Some(select), _) => {
            let code = |word: &&str| format!("<code>{}</code>", escaped(word));
            let branches = select.branches.iter().map(|branch| {
                let mut when: Vec<String> = branch.has.iter().map(code).collect();
                let any: Vec<String> = branch.has_any.iter().map(code).collect();
                when.extend((!any.is_empty()).then(|| any.join(" or ")));
                let when =
                    if when.is_empty() { "otherwise".to_owned() } else { format!("with {}", when.join(" and ")) };
                format!("{when} {}", page.links([branch.ok]))
            });
            format!("The first that fits: {}.", branches.collect::<Vec<_>>().join("; "))
        }
        (None, Some(ok)) => format!("<code>{}</code>.", page.ty(&ok.ty)),
        (None, None) => "Without a body of a known shape.".to_owned(),
    };
    if let Some(pages) = &operation.pages {
        let end = match &pages.more {
            Some(more) => format!("while <code>{}</code> is true", escaped(&more.join("."))),
            None => "while it is there".to_owned(),
        };
        words.push_str(&format!(
            " Comes in pages of <code>{}</code>: <code>{}</code> is the <code>{}</code> of the next one, {end}.",
            escaped(&pages.items.join(".")),
            escaped(&pages.next.join(".")),
            escaped(pages.by)
        ));
    }
    if let Some(csv) = &operation.csv {
        let columns = csv.columns.iter().map(|column| format!("<code>{}</code>", escaped(column)));
        words.push_str(&format!(
            " As CSV with <code>format=csv</code>, or where <code>Accept</code> prefers <code>text/csv</code>, in columns {}.",
            columns.collect::<Vec<_>>().join(", ")
        ));
    }
    words
}

/// The codes that the operation declares, and those that it has in common with all of its kind.
fn errors(page: DocsPage<'_, '_>, id: &str, operation: &ResolvedOperation<'_>) -> (Vec<OperationErrorRow>, String) {
    let document = page.site.document;
    let row = |name: &&str| {
        let code = page.site.lowered.errors.get(name)?;
        let http = operation.always_http.or_else(|| code.faces.get(operation.envelope).map(|face| face.http));
        let also = code.http_also.iter().filter(|_| operation.always_http.is_none());
        let all: Vec<String> = http.iter().chain(also).map(u16::to_string).collect();
        Some(OperationErrorRow {
            code: page.link(name),
            http: all.join(", "),
            say: page.words(&sentence(code.say)),
            remedy: page.words(&sentence(code.remedy)),
        })
    };
    let own = operation.errors.iter().filter_map(row).collect();
    let all = codes(document, &document.operations[id]);
    let further = page.links(all.into_iter().filter(|code| !operation.errors.contains(code)));
    (own, format!("{further} (<a href=\"{}\">what errors look like</a>)", page.href(ERRORS, operation.envelope)))
}
