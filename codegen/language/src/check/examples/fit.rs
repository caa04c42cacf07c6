//! The check of values against the types of their places, through and through.

use crate::{
    calendar,
    check::{bounds::DeclaredBounds, broken_bound::outside, context::CheckContext},
    diagnostics::{closest, slip_of},
    model::{
        BaseType, DeclaredField, DeclaredFields, DeclaredShape, DeclaredType, DeclaredVariant, EntryMap,
        FixturePlaceholder, Primitive, SourceSpan, SpannedJson, SpannedText, SpannedValue, SpecEntry, SpecSection,
        TypeExpr, UnionTag,
    },
};

/// A value that does not fit its place.
pub(in crate::check) struct ValueMismatch {
    pub(in crate::check) place: SourceSpan,
    pub(in crate::check) message: String,
    pub(in crate::check) suggestion: Option<String>,
}

/// The completeness that a value must have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueCompleteness {
    /// All that must be there is.
    Yes,
    /// At the top, only what is there is looked at.
    No,
}

impl<'a> CheckContext<'a> {
    /// The parts of a value that do not fit a type expression.
    pub(super) fn misfits(
        &self,
        value: &SpannedJson,
        place: SourceSpan,
        ty: &SpannedText,
        whole: ValueCompleteness,
    ) -> Vec<ValueMismatch> {
        let mut misfits = Vec::new();
        if let Ok(expr) = TypeExpr::parse(&ty.value) {
            self.fit(value, place, &expr.base, whole, &mut misfits);
        }
        misfits
    }

    /// The parts of a value that do not fit a field or parameter.
    pub(in crate::check) fn misfits_of(
        &self,
        value: &SpannedJson,
        place: SourceSpan,
        field: &DeclaredField,
    ) -> Vec<ValueMismatch> {
        let mut misfits = Vec::new();
        self.fit_field(value, place, field, &mut misfits);
        misfits
    }

