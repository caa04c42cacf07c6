//! The schema of the language, made ready to be walked beside a tree.

use serde_json::Value;

use crate::map::HashMap;
use crate::model::WrittenNumber;
use crate::parse::YamlKind;

/// Every shape of the language; a shape refers to others by number, since some contain themselves.
#[derive(Debug)]
pub(super) struct SchemaShapes {
    all: Vec<SchemaShape>,
    /// The shape of a file.
    pub(super) root: ShapeId,
}

/// A shape by its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ShapeId(usize);

/// The form that a value must have.
#[derive(Debug)]
pub(super) enum SchemaShape {
    /// Anything.
    Any,
    /// Nothing.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number.
    Number { whole: bool, min: Option<WrittenNumber>, max: Option<WrittenNumber> },
    /// Text; one of these words where there are any.
    Word { words: Vec<String> },
    /// A list.
    List { item: ShapeId, min: usize, max: usize },
    /// A mapping.
    Mapping { keys: HashMap<String, ShapeId>, required: Vec<String>, others: Option<ShapeId> },
    /// One of several shapes, of different kinds.
    Choice(Vec<ShapeId>),
}

impl SchemaShapes {
    /// Reads a schema as [`crate::schema::language`] makes it.
    pub(super) fn new(schema: &Value) -> Self {
        let mut reader = SchemaReader { schema, all: Vec::new(), named: HashMap::default() };
        let root = reader.read(schema);
        Self { all: reader.all, root }
    }

    pub(super) fn get(&self, id: ShapeId) -> &SchemaShape {
        &self.all[id.0]
    }

    /// The expected form, in a sentence.
    pub(super) fn name(&self, id: ShapeId) -> String {
        match self.get(id) {
            SchemaShape::Any => "anything".to_owned(),
            SchemaShape::Null => "null".to_owned(),
            SchemaShape::Bool => "`true` or `false`".to_owned(),
            SchemaShape::Number { whole: true, .. } => "a whole number".to_owned(),
            SchemaShape::Number { .. } => "a number".to_owned(),
            SchemaShape::Word { words } if words.is_empty() => "a word".to_owned(),
            SchemaShape::Word { words } => one_of(words),
            SchemaShape::List { .. } => "a list".to_owned(),
            SchemaShape::Mapping { .. } => "a mapping".to_owned(),
            SchemaShape::Choice(choices) => {
                choices.iter().map(|choice| self.name(*choice)).collect::<Vec<_>>().join(" or ")
            }
        }
    }

    /// True if a value is of the kind that a shape wants.
    pub(super) fn accepts(&self, id: ShapeId, kind: &YamlKind<'_>) -> bool {
        match self.get(id) {
            SchemaShape::Choice(choices) => choices.iter().any(|choice| fits(self.get(*choice), kind)),
            shape => fits(shape, kind),
        }
    }
}

/// True if a value is of the kind of a shape, whatever is inside.
pub(super) const fn fits(shape: &SchemaShape, kind: &YamlKind<'_>) -> bool {
    matches!(
        (shape, kind),
        (SchemaShape::Any, _)
            | (SchemaShape::Null, YamlKind::Null)
            | (SchemaShape::Bool, YamlKind::Bool(_) | YamlKind::Switch(_))
            | (SchemaShape::Number { .. }, YamlKind::Number(_))
            | (SchemaShape::Word { .. }, YamlKind::Word(_) | YamlKind::Switch(_))
            | (SchemaShape::List { .. }, YamlKind::List(_))
            | (SchemaShape::Mapping { .. }, YamlKind::Mapping(_))
    )
}

/// Words as a sentence lists them.
pub(super) fn one_of(words: &[String]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    quoted.join(", ")
}

struct SchemaReader<'a> {
    schema: &'a Value,
    all: Vec<SchemaShape>,
    named: HashMap<&'a str, ShapeId>,
}

impl<'a> SchemaReader<'a> {
    fn read(&mut self, schema: &'a Value) -> ShapeId {
        if let Some(name) = schema.get("$ref").and_then(Value::as_str) {
            return self.named(name);
        }
        let id = self.reserve();
        self.all[id.0] = self.shape(schema);
        id
    }

