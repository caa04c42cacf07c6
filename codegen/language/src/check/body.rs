//! Bodies of operations: their shape and the fields that are read.

use super::{context::Context, expressions::Stands};
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations, codes::references, codes::types},
    model::{Base, Body, Entry, Fields, Operation, Place, Route, Section, Shape, Text, Type, TypeExpr},
};

impl<'a> Context<'a> {
    pub(super) fn body(&mut self, name: &str, operation: &'a Entry<Operation>) {
        let Some(body) = operation.body.as_ref().map(|body| &body.0) else { return };
        let whole = [&body.ty, &body.raw, &body.multipart];
        let place = whole.into_iter().flatten().next().map_or(operation.place, |text| text.place);
        let message = match (&body.ty, &body.raw, &body.multipart) {
            (None, None, None) => Some("a body of no type: `type`, `multipart` or `raw` is missing"),
            (Some(_), Some(_), _) | (_, Some(_), Some(_)) => Some("`raw` stands alone"),
            _ => None,
        };
        let lost = self.damage.lacks(Section::Operations, name, &["type", "raw", "multipart"]);
        if let Some(message) = message.filter(|_| !lost) {
            self.complain(Diagnostic::error(operations::BODY_SHAPE, place, message));
        }
        if let Ok(route) = Route::parse(&operation.route.value)
            && matches!(route.method.word(), "GET" | "DELETE")
            && !self.damage.lacks(Section::Operations, name, &["route"])
        {
            let message = format!("`{}` carries no body", route.method.word());
            self.complain(
                Diagnostic::error(operations::BODY_ON_GET, place, message).and(operation.route.place, "the method"),
            );
        }
        for text in whole.into_iter().flatten() {
            self.expression(text, Stands::Whole);
        }
        if let Some(multipart) = &body.multipart
            && TypeExpr::parse(&multipart.value).is_ok_and(|expr| !self.may_be_object(&expr))
        {
            let message = format!("a form has the fields of a type, and `{}` has none", multipart.value);
            self.complain(Diagnostic::error(types::NOT_A_BODY, multipart.place, message));
        }
        if let Some(limit) = &body.limit {
            self.resolve(Section::Limits, limit, references::UNKNOWN_LIMIT);
        }
        self.reads(operation, body);
    }

    fn may_be_object(&self, expr: &TypeExpr) -> bool {
        match &expr.base {
            Base::Named(name) => !matches!(
                self.type_named(name).map(Type::shape),
                Some(Some(Shape::Enum { .. } | Shape::Newtype { .. }))
            ),
            _ => false,
        }
    }

    /// Complains about `converts` on an operation that passes nothing on.
    pub(super) fn converts(&mut self, operation: &'a Operation) {
        if let Some(converts) = operation.converts.as_ref().filter(|converts| converts.value && !*operation.proxy) {
            let message = "`converts` is for operations that pass bytes on";
            let complaint = Diagnostic::error(operations::READS_WITHOUT_PROXY, converts.place, message);
            self.complain(complaint.label("add `proxy: true`"));
        }
    }

    fn reads(&mut self, operation: &'a Operation, body: &'a Body) {
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
    pub(super) fn body_fields(&self, body: &'a Body) -> Option<&'a Fields> {
        self.fields_of(body.ty.as_ref().or(body.raw.as_ref()).or(body.multipart.as_ref())?)
    }

    fn fields_of(&self, text: &'a Text) -> Option<&'a Fields> {
        let expr = TypeExpr::parse(&text.value).ok()?;
        match self.type_named(expr.named()?)?.shape() {
            Some(Shape::Struct { fields, .. }) if matches!(expr.base, Base::Named(_)) => Some(fields),
            _ => None,
        }
    }

    pub(super) fn unknown_field(&mut self, name: &str, place: Place, body: &Body, fields: &'a Fields) {
        let owner =
            body.ty.as_ref().or(body.raw.as_ref()).or(body.multipart.as_ref()).map_or("", |text| text.value.as_str());
        let meant = closest(name, fields.keys().map(String::as_str));
        let message = format!("`{owner}` has no field `{name}`");
        let complaint = Diagnostic::error(references::UNKNOWN_FIELD, place, message).suggest(meant);
        self.complain_once(&format!("{owner}.{name}"), complaint);
    }
}
