//! Types as JSON Schema 2020-12.

use std::collections::BTreeSet;

use rayon::prelude::*;
use serde_json::{Map, Value, json};

use super::object::object;
use super::text::{self, JsonText};
use super::version::OpenApiVersion;
use crate::client_model::{
    ApiBody, ApiBounds, ApiDocument, ApiField, ApiShape, ApiType, ApiTypeDef, ApiVariant, UnionVariantNames, asked,
    reached,
};
use crate::map::IndexMap;
use crate::model::Primitive;

/// Digits after the point of an amount of money.
const USD_PLACES: u32 = 9;

/// The types of a document as schemas that refer to each other below `prefix`.
pub(super) struct TypeSchemas<'d> {
    document: &'d ApiDocument,
    prefix: &'static str,
    pub(super) version: OpenApiVersion,
    /// Types of requests: what these do not list, the service refuses.
    asked: BTreeSet<String>,
    names: UnionVariantNames,
}

impl<'d> TypeSchemas<'d> {
    pub(super) fn new(document: &'d ApiDocument, prefix: &'static str, version: OpenApiVersion) -> Self {
        let asked = reached(document, document.operations.values().flat_map(asked));
        Self { document, prefix, version, asked, names: UnionVariantNames::of(document, str::to_owned) }
    }

    /// Each type under its name, and each variant of a union that is written in place under both names, as texts at that depth.
    pub(super) fn all(&self, depth: usize) -> IndexMap<String, JsonText> {
        let types: Vec<_> = self.document.types.iter().collect();
        let written =
            types.into_par_iter().flat_map_iter(|(name, def)| {
                let mut schemas = vec![(name.clone(), self.definition(name, def))];
                if let ApiShape::Union { by, open, of } = &def.shape {
                    schemas.extend(of.iter().map(|(tag, variant)| {
                        (self.names.variant(name, tag).to_owned(), self.variant(by, tag, variant))
                    }));
                    schemas.extend(open.then(|| (self.names.unknown(name).to_owned(), unknown(by, of.keys()))));
                }
                schemas.into_iter().map(move |(name, schema)| {
                    let text = text::value(depth, &name, &schema);
                    (name, text)
                })
            });
        written.collect::<Vec<_>>().into_iter().collect()
    }

    /// A type of the document by its name.
    pub(super) fn named(&self, name: &str) -> Value {
        json!({"$ref": format!("{}{name}", self.prefix)})
    }

    /// The value of a field or parameter, with its words and bounds.
    pub(super) fn field(&self, field: &ApiField) -> Value {
        let mut schema = self.ty(&field.ty);
        bound(&mut schema, &field.ty, &field.bounds);
        if field.nullable {
            schema = self.version.or_null(schema);
        }
        described(&mut schema, field.doc.as_deref());
        if let Some(default) = &field.default {
            schema["default"] = default.clone();
        }
        if field.secret {
            schema["x-secret"] = true.into();
        }
        self.version.referenced(&mut schema);
        schema
    }

    /// The form of parts that a type is sent as.
    pub(super) fn form(&self, name: &str) -> Value {
        if self.has_files(name) { self.named(&self.form_name(name)) } else { self.named(name) }
    }

    fn has_files(&self, name: &str) -> bool {
        let shape = self.document.types.get(name).map(|def| &def.shape);
        matches!(shape, Some(ApiShape::Struct { fields, .. }) if fields.values().any(|field| is_file(&field.ty)))
    }

    /// The forms of parts that requests are sent as, each under its name, as texts at that depth.
    pub(super) fn forms(&self, depth: usize) -> IndexMap<String, JsonText> {
        let bodies = self.document.operations.values().filter_map(|operation| operation.body.as_ref());
        let types = bodies.filter_map(|body| form_of(body, self.version)).filter(|name| self.has_files(name));
        let form = |ty: &str| {
            let name = self.form_name(ty);
            let text = text::value(depth, &name, &self.parts(ty));
            (name, text)
        };
        types.map(form).collect()
    }

    fn form_name(&self, ty: &str) -> String {
        made_name(self.document, format!("{ty}Parts"))
    }

