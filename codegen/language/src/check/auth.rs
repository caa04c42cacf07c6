//! Names on the wire, auth schemes, proofs.

use std::collections::BTreeSet;

use super::{context::CheckContext, naming_style::NamingStyle};
use crate::{
    diagnostics::{Diagnostic, codes::errors, codes::references},
    map::{HashMap, HashSet},
    model::{FamilyPaths, SourceSpan, SpannedText, SpecSection},
};

impl CheckContext<'_> {
    pub(super) fn callers_and_names(&mut self) {
        self.wire_names();
        self.used_wire_names();
        self.tags();
        self.any_origin();
        let spec = self.spec;
        for (name, scheme) in &spec.auth {
            let carriers = scheme.header.is_some() || scheme.query.is_some() || scheme.cookie.is_some();
            let hurt = self.damage.lacks(SpecSection::Auth, name, &["header", "query", "cookie"]);
            if !carriers && !hurt {
                let message = format!("the scheme `{name}` does not say where the secret is");
                let complaint = Diagnostic::error(errors::SCHEME_SHAPE, scheme.place, message);
                self.complain(complaint.label("`header`, `query` or `cookie` is missing"));
            } else if scheme.prefix.is_some() && scheme.header.is_none() && !hurt {
                let message = format!("the scheme `{name}` has a `prefix` and no `header`");
                self.complain(Diagnostic::error(errors::SCHEME_SHAPE, scheme.place, message));
            }
        }
        for (name, proof) in &spec.proofs {
            if proof.evm.is_none()
                && proof.solana.is_none()
                && !self.damage.lacks(SpecSection::Proofs, name, &["evm", "solana"])
            {
                let message = format!("the proof `{name}` says nothing of what is signed");
                self.complain(Diagnostic::error(errors::PROOF_SHAPE, proof.place, message));
            }
        }
    }

    /// Each group that is described has an operation.
    fn tags(&mut self) {
        let ids = self.names(SpecSection::Operations);
        let groups: BTreeSet<&str> =
            ids.into_iter().filter_map(|id| id.split_once('.')).map(|(group, _)| group).collect();
        for (name, tag) in self.spec.service.iter().flat_map(|service| &service.tags) {
            if !groups.contains(name.as_str()) && !self.damage.may_be_used(name) {
                let known = |_: &Self| groups.iter().copied().collect();
                self.unknown(references::UNKNOWN_OPERATION, "group of operations", name, tag.place, known);
            }
        }
    }

    /// Below what is open to pages of any origin, nothing goes by a cookie.
    fn any_origin(&mut self) {
        let spec = self.spec;
        for prefix in spec.service.iter().flat_map(|service| &service.any_origin) {
            let shape = |message: String| Diagnostic::error(errors::ANY_ORIGIN_SHAPE, prefix.place, message);
            if !is_prefix(&prefix.value) {
                self.complain(shape(format!("`{}` is not a path prefix", prefix.value)));
                continue;
            }
            let below = |route: &SpannedText| is_below(route, &prefix.value);
            for (name, operation) in &spec.operations {
                let by_cookie =
                    |scheme: &SpannedText| spec.auth.get(&scheme.value).is_some_and(|scheme| scheme.cookie.is_some());
                let cookie = operation.session.is_some() || operation.auth.schemes().iter().any(by_cookie);
                if cookie && operation.all_routes().any(below) {
                    let complaint = shape(format!("`{name}` is below `{}` and goes by a cookie", prefix.value));
                    // One is enough to say that the prefix is wrong.
                    self.complain_once(&prefix.value, complaint.and(operation.place, "the operation"));
                }
            }
        }
    }

    /// Marks the names on the wire that headers, schemes, families and routes go by; those of answers are marked there.
    fn used_wire_names(&mut self) {
        let spec = self.spec;
        let operations = || spec.operations.values();
        let headers = operations().flat_map(|operation| operation.headers.keys().map(String::as_str));
        let schemes = spec.auth.values().filter_map(|scheme| Some(scheme.header.as_ref()?.value.as_str()));
        let families = spec.families.keys().filter_map(|family| FamilyPaths::parse(family)?.with);
        let named: HashSet<&str> = headers.chain(schemes).chain(families).collect();
        let routes = || operations().flat_map(|operation| operation.all_routes());
        let below = |prefix: &str| routes().any(|route| is_below(route, prefix));
        for (name, wire) in &spec.wire_names {
            if let Some(reader) = &wire.read_by {
                self.resolve(SpecSection::Actors, reader, references::UNKNOWN_ACTOR);
            }
            if wire.read_by.is_some() || named.contains(name.as_str()) || below(name) {
                self.mark_used(SpecSection::WireNames, name);
            }
        }
    }

    /// Checks that a name accepted for a header is that of a header, and one for a path prefix another prefix.
    fn accepted_form(&mut self, ours: &str, accepted: &str, place: SourceSpan) {
        if !ours.starts_with('/') {
            self.form(NamingStyle::Header, "header", accepted, place);
        } else if !is_prefix(accepted) {
            let mended = Some(format!("/{}", accepted.trim_matches('/'))).filter(|mended| is_prefix(mended));
            let message = format!("`{accepted}` is not a path prefix");
            self.complain(Diagnostic::error(errors::FAMILY_FORM, place, message).suggest(mended));
        }
    }

    /// Each name that is accepted on the wire belongs to one of ours, and none is the header of a credential.
    fn wire_names(&mut self) {
        let spec = self.spec;
        let headers = spec.auth.values().filter_map(|scheme| scheme.header.as_ref());
        let headers = headers.map(|header| (header.value.as_str(), header.place));
        let ours = spec.wire_names.iter().map(|(ours, entry)| (ours.as_str(), entry.place));
        // Our own names are ours before anything accepts them; the last says whether it does.
        let mut owners: HashMap<String, (&str, SourceSpan, bool)> =
            headers.chain(ours).map(|(name, place)| (name.to_ascii_lowercase(), (name, place, false))).collect();
        for (ours, entry) in &spec.wire_names {
            for SpannedText { value: accepted, place } in &entry.accepts {
                self.accepted_form(ours, accepted, *place);
                let (owner, first, listed) =
                    owners.entry(accepted.to_ascii_lowercase()).or_insert((ours, *place, false));
                if owner == ours && !*listed {
                    (*first, *listed) = (*place, true);
                    continue;
                }
                let message = if owner == ours {
                    format!("`{accepted}` is there twice")
                } else if accepted == owner {
                    format!("`{accepted}` is a header of its own")
                } else {
                    format!("`{accepted}` already stands for `{owner}`")
                };
                let complaint =
                    Diagnostic::error(errors::WIRE_NAME_TAKEN, *place, message).and(*first, "the first one");
                let owner = *owner;
                self.complain(complaint);
                // What is taken away from it by this mistake is not missing too.
                self.mark_used(SpecSection::WireNames, owner);
            }
        }
    }
}

/// True for a path prefix.
pub(super) fn is_prefix(text: &str) -> bool {
    FamilyPaths::parse(text).is_some_and(|paths| paths.prefix == text)
}

/// True if the path of a route is a prefix, or goes on below it.
pub(super) fn is_below(route: &SpannedText, prefix: &str) -> bool {
    let path = route.value.split_once(' ').map_or("", |(_, path)| path.trim_start());
    let rest = path.strip_prefix(prefix.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
