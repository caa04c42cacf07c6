//! The operations as the spec has them.

use std::fs;

use serde_json::Value;

use super::super::asks::{Ask, Names};
use super::super::codes::Shape;
use super::super::{TURNS, is_of_operators, root};
use super::request::Request;

/// Models that are reached over each of the formats.
const MODELS: [&str; 4] = ["via-chat", "via-messages", "via-generate", "via-responses"];

/// A member of a body.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    /// What it is said to be: `string`, `int`, `bool`, `number`, `list`, `object`, or anything.
    pub(super) kind: String,
    pub(super) required: bool,
    pub(super) nullable: bool,
    /// Whether the gateway itself goes by it.
    pub(super) is_read: bool,
    pub(super) min: Option<i64>,
    pub(super) max: Option<i64>,
}

/// An operation, and how it is asked for something that it grants.
#[derive(Debug)]
pub(super) struct Endpoint {
    pub(super) id: String,
    pub(super) shape: Shape,
    /// Paths with their parameters in braces, suffixes included.
    pub(super) paths: Vec<String>,
    /// Names of the parameters of the query.
    pub(super) query: Vec<String>,
    pub(super) fields: Vec<Field>,
    pub(super) takes_form: bool,
    /// Bytes of the largest body.
    pub(super) body_max: usize,
    pub(super) good: Request,
    /// The good body, for each model.
    pub(super) bodies: Vec<Value>,
    /// Models that answer; the good request names the first.
    pub(super) models: &'static [&'static str],
}

/// All that are routed.
pub(super) fn all() -> Vec<Endpoint> {
    let text = fs::read_to_string(root().join("spec/dist/resolved.json")).expect("the spec as it was resolved");
    let spec: Value = serde_json::from_str(&text).expect("JSON");
    let operations = spec["operations"].as_object().expect("operations");
    let routed = operations.iter().filter(|(_, operation)| operation["planned"] != true);
    let routed = routed.filter(|(id, _)| !is_of_operators(id));
    routed.map(|(id, operation)| endpoint(&spec, id, operation)).collect()
}

fn endpoint(spec: &Value, id: &str, operation: &Value) -> Endpoint {
    let body = &operation["body"];
    let is_turn = TURNS.contains(&id);
    let models: &[&str] = if is_turn { &MODELS } else { &["small"] };
    let asks: Vec<Ask> = models.iter().map(|name| Ask::of(id, &Names::of_model(name))).collect();
    let limit = body["limit"].as_str().map_or(0, |limit| spec["limits"][limit]["bytes"].as_u64().expect("bytes"));
    let routes = operation["routes"].as_array().expect("routes").iter();
    Endpoint {
        id: id.to_owned(),
        shape: Shape::of(id),
        paths: routes.map(|route| route["path"].as_str().expect("a path").to_owned() + suffix(route)).collect(),
        query: members(&operation["query"]).map(|(name, _)| name.clone()).collect(),
        fields: fields(spec, body),
        takes_form: body.get("multipart").is_some(),
        body_max: usize::try_from(limit).expect("it fits"),
        good: request(&asks[0]),
        bodies: asks.iter().filter_map(|ask| ask.body.clone()).collect(),
        models,
    }
}

fn suffix(route: &Value) -> &str {
    route["suffix"].as_str().unwrap_or_default()
}

fn request(ask: &Ask) -> Request {
    let mut headers: Vec<_> = ask.headers.iter().map(|(name, value)| format!("{name}: {value}").into_bytes()).collect();
    let body = ask.body.as_ref().map(|body| body.to_string().into_bytes());
    if body.is_some() {
        headers.push(b"content-type: application/json".to_vec());
    }
    let (method, target) = (ask.method.to_string(), ask.path.clone().into_bytes());
    Request { method, target, headers, body, with_length: true, ends: false }
}

fn members(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

fn fields(spec: &Value, body: &Value) -> Vec<Field> {
    let read = &body["passed"]["reads"];
    let name = body["passed"]["type"].as_str().or(body["json"]["ref"].as_str()).unwrap_or_default();
    let declared = members(&spec["types"][name]["fields"]);
    declared
        .map(|(name, field)| {
            let bound = |bound: &str| field[bound].as_str().and_then(|bound| bound.parse().ok());
            Field {
                name: name.clone(),
                kind: kind(spec, &field["type"]),
                required: field["optional"] == false,
                nullable: field["nullable"] == true,
                is_read: read.get(name).is_some() || body.get("json").is_some(),
                min: bound("min"),
                max: bound("max"),
            }
        })
        .collect()
}

fn kind(spec: &Value, of: &Value) -> String {
    if let Some(primitive) = of["primitive"].as_str() {
        return primitive.to_owned();
    }
    let is_object =
        of.get("map").is_some() || of["ref"].as_str().is_some_and(|name| spec["types"][name]["shape"] == "struct");
    let kind = if of.get("list").is_some() {
        "list"
    } else if is_object {
        "object"
    } else {
        "anything"
    };
    kind.to_owned()
}
