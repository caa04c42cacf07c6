//! Operations: callers, bodies, replies, errors, limits.

use std::collections::HashMap;

use super::{context::Context, expressions::Stands};
use crate::{
    diagnostics::{Diagnostic, codes::operations, codes::references, codes::types},
    model::{Base, Body, Entry, Fields, Operation, Place, Primitive, Route, Section, Shape, Text, Type, TypeExpr},
    naming,
};

impl<'a> Context<'a> {
    /// Checks every operation but for its routes and moves.
    pub(super) fn operations(&mut self) {
        let spec = self.spec;
        for (name, entry) in &spec.operations {
            self.callers(entry);
            self.fields(&entry.path, Stands::InPath);
            self.fields(&entry.query, Stands::InQueryOrHeader);
            self.fields(&entry.headers, Stands::InQueryOrHeader);
            self.input_names(entry);
            self.body(name, entry);
            self.stream(entry);
            self.reply(name, entry);
            self.errors_of(name, entry);
        }
    }

    fn callers(&mut self, operation: &'a Entry<Operation>) {
        let schemes = operation.auth.schemes();
        self.no_repeats(types::WORD_TWICE, schemes);
        for scheme in schemes {
            self.resolve(Section::Auth, scheme, references::UNKNOWN_SCHEME);
        }
        if let Some(proof) = &operation.proof {
            self.resolve(Section::Proofs, proof, references::UNKNOWN_PROOF);
        }
        self.resolve(Section::Envelopes, &operation.envelope, references::UNKNOWN_ENVELOPE);
    }

    /// Parameters become fields of one input, and headers are one on the wire whatever their spelling.
    fn input_names(&mut self, operation: &'a Entry<Operation>) {
        let mut fields: HashMap<String, Place> = HashMap::new();
        for (name, entry) in operation.path.iter().chain(&operation.query).chain(&operation.headers) {
            let rust = entry.name.rust.as_ref().map_or_else(|| naming::snake(name), |rust| rust.value.clone());
            if let Some(first) = fields.get(&rust) {
                let message = format!("two parameters are the field `{rust}` of the input");
                self.complain(
                    Diagnostic::error(operations::RESERVED_PARAMETER, entry.place, message)
                        .and(*first, "the first one"),
                );
            } else if rust == "caller" || rust == "body" {
                let message = format!("every input has a field `{rust}` of its own");
                self.complain(Diagnostic::error(operations::RESERVED_PARAMETER, entry.place, message));
            } else {
                fields.insert(rust, entry.place);
            }
        }
        let mut wires: HashMap<String, Place> = HashMap::new();
        for (name, entry) in &operation.headers {
            let accepted = self.spec.wire_names.get(name).map(|wire| wire.accepts.iter());
            let spellings =
                accepted.into_iter().flatten().map(|accepted| accepted.value.as_str()).chain([name.as_str()]);
            let spellings: Vec<String> = spellings.map(str::to_ascii_lowercase).collect();
            if let Some(first) = spellings.iter().find_map(|spelling| wires.get(spelling)) {
                let message = format!("the header `{name}` is there under another of its names");
                self.complain(Diagnostic::error(operations::HEADER_TWICE, entry.place, message).and(*first, "here"));
            }
            wires.extend(spellings.into_iter().map(|spelling| (spelling, entry.place)));
        }
    }

