//! Bodies of operations: their shape, the fields that are read, the switch of a stream.

use super::{context::Context, expressions::Stands};
use crate::{
    diagnostics::{Diagnostic, closest, codes::operations, codes::references, codes::types},
    model::{Base, Body, Entry, Fields, Operation, Place, Primitive, Route, Section, Shape, Type, TypeExpr},
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

    fn reads(&mut self, operation: &'a Operation, body: &'a Body) {
        let Some(first) = body.reads.first() else { return };
        if !operation.proxy {
            let message = "`reads` is for operations that pass bytes on";
            self.complain(
                Diagnostic::error(operations::READS_WITHOUT_PROXY, first.place, message).label("add `proxy: true`"),
            );
        }
        self.no_repeats(types::WORD_TWICE, &body.reads);
        let Some(fields) = self.body_fields(body) else { return };
        for read in &body.reads {
            if !fields.contains_key(&read.value) && !self.damage.lost_name(&read.value) {
                self.unknown_field(&read.value, read.place, body, fields);
            }
        }
    }

    /// The fields of the JSON body, where it has any.
    fn body_fields(&self, body: &'a Body) -> Option<&'a Fields> {
        let text = body.ty.as_ref().or(body.raw.as_ref())?;
        let expr = TypeExpr::parse(&text.value).ok()?;
        match self.type_named(expr.named()?)?.shape() {
            Some(Shape::Struct { fields, .. }) if matches!(expr.base, Base::Named(_)) => Some(fields),
            _ => None,
        }
    }

    fn unknown_field(&mut self, name: &str, place: Place, body: &Body, fields: &'a Fields) {
        let owner = body.ty.as_ref().or(body.raw.as_ref()).map_or("", |text| text.value.as_str());
        let meant = closest(name, fields.keys().map(String::as_str));
        let message = format!("`{owner}` has no field `{name}`");
        let complaint = Diagnostic::error(references::UNKNOWN_FIELD, place, message).suggest(meant);
        self.complain_once(&format!("{owner}.{name}"), complaint);
    }

    pub(super) fn stream(&mut self, operation: &'a Operation) {
        let Some(stream) = &operation.stream else { return };
        self.expression(&stream.event, Stands::Whole);
        let Some(when) = &stream.when else { return };
        let (Some(body), Some(name)) = (&operation.body, when.value.strip_prefix("body.")) else {
            let message = "the switch of a stream is `body.field`, a bool field of the operation's body";
            let fields = operation.body.as_ref().and_then(|body| self.body_fields(body));
            let field =
                when.value.rsplit('.').next().filter(|field| fields.is_some_and(|fields| fields.contains_key(*field)));
            let complaint = Diagnostic::error(operations::STREAM_SWITCH, when.place, message);
            self.complain(complaint.suggest(field.map(|field| format!("body.{field}"))));
            return;
        };
        let Some(fields) = self.body_fields(body) else { return };
        let Some(field) = fields.get(name) else {
            let start = when.value.len() - name.len();
            let place = when.place.part(&when.value, start, when.value.len());
            if !self.damage.lost_name(name) {
                self.unknown_field(name, place, body, fields);
            }
            return;
        };
        let Ok(expr) = TypeExpr::parse(&field.ty.value) else { return };
        if expr.base != Base::Primitive(Primitive::Bool) {
            let message = format!("`{name}` is `{}` and not a bool", field.ty.value);
            self.complain(
                Diagnostic::error(operations::STREAM_SWITCH, when.place, message).and(field.ty.place, "its type"),
            );
        }
    }
}