    /// A type as a form of parts: bytes are parts as they are.
    fn parts(&self, name: &str) -> Value {
        let Some(ApiShape::Struct { open, fields }) = self.document.types.get(name).map(|def| &def.shape) else {
            return self.named(name);
        };
        let mut schema = self.object(fields.iter(), *open, true);
        for (name, field) in fields.iter().filter(|(_, field)| is_file(&field.ty)) {
            // Its words and bounds stay.
            let mut part = &mut schema["properties"][name];
            if let ApiType::List(_) = field.ty {
                part = &mut part["items"];
            }
            // In JSON they are told in base64; here they are as they are.
            part.as_object_mut().map(|part| part.shift_remove("contentEncoding"));
            part["format"] = "binary".into();
        }
        described(&mut schema, self.document.types[name].doc.as_deref());
        schema
    }

    pub(super) fn ty(&self, ty: &ApiType) -> Value {
        match ty {
            ApiType::Const(word) => self.version.constant(&word.as_str().into()),
            ApiType::List(item) => object([("type", "array".into()), ("items", self.ty(item))]),
            ApiType::TextOrList(item) => {
                let list = json!({"type": "array", "items": self.ty(item)});
                json!({"anyOf": [{"type": "string"}, list]})
            }
            ApiType::Map(item) => object([("type", "object".into()), ("additionalProperties", self.ty(item))]),
            ApiType::Primitive(primitive) => self::primitive(*primitive, self.version),
            ApiType::Ref(name) => self.named(name),
        }
    }

    fn definition(&self, name: &str, def: &ApiTypeDef) -> Value {
        let mut schema = match &def.shape {
            ApiShape::Struct { open, fields } => self.object(fields.iter(), *open, self.asked.contains(name)),
            ApiShape::Enum { open, words } => {
                let known: Value = words.keys().map(String::as_str).collect();
                let mut schema = Map::from_iter([("type".to_owned(), "string".into()), ("enum".to_owned(), known)]);
                if words.values().any(|word| word.doc.is_some()) {
                    // In the order of the words, as tools that make comments of them expect.
                    let meant: Value =
                        words.values().map(|word| word.doc.as_deref().unwrap_or_default().trim_end()).collect();
                    schema.insert("x-enum-descriptions".to_owned(), meant);
                }
                if *open { self.version.open_enum(schema) } else { schema.into() }
            }
            ApiShape::Union { by, open, of } => {
                let known = of.keys().map(|tag| (tag, self.named(self.names.variant(name, tag))));
                let (mut one_of, mut mapping) = (Vec::new(), Map::new());
                for (tag, schema) in known {
                    mapping.insert(tag.clone(), schema["$ref"].clone());
                    one_of.push(schema);
                }
                if *open {
                    // Without a discriminator, which has to map each value of its field.
                    one_of.push(self.named(self.names.unknown(name)));
                    json!({"oneOf": one_of})
                } else {
                    json!({"oneOf": one_of, "discriminator": {"propertyName": by, "mapping": mapping}})
                }
            }
            ApiShape::Newtype { is, bounds } => {
                let mut schema = self.ty(is);
                bound(&mut schema, is, bounds);
                schema
            }
        };
        described(&mut schema, def.doc.as_deref());
        self.version.referenced(&mut schema);
        schema
    }

    /// A variant: the fields written in place, or its type and the word that tells it.
    fn variant(&self, by: &str, tag: &str, variant: &ApiVariant) -> Value {
        let tag = self.version.constant(&tag.into());
        match &variant.named {
            Some(named) => json!({
                "allOf": [self.named(named), {"type": "object", "properties": {by: tag}, "required": [by]}],
            }),
            None => {
                let mut schema = self.object(variant.fields.iter(), false, false);
                let mut properties = Map::from_iter([(by.to_owned(), tag)]);
                if let Some(Value::Object(own)) = schema.get_mut("properties").map(Value::take) {
                    properties.extend(own);
                }
                let own = schema["required"].as_array().cloned().unwrap_or_default();
                schema["properties"] = properties.into();
                schema["required"] = std::iter::once(Value::from(by)).chain(own).collect();
                schema
            }
        }
    }

