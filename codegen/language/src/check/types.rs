//! Types: their shape, their fields, their variants.

use super::{bounds::Bounds, context::Context, expressions::Stands};
use crate::{
    diagnostics::{Diagnostic, closest, codes::types},
    model::{Base, Entry, EnumWords, Field, Fields, Located, Place, Section, Shape, Text, Type, TypeExpr, Variant},
};

impl<'a> Context<'a> {
    /// Checks every type.
    pub(super) fn types(&mut self) {
        let spec = self.spec;
        for (name, entry) in &spec.types {
            self.one_type(name, entry);
        }
        self.endless_types();
    }

    fn one_type(&mut self, name: &'a str, entry: &'a Entry<Type>) {
        self.misplaced_keys(entry);
        match entry.shape() {
            None => self.no_one_shape(name, entry),
            Some(Shape::Struct { fields, .. }) => self.fields(fields, Stands::InField),
            Some(Shape::Enum { words, .. }) => self.words(words, entry.place),
            Some(Shape::Union { union, of }) => {
                if of.is_empty() && !self.damage.is_hurt(Section::Types, name) {
                    self.complain(Diagnostic::error(types::EMPTY_ENUM, entry.place, "a union without variants"));
                }
                for (tag, variant) in of {
                    self.variant(tag, variant, &union.by);
                }
            }
            Some(Shape::Newtype { is }) => {
                if let Some(expr) = self.expression(is, Stands::Is) {
                    self.bounds(&Bounds::from(&entry.value), &expr.base, &is.value);
                }
            }
        }
    }

    /// Fields or parameters, one by one.
    pub(super) fn fields(&mut self, fields: &'a Fields, stands: Stands) {
        for field in fields.values() {
            let field: &'a Field = field;
            if let Some(expr) = self.expression(&field.ty, stands) {
                self.bounds(&Bounds::from(field), &expr.base, &field.ty.value);
                self.default(field, &expr);
            }
        }
    }

    fn words(&mut self, words: &'a EnumWords, place: Place) {
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
    fn misplaced_keys(&mut self, named: &'a Type) {
        let Some(shape) = named.shape() else { return };
        if !matches!(shape, Shape::Newtype { .. }) {
            for (key, place, _) in Bounds::from(named).all() {
                let message = format!("`{key}` goes with `is`");
                self.complain(Diagnostic::error(types::BOUND_DOES_NOT_FIT, place, message));
            }
        }
        if let Some(open) = &named.open
            && matches!(shape, Shape::Union { .. } | Shape::Newtype { .. })
        {
            let complaint =
                Diagnostic::error(types::BOUND_DOES_NOT_FIT, open.place, "`open` goes with `fields` and `enum`");
            let union = matches!(shape, Shape::Union { .. });
            self.complain(if union {
                complaint.note("a union is open as `union: {by: …, open: true}`")
            } else {
                complaint
            });
        }
    }

    fn no_one_shape(&mut self, name: &str, entry: &Entry<Type>) {
        if self.damage.lacks(Section::Types, name, &["fields", "enum", "union", "of", "is"]) {
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
            [] => format!("type `{name}` is nothing: it has no `fields`, `enum`, `union` or `is`"),
            ["union"] => format!("the union `{name}` has no variants: `of` is missing"),
            ["of"] => format!("type `{name}` has variants, but `union` is missing"),
            several => format!("type `{name}` is several things at once: {}", several.join(", ")),
        };
        self.complain(Diagnostic::error(types::TYPE_SHAPE, entry.place, message));
    }

    fn variant(&mut self, tag: &str, variant: &'a Entry<Variant>, by: &Text) {
        match &variant.value {
            Variant::Inline(fields) => {
                self.fields(fields, Stands::InField);
                self.tag_field(tag, fields, by, variant.place);
            }
            Variant::Named(word) => {
                let Some(expr) = self.expression(word, Stands::Whole) else { return };
                match &expr.base {
                    Base::Named(name) => match self.type_named(name).map(Type::shape) {
                        Some(Some(Shape::Struct { fields, .. })) => self.tag_field(tag, fields, by, word.place),
                        Some(Some(_)) => self.bad_variant(word, "a variant is an object, and this is none"),
                        Some(None) | None => {}
                    },
                    _ => self.bad_variant(word, "a variant is an object, and this is none"),
                }
            }
        }
    }

    /// Complains about a variant whose own tag field does not say which variant it is.
    fn tag_field(&mut self, tag: &str, fields: &Fields, by: &Text, place: Place) {
        let Some(field) = fields.get(&by.value) else { return };
        // What is no expression at all has been complained about as such.
        let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return };
        if expr.base == Base::Const(tag.to_owned()) && !expr.optional && !expr.nullable {
            return;
        }
        let message = format!("`{}` tells the variants apart, so here it is `const {tag}`", by.value);
        self.complain(
            Diagnostic::error(types::BAD_VARIANT, field.ty.place, message)
                .and(place, "as a variant here")
                .suggest(Some(format!("const {tag}"))),
        );
    }

    fn bad_variant(&mut self, word: &Located<String>, why: &str) {
        let objects = self.spec.types.iter().filter(|(_, named)| matches!(named.shape(), Some(Shape::Struct { .. })));
        let suggestion = closest(&word.value, objects.map(|(name, _)| name.as_str()));
        self.complain(Diagnostic::error(types::BAD_VARIANT, word.place, why).suggest(suggestion));
    }
}