    fn body(&mut self, name: &str, operation: &'a Entry<Operation>) {
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
                self.unknown_field(&read.value, read.place, fields);
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

    /// Fields belong to one body each, so that a name unknown to two bodies is two complaints.
    fn unknown_field(&mut self, name: &str, place: Place, fields: &'a Fields) {
        let meant = crate::diagnostics::closest(name, fields.keys().map(String::as_str));
        let message = format!("the body has no field `{name}`");
        self.complain(Diagnostic::error(references::UNKNOWN_FIELD, place, message).suggest(meant));
    }

    fn stream(&mut self, operation: &'a Operation) {
        let Some(stream) = &operation.stream else { return };
        self.expression(&stream.event, Stands::Whole);
        let Some(when) = &stream.when else { return };
        let (Some(body), Some(name)) = (&operation.body, when.value.strip_prefix("body.")) else {
            let message = "the switch of a stream is `body.field`, a bool field of the operation's body";
            self.complain(Diagnostic::error(operations::STREAM_SWITCH, when.place, message));
            return;
        };
        let Some(fields) = self.body_fields(body) else { return };
        let Some(field) = fields.get(name) else {
            let start = when.value.len() - name.len();
            let place = when.place.part(&when.value, start, when.value.len());
            if !self.damage.lost_name(name) {
                self.unknown_field(name, place, fields);
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

    fn reply(&mut self, name: &str, operation: &'a Entry<Operation>) {
        if let Some(ok) = &operation.ok {
            self.expression(ok, Stands::Whole);
        }
        let selects = !operation.select.is_empty();
        match &operation.ok {
            Some(ok) if selects && !self.damage.lacks(Section::Operations, name, &[]) => {
                let message = "`ok` and `select` both say what the reply is";
                let first = operation.select[0].place;
                self.complain(Diagnostic::error(operations::NO_REPLY, ok.place, message).and(first, "the branches"));
            }
            None if !selects
                && operation.stream.is_none()
                && !self.damage.lacks(Section::Operations, name, &["ok", "select", "stream"]) =>
            {
                let message = format!("operation `{name}` has no reply");
                self.complain(
                    Diagnostic::error(operations::NO_REPLY, operation.place, message).label("`ok` is missing"),
                );
            }
            _ => {}
        }
        if selects {
            self.select(name, operation);
        }
    }

    fn errors_of(&mut self, name: &str, operation: &'a Entry<Operation>) {
        let mut listed: HashMap<&str, (Place, Option<&str>)> = HashMap::new();
        for word in &operation.errors {
            let group = word.value.starts_with('$');
            let codes: Vec<&'a Text> = if group {
                self.resolve(Section::Groups, word, references::UNKNOWN_GROUP);
                self.spec.groups.get(&word.value).into_iter().flat_map(|codes| &codes.value).collect()
            } else {
                self.resolve(Section::Errors, word, references::UNKNOWN_ERROR);
                vec![word]
            };
            let by = group.then_some(word.value.as_str());
            for code in codes {
                match listed.get(code.value.as_str()) {
                    Some((first, first_by)) if word.place != *first => {
                        let who = |by: Option<&str>| by.map_or("itself".to_owned(), |by| format!("`{by}`"));
                        let message =
                            format!("`{}` is there twice, by {} and by {}", code.value, who(*first_by), who(by));
                        self.complain(
                            Diagnostic::error(operations::ERROR_TWICE, word.place, message)
                                .and(*first, "the first one"),
                        );
                    }
                    Some(_) => {}
                    None => {
                        listed.insert(&code.value, (word.place, by));
                    }
                }
            }
        }
        self.no_repeats(types::WORD_TWICE, &operation.limits);
        for limit in &operation.limits {
            if self.resolve(Section::Limits, limit, references::UNKNOWN_LIMIT) {
                self.limit_error(name, limit, &listed);
            }
        }
    }

    /// An operation has the error of each limit that bounds it, unless the framework answers with it anyway.
    fn limit_error(&mut self, name: &str, limit: &Text, listed: &HashMap<&str, (Place, Option<&str>)>) {
        let Some(error) = self.spec.limits.get(&limit.value).and_then(|limit| limit.error.as_ref()) else { return };
        let framework = self.spec.framework.values().any(|code| code.value.value == error.value);
        let known = listed.contains_key(error.value.as_str()) || !self.spec.errors.contains_key(&error.value);
        let lost = self.damage.lacks(Section::Operations, name, &["errors"]) || self.damage.may_be_used(&error.value);
        if !known && !framework && !lost {
            let message =
                format!("the limit `{}` answers with `{}`, which is not in `errors`", limit.value, error.value);
            let complaint = Diagnostic::error(operations::LIMIT_WITHOUT_ERROR, limit.place, message);
            self.complain_once(&error.value, complaint.and(error.place, "the code"));
        }
    }
}
