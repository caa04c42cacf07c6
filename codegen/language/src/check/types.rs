//! Types: their shape, their fields, their variants.

use super::{bounds::DeclaredBounds, context::CheckContext, expressions::ExpressionPosition};
use crate::{
    diagnostics::{Diagnostic, closest, codes::types},
    model::{
        BaseType, DeclaredField, DeclaredFields, DeclaredShape, DeclaredType, DeclaredVariant, EnumWords, Primitive,
        SourceSpan, SpannedText, SpannedValue, SpecEntry, SpecSection, TypeExpr,
    },
};

impl<'a> CheckContext<'a> {
    /// Checks every type.
    pub(super) fn types(&mut self) {
        let spec = self.spec;
        for (name, entry) in &spec.types {
            self.one_type(name, entry);
        }
        self.recursive_types();
    }

    fn one_type(&mut self, name: &'a str, entry: &'a SpecEntry<DeclaredType>) {
        self.misplaced_keys(entry);
        self.states_of(name, entry);
        self.roles_enum(name, entry);
        match entry.shape() {
            None => self.no_one_shape(name, entry),
            Some(DeclaredShape::Struct { fields, .. }) => self.fields(fields, ExpressionPosition::InField),
            // What a machine's states are told as, they are not told as here too.
            Some(DeclaredShape::Enum { words: EnumWords::Bare(_), .. }) if entry.states_of.is_some() => {}
            Some(DeclaredShape::Enum { .. }) if entry.has_roles() => {}
            Some(DeclaredShape::Enum { words, .. }) => self.words(words, entry.place),
            Some(DeclaredShape::Union { union, of }) => {
                if of.is_empty() && !self.damage.is_hurt(SpecSection::Types, name) {
                    self.complain(Diagnostic::error(types::EMPTY_ENUM, entry.place, "a union without variants"));
                }
                for (tag, variant) in of {
                    self.variant(tag, variant, &union.by);
                }
            }
            Some(DeclaredShape::Newtype { is }) => {
                self.long_chain(name, is);
                if let Some(expr) = self.expression(is, ExpressionPosition::Is) {
                    self.media(entry, is, &expr.base);
                    self.bounds(&DeclaredBounds::from(&entry.value), &expr.base, &is.value);
                }
            }
        }
    }

    /// A file is a text, bytes or JSON, of the media types that it names.
    fn media(&mut self, named: &'a DeclaredType, is: &SpannedText, base: &BaseType) {
        let Some(first) = named.media().first() else { return };
        if !matches!(base, BaseType::Primitive(Primitive::String | Primitive::Bytes | Primitive::Json)) {
            let message = format!("a file is a `string`, `bytes` or `json`, and this is `{}`", is.value);
            self.complain(Diagnostic::error(types::FILE_SHAPE, is.place, message).and(first.place, "a file"));
        }
        self.no_repeats(types::WORD_TWICE, named.media());
        for media in named.media().iter().filter(|media| !is_media_type(&media.value)) {
            let message = format!("`{}` is no media type", media.value);
            let complaint = Diagnostic::error(types::FILE_SHAPE, media.place, message);
            self.complain(complaint.label("two words with a `/` between, without parameters"));
        }
    }

    /// Fields or parameters, one by one.
    pub(super) fn fields(&mut self, fields: &'a DeclaredFields, stands: ExpressionPosition) {
        for field in fields.values() {
            let field: &'a DeclaredField = field;
            if let Some(expr) = self.expression(&field.ty, stands) {
                self.bounds(&DeclaredBounds::from(field), &expr.base, &field.ty.value);
                self.default(field, &expr);
            }
        }
    }

    fn words(&mut self, words: &'a EnumWords, place: SourceSpan) {
        match words {
            EnumWords::Bare(words) if words.is_empty() => {
                self.complain(Diagnostic::error(types::EMPTY_ENUM, place, "an enum without words"));
            }
            EnumWords::Documented(words) if words.is_empty() => {
                self.complain(Diagnostic::error(types::EMPTY_ENUM, place, "an enum without words"));
            }
            EnumWords::Bare(words) => self.no_repeats(types::WORD_TWICE, words),
            EnumWords::Documented(_) => {}
        }
    }

