//! Streams of events: their event, and what asks for them.

use super::{context::CheckContext, expressions::ExpressionPosition};
use crate::{
    diagnostics::{
        Diagnostic, closest,
        codes::{operations, types},
    },
    model::{
        BaseType, DeclaredBody, DeclaredOperation, DeclaredShape, DeclaredStream, OneOrMore, Primitive, SpannedText,
        StreamSwitch, TypeExpr,
    },
};

impl<'a> CheckContext<'a> {
    pub(super) fn stream(&mut self, operation: &'a DeclaredOperation) {
        let Some(stream) = &operation.stream else { return };
        self.expression(&stream.event, ExpressionPosition::Whole);
        stream.ends_with.iter().for_each(|ends| self.no_repeats(types::WORD_TWICE, ends.all()));
        self.ends_of_stream(stream);
        let Some(when) = &stream.when else { return };
        match (stream.switch(), &operation.body) {
            (Some(StreamSwitch::Body { field }), Some(body)) => self.switch_in_body(when, field, body),
            (Some(StreamSwitch::Query { name, word }), _) if !word.is_empty() => {
                self.switch_in_query(when, name, operation);
            }
            _ => self.no_switch(when, operation),
        }
    }

    /// A stream ends with an event of it, or with a literal line where its events have no names.
    fn ends_of_stream(&mut self, stream: &DeclaredStream) {
        let Some(known) = self.event_kinds(&stream.event) else { return };
        let literal = |word: &str| !word.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
        for end in stream.ends_with.iter().flat_map(OneOrMore::all) {
            let word = end.value.as_str();
            if known.contains(&word) || !*stream.named && literal(word) || self.damage.lost_name(word) {
                continue;
            }
            let message = format!("no event of `{}` is a `{word}`", stream.event.value);
            let meant = closest(word, known.iter().copied());
            self.complain(Diagnostic::error(operations::STREAM_END, end.place, message).suggest(meant));
        }
    }

    /// The kinds of a stream's events, where they are told apart by the spec.
    fn event_kinds(&self, event: &SpannedText) -> Option<Vec<&'a str>> {
        match self.type_named(&event.value)?.shape()? {
            DeclaredShape::Union { of, .. } => Some(of.keys().map(String::as_str).collect()),
            _ => None,
        }
    }

    fn no_switch(&mut self, when: &'a SpannedText, operation: &'a DeclaredOperation) {
        let fields = operation.body.as_ref().and_then(|body| self.body_fields(body));
        let last = when.value.rsplit('.').next();
        let field = last.filter(|field| fields.is_some_and(|fields| fields.contains_key(*field)));
        let message =
            "the switch of a stream is `body.field`, a bool field of the operation's body, or `query.name=word`";
        let complaint = Diagnostic::error(operations::STREAM_SWITCH, when.place, message);
        self.complain(complaint.suggest(field.map(|field| format!("body.{field}"))));
    }

    fn switch_in_body(&mut self, when: &'a SpannedText, name: &'a str, body: &'a DeclaredBody) {
        let Some(fields) = self.body_fields(body) else { return };
        let Some(field) = fields.get(name) else {
            let start = when.value.len() - name.len();
            let place = when.place.part(&when.value, start, when.value.len());
            if !self.damage.lost_name(name) {
                self.unknown_field(name, place, body, fields);
            }
            return;
        };
        if TypeExpr::parse(&field.ty.value).is_ok_and(|expr| expr.base != BaseType::Primitive(Primitive::Bool)) {
            let message = format!("`{name}` is `{}` and not a bool", field.ty.value);
            let complaint = Diagnostic::error(operations::STREAM_SWITCH, when.place, message);
            self.complain(complaint.and(field.ty.place, "its type"));
        }
    }

    fn switch_in_query(&mut self, when: &'a SpannedText, name: &'a str, operation: &'a DeclaredOperation) {
        let start = "query.".len();
        let place = when.place.part(&when.value, start, start + name.len());
        let Some(field) = operation.query.get(name) else {
            if !self.damage.lost_name(name) {
                let meant = closest(name, operation.query.keys().map(String::as_str));
                let message = format!("the operation has no query parameter `{name}`");
                self.complain(Diagnostic::error(operations::STREAM_SWITCH, place, message).suggest(meant));
            }
            return;
        };
        if TypeExpr::parse(&field.ty.value).is_ok_and(|expr| expr.base != BaseType::Primitive(Primitive::String)) {
            let message = format!("`{name}` is `{}` and not a text", field.ty.value);
            let complaint = Diagnostic::error(operations::STREAM_SWITCH, place, message);
            self.complain(complaint.and(field.ty.place, "its type"));
        }
    }
}
