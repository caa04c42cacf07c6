//! Names on the wire, auth schemes, proofs.

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, codes::errors},
    map::HashMap,
    model::{Entry, Place, Section},
};

impl Context<'_> {
    pub(super) fn callers_and_names(&mut self) {
        self.wire_names();
        let spec = self.spec;
        for (name, scheme) in &spec.auth {
            let carriers = scheme.header.is_some() || scheme.query.is_some() || scheme.cookie.is_some();
            let hurt = self.damage.lacks(Section::Auth, name, &["header", "query", "cookie"]);
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
                && !self.damage.lacks(Section::Proofs, name, &["evm", "solana"])
            {
                let message = format!("the proof `{name}` says nothing of what is signed");
                self.complain(Diagnostic::error(errors::PROOF_SHAPE, proof.place, message));
            }
        }
    }

    /// Each name that is accepted on the wire belongs to one of ours.
    fn wire_names(&mut self) {
        let mut owners: HashMap<String, (&str, Place)> = HashMap::default();
        for (ours, Entry { value, .. }) in &self.spec.wire_names {
            for accepted in &value.accepts {
                let spelling = accepted.value.to_ascii_lowercase();
                let Some((owner, first)) = owners.get(&spelling) else {
                    owners.insert(spelling, (ours, accepted.place));
                    continue;
                };
                let message = if owner == ours {
                    format!("`{}` is there twice", accepted.value)
                } else {
                    format!("`{}` already stands for `{owner}`", accepted.value)
                };
                let complaint = Diagnostic::error(errors::WIRE_NAME_TAKEN, accepted.place, message);
                self.complain(complaint.and(*first, "the first one"));
            }
        }
    }
}
