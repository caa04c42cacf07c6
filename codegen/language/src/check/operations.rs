//! Operations: callers, bodies, replies, errors, limits.

use super::{context::CheckContext, expressions::ExpressionPosition};
use crate::{
    diagnostics::{Diagnostic, codes::operations, codes::references, codes::types},
    map::HashMap,
    model::{DeclaredOperation, SourceSpan, SpannedText, SpecEntry, SpecSection},
    naming,
};

impl<'a> CheckContext<'a> {
    /// Checks every operation but for its routes and moves.
    pub(super) fn operations(&mut self) {
        let spec = self.spec;
        for (name, entry) in &spec.operations {
            self.callers(entry);
            self.operator_roles(name, entry);
            self.member_roles(name, entry);
            self.begun_session(entry);
            self.deprecation(name, entry);
            self.fields(&entry.path, ExpressionPosition::InPath);
            self.fields(&entry.query, ExpressionPosition::InQueryOrHeader);
            self.fields(&entry.headers, ExpressionPosition::InQueryOrHeader);
            self.reply_headers(entry);
            self.input_names(entry);
            self.no_credentials(name, entry);
            self.body(name, entry);
            self.converts(entry);
            self.stream(entry);
            self.reply(name, entry);
            self.errors_of(name, entry);
            self.reply_paths(name, entry);
            self.repeated_requests(name, entry);
        }
    }

    fn callers(&mut self, operation: &'a SpecEntry<DeclaredOperation>) {
        let schemes = operation.auth.schemes();
        self.no_repeats(types::WORD_TWICE, schemes);
        for scheme in schemes {
            self.resolve(SpecSection::Auth, scheme, references::UNKNOWN_SCHEME);
        }
        if let Some(proof) = &operation.proof {
            self.resolve(SpecSection::Proofs, proof, references::UNKNOWN_PROOF);
        }
        // What no family says has been complained about.
        if !operation.envelope.value.is_empty() {
            self.resolve(SpecSection::Envelopes, &operation.envelope, references::UNKNOWN_ENVELOPE);
        }
    }

    fn reply_headers(&mut self, operation: &'a SpecEntry<DeclaredOperation>) {
        self.no_repeats(types::WORD_TWICE, &operation.reply_headers);
        for header in &operation.reply_headers {
            // Path prefixes have other names on the wire, too.
            let is_header = |name: &str| !name.starts_with('/');
            self.resolve_among(SpecSection::WireNames, header, references::UNKNOWN_WIRE_NAME, "header", is_header);
        }
    }

