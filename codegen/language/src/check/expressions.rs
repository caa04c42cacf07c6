//! Type expressions, wherever they stand.

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, closest, codes::references, codes::types},
    model::{Base, ExprError, Primitive, Section, Shape, Text, Type, TypeExpr},
};

/// The position of an expression, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// The type of a field: anything.
    InField,
    /// A parameter of the path: a single word that is always there.
    InPath,
    /// A query parameter or header: a single word, or several with commas between.
    InQueryOrHeader,
    /// A body, a reply, an event: something whole.
    Whole,
    /// The base of a type that `is` another: something whole.
    Is,
}

impl<'a> Context<'a> {
    /// Reads an expression, complaining about its grammar, its names and whether it may stand there.
    pub(super) fn expression(&mut self, text: &'a Text, stands: Stands) -> Option<TypeExpr> {
        let expr = match TypeExpr::parse(&text.value) {
            Ok(expr) => expr,
            Err(error) => {
                self.bad_expression(text, &error);
                return None;
            }
        };
        let place = text.place.part(&text.value, expr.name.start, expr.name.end);
        if expr.named().is_some() {
            // The name borrowed from the spec's own text, so that it can be remembered as used.
            let name = &text.value[expr.name.clone()];
            if !self.exists(Section::Types, name) {
                if !self.damage.lost_name(name) {
                    self.unknown_type(name, place);
                }
                return None;
            }
        }
        let complaint = match stands {
            Stands::InField => None,
            Stands::InPath if expr.optional || expr.nullable => Some("a parameter of the path is always there"),
            Stands::InPath => (!self.is_single_word(&expr.base)).then_some("it is a single word on the wire"),
            Stands::InQueryOrHeader => {
                // A list of words is one word with commas in it.
                let item = if let Base::List(item) = &expr.base { item } else { &expr.base };
                (!self.is_single_word(item)).then_some("it is a single word on the wire, or a list of such")
            }
            Stands::Whole | Stands::Is if expr.optional || expr.nullable => Some("what stands here is always there"),
            Stands::Whole | Stands::Is => matches!(expr.base, Base::Const(_)).then_some("a constant is for fields"),
        };
        if let Some(why) = complaint {
            let code = match stands {
                Stands::InPath | Stands::InQueryOrHeader => types::NOT_FOR_A_PARAMETER,
                _ => types::NOT_A_BODY,
            };
            let message = format!("`{}` cannot stand here", text.value);
            self.complain(Diagnostic::error(code, text.place, message).label(why));
            return None;
        }
        Some(expr)
    }

    fn bad_expression(&mut self, text: &Text, error: &ExprError) {
        let place = text.place.part(&text.value, error.range.start, error.range.end);
        let word = text.value.get(error.range.clone()).unwrap_or_default();
        let candidates = error.candidates.iter().copied().chain(self.spec.types.keys().map(String::as_str));
        let suggestion = if error.candidates.is_empty() {
            None
        } else if let Some(item) = word.strip_suffix("[]") {
            Some(format!("list of {item}"))
        } else if let Some(inner) = word.strip_suffix('?') {
            Some(format!("optional {inner}"))
        } else {
            closest(word, candidates).map(str::to_owned)
        };
        // What it says or was meant to say is in use all the same.
        for word in text.value.split_whitespace().map(str::to_owned).chain(suggestion.clone()) {
            self.mark_meant(Section::Types, Some(word));
        }
        let complaint = Diagnostic::error(types::BAD_EXPRESSION, place, error.message.clone());
        self.complain(complaint.suggest(suggestion));
    }

    fn unknown_type(&mut self, name: &str, place: crate::model::Place) {
        let all = |context: &Self| {
            let primitives = Primitive::ALL.iter().map(|primitive| primitive.word());
            context.names(Section::Types).into_iter().chain(primitives).collect()
        };
        let meant = self.unknown(references::UNKNOWN_TYPE, "type", name, place, all);
        self.mark_meant(Section::Types, meant);
    }

    /// True if a value of it is one word in a path, query or header.
    fn is_single_word(&self, base: &Base) -> bool {
        match self.underlying(base) {
            Underlying::Primitive(primitive) => !matches!(primitive, Primitive::Json | Primitive::Bytes),
            Underlying::Enum(_) | Underlying::Unknown => true,
            Underlying::Const | Underlying::List | Underlying::Map | Underlying::Object => false,
        }
    }

    /// The type that a base comes down to, through types that are another one under a name of their own.
    pub(super) fn underlying(&self, base: &Base) -> Underlying<'a> {
        let mut base = base.clone();
        // A circle of such types is a complaint of its own; here it only must not hang.
        for _ in 0..16 {
            let name = match base {
                Base::Const(_) => return Underlying::Const,
                Base::List(_) => return Underlying::List,
                Base::Map(_) => return Underlying::Map,
                Base::Primitive(primitive) => return Underlying::Primitive(primitive),
                Base::Named(name) => name,
            };
            match self.type_named(&name).map(|named| (named, named.shape())) {
                Some((_, Some(Shape::Newtype { is }))) => match TypeExpr::parse(&is.value) {
                    Ok(inner) => base = inner.base,
                    Err(_) => return Underlying::Unknown,
                },
                Some((named, Some(Shape::Enum { .. }))) => return Underlying::Enum(named),
                Some((_, Some(Shape::Struct { .. } | Shape::Union { .. }))) => return Underlying::Object,
                Some((_, None)) | None => return Underlying::Unknown,
            }
        }
        Underlying::Unknown
    }
}

/// The type that an expression comes down to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Underlying<'a> {
    Const,
    List,
    Map,
    Primitive(Primitive),
    Enum(&'a Type),
    /// A type with fields or variants.
    Object,
    /// A type that is wrong or could not be read.
    Unknown,
}
