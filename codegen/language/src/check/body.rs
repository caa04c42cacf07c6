//! Bodies of operations: their shape and the fields that are read.

use super::{
    context::CheckContext,
    expressions::{ExpressionPosition, UnderlyingType},
};
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations, codes::references, codes::types},
    model::{
        BaseType, DeclaredBody, DeclaredFields, DeclaredOperation, DeclaredRoute, DeclaredShape, DeclaredType,
        SourceSpan, SpannedText, SpecEntry, SpecSection, TypeExpr,
    },
};

impl<'a> CheckContext<'a> {
    pub(super) fn body(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let Some(body) = operation.body.as_ref().map(|body| &body.0) else { return };
        let whole = [&body.ty, &body.raw, &body.multipart];
        let place = whole.into_iter().flatten().next().map_or(operation.place, |text| text.place);
        let message = match (&body.ty, &body.raw, &body.multipart) {
            (None, None, None) => Some("a body of no type: `type`, `multipart` or `raw` is missing"),
            (Some(_), Some(_), _) | (_, Some(_), Some(_)) => Some("`raw` stands alone"),
            _ => None,
        };
        let lost = self.damage.lacks(SpecSection::Operations, name, &["type", "raw", "multipart"]);
        if let Some(message) = message.filter(|_| !lost) {
            self.complain(Diagnostic::error(operations::BODY_SHAPE, place, message));
        }
        if let Ok(route) = DeclaredRoute::parse(&operation.route.value)
            && matches!(route.method.word(), "GET" | "DELETE")
            && !self.damage.lacks(SpecSection::Operations, name, &["route"])
        {
            let message = format!("`{}` carries no body", route.method.word());
            self.complain(
                Diagnostic::error(operations::BODY_ON_GET, place, message).and(operation.route.place, "the method"),
            );
        }
        for text in whole.into_iter().flatten() {
            self.expression(text, ExpressionPosition::Whole);
        }
        if let Some(multipart) = &body.multipart
            && TypeExpr::parse(&multipart.value).is_ok_and(|expr| !self.may_be_object(&expr))
        {
            let message = format!("a form has the fields of a type, and `{}` has none", multipart.value);
            self.complain(Diagnostic::error(types::NOT_A_BODY, multipart.place, message));
        }
        if let Some(form) = &body.multipart {
            self.plain_parts(form);
        }
        if let Some(limit) = &body.limit {
            self.body_limit(limit);
        }
        self.reads(operation, body);
    }

    /// A part of a form is a text or a file, and no object.
    fn plain_parts(&mut self, form: &'a SpannedText) {
        for (name, field) in self.fields_of(form).into_iter().flatten() {
            let Ok(expr) = TypeExpr::parse(&field.ty.value) else { continue };
            let item = if let BaseType::List(item) = &expr.base { item } else { &expr.base };
            if matches!(self.underlying(item), UnderlyingType::Object | UnderlyingType::Map | UnderlyingType::List) {
                let message =
                    format!("the part `{name}` of a form is a text or a file, and `{}` is neither", field.ty.value);
                let complaint = Diagnostic::error(types::NOT_A_PART, field.ty.place, message);
                self.complain_once(&format!("{} {name}", form.value), complaint);
            }
        }
    }

    fn may_be_object(&self, expr: &TypeExpr) -> bool {
        match &expr.base {
            BaseType::Named(name) => !matches!(
                self.type_named(name).map(DeclaredType::shape),
                Some(Some(DeclaredShape::Enum { .. } | DeclaredShape::Newtype { .. }))
            ),
            _ => false,
        }
    }

    /// Complains about `converts` on an operation that passes nothing on.
    pub(super) fn converts(&mut self, operation: &'a DeclaredOperation) {
        if let Some(converts) = operation.converts.as_ref().filter(|converts| converts.value && !*operation.proxy) {
            let message = "`converts` is for operations that pass bytes on";
            let complaint = Diagnostic::error(operations::READS_WITHOUT_PROXY, converts.place, message);
            self.complain(complaint.label("add `proxy: true`"));
        }
    }

    fn reads(&mut self, operation: &'a DeclaredOperation, body: &'a DeclaredBody) {
        let Some(first) = body.reads.first() else { return };
        if !*operation.proxy {
            let message = "`reads` is for operations that pass bytes on";
            self.complain(
                Diagnostic::error(operations::READS_WITHOUT_PROXY, first.place, message).label("add `proxy: true`"),
            );
        }
        self.no_repeats(types::WORD_TWICE, &body.reads);
        let form = body.multipart.as_ref().and_then(|form| self.fields_of(form));
        let Some(fields) = self.body_fields(body) else { return };
        for read in &body.reads {
            let known = fields.contains_key(&read.value) || form.is_some_and(|form| form.contains_key(&read.value));
            if !known && !self.damage.lost_name(&read.value) {
                self.unknown_field(&read.value, read.place, body, fields);
            }
        }
    }

    /// The fields of the body, where it has any; those of its JSON where it is that or a form.
    pub(super) fn body_fields(&self, body: &'a DeclaredBody) -> Option<&'a DeclaredFields> {
        self.fields_of(body.ty.as_ref().or(body.raw.as_ref()).or(body.multipart.as_ref())?)
    }

    fn fields_of(&self, text: &'a SpannedText) -> Option<&'a DeclaredFields> {
        let expr = TypeExpr::parse(&text.value).ok()?;
        if let BaseType::Named(name) = &expr.base { self.fields_of_type(name) } else { None }
    }

    /// The fields of an object by the name of its type.
    pub(super) fn fields_of_type(&self, name: &str) -> Option<&'a DeclaredFields> {
        match self.type_named(name)?.shape()? {
            DeclaredShape::Struct { fields, .. } => Some(fields),
            DeclaredShape::Enum { .. } | DeclaredShape::Union { .. } | DeclaredShape::Newtype { .. } => None,
        }
    }

    pub(super) fn unknown_field(
        &mut self,
        name: &str,
        place: SourceSpan,
        body: &DeclaredBody,
        fields: &'a DeclaredFields,
    ) {
        let owner =
            body.ty.as_ref().or(body.raw.as_ref()).or(body.multipart.as_ref()).map_or("", |text| text.value.as_str());
        let meant = closest(name, fields.keys().map(String::as_str));
        let message = format!("`{owner}` has no field `{name}`");
        let complaint = Diagnostic::error(references::UNKNOWN_FIELD, place, message).suggest(meant);
        self.complain_once(&format!("{owner}.{name}"), complaint);
    }
}