    /// Parameters become fields of one input, and headers are one on the wire whatever their spelling.
    fn input_names(&mut self, operation: &'a SpecEntry<DeclaredOperation>) {
        let mut fields: HashMap<String, SourceSpan> = HashMap::default();
        for (name, entry) in operation.path.iter().chain(&operation.query).chain(&operation.headers) {
            let rust = entry.name.rust.as_ref().map_or_else(|| naming::snake(name), |rust| rust.value.clone());
            if let Some(first) = fields.get(&rust) {
                let message = format!("two parameters are the field `{rust}` of the input");
                self.complain(
                    Diagnostic::error(operations::RESERVED_PARAMETER, entry.place, message)
                        .and(*first, "the first one"),
                );
            } else {
                fields.insert(rust, entry.place);
            }
        }
        let mut wires: HashMap<String, SourceSpan> = HashMap::default();
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

    /// Checks that no parameter carries the secret of a scheme by which the operation admits nobody. One that admits by the
    /// scheme may document it.
    fn no_credentials(&mut self, operation_name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let spec = self.spec;
        let admitted = operation.auth.schemes();
        let all_known = admitted.iter().all(|scheme| spec.auth.contains_key(&scheme.value));
        if !all_known || self.damage.lacks(SpecSection::Operations, operation_name, &["auth"]) {
            return;
        }
        for (name, scheme) in spec.auth.iter().filter(|(name, _)| !admitted.iter().any(|one| one.value == **name)) {
            let header = scheme.header.as_ref().map(|header| &header.value);
            let wire = header.and_then(|header| spec.wire_names.get(header));
            let spellings = wire.into_iter().flat_map(|wire| &wire.accepts).map(|accepted| &accepted.value);
            let spellings: Vec<&String> = spellings.chain(header).collect();
            let headers = operation.headers.iter();
            let headers =
                headers.filter(|(taken, _)| spellings.iter().any(|spelling| spelling.eq_ignore_ascii_case(taken)));
            let query = scheme.query.as_ref().and_then(|query| operation.query.get_key_value(&query.value));
            for (taken, entry) in headers.chain(query) {
                let message =
                    format!("`{taken}` carries the secret of `{name}`, by which `{operation_name}` admits nobody");
                let complaint = Diagnostic::error(operations::CREDENTIAL_TAKEN, entry.place, message);
                self.complain_once(taken, complaint.and(scheme.place, "the scheme"));
            }
        }
    }

    fn reply(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        if let Some(ok) = &operation.ok {
            self.expression(ok, ExpressionPosition::Reply);
        } else if let Some(data) = &operation.data {
            // It has no reply around it, in which it would be looked at.
            self.expression(&data.ty, ExpressionPosition::Whole);
        }
        let selects = !operation.select.is_empty();
        match &operation.ok {
            Some(ok) if selects && !self.damage.lacks(SpecSection::Operations, name, &[]) => {
                let message = "`ok` and `select` both say what the reply is";
                let first = operation.select[0].place;
                self.complain(Diagnostic::error(operations::NO_REPLY, ok.place, message).and(first, "the branches"));
            }
            None if !selects
                && operation.stream.is_none()
                && operation.data.is_none()
                && !self.damage.lacks(SpecSection::Operations, name, &["ok", "data", "select", "stream"]) =>
            {
                let message = format!("operation `{name}` has no reply");
                self.complain(
                    Diagnostic::error(operations::NO_REPLY, operation.place, message)
                        .label("`ok` or `data` is missing"),
                );
            }
            _ => {}
        }
        if selects {
            self.select(name, operation);
        }
    }

    fn errors_of(&mut self, name: &str, operation: &'a SpecEntry<DeclaredOperation>) {
        let mut listed: HashMap<&str, (SourceSpan, Option<&str>)> = HashMap::default();
        for word in &operation.errors {
            let group = word.value.starts_with('$');
            let codes: Vec<&'a SpannedText> = if group {
                self.resolve(SpecSection::Groups, word, references::UNKNOWN_GROUP);
                self.spec.groups.get(&word.value).into_iter().flat_map(|codes| &codes.value).collect()
            } else {
                self.resolve(SpecSection::Errors, word, references::UNKNOWN_ERROR);
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
            if self.resolve(SpecSection::Limits, limit, references::UNKNOWN_LIMIT) {
                self.limit_error(name, limit, &listed);
            }
        }
    }

    /// True if every code and group that an operation lists exists, so that one it lacks is lacking indeed.
    pub(super) fn all_known(&self, name: &str) -> bool {
        let known = |code: &SpannedText| self.exists(SpecSection::Errors, &code.value);
        let operation = self.spec.operations.get(name);
        operation.into_iter().flat_map(|operation| &operation.errors).all(|word| {
            match self.spec.groups.get(&word.value) {
                Some(codes) => codes.iter().all(known),
                None => known(word),
            }
        })
    }

    /// An operation has the error of each limit that bounds it, unless the framework answers with it anyway.
    fn limit_error(&mut self, name: &str, limit: &SpannedText, listed: &HashMap<&str, (SourceSpan, Option<&str>)>) {
        let Some(error) = self.spec.limits.get(&limit.value).and_then(|limit| limit.error.as_ref()) else { return };
        let framework = self.spec.is_implied(&error.value);
        let known = listed.contains_key(error.value.as_str()) || !self.spec.errors.contains_key(&error.value);
        let lost = self.damage.lacks(SpecSection::Operations, name, &["errors"])
            || self.damage.may_be_used(&error.value)
            || !self.all_known(name);
        if !known && !framework && !lost {
            let message =
                format!("the limit `{}` answers with `{}`, which is not in `errors`", limit.value, error.value);
            let complaint = Diagnostic::error(operations::LIMIT_WITHOUT_ERROR, limit.place, message);
            self.complain_once(&error.value, complaint.and(error.place, "the code"));
        }
    }
}
