//! `spec.schema.json`: the spec language as a JSON Schema with the names of this spec, for editors; `resolved.schema.json`: the
//! form of `resolved.json`, as far as clients are made of it, for other generators.
//!
//! A name that is not there yet is taken by the schema, which offers names and forbids none: `check` reports it, with a suggestion.

use serde_json::{Value, json};

use crate::client_model::ApiDocument;
use crate::model::Primitive;
use crate::resolve::ResolvedSpec;

/// The values that are names: the definition, empty for the file itself; its property, empty for all of it; the list.
const NAMED: &[(&str, &str, &str)] = &[
    ("Operation", "errors", "CodeOrGroupName"),
    ("", "groups", "CodeOrGroupName"),
    ("", "framework", "CodeName"),
    ("Limit", "error", "CodeName"),
    ("Expected", "code", "CodeName"),
    ("Untold", "codes", "CodeName"),
    ("Operation", "ok", "TypeName"),
    ("Operation", "data", "TypeName"),
    ("Data", "type", "TypeName"),
    ("Envelope", "reply", "TypeName"),
    ("Operation", "body", "TypeName"),
    ("Body", "type", "TypeName"),
    ("Body", "raw", "TypeName"),
    ("Body", "multipart", "TypeName"),
    ("Stream", "event", "TypeName"),
    ("Branch", "ok", "TypeName"),
    ("Field", "type", "TypeName"),
    ("Type", "is", "TypeName"),
    ("Type", "fields", "TypeName"),
    ("Type", "with", "TypeName"),
    ("Type", "partial_of", "TypeName"),
    ("Variant", "", "TypeName"),
    ("Operation", "path", "TypeName"),
    ("Operation", "query", "TypeName"),
    ("Operation", "headers", "TypeName"),
    ("Operation", "limits", "LimitName"),
    ("Body", "limit", "LimitName"),
    ("Rail", "validity", "LimitName"),
    ("", "runtime_limits", "LimitName"),
    ("", "runtime_headers", "HeaderName"),
    ("Operation", "reply_headers", "HeaderName"),
    ("Branch", "has", "HeaderName"),
    ("Branch", "has_any", "HeaderName"),
    ("Csv", "header", "HeaderName"),
    ("Scheme", "header", "HeaderName"),
    ("ErrorCode", "kind", "KindName"),
    ("Operation", "envelope", "EnvelopeName"),
    ("Branch", "envelope", "EnvelopeName"),
    ("", "families", "EnvelopeName"),
    ("Family", "envelope", "EnvelopeName"),
    ("Auth", "", "SchemeName"),
    ("Fixture", "caller", "SchemeName"),
    ("Operation", "roles", "RoleName"),
    ("Operation", "members", "MemberRoleName"),
    ("Role", "includes", "AnyRoleName"),
    ("BegunSession", "begins", "SchemeName"),
    ("Operation", "proof", "ProofName"),
    ("Operation", "moves", "MoveName"),
    ("Move", "by", "MoverName"),
    ("Limit", "kept_by", "MoverName"),
    ("WireName", "read_by", "MoverName"),
    ("Machine", "view_of", "MachineName"),
    ("Type", "states_of", "MachineName"),
    ("Example", "of", "OperationName"),
    ("Example", "except", "OperationName"),
    ("Untold", "of", "OperationName"),
    ("Deprecation", "use", "OperationName"),
    ("Example", "as", "FixtureName"),
    ("Example", "given", "FixtureName"),
];

pub(super) fn generate(lowered: &ResolvedSpec<'_>) -> Vec<u8> {
    let mut schema = crate::schema::language().clone();
    for (list, mut words) in lists(lowered) {
        words.sort_unstable();
        words.dedup();
        if words.is_empty() {
            continue;
        }
        for (definition, property, _) in NAMED.iter().filter(|(_, _, of)| *of == list) {
            offer(node(&mut schema, definition, property), list);
        }
        if list == "FactName" {
            every_fact(&mut schema, list);
        }
        schema["$defs"][list] = json!({"anyOf": [{"enum": words}, {"type": "string"}]});
    }
    bytes(&schema)
}

pub(super) fn resolved() -> Vec<u8> {
    bytes(schemars::schema_for!(ApiDocument).as_value())
}

/// The names that are offered, by the definition that lists them.
fn lists(lowered: &ResolvedSpec<'_>) -> [(&'static str, Vec<String>); 18] {
    fn texts<'n>(names: impl IntoIterator<Item = &'n &'n str>) -> Vec<String> {
        names.into_iter().map(|name| (*name).to_owned()).collect()
    }
    let codes = texts(lowered.errors.keys());
    let operations = texts(lowered.operations.keys());
    let primitives = Primitive::ALL.iter().map(|primitive| primitive.word().to_owned());
    let moves = lowered.machines.iter().flat_map(|(machine, of)| of.moves.keys().map(move |step| (machine, step)));
    [
        ("CodeOrGroupName", [codes.clone(), texts(&lowered.groups)].concat()),
        ("CodeName", codes),
        ("TypeName", texts(lowered.types.keys()).into_iter().chain(primitives).collect()),
        ("LimitName", texts(lowered.limits.keys())),
        ("FactName", texts(lowered.facts.keys())),
        ("HeaderName", texts(lowered.wire_names.keys())),
        ("KindName", texts(lowered.kinds.keys())),
        ("EnvelopeName", texts(lowered.envelopes.keys())),
        ("SchemeName", texts(lowered.auth.keys())),
        ("RoleName", texts(lowered.roles.keys())),
        ("MemberRoleName", texts(lowered.member_roles.keys())),
        ("AnyRoleName", texts(lowered.roles.keys().chain(lowered.member_roles.keys()))),
        ("ProofName", texts(lowered.proofs.keys())),
        ("MoveName", moves.map(|(machine, step)| format!("{machine}.{step}")).collect()),
        ("MoverName", [texts(lowered.actors.keys()), operations.clone()].concat()),
        ("OperationName", operations),
        ("MachineName", texts(lowered.machines.keys())),
        ("FixtureName", texts(lowered.fixtures.keys())),
    ]
}