    /// Bounds and `open` where the shape has no use for them.
    fn misplaced_keys(&mut self, named: &'a DeclaredType) {
        let Some(shape) = named.shape() else { return };
        if !matches!(shape, DeclaredShape::Newtype { .. }) {
            for (key, place, _) in DeclaredBounds::from(named).all() {
                let message = format!("`{key}` goes with `is`");
                self.complain(Diagnostic::error(types::BOUND_DOES_NOT_FIT, place, message));
            }
        }
        if let Some(media) = named.media().first().filter(|_| !matches!(shape, DeclaredShape::Newtype { .. })) {
            self.complain(Diagnostic::error(types::BOUND_DOES_NOT_FIT, media.place, "`media` goes with `is`"));
        }
        if let Some(open) = &named.open
            && matches!(shape, DeclaredShape::Union { .. } | DeclaredShape::Newtype { .. })
        {
            let complaint =
                Diagnostic::error(types::BOUND_DOES_NOT_FIT, open.place, "`open` goes with `fields` and `enum`");
            let union = matches!(shape, DeclaredShape::Union { .. });
            self.complain(if union {
                complaint.note("a union is open as `union: {by: …, open: true}`")
            } else {
                complaint
            });
        }
    }

    fn no_one_shape(&mut self, name: &str, entry: &SpecEntry<DeclaredType>) {
        let keys = ["fields", "enum", "states_of", "roles", "member_roles", "union", "of", "is"];
        let lost = self.damage.lacks(SpecSection::Types, name, &keys);
        // The states of a machine that is not there have been complained about.
        let others = entry.fields.is_some() || entry.union.is_some() || entry.of.is_some() || entry.is.is_some();
        if lost || (entry.states_of.is_some() || entry.has_roles()) && !others {
            return;
        }
        let shapes: Vec<&str> = [
            ("fields", entry.fields.is_some()),
            ("enum", entry.words.is_some()),
            ("union", entry.union.is_some()),
            ("of", entry.of.is_some()),
            ("is", entry.is.is_some()),
        ]
        .into_iter()
        .filter_map(|(key, there)| there.then_some(key))
        .collect();
        let message = match shapes.as_slice() {
            [] => {
                let keys = "`fields`, `enum`, `states_of`, `roles`, `member_roles`, `union` or `is`";
                format!("type `{name}` is nothing: it has no {keys}")
            }
            ["union"] => format!("the union `{name}` has no variants: `of` is missing"),
            ["of"] => format!("type `{name}` has variants, but `union` is missing"),
            several => format!("type `{name}` is several things at once: {}", several.join(", ")),
        };
        self.complain(Diagnostic::error(types::TYPE_SHAPE, entry.place, message));
    }

    fn variant(&mut self, tag: &str, variant: &'a SpecEntry<DeclaredVariant>, by: &SpannedText) {
        match &variant.value {
            DeclaredVariant::Inline(fields) => {
                self.fields(fields, ExpressionPosition::InField);
                self.tag_field(tag, fields, by, variant.place);
            }
            DeclaredVariant::Named(word) => {
                let Some(expr) = self.expression(word, ExpressionPosition::Whole) else { return };
                match &expr.base {
                    BaseType::Named(name) => match self.type_named(name).map(DeclaredType::shape) {
                        Some(Some(DeclaredShape::Struct { fields, .. })) => self.tag_field(tag, fields, by, word.place),
                        Some(Some(_)) => self.bad_variant(word, "a variant is an object, and this is none"),
                        Some(None) | None => {}
                    },
                    _ => self.bad_variant(word, "a variant is an object, and this is none"),
                }
            }
        }
    }

    /// Complains about a variant whose own tag field does not say which variant it is.
    fn tag_field(&mut self, tag: &str, fields: &DeclaredFields, by: &SpannedText, place: SourceSpan) {
        let Some(field) = fields.get(&by.value) else { return };
        // What is no expression at all has been complained about as such.
        let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return };
        if expr.base == BaseType::Const(tag.to_owned()) && !expr.optional && !expr.nullable {
            return;
        }
        let message = format!("`{}` tells the variants apart, so here it is `const {tag}`", by.value);
        self.complain(
            Diagnostic::error(types::BAD_VARIANT, field.ty.place, message)
                .and(place, "as a variant here")
                .suggest(Some(format!("const {tag}"))),
        );
    }

    fn bad_variant(&mut self, word: &SpannedValue<String>, why: &str) {
        let objects =
            self.spec.types.iter().filter(|(_, named)| matches!(named.shape(), Some(DeclaredShape::Struct { .. })));
        let suggestion = closest(&word.value, objects.map(|(name, _)| name.as_str()));
        self.complain(Diagnostic::error(types::BAD_VARIANT, word.place, why).suggest(suggestion));
    }
}

/// True for the name of a media type (RFC 6838), without parameters.
fn is_media_type(text: &str) -> bool {
    let is_name = |name: &str| {
        let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"!#$&-^_.+".contains(&byte);
        name.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric()) && name.bytes().all(inner)
    };
    text.split_once('/').is_some_and(|(kind, of)| is_name(kind) && is_name(of))
}
