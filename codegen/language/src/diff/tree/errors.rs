//! Error codes, their kinds, what the server answers by itself, envelopes.

use super::super::node::{DiffNode, FacetKind, FacetValue, NodeLink, ValueRoom};
use super::facets::{choice, plain, word};
use crate::model::{
    self, DeclaredErrorCode, EntryMap, EnvelopeStyle, FRAMEWORK_EVENTS, FrameworkEvent, RetryAdvice, SourceSpan, Spec,
    SpecEntry, SpecSection,
};

pub(super) fn all(spec: &Spec) -> Vec<DiffNode> {
    let mut nodes: Vec<DiffNode> = spec.errors.iter().map(|(name, entry)| code(name, entry)).collect();
    for (name, row) in &spec.kinds {
        for style in EnvelopeStyle::ALL {
            nodes.extend(row.name(style).map(|shown| {
                let key = format!("{name}.{}", style.key());
                DiffNode::thing(FacetKind::KindName, key, row.place)
                    .under("kinds")
                    .with([word(FacetKind::KindWord, shown)])
            }));
        }
    }
    let section = spec.section_places.get(&SpecSection::Framework).copied().unwrap_or_default();
    nodes.extend(FRAMEWORK_EVENTS.iter().map(|FrameworkEvent { name, .. }| {
        let code = spec.framework.get(*name).map(|code| &code.value);
        choice(FacetKind::Event, code, section).keyed(*name).step(format!("framework.{name}"))
    }));
    nodes.extend(spec.families.iter().map(|(prefix, name)| {
        DiffNode::thing(FacetKind::Family, prefix, name.place)
            .under("families")
            .leading_to(NodeLink::Envelope(name.envelope.value.clone()))
    }));
    nodes
}

fn code(name: &str, entry: &SpecEntry<DeclaredErrorCode>) -> DiffNode {
    let place = entry.place;
    let number = |at: u16, place| plain(FacetKind::Status, Some(&at.to_string()), place);
    let mut node = DiffNode::thing(FacetKind::Code, name, place).under("errors").with([
        number(entry.http.value, entry.http.place).keyed(""),
        word(FacetKind::CodeKind, &entry.kind),
        word(FacetKind::Say, &entry.say),
        word(FacetKind::Remedy, &entry.remedy),
        retry(entry),
    ]);
    for style in EnvelopeStyle::ALL {
        // A style without a status of its own follows the code's, which is told once.
        let own = entry.http_in.get(style);
        let status = own.map(|http| http.value.to_string());
        node.children.push(
            DiffNode::facet(
                FacetKind::Status,
                FacetValue::Word(Some(status.unwrap_or_else(|| "the code's own".to_owned()))),
                own.map_or(place, |http| http.place),
            )
            .keyed(style.key())
            .step(style.key()),
        );
        let wire = entry.names.get(style);
        let shown = wire.map_or(name, |wire| wire.value.as_str());
        node.children.push(
            plain(FacetKind::CodeWord, Some(shown), wire.map_or(place, |wire| wire.place))
                .keyed(style.key())
                .step(style.key()),
        );
    }
    node.with(
        entry.http_also.iter().map(|also| DiffNode::thing(FacetKind::AlsoStatus, also.value.to_string(), also.place)),
    )
    .with(entry.with.iter().map(|(value, ty)| {
        DiffNode::thing(FacetKind::Carried, value, ty.place).under("with").with([plain(
            FacetKind::CarriedType,
            Some(ty.value.value.key()),
            ty.value.place,
        )])
    }))
}

/// The more readily a request may be sent again, the more room there is.
fn retry(entry: &SpecEntry<DeclaredErrorCode>) -> DiffNode {
    let (at, shown) = match entry.advice() {
        RetryAdvice::Never => (0, "never"),
        RetryAdvice::After => (1, "after"),
        RetryAdvice::Now => (2, "now"),
    };
    let room = ValueRoom { most: true, at: Some(at), shown: shown.to_owned(), named: None };
    DiffNode::facet(
        FacetKind::Retry,
        FacetValue::Room(room),
        entry.retry.as_ref().map_or(entry.place, |retry| retry.place),
    )
}

/// An envelope, as it is compared where it is worn.
pub(in super::super) fn envelope(spec: &Spec, name: &str) -> Option<DiffNode> {
    let entry = spec.envelopes.get(name)?;
    let mut node = DiffNode::thing(FacetKind::EnvelopeBody, "", entry.place)
        .whole_subject(format!("envelopes.{name}"))
        .with([plain(FacetKind::Style, Some(entry.style.value.key()), entry.style.place)]);
    members(&entry.body, "", &mut node.children);
    Some(node)
}

fn members(body: &EntryMap<model::SpannedJson>, above: &str, into: &mut Vec<DiffNode>) {
    for (key, value) in body {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        member(&path, value.place, &value.value, into);
    }
}

fn member(path: &str, place: SourceSpan, value: &model::SpannedJson, into: &mut Vec<DiffNode>) {
    match value {
        model::SpannedJson::Mapping(inner) => members(inner, path, into),
        model::SpannedJson::List(items) => {
            for (index, item) in items.iter().enumerate() {
                member(&format!("{path}.{index}"), item.place, &item.value, into);
            }
        }
        model::SpannedJson::Word(text) => into.push(leaf(path, place, &TextTemplate::of(&text.value))),
        model::SpannedJson::Null | model::SpannedJson::Bool(_) | model::SpannedJson::Number(_) => {
            into.push(leaf(path, place, &TextTemplate::constant(value.to_json().to_string())));
        }
    }
}

/// A member that holds no other.
fn leaf(path: &str, place: SourceSpan, template: &TextTemplate) -> DiffNode {
    let absent = ValueRoom { most: true, at: Some(template.absent), shown: template.text.clone(), named: None };
    DiffNode::thing(FacetKind::EnvelopeField, path, place).with([
        DiffNode::facet(FacetKind::EnvelopeHolders, FacetValue::Set(template.holders.clone()), place),
        DiffNode::facet(FacetKind::EnvelopeAbsent, FacetValue::Room(absent), place),
        plain(FacetKind::EnvelopeText, Some(template.literal()), place),
    ])
}

/// A text with placeholders.
struct TextTemplate {
    text: String,
    /// Each once, in alphabetical order.
    holders: Vec<String>,
    /// The ways to be absent: 0 for none, 1 for null, 2 for a missing key.
    absent: i128,
}

impl TextTemplate {
    fn constant(text: String) -> Self {
        Self { text, holders: Vec::new(), absent: 0 }
    }

    fn of(text: &str) -> Self {
        let mut template = Self::constant(text.to_owned());
        let mut rest = text;
        while let Some((inside, after)) = rest.split_once('{').and_then(|(_, tail)| tail.split_once('}')) {
            let (holder, mode) = inside.split_once('?').map_or((inside, None), |(holder, mode)| (holder, Some(mode)));
            // `{x?""}` is always a text, `{x?}` may be null, `{x?omit}` may be left out.
            template.absent = template.absent.max(match mode {
                None | Some("\"\"") => 0,
                Some("") => 1,
                Some(_) => 2,
            });
            template.holders.push(holder.to_owned());
            rest = after;
        }
        template.holders.sort_unstable();
        template.holders.dedup();
        template
    }

    /// The text that programs may compare with. Words around placeholders are for people.
    fn literal(&self) -> &str {
        if self.holders.is_empty() { &self.text } else { "" }
    }
}