fn node<'s>(schema: &'s mut Value, definition: &str, property: &str) -> &'s mut Value {
    let owner = if definition.is_empty() { schema } else { &mut schema["$defs"][definition] };
    if property.is_empty() { owner } else { &mut owner["properties"][property] }
}

/// The decision behind an entry may be named by entries of most kinds.
fn every_fact(schema: &mut Value, list: &str) {
    offer(node(schema, "", "fact"), list);
    for definition in schema["$defs"].as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
        if let Some(fact) = definition.pointer_mut("/properties/fact") {
            offer(fact, list);
        }
    }
}

/// Offers the names of a list wherever a value takes a text: by itself, as an item, as a member, or as one of several choices.
fn offer(node: &mut Value, list: &str) {
    let Value::Object(object) = node else { return };
    let names = json!({"$ref": format!("#/$defs/{list}")});
    if object.get("type").is_some_and(|kind| kind == "string") {
        object.remove("type");
        object.insert("$ref".to_owned(), names["$ref"].clone());
    } else if object.get("$ref").is_some_and(|of| of == "#/$defs/OneOrMore") {
        object.remove("$ref");
        object.insert("anyOf".to_owned(), json!([names, {"type": "array", "items": names}]));
    }
    for inner in ["items", "additionalProperties"] {
        if let Some(inner) = object.get_mut(inner) {
            offer(inner, list);
        }
    }
    if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
        choices.iter_mut().for_each(|choice| offer(choice, list));
    }
    if let Some(Value::Object(members)) = object.get_mut("properties") {
        members.values_mut().for_each(|member| offer(member, list));
    }
}

fn bytes(schema: &Value) -> Vec<u8> {
    let mut text = serde_json::to_vec_pretty(schema).expect("keys are texts");
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts of the language that name no entry of another section, by the definition that they stand in.
    const UNNAMED: &[(&str, &[&str])] = &[
        ("", &["when", "actors", "parameters", "changes"]),
        ("Service", &["name", "title", "license", "tags", "any_origin", "operator_paths"]),
        ("Source", &["title"]),
        ("Part", &["title", "headings"]),
        ("Gap", &["part", "open"]),
        ("WireName", &["accepts"]),
        ("Scheme", &["prefix", "query", "cookie", "key_starts"]),
        ("Proof", &["example"]),
        ("EvmProof", &["eip712_domain", "version", "signs"]),
        ("Ed25519Proof", &["ed25519_over", "signs"]),
        ("Rail", &["pays", "signer", "credit_on", "chains", "currency"]),
        ("Limit", &["bytes", "per", "setting"]),
        ("RequestObject", &["sdk", "kind_in"]),
        ("Classes", &["free", "holds", "client", "tokens", "sold", "tier", "address", "state", "model"]),
        ("Names", &["rust", "ts", "py"]),
        ("Kind", &["a", "o", "g", "account"]),
        ("PerStyle_string", &["a", "o", "g", "account"]),
        ("ErrorCode", &["say", "do"]),
        ("Operation", &["route", "also", "errors_open"]),
        ("Deprecation", &["since", "until", "because"]),
        ("Body", &["reads"]),
        ("Stream", &["when", "ends_with"]),
        ("Data", &["in"]),
        ("Csv", &["rows", "next"]),
        ("Pages", &["items", "by", "next", "more"]),
        ("Type", &["media"]),
        ("Union", &["by"]),
        ("Machine", &["start", "final"]),
        ("Row", &["table", "key", "state", "revision"]),
        ("Guard", &["sql", "proof"]),
        ("Effect", &["once_per"]),
        ("Move", &["to", "when", "does"]),
        ("Fixture", &["sends"]),
        ("Sent", &["without"]),
        ("Expected", &["varies"]),
        ("Untold", &["because"]),
        ("Fact", &["closes", "about", "choice", "because", "instead_of", "when"]),
    ];

    /// A new word of the language that names something is not left without completion.
    #[test]
    fn every_text_is_named_or_names_nothing() {
        let schema = crate::schema::language();
        let definitions = schema["$defs"].as_object().into_iter().flatten();
        let properties = definitions.map(|(name, of)| (name.as_str(), of)).chain([("", schema)]);
        let properties = properties.flat_map(|(definition, of)| {
            let inside = of["properties"].as_object().into_iter().flatten();
            inside.map(move |(property, of)| (definition, property.as_str(), of))
        });
        let undecided = properties.filter(|(definition, property, of)| {
            let mut offered = (*of).clone();
            offer(&mut offered, "AnyName");
            let takes_text = offered != **of && !["doc", "from", "fact"].contains(property);
            let named = NAMED.iter().any(|(owner, of, _)| (owner, of) == (definition, property));
            let unnamed = UNNAMED.iter().any(|(owner, of)| owner == definition && of.contains(property));
            takes_text != (named != unnamed)
        });
        let undecided: Vec<String> =
            undecided.map(|(definition, property, _)| format!("{definition}.{property}")).collect();
        assert_eq!(undecided, [""; 0], "a text of the language stands in one of both lists");
    }

    /// A place that moved in the language would be left out in silence.
    #[test]
    fn every_place_takes_a_text() {
        let mut schema = crate::schema::language().clone();
        for (definition, property, list) in NAMED {
            let node = node(&mut schema, definition, property);
            let before = node.clone();
            offer(node, list);
            assert!(*node != before, "{definition}.{property}");
        }
    }
}
