//! The places of a request that hold a text of whoever sends it, as the spec has them.

use reqwest::Method;
use serde_json::{Value, json};
use tollgate_spec_generator::client_model::{ApiDocument, ApiField, ApiOperation, ApiShape, ApiType};

/// One step into a body.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    /// The first item of a list.
    Item,
    /// The name of a member of a map.
    Key,
    /// The value of a member of a map.
    Value,
}

/// A part of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Body(Vec<Step>),
    Query(String),
    Header(String),
}

/// A place that holds a text.
#[derive(Debug, Clone)]
pub(crate) struct Slot {
    pub(crate) operation: String,
    pub(crate) method: Method,
    part: Part,
}

/// A request before it is sent: its path, and its parts.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) path: String,
    pub(crate) body: Option<Value>,
    pub(crate) query: Vec<(String, String)>,
    pub(crate) headers: Vec<(String, String)>,
}

impl Slot {
    /// The operation and the part: `admin_groups.create settings.candidates[].model`.
    pub(crate) fn name(&self) -> String {
        let part = match &self.part {
            Part::Body(steps) => steps.iter().fold(String::new(), |text, step| match step {
                Step::Member(name) if text.is_empty() => name.clone(),
                Step::Member(name) => format!("{text}.{name}"),
                Step::Item => format!("{text}[]"),
                Step::Key => format!("{text}{{key}}"),
                Step::Value => format!("{text}{{value}}"),
            }),
            Part::Query(name) => format!("?{name}"),
            Part::Header(name) => format!("{name}:"),
        };
        format!("{} {part}", self.operation)
    }

    /// Puts a text into a request.
    pub(crate) fn plant(&self, draft: &mut Draft, text: &str) {
        let owned = |name: &str| (name.to_owned(), text.to_owned());
        match &self.part {
            Part::Body(steps) => put(draft.body.get_or_insert_with(|| json!({})), steps, text),
            Part::Query(name) => draft.query.push(owned(name)),
            Part::Header(name) => {
                draft.headers.retain(|(header, _)| header != name);
                draft.headers.push(owned(name));
            }
        }
    }
}

fn put(tree: &mut Value, steps: &[Step], text: &str) {
    match steps {
        [] => *tree = json!(text),
        [Step::Member(name), rest @ ..] => put(&mut tree[name], rest, text),
        [Step::Item, rest @ ..] => {
            if !tree.is_array() {
                *tree = json!([null]);
            }
            put(&mut tree[0], rest, text);
        }
        [Step::Key, ..] => *tree = json!({text: "2"}),
        [Step::Value, ..] => *tree = json!({"flex": text}),
    }
}

/// All places of operations below a path that change something, or begin a session.
pub(crate) fn slots(document: &ApiDocument, below: &str) -> Vec<Slot> {
    let changing = document.operations.iter().filter(|(_, operation)| is_changing(operation, below));
    changing.flat_map(|(id, operation)| of(document, id, operation)).collect()
}

/// True if an operation below a path is asked by a method that changes something.
fn is_changing(operation: &ApiOperation, below: &str) -> bool {
    let route = &operation.routes[0];
    route.path.starts_with(below) && route.method != "GET"
}

fn of(document: &ApiDocument, id: &str, operation: &ApiOperation) -> Vec<Slot> {
    let mut parts = Vec::new();
    if let Some(ty) = operation.body.as_ref().and_then(|body| body.json.as_ref()) {
        let mut found = Vec::new();
        texts(document, ty, &mut Vec::new(), &mut found);
        parts.extend(found.into_iter().map(Part::Body));
    }
    let is_text = |(name, field): (&String, &ApiField)| is_text(document, &field.ty).then(|| name.clone());
    parts.extend(operation.query.iter().filter_map(is_text).map(Part::Query));
    parts.extend(operation.headers.iter().filter_map(is_text).map(Part::Header));
    let method: Method = operation.routes[0].method.parse().expect("a method");
    parts.into_iter().map(|part| Slot { operation: id.to_owned(), method: method.clone(), part }).collect()
}

fn is_text(document: &ApiDocument, ty: &ApiType) -> bool {
    let mut found = Vec::new();
    texts(document, ty, &mut Vec::new(), &mut found);
    !found.is_empty()
}

/// The texts of a value, each by the steps that lead to it. Words of closed sets are none.
fn texts(document: &ApiDocument, ty: &ApiType, steps: &mut Vec<Step>, found: &mut Vec<Vec<Step>>) {
    let mut within = |step: Step, ty: &ApiType| {
        steps.push(step);
        texts(document, ty, steps, found);
        steps.pop();
    };
    match ty {
        ApiType::Primitive(of) if of.word() == "string" => found.push(steps.clone()),
        ApiType::Primitive(_) | ApiType::Const(_) => {}
        ApiType::List(item) | ApiType::TextOrList(item) => within(Step::Item, item),
        ApiType::Map(_) => found.extend([Step::Key, Step::Value].map(|step| [&steps[..], &[step]].concat())),
        ApiType::Ref(name) => match &document.types[name].shape {
            ApiShape::Struct { fields, .. } => {
                fields.iter().for_each(|(name, field)| within(Step::Member(name.clone()), &field.ty));
            }
            ApiShape::Newtype { is, .. } => texts(document, is, steps, found),
            ApiShape::Enum { .. } => {}
            ApiShape::Union { .. } => panic!("{name}: say how the texts of a union are planted"),
        },
    }
}
