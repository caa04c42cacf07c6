//! Error codes, their kinds, what the server answers by itself, envelopes.

use super::super::node::{Kind, Link, Node, Room, Value};
use super::{plain, word, written_at};
use crate::model::{self, Entries, Entry, ErrorCode, Place, Retry, Spec, Style, WithType};

pub(super) fn all(spec: &Spec) -> Vec<Node> {
    let mut nodes: Vec<Node> = spec.errors.iter().map(|(name, entry)| code(name, entry)).collect();
    for (name, row) in &spec.kinds {
        for style in Style::ALL {
            nodes.extend(row.get(style).map(|shown| {
                let key = format!("{name}.{}", style.key());
                Node::thing(Kind::KindName, key, row.place).under("kinds").with([word(Kind::KindWord, shown)])
            }));
        }
    }
    nodes.extend(
        spec.framework
            .iter()
            .map(|(event, code)| word(Kind::Event, &code.value).keyed(event).step(format!("framework.{event}"))),
    );
    nodes.extend(spec.families.iter().map(|(prefix, name)| {
        Node::thing(Kind::Family, prefix, name.place)
            .under("families")
            .leading_to(Link::Envelope(name.value.value.clone()))
    }));
    nodes
}

fn code(name: &str, entry: &Entry<ErrorCode>) -> Node {
    let place = entry.place;
    let number = |at: u16, place| plain(Kind::Status, Some(&at.to_string()), place);
    let mut node = Node::thing(Kind::Code, name, place).under("errors").with([
        number(entry.http.value, entry.http.place).keyed(""),
        word(Kind::CodeKind, &entry.kind),
        word(Kind::Say, &entry.say),
        word(Kind::Remedy, &entry.remedy),
        retry(entry),
    ]);
    for style in Style::ALL {
        // A style without a status of its own follows the code's, which is told once.
        let own = entry.http_in.get(style);
        let status = own.map(|http| http.value.to_string());
        node.children.push(
            Node::facet(
                Kind::Status,
                Value::Word(Some(status.unwrap_or_else(|| "the code's own".to_owned()))),
                own.map_or(place, |http| http.place),
            )
            .keyed(style.key())
            .step(style.key()),
        );
        let wire = entry.names.get(style);
        let shown = wire.map_or(name, |wire| wire.value.as_str());
        node.children.push(
            plain(Kind::CodeWord, Some(shown), wire.map_or(place, |wire| wire.place))
                .keyed(style.key())
                .step(style.key()),
        );
    }
    node.with(entry.http_also.iter().map(|also| Node::thing(Kind::AlsoStatus, also.value.to_string(), also.place)))
        .with(entry.with.iter().map(|(value, ty)| {
            Node::thing(Kind::Carried, value, ty.place).under("with").with([plain(
                Kind::CarriedType,
                Some(carried(ty.value.value)),
                ty.value.place,
            )])
        }))
}

const fn carried(ty: WithType) -> &'static str {
    match ty {
        WithType::String => "string",
        WithType::Int => "int",
        WithType::Usd => "usd",
        WithType::Bool => "bool",
    }
}

/// The more readily a request may be sent again, the more room there is.
fn retry(entry: &Entry<ErrorCode>) -> Node {
    let (at, shown) = match entry.retry.value {
        Retry::Never => (0, "never"),
        Retry::After => (1, "after"),
        Retry::Now => (2, "now"),
    };
    let room = Room { most: true, at: Some(at), shown: shown.to_owned(), named: None };
    Node::facet(Kind::Retry, Value::Room(room), written_at(&entry.retry, entry.place))
}

/// An envelope, as it is compared where it is worn.
pub(in super::super) fn envelope(spec: &Spec, name: &str) -> Option<Node> {
    let entry = spec.envelopes.get(name)?;
    let mut node = Node::thing(Kind::EnvelopeBody, "", entry.place)
        .whole_subject(format!("envelopes.{name}"))
        .with([plain(Kind::Style, Some(entry.style.value.key()), entry.style.place)]);
    members(&entry.body, "", &mut node.children);
    Some(node)
}

fn members(body: &Entries<model::Value>, above: &str, into: &mut Vec<Node>) {
    for (key, value) in body {
        let path = if above.is_empty() { key.clone() } else { format!("{above}.{key}") };
        member(&path, value.place, &value.value, into);
    }
}

fn member(path: &str, place: Place, value: &model::Value, into: &mut Vec<Node>) {
    match value {
        model::Value::Mapping(inner) => members(inner, path, into),
        model::Value::List(items) => {
            for (index, item) in items.iter().enumerate() {
                member(&format!("{path}.{index}"), item.place, &item.value, into);
            }
        }
        model::Value::Word(text) => into.push(leaf(path, place, &Template::of(&text.value))),
        model::Value::Null | model::Value::Bool(_) | model::Value::Number(_) => {
            into.push(leaf(path, place, &Template::constant(value.to_json().to_string())));
        }
    }
}

/// A member that holds no other.
fn leaf(path: &str, place: Place, template: &Template) -> Node {
    let absent = Room { most: true, at: Some(template.absent), shown: template.text.clone(), named: None };
    Node::thing(Kind::EnvelopeField, path, place).with([
        Node::facet(Kind::EnvelopeHolders, Value::Set(template.holders.clone()), place),
        Node::facet(Kind::EnvelopeAbsent, Value::Room(absent), place),
        plain(Kind::EnvelopeText, Some(template.literal()), place),
    ])
}

/// A text with placeholders.
struct Template {
    text: String,
    /// Each once, in alphabetical order.
    holders: Vec<String>,
    /// The ways to be absent: 0 for none, 1 for null, 2 for a missing key.
    absent: i128,
}

impl Template {
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
