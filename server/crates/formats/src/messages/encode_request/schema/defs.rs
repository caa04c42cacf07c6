//! The definitions of a schema: which it refers to, and whether one refers to itself.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// The members in which a schema keeps its definitions.
const PLACES: [&str; 2] = ["$defs", "definitions"];

/// A definition that is referred to, by the whole reference.
pub type SchemaDefinitions<'a> = BTreeMap<String, &'a Value>;

/// The schema itself, or its own definition that it refers to, and all definitions reachable from it.
/// `None` where one cannot be found or refers to itself, over whatever others.
pub fn reachable(root: &Map<String, Value>) -> Option<(&Map<String, Value>, SchemaDefinitions<'_>)> {
    let mut all = SchemaDefinitions::new();
    for place in PLACES {
        if let Some(Value::Object(definitions)) = root.get(place) {
            all.extend(definitions.iter().map(|(name, schema)| (reference(place, name), schema)));
        }
    }
    let mut whole = root;
    for _ in 0..CHAIN_MAX {
        let Some(Value::String(reference)) = whole.get("$ref") else { break };
        whole = all.get(reference)?.as_object()?;
    }
    let mut walk = ReferenceWalk { all, seen: SchemaDefinitions::new(), open: Vec::new() };
    let members = whole.iter().filter(|(name, _)| !PLACES.contains(&name.as_str())).map(|(_, value)| value);
    members.into_iter().try_for_each(|value| walk.value(value))?;
    Some((whole, walk.seen))
}

/// The place and the name within it that a reference leads to.
pub fn parts(reference: &str) -> Option<(&str, String)> {
    let (place, name) = reference.strip_prefix("#/")?.split_once('/')?;
    Some((place, name.replace("~1", "/").replace("~0", "~")))
}

fn reference(place: &str, name: &str) -> String {
    format!("#/{place}/{}", name.replace('~', "~0").replace('/', "~1"))
}

struct ReferenceWalk<'a> {
    all: SchemaDefinitions<'a>,
    seen: SchemaDefinitions<'a>,
    /// The definitions that are being looked at, one within the other.
    open: Vec<String>,
}

impl<'a> ReferenceWalk<'a> {
    fn value(&mut self, value: &'a Value) -> Option<()> {
        match value {
            Value::Object(members) => {
                if let Some(Value::String(reference)) = members.get("$ref") {
                    self.follow(reference)?;
                }
                members.values().try_for_each(|value| self.value(value))
            }
            Value::Array(elements) => elements.iter().try_for_each(|value| self.value(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Some(()),
        }
    }

    /// Each definition is looked at once.
    fn follow(&mut self, reference: &str) -> Option<()> {
        if self.open.iter().any(|open| open == reference) {
            return None;
        }
        if self.seen.contains_key(reference) {
            return Some(());
        }
        let definition = *self.all.get(reference)?;
        self.open.push(reference.to_owned());
        // A chain of so many definitions is nobody's, and each is a step deeper here.
        (self.open.len() <= CHAIN_MAX).then_some(())?;
        self.value(definition)?;
        self.open.pop();
        self.seen.insert(reference.to_owned(), definition);
        Some(())
    }
}

/// The longest chain of definitions that refer to each other.
const CHAIN_MAX: usize = 32;