    /// An object. A closed request has no other members than these, an open type any; a closed reply may gain some.
    fn object<'f>(&self, fields: impl Iterator<Item = (&'f String, &'f ApiField)>, open: bool, asked: bool) -> Value {
        let (mut properties, mut required) = (Map::new(), Vec::new());
        for (name, field) in fields {
            properties.insert(name.clone(), self.field(field));
            if !field.optional && field.default.is_none() {
                required.push(name.clone());
            }
        }
        let mut schema = object([("type", Value::from("object")), ("properties", properties.into())]);
        if !required.is_empty() {
            schema["required"] = required.into();
        }
        if open || asked {
            schema["additionalProperties"] = open.into();
        }
        schema
    }
}

/// The type of the form that a body is described as. Tools that know 3.0 alone take one media type for a body: JSON, where
/// it is one of two.
pub(super) fn form_of(body: &ApiBody, version: OpenApiVersion) -> Option<&str> {
    let in_json = body.json.is_some() || body.raw.is_some() || body.passed.is_some();
    let form = body.passed_parts.as_ref().map(|passed| passed.ty.as_str()).or(body.multipart.as_deref());
    form.filter(|_| version == OpenApiVersion::V31 || !in_json)
}

/// True for bytes, and for a list of them.
fn is_file(ty: &ApiType) -> bool {
    match ty {
        ApiType::List(item) => is_file(item),
        ty => *ty == ApiType::Primitive(Primitive::Bytes),
    }
}

/// The name of a schema that the spec does not have: while a type or the variant of a union is called so, `Schema` follows.
pub(super) fn made_name(document: &ApiDocument, mut name: String) -> String {
    let is_variant = |union: &str, shape: &ApiShape, name: &str| match (shape, name.strip_prefix(union)) {
        (ApiShape::Union { of, .. }, Some(rest)) => {
            let rest = rest.trim_end_matches("Variant");
            rest == "Unknown" || of.keys().any(|tag| crate::naming::upper_camel(tag) == rest)
        }
        _ => false,
    };
    while document.types.iter().any(|(own, def)| *own == name || is_variant(own, &def.shape, &name)) {
        name.push_str("Schema");
    }
    name
}

/// The schema of an object whose tag is not listed.
fn unknown<'t>(by: &str, known: impl Iterator<Item = &'t String>) -> Value {
    let known: Vec<&String> = known.collect();
    json!({
        "type": "object",
        "description": format!("Any other value of `{by}`: what is not known today."),
        "properties": {by: {"type": "string", "not": {"enum": known}}},
        "required": [by],
    })
}

fn primitive(primitive: Primitive, version: OpenApiVersion) -> Value {
    match primitive {
        Primitive::Bytes => version.base64(),
        Primitive::String => json!({"type": "string"}),
        Primitive::Int => json!({"type": "integer", "format": "int64"}),
        Primitive::Number => json!({"type": "number"}),
        Primitive::Bool => json!({"type": "boolean"}),
        Primitive::Json => json!({}),
        Primitive::Usd | Primitive::WrittenUsd => {
            json!({"type": "number", "format": "decimal", "x-decimal-places": USD_PLACES})
        }
        Primitive::UnixSeconds => json!({"type": "integer", "format": "unix-time"}),
        Primitive::Url => json!({"type": "string", "format": "uri"}),
        Primitive::Date => json!({"type": "string", "format": "date", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"}),
        Primitive::DateTime => json!({"type": "string", "format": "date-time"}),
    }
}

fn bound(schema: &mut Value, ty: &ApiType, bounds: &ApiBounds) {
    let number = |text: &Option<String>| text.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            schema[key] = value;
        }
    };
    put("minimum", number(&bounds.min));
    put("maximum", number(&bounds.max));
    put("minLength", bounds.min_len.map(Into::into));
    put("maxLength", bounds.max_len.map(Into::into));
    let (least, most) =
        if matches!(ty, ApiType::Map(_)) { ("minProperties", "maxProperties") } else { ("minItems", "maxItems") };
    put(least, bounds.min_items.map(Into::into));
    put(most, bounds.max_items.map(Into::into));
}

fn described(schema: &mut Value, doc: Option<&str>) {
    if let Some(doc) = doc {
        schema["description"] = doc.trim_end().into();
    }
}
