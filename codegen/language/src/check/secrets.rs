//! Secret fields: what is shown once is of an answer, what is sent of a request.

use super::context::CheckContext;
use crate::{
    diagnostics::{Diagnostic, codes::types},
    map::HashSet,
    model::{DeclaredFields, DeclaredShape, DeclaredVariant, SecretKind},
};

impl<'a> CheckContext<'a> {
    pub(super) fn secrets(&mut self) {
        let spec = self.spec;
        let (mut sent, mut told) = (Vec::new(), Vec::new());
        for operation in spec.operations.values() {
            for fields in [&operation.path, &operation.query, &operation.headers] {
                self.shown_in_request(fields);
            }
            let body = operation.body.iter().flat_map(|body| [&body.0.ty, &body.0.raw, &body.0.multipart]);
            sent.extend(body.flatten().filter_map(|text| self.named(&text.value)));
            let event = operation.stream.as_ref().map(|stream| &stream.event);
            let data = operation.data.as_ref().map(|data| &data.0.ty);
            let branches = operation.select.iter().map(|branch| &branch.ok);
            let replies = branches.chain(&operation.ok).chain(event).chain(data);
            told.extend(replies.filter_map(|text| self.named(&text.value)));
        }
        let (sent, told) = (self.reached_from(sent), self.reached_from(told));
        let only: HashSet<&str> = sent.into_iter().filter(|name| !told.contains(name)).collect();
        for (_, named) in spec.types.iter().filter(|(name, _)| only.contains(name.as_str())) {
            match named.shape() {
                Some(DeclaredShape::Struct { fields, .. }) => self.shown_in_request(fields),
                Some(DeclaredShape::Union { of, .. }) => {
                    for variant in of.values() {
                        if let DeclaredVariant::Inline(fields) = &variant.value {
                            self.shown_in_request(fields);
                        }
                    }
                }
                Some(DeclaredShape::Enum { .. } | DeclaredShape::Newtype { .. }) | None => {}
            }
        }
    }

    /// Complains about fields of a request that are said to be shown once.
    fn shown_in_request(&mut self, fields: &'a DeclaredFields) {
        for (name, field) in fields.iter().filter(|(_, field)| field.secret == Some(SecretKind::Once)) {
            let message = format!("`{name}` is sent and never shown, so it is `secret: sent`");
            self.complain(Diagnostic::error(types::SECRET_WRONG_WAY, field.place, message));
        }
    }
}
