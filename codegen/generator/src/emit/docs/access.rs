//! Who is calling: keys, sessions, names of headers, proofs.

use askama::Template;

use super::markup::{escaped, rendered};
use super::site::DocsPage;
use crate::emit::reference::proof_blocks;
use crate::resolve::ResolvedSpec;

#[derive(Template)]
#[template(path = "docs/access.html")]
struct AccessPage {
    schemes: Vec<SchemeSection>,
    /// Name, the roles that it includes, its rights.
    roles: Vec<(String, String, String)>,
    rights: Vec<RightsRow>,
    /// Name, what it is accepted as, what it carries.
    names: Vec<(String, Vec<String>, String)>,
    proofs: Vec<ProofSection>,
}

struct SchemeSection {
    name: String,
    about: String,
    places: Vec<String>,
    gives: String,
}

/// An operation, as a link, and for each role whether it may call it.
struct RightsRow {
    operation: String,
    by: Vec<bool>,
}

struct ProofSection {
    name: String,
    about: Vec<String>,
    /// Headings and what stands below them as it is.
    blocks: Vec<(String, String)>,
}

pub(super) fn content(page: &DocsPage<'_, '_>) -> String {
    let ResolvedSpec { auth, roles, wire_names, proofs, .. } = page.site.lowered;
    let scheme = |(name, scheme): (&&str, &crate::resolve::ResolvedScheme<'_>)| {
        let header = scheme.header.map(|header| format!("{header}: {}…", scheme.prefix.unwrap_or_default()));
        let query = scheme.query.map(|query| format!("?{query}=…"));
        let cookie = scheme.cookie.map(|cookie| format!("Cookie: {cookie}=…"));
        SchemeSection {
            name: (*name).to_owned(),
            about: page.words(scheme.doc.unwrap_or_default()),
            places: [header, query, cookie].into_iter().flatten().collect(),
            gives: scheme.gives.join(", "),
        }
    };
    let proof = |(name, proof): (&&str, &crate::resolve::ResolvedProof<'_>)| ProofSection {
        name: (*name).to_owned(),
        about: proof.doc.unwrap_or_default().split("\n\n").map(|paragraph| page.words(paragraph)).collect(),
        blocks: proof_blocks(proof)
            .into_iter()
            .map(|(heading, block)| (page.words(&heading), escaped(&block)))
            .collect(),
    };
    let role = |(name, role): (&&str, &crate::resolve::ResolvedRole<'_>)| {
        ((*name).to_owned(), role.includes.join(", "), page.words(role.doc))
    };
    rendered(&AccessPage {
        schemes: auth.iter().map(scheme).collect(),
        roles: roles.iter().map(role).collect(),
        rights: rights(page),
        names: wire_names
            .iter()
            .map(|(name, wire)| {
                let accepts = wire.accepts.iter().map(|name| (*name).to_owned()).collect();
                ((*name).to_owned(), accepts, page.words(wire.doc.unwrap_or_default()))
            })
            .collect(),
        proofs: proofs.iter().map(proof).collect(),
    })
}

/// The operations of operators that are served, in the order of the spec.
fn rights(page: &DocsPage<'_, '_>) -> Vec<RightsRow> {
    let ResolvedSpec { operations, roles, .. } = page.site.lowered;
    let of_operators = operations.iter().filter(|(_, operation)| !operation.planned && !operation.roles.is_empty());
    let rows = of_operators.map(|(id, operation)| RightsRow {
        operation: page.operation(id),
        by: roles.keys().map(|role| operation.roles.contains(role)).collect(),
    });
    rows.collect()
}