    fn named(&mut self, name: &'a str) -> ShapeId {
        if let Some(id) = self.named.get(name) {
            return *id;
        }
        let definition = name.strip_prefix('#').and_then(|pointer| self.schema.pointer(pointer));
        let id = self.reserve();
        self.named.insert(name, id);
        if let Some(definition) = definition {
            self.all[id.0] = self.shape(definition);
        }
        id
    }

    fn reserve(&mut self) -> ShapeId {
        self.all.push(SchemaShape::Any);
        ShapeId(self.all.len() - 1)
    }

    fn shape(&mut self, schema: &'a Value) -> SchemaShape {
        if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
            return SchemaShape::Choice(choices.iter().map(|choice| self.read(choice)).collect());
        }
        if let Some(words) = words(schema) {
            return SchemaShape::Word { words };
        }
        match schema.get("type") {
            Some(Value::String(kind)) => self.kind(kind, schema),
            // `["number", "null"]`: one shape for each.
            Some(Value::Array(kinds)) => {
                let kinds = kinds.iter().filter_map(Value::as_str);
                let shapes: Vec<SchemaShape> = kinds.map(|kind| self.kind(kind, schema)).collect();
                let ids = shapes.into_iter().map(|shape| {
                    self.all.push(shape);
                    ShapeId(self.all.len() - 1)
                });
                SchemaShape::Choice(ids.collect())
            }
            _ => SchemaShape::Any,
        }
    }

    fn kind(&mut self, kind: &str, schema: &'a Value) -> SchemaShape {
        let number = |key: &str| schema.get(key).map(|bound| WrittenNumber::new(bound.to_string()));
        let count = |key: &str| schema.get(key).and_then(Value::as_u64).and_then(|count| usize::try_from(count).ok());
        match kind {
            "null" => SchemaShape::Null,
            "boolean" => SchemaShape::Bool,
            "integer" => SchemaShape::Number { whole: true, min: number("minimum"), max: number("maximum") },
            "number" => SchemaShape::Number { whole: false, min: number("minimum"), max: number("maximum") },
            "string" => SchemaShape::Word { words: Vec::new() },
            "array" => {
                let item = match schema.get("items") {
                    Some(item) => self.read(item),
                    None => self.reserve(),
                };
                SchemaShape::List {
                    item,
                    min: count("minItems").unwrap_or(0),
                    max: count("maxItems").unwrap_or(usize::MAX),
                }
            }
            "object" => self.mapping(schema),
            _ => SchemaShape::Any,
        }
    }

    fn mapping(&mut self, schema: &'a Value) -> SchemaShape {
        let properties = schema.get("properties").and_then(Value::as_object);
        let keys = properties.into_iter().flatten().map(|(key, value)| (key.clone(), self.read(value))).collect();
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required = required.filter_map(Value::as_str).map(str::to_owned).collect();
        let others = match schema.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(others) => Some(self.read(others)),
            None => Some(self.reserve()),
        };
        SchemaShape::Mapping { keys, required, others }
    }
}

/// The words of an enum: `enum`, or a `oneOf` of constants where the words are documented.
fn words(schema: &Value) -> Option<Vec<String>> {
    if let Some(words) = schema.get("enum").and_then(Value::as_array) {
        return Some(words.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    }
    if let Some(word) = schema.get("const").and_then(Value::as_str) {
        return Some(vec![word.to_owned()]);
    }
    let choices = schema.get("oneOf").and_then(Value::as_array)?;
    Some(choices.iter().filter_map(words).flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_walked_whole() {
        let shapes = SchemaShapes::new(crate::schema::language());
        let SchemaShape::Mapping { keys, others: None, .. } = shapes.get(shapes.root) else {
            panic!("a file is a mapping")
        };
        for section in crate::model::SpecSection::ALL {
            let SchemaShape::Mapping { .. } = shapes.get(keys[section.key()]) else {
                panic!("{} is a mapping", section.key())
            };
        }
    }

    #[test]
    fn choices_differ_in_kind() {
        let shapes = SchemaShapes::new(crate::schema::language());
        for shape in &shapes.all {
            let SchemaShape::Choice(choices) = shape else { continue };
            let mut kinds: Vec<_> = choices.iter().map(|choice| std::mem::discriminant(shapes.get(*choice))).collect();
            kinds.dedup();
            assert_eq!(kinds.len(), choices.len(), "{choices:?}");
        }
    }
}