    fn fit_field(
        &self,
        value: &SpannedJson,
        place: SourceSpan,
        field: &DeclaredField,
        misfits: &mut Vec<ValueMismatch>,
    ) {
        let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return };
        if matches!(value, SpannedJson::Null) && expr.nullable {
            return;
        }
        let before = misfits.len();
        self.fit(value, place, &expr.base, ValueCompleteness::Yes, misfits);
        if misfits.len() == before
            && let Some(message) = self.seen(value).and_then(|value| outside(value, &field.into()))
        {
            misfits.push(ValueMismatch { place: Self::place_of(value, place), message, suggestion: None });
        }
    }

    /// The value itself, or what a placeholder stands for; `None` where a text has placeholders in it.
    fn seen<'v>(&self, value: &'v SpannedJson) -> Option<&'v SpannedJson>
    where
        'a: 'v,
    {
        match value {
            SpannedJson::Word(text) => match self.sample(&text.value) {
                Some(sample) => Some(sample),
                None => FixturePlaceholder::all(&text.value).is_empty().then_some(value),
            },
            _ => Some(value),
        }
    }

    fn fit(
        &self,
        value: &SpannedJson,
        place: SourceSpan,
        base: &BaseType,
        whole: ValueCompleteness,
        misfits: &mut Vec<ValueMismatch>,
    ) {
        let here = Self::place_of(value, place);
        if let SpannedJson::Word(text) = value
            && FixturePlaceholder::whole(&text.value).is_some()
        {
            // One that stands for nothing has been complained about.
            if let Some(sample) = self.sample(&text.value) {
                self.fit(sample, here, base, whole, misfits);
            }
            return;
        }
        let wrong = |expected: &str| ValueMismatch {
            place: here,
            message: format!("this is not {expected}"),
            suggestion: None,
        };
        match base {
            BaseType::Const(word) => {
                if !matches!(value, SpannedJson::Word(text) if text.value == *word) {
                    misfits.push(ValueMismatch {
                        suggestion: Some(word.clone()),
                        ..wrong(&format!("the constant `{word}`"))
                    });
                }
            }
            BaseType::List(item) => match value {
                SpannedJson::List(items) => {
                    for one in items {
                        self.fit(&one.value, one.place, item, ValueCompleteness::Yes, misfits);
                    }
                }
                _ => misfits.push(wrong("a list")),
            },
            BaseType::TextOrList(_) if matches!(value, SpannedJson::Word(_)) => {}
            BaseType::TextOrList(item) => match value {
                SpannedJson::List(_) => self.fit(value, here, &BaseType::List(item.clone()), whole, misfits),
                _ => misfits.push(wrong("a text or a list")),
            },
            BaseType::Map(item) => match value {
                SpannedJson::Mapping(pairs) => {
                    for one in pairs.values() {
                        self.fit(&one.value, one.place, item, ValueCompleteness::Yes, misfits);
                    }
                }
                _ => misfits.push(wrong("a mapping")),
            },
            BaseType::Primitive(primitive) => {
                if !is_of(value, *primitive) {
                    misfits.push(wrong(&format!("of type `{}`{}", primitive.word(), form_of(*primitive))));
                }
            }
            BaseType::Named(name) => self.fit_named(value, place, name, whole, misfits),
        }
    }

    fn fit_named(
        &self,
        value: &SpannedJson,
        place: SourceSpan,
        name: &str,
        whole: ValueCompleteness,
        misfits: &mut Vec<ValueMismatch>,
    ) {
        let Some(named) = self.type_named(name) else { return };
        let here = Self::place_of(value, place);
        let wrong = |expected: String, suggestion: Option<&str>| ValueMismatch {
            place: here,
            message: format!("this is not {expected}"),
            suggestion: suggestion.map(str::to_owned),
        };
        match (named.shape(), value) {
            (None, _) => {}
            (Some(DeclaredShape::Struct { fields, open }), SpannedJson::Mapping(pairs)) => {
                let lost = self.damage.is_hurt(SpecSection::Types, name);
                self.fit_fields(pairs, here, (name, fields), (open || lost, whole), misfits);
            }
            (Some(DeclaredShape::Enum { words, open }), SpannedJson::Word(text)) => {
                let known: Vec<&str> = words.all().map(|(word, ..)| word).collect();
                // Of an open enum a new word may be shown, but none that is a known one misspelt.
                let all = known.iter().copied();
                let meant = if open { slip_of(&text.value, all) } else { closest(&text.value, all) };
                if !known.contains(&text.value.as_str()) && (!open || meant.is_some()) {
                    misfits.push(wrong(format!("a word of `{name}`"), meant));
                }
            }
            (Some(DeclaredShape::Union { union, of }), SpannedJson::Mapping(pairs)) => {
                self.fit_union(pairs, here, name, (union, of), misfits);
            }
            // A circle of such types, or too long a chain, has been complained about.
            (Some(DeclaredShape::Newtype { .. }), _) if self.is_endless(name) => {}
            (Some(DeclaredShape::Newtype { is }), _) => {
                let before = misfits.len();
                let inner = self.misfits(value, place, is, whole);
                misfits.extend(inner);
                let bounds = DeclaredBounds::from(named);
                if misfits.len() == before
                    && let Some(message) = self.seen(value).and_then(|value| outside(value, &bounds))
                {
                    misfits.push(ValueMismatch { place: here, message, suggestion: None });
                }
            }
            (Some(DeclaredShape::Struct { .. } | DeclaredShape::Enum { .. } | DeclaredShape::Union { .. }), _) => {
                misfits.push(wrong(format!("of type `{name}`"), None));
            }
        }
    }

    fn fit_union(
        &self,
        pairs: &EntryMap<SpannedJson>,
        place: SourceSpan,
        name: &str,
        (union, of): (&SpannedValue<UnionTag>, &EntryMap<DeclaredVariant>),
        misfits: &mut Vec<ValueMismatch>,
    ) {
        let by = union.by.value.as_str();
        let Some(SpecEntry { value: SpannedJson::Word(tag), .. }) = pairs.get(by) else {
            let message = format!("a `{name}` says in `{by}` which one it is");
            misfits.push(ValueMismatch { place, message, suggestion: None });
            return;
        };
        match of.get(&tag.value).map(|variant| &variant.value) {
            Some(DeclaredVariant::Inline(fields)) => {
                // The field that tells them apart is of all of them.
                let rest: EntryMap<SpannedJson> = pairs
                    .iter()
                    .filter(|(key, _)| *key != by)
                    .map(|(key, entry)| (key.clone(), entry.clone()))
                    .collect();
                self.fit_fields(&rest, place, (&tag.value, fields), (union.open, ValueCompleteness::Yes), misfits);
            }
            // What is no object has been complained about as a variant.
            Some(DeclaredVariant::Named(named)) if self.is_object(named) => {
                misfits.extend(self.misfits(
                    &SpannedJson::Mapping(pairs.clone()),
                    place,
                    named,
                    ValueCompleteness::Yes,
                ));
            }
            Some(DeclaredVariant::Named(_)) => {}
            None if union.open => {}
            None => {
                let suggestion = closest(&tag.value, of.keys().map(String::as_str)).map(str::to_owned);
                let message = format!("no `{name}` is a `{}`", tag.value);
                misfits.push(ValueMismatch { place: tag.place, message, suggestion });
            }
        }
    }

    /// True for the name of a type with fields.
    fn is_object(&self, text: &SpannedText) -> bool {
        let named = self.type_named(&text.value).and_then(DeclaredType::shape);
        matches!(named, Some(DeclaredShape::Struct { .. }))
    }

    fn fit_fields(
        &self,
        pairs: &EntryMap<SpannedJson>,
        place: SourceSpan,
        (owner, fields): (&str, &DeclaredFields),
        (open, whole): (bool, ValueCompleteness),
        misfits: &mut Vec<ValueMismatch>,
    ) {
        for (key, entry) in pairs {
            match fields.get(key) {
                Some(field) => self.fit_field(&entry.value, entry.place, field, misfits),
                None if open => {}
                None => {
                    let free = fields.keys().filter(|field| !pairs.contains_key(*field));
                    let suggestion = closest(key, free.map(String::as_str)).map(str::to_owned);
                    let message = format!("`{owner}` has no field `{key}`");
                    misfits.push(ValueMismatch { place: entry.place, message, suggestion });
                }
            }
        }
        if whole == ValueCompleteness::No {
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
            misfits.push(ValueMismatch { place, message, suggestion: None });
        }
    }
}

/// True if a value is of a type of the language.
fn is_of(value: &SpannedJson, primitive: Primitive) -> bool {
    match (primitive, value) {
        (Primitive::Json, _) | (Primitive::Bool, SpannedJson::Bool(_)) => true,
        (Primitive::Int | Primitive::UnixSeconds, SpannedJson::Number(number)) => number.integer().is_some(),
        (Primitive::Number, SpannedJson::Number(number)) => number.nanos().is_some(),
        (Primitive::Usd | Primitive::WrittenUsd, SpannedJson::Number(number)) => number.nano_usd().is_some(),
        (Primitive::Date, SpannedJson::Word(text)) => calendar::is_day(&text.value),
        (Primitive::DateTime, SpannedJson::Word(text)) => calendar::is_moment(&text.value),
        (Primitive::String | Primitive::Url | Primitive::Bytes, SpannedJson::Word(_)) => true,
        _ => false,
    }
}

/// The form of a type whose values are words of a certain one, after its name.
const fn form_of(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::Date => ", like `2026-11-21`",
        Primitive::DateTime => ", like `2026-11-21T09:30:00Z`",
        _ => "",
    }
}
