//! The check of values against the types of their places, through and through.

use crate::{
    check::{bounds::Bounds, context::Context, defaults::outside},
    diagnostics::closest,
    model::{
        Base, Entries, Entry, Field, Fields, Located, Place, Placeholder, Primitive, Section, Shape, Text, TypeExpr,
        Union, Value, Variant,
    },
};

/// A value that does not fit its place.
pub(super) struct Misfit {
    pub(super) place: Place,
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
}

/// The completeness that a value must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Whole {
    /// All that must be there is.
    Yes,
    /// At the top, only what is there is looked at.
    No,
}

impl<'a> Context<'a> {
    /// The parts of a value that do not fit a type expression.
    pub(super) fn misfits(&self, value: &Value, place: Place, ty: &Text, whole: Whole) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        if let Ok(expr) = TypeExpr::parse(&ty.value) {
            self.fit(value, place, &expr.base, whole, &mut misfits);
        }
        misfits
    }

    /// The parts of a value that do not fit a field or parameter.
    pub(super) fn misfits_of(&self, value: &Value, place: Place, field: &Field) -> Vec<Misfit> {
        let mut misfits = Vec::new();
        self.fit_field(value, place, field, &mut misfits);
        misfits
    }

    fn fit_field(&self, value: &Value, place: Place, field: &Field, misfits: &mut Vec<Misfit>) {
        let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return };
        if matches!(value, Value::Null) && expr.nullable {
            return;
        }
        let before = misfits.len();
        self.fit(value, place, &expr.base, Whole::Yes, misfits);
        if misfits.len() == before
            && let Some(message) = self.seen(value).and_then(|value| outside(value, &field.into()))
        {
            misfits.push(Misfit { place: Self::place_of(value, place), message, suggestion: None });
        }
    }

    /// The value itself, or what a placeholder stands for; `None` where a text has placeholders in it.
    fn seen<'v>(&self, value: &'v Value) -> Option<&'v Value>
    where
        'a: 'v,
    {
        match value {
            Value::Word(text) => match self.sample(&text.value) {
                Some(sample) => Some(sample),
                None => Placeholder::all(&text.value).is_empty().then_some(value),
            },
            _ => Some(value),
        }
    }

    fn fit(&self, value: &Value, place: Place, base: &Base, whole: Whole, misfits: &mut Vec<Misfit>) {
        let here = Self::place_of(value, place);
        if let Value::Word(text) = value
            && Placeholder::whole(&text.value).is_some()
        {
            // One that stands for nothing has been complained about.
            if let Some(sample) = self.sample(&text.value) {
                self.fit(sample, here, base, whole, misfits);
            }
            return;
        }
        let wrong =
            |expected: &str| Misfit { place: here, message: format!("this is not {expected}"), suggestion: None };
        match base {
            Base::Const(word) => {
                if !matches!(value, Value::Word(text) if text.value == *word) {
                    misfits.push(Misfit { suggestion: Some(word.clone()), ..wrong(&format!("the constant `{word}`")) });
                }
            }
            Base::List(item) => match value {
                Value::List(items) => {
                    for one in items {
                        self.fit(&one.value, one.place, item, Whole::Yes, misfits);
                    }
                }
                _ => misfits.push(wrong("a list")),
            },
            Base::Map(item) => match value {
                Value::Mapping(pairs) => {
                    for one in pairs.values() {
                        self.fit(&one.value, one.place, item, Whole::Yes, misfits);
                    }
                }
                _ => misfits.push(wrong("a mapping")),
            },
            Base::Primitive(primitive) => {
                if !is_of(value, *primitive) {
                    misfits.push(wrong(&format!("of type `{}`", primitive.word())));
                }
            }
            Base::Named(name) => self.fit_named(value, place, name, whole, misfits),
        }
    }

    fn fit_named(&self, value: &Value, place: Place, name: &str, whole: Whole, misfits: &mut Vec<Misfit>) {
        let Some(named) = self.type_named(name) else { return };
        let here = Self::place_of(value, place);
        let wrong = |expected: String, suggestion: Option<&str>| Misfit {
            place: here,
            message: format!("this is not {expected}"),
            suggestion: suggestion.map(str::to_owned),
        };
        match (named.shape(), value) {
            (None, _) => {}
            (Some(Shape::Struct { fields, open }), Value::Mapping(pairs)) => {
                let lost = self.damage.is_hurt(Section::Types, name);
                self.fit_fields(pairs, here, (name, fields), (open || lost, whole), misfits);
            }
            (Some(Shape::Enum { words, open }), Value::Word(text)) => {
                if !open && !words.all().any(|(word, ..)| word == text.value) {
                    let meant = closest(&text.value, words.all().map(|(word, ..)| word));
                    misfits.push(wrong(format!("a word of `{name}`"), meant));
                }
            }
            (Some(Shape::Union { union, of }), Value::Mapping(pairs)) => {
                self.fit_union(pairs, here, name, (union, of), misfits);
            }
            (Some(Shape::Newtype { is }), _) => {
                let before = misfits.len();
                let inner = self.misfits(value, place, is, whole);
                misfits.extend(inner);
                let bounds = Bounds::from(named);
                if misfits.len() == before
                    && let Some(message) = self.seen(value).and_then(|value| outside(value, &bounds))
                {
                    misfits.push(Misfit { place: here, message, suggestion: None });
                }
            }
            (Some(Shape::Struct { .. } | Shape::Enum { .. } | Shape::Union { .. }), _) => {
                misfits.push(wrong(format!("of type `{name}`"), None));
            }
        }
    }

    fn fit_union(
        &self,
        pairs: &Entries<Value>,
        place: Place,
        name: &str,
        (union, of): (&Located<Union>, &Entries<Variant>),
        misfits: &mut Vec<Misfit>,
    ) {
        let by = union.by.value.as_str();
        let Some(Entry { value: Value::Word(tag), .. }) = pairs.get(by) else {
            let message = format!("a `{name}` says in `{by}` which one it is");
            misfits.push(Misfit { place, message, suggestion: None });
            return;
        };
        match of.get(&tag.value).map(|variant| &variant.value) {
            Some(Variant::Inline(fields)) => {
                // The field that tells them apart is of all of them.
                let rest: Entries<Value> = pairs
                    .iter()
                    .filter(|(key, _)| *key != by)
                    .map(|(key, entry)| (key.clone(), entry.clone()))
                    .collect();
                self.fit_fields(&rest, place, (&tag.value, fields), (union.open, Whole::Yes), misfits);
            }
            Some(Variant::Named(named)) => {
                misfits.extend(self.misfits(&Value::Mapping(pairs.clone()), place, named, Whole::Yes));
            }
            None if union.open => {}
            None => {
                let suggestion = closest(&tag.value, of.keys().map(String::as_str)).map(str::to_owned);
                let message = format!("no `{name}` is a `{}`", tag.value);
                misfits.push(Misfit { place: tag.place, message, suggestion });
            }
        }
    }

    fn fit_fields(
        &self,
        pairs: &Entries<Value>,
        place: Place,
        (owner, fields): (&str, &Fields),
        (open, whole): (bool, Whole),
        misfits: &mut Vec<Misfit>,
    ) {
        for (key, entry) in pairs {
            match fields.get(key) {
                Some(field) => self.fit_field(&entry.value, entry.place, field, misfits),
                None if open => {}
                None => {
                    let free = fields.keys().filter(|field| !pairs.contains_key(*field));
                    let suggestion = closest(key, free.map(String::as_str)).map(str::to_owned);
                    let message = format!("`{owner}` has no field `{key}`");
                    misfits.push(Misfit { place: entry.place, message, suggestion });
                }
            }
        }
        if whole == Whole::No {
            return;
        }
        let due = fields.iter().filter(|(key, field)| {
            let optional = TypeExpr::parse(&field.ty.value).map_or(true, |expr| expr.optional);
            !optional && !pairs.contains_key(*key)
        });
        // A misspelt one has been suggested above.
        let told = |key: &str| misfits.iter().any(|misfit| misfit.suggestion.as_deref() == Some(key));
        let missing: Vec<String> = due.filter(|(key, _)| !told(key)).map(|(key, _)| format!("`{key}`")).collect();
        if !missing.is_empty() {
            let message = format!("a `{owner}` without {}", missing.join(", "));
            misfits.push(Misfit { place, message, suggestion: None });
        }
    }
}

/// True if a value is of a type of the language.
fn is_of(value: &Value, primitive: Primitive) -> bool {
    match (primitive, value) {
        (Primitive::Json, _) | (Primitive::Bool, Value::Bool(_)) => true,
        (Primitive::Int | Primitive::UnixSeconds, Value::Number(number)) => number.whole().is_some(),
        (Primitive::Number | Primitive::Usd | Primitive::WrittenUsd, Value::Number(number)) => number.nanos().is_some(),
        (
            Primitive::String | Primitive::Url | Primitive::Bytes | Primitive::Date | Primitive::DateTime,
            Value::Word(_),
        ) => true,
        _ => false,
    }
}
