//! Type expressions, wherever they stand.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, closest, codes::references, codes::types},
    model::{BaseType, DeclaredShape, DeclaredType, ExprError, Primitive, SpannedText, SpecSection, TypeExpr},
};

/// The most steps from a type that is another one to what it comes down to.
pub(super) const ALIASES_MAX: usize = 16;

/// The position of an expression, which decides what it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpressionPosition {
    /// The type of a field: anything.
    InField,
    /// A parameter of the path: a single word that is always there.
    InPath,
    /// A query parameter or header: a single word, or several with commas between.
    InQueryOrHeader,
    /// The reply of an operation: something whole, or a file.
    Reply,
    /// A body, an event: something whole.
    Whole,
    /// The base of a type that `is` another: something whole.
    Is,
}

impl<'a> CheckContext<'a> {
    /// Reads an expression, complaining about its grammar, its names and whether it may stand there.
    pub(super) fn expression(&mut self, text: &'a SpannedText, stands: ExpressionPosition) -> Option<TypeExpr> {
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
            if !self.exists(SpecSection::Types, name) {
                if !self.damage.lost_name(name) {
                    self.unknown_type(name, place);
                }
                return None;
            }
        }
        if self.is_misplaced_file(&expr, stands) {
            let message = format!("`{}` is a file, which an operation answers with as a whole", text.value);
            self.complain(Diagnostic::error(types::FILE_SHAPE, place, message));
            return None;
        }
        let complaint = match stands {
            ExpressionPosition::InField => None,
            ExpressionPosition::InPath if expr.optional || expr.nullable => {
                Some("a parameter of the path is always there")
            }
            ExpressionPosition::InPath => {
                (!self.is_single_word(&expr.base)).then_some("it is a single word on the wire")
            }
            ExpressionPosition::InQueryOrHeader => {
                // A list of words is one word with commas in it.
                let item = if let BaseType::List(item) = &expr.base { item } else { &expr.base };
                (!self.is_single_word(item)).then_some("it is a single word on the wire, or a list of such")
            }
            ExpressionPosition::Reply | ExpressionPosition::Whole | ExpressionPosition::Is
                if expr.optional || expr.nullable =>
            {
                Some("what stands here is always there")
            }
            ExpressionPosition::Reply | ExpressionPosition::Whole | ExpressionPosition::Is => {
                matches!(expr.base, BaseType::Const(_)).then_some("a constant is for fields")
            }
        };
        if let Some(why) = complaint {
            let code = match stands {
                ExpressionPosition::InPath | ExpressionPosition::InQueryOrHeader => types::NOT_FOR_A_PARAMETER,
                _ => types::NOT_A_BODY,
            };
            let message = format!("`{}` cannot stand here", text.value);
            self.complain(Diagnostic::error(code, text.place, message).label(why));
            return None;
        }
        Some(expr)
    }

    /// True for a file where it is not all that an operation answers with.
    fn is_misplaced_file(&self, expr: &TypeExpr, stands: ExpressionPosition) -> bool {
        let is_whole = matches!(expr.base, BaseType::Named(_)) && stands == ExpressionPosition::Reply;
        let named = expr.named().and_then(|name| self.type_named(name));
        named.is_some_and(|named| named.media.is_some()) && !is_whole
    }

    fn bad_expression(&mut self, text: &SpannedText, error: &ExprError) {
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
            self.mark_meant(SpecSection::Types, Some(word));
        }
        let complaint = Diagnostic::error(types::BAD_EXPRESSION, place, error.message.clone());
        self.complain(complaint.suggest(suggestion));
    }

    fn unknown_type(&mut self, name: &str, place: crate::model::SourceSpan) {
        let all = |context: &Self| {
            let primitives = Primitive::ALL.iter().map(|primitive| primitive.word());
            context.names(SpecSection::Types).into_iter().chain(primitives).collect()
        };
        let meant = self.unknown(references::UNKNOWN_TYPE, "type", name, place, all);
        self.mark_meant(SpecSection::Types, meant);
    }

    /// True if a value of it is one word in a path, query or header.
    fn is_single_word(&self, base: &BaseType) -> bool {
        match self.underlying(base) {
            UnderlyingType::Primitive(primitive) => !matches!(primitive, Primitive::Json | Primitive::Bytes),
            UnderlyingType::Enum | UnderlyingType::Unknown => true,
            UnderlyingType::Const
            | UnderlyingType::List
            | UnderlyingType::TextOrList
            | UnderlyingType::Map
            | UnderlyingType::Object => false,
        }
    }

    /// True for a type that is another one, and so on, in a circle or in more than [`ALIASES_MAX`] steps.
    pub(super) fn is_endless(&self, name: &str) -> bool {
        self.aliases(name).count() > ALIASES_MAX
    }

    /// A type that is another one and those it leads to, without end in a circle: what each is, and its bounds.
    pub(super) fn aliases(&self, name: &str) -> impl Iterator<Item = (&'a DeclaredType, TypeExpr)> {
        let alias = |name: &str| {
            let named = self.type_named(name)?;
            let Some(DeclaredShape::Newtype { is }) = named.shape() else { return None };
            TypeExpr::parse(&is.value).ok().map(|expr| (named, expr))
        };
        let of = move |(_, expr): &(&'a DeclaredType, TypeExpr)| match &expr.base {
            BaseType::Named(name) => alias(name),
            _ => None,
        };
        std::iter::successors(alias(name), of).take(ALIASES_MAX + 1)
    }

    /// The type that a base comes down to, through types that are another one under a name of their own.
    pub(super) fn underlying(&self, base: &BaseType) -> UnderlyingType {
        let aliased = match base {
            BaseType::Named(name) => self.aliases(name).last().map(|(_, expr)| expr.base),
            _ => None,
        };
        let name = match aliased.as_ref().unwrap_or(base) {
            BaseType::Const(_) => return UnderlyingType::Const,
            BaseType::List(_) => return UnderlyingType::List,
            BaseType::TextOrList(_) => return UnderlyingType::TextOrList,
            BaseType::Map(_) => return UnderlyingType::Map,
            BaseType::Primitive(primitive) => return UnderlyingType::Primitive(*primitive),
            BaseType::Named(name) => name,
        };
        match self.type_named(name).map(DeclaredType::shape) {
            Some(Some(DeclaredShape::Enum { .. })) => UnderlyingType::Enum,
            Some(Some(DeclaredShape::Struct { .. } | DeclaredShape::Union { .. })) => UnderlyingType::Object,
            // One that still is another one stands in a circle, which is a complaint of its own.
            Some(Some(DeclaredShape::Newtype { .. }) | None) | None => UnderlyingType::Unknown,
        }
    }
}

/// The type that an expression comes down to.
#[derive(Debug, Clone, Copy)]
pub(super) enum UnderlyingType {
    Const,
    List,
    TextOrList,
    Map,
    Primitive(Primitive),
    Enum,
    /// A type with fields or variants.
    Object,
    /// A type that is wrong or could not be read.
    Unknown,
}
