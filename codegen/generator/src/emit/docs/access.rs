//! Who is calling: keys, sessions, names of headers, proofs.

use askama::Template;

use super::markup::{escaped, rendered};
use super::site::DocsPage;
use crate::emit::reference::proof_blocks;
use crate::emit::text;
use crate::model::RoleHolder;
use crate::resolve::ResolvedSpec;

#[derive(Template)]
#[template(path = "docs/access.html")]
struct AccessPage {
    schemes: Vec<SchemeSection>,
    roles: Vec<RoleSection>,
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

/// The roles of operators or of members, and what they may call.
struct RoleSection {
    heading: &'static str,
    anchor: String,
    about: &'static str,
    /// Anchor, name, the roles that it includes, its rights.
    roles: Vec<(String, String, String, String)>,
    rights: Vec<RightsRow>,
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
    let ResolvedSpec { auth, wire_names, proofs, .. } = page.site.lowered;
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
    rendered(&AccessPage {
        schemes: auth.iter().map(scheme).collect(),
        roles: RoleHolder::ALL.into_iter().filter_map(|holder| roles(page, holder)).collect(),
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

/// The roles of such callers, where there are any.
fn roles(page: &DocsPage<'_, '_>, holder: RoleHolder) -> Option<RoleSection> {
    let roles = Some(page.site.lowered.roles_for(holder)).filter(|roles| !roles.is_empty())?;
    let (heading, about) = text::roles(holder);
    let role = |(name, role): (&&str, &crate::resolve::ResolvedRole<'_>)| {
        (role_anchor(holder, name), (*name).to_owned(), role.includes.join(", "), page.words(role.doc))
    };
    let (roles, rights) = (roles.iter().map(role).collect(), rights(page, holder));
    Some(RoleSection { heading, anchor: text::anchor(heading), about, roles, rights })
}

/// The anchor of a role.
pub(super) fn role_anchor(holder: RoleHolder, name: &str) -> String {
    let kind = match holder {
        RoleHolder::Operator => "role",
        RoleHolder::Member => "member-role",
    };
    format!("{kind}-{name}")
}

/// The operations that they may call and that are served, in the order of the spec.
fn rights(page: &DocsPage<'_, '_>, holder: RoleHolder) -> Vec<RightsRow> {
    let lowered = page.site.lowered;
    let served = lowered.operations.iter().filter(|(_, operation)| !operation.planned);
    let theirs = served.filter(|(_, operation)| !operation.roles_for(holder).is_empty());
    let rows = theirs.map(|(id, operation)| RightsRow {
        operation: page.operation(id),
        by: lowered.roles_for(holder).keys().map(|role| operation.roles_for(holder).contains(role)).collect(),
    });
    rows.collect()
}
