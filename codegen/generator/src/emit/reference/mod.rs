//! `reference.md`: the service for those who call it.

mod errors;
mod examples;
mod operations;
mod proofs;
mod requests;
mod tables;
mod types;

use askama::Template;

pub(super) use self::proofs::blocks as proof_blocks;
pub(super) use self::tables::bound;
use super::text::bytes;
use crate::client_model::{ApiDocument, ExampleCase};
use crate::resolve::ResolvedSpec;

#[derive(Template)]
#[template(path = "reference.md", escape = "none")]
struct ReferencePage<'l> {
    title: &'l str,
    about: &'l str,
    groups: Vec<operations::ReferenceGroup>,
    schemes: Vec<tables::SchemeRow>,
    names: Vec<tables::NameRow>,
    runtime_headers: Vec<tables::NameRow>,
    roles: Vec<tables::RoleTable>,
    proofs: Vec<proofs::ProofText>,
    types: Vec<types::TypeText>,
    envelopes: Vec<errors::EnvelopeText>,
    errors: Vec<errors::ErrorRow>,
    objects: Vec<requests::ObjectText>,
    limits: Vec<tables::LimitRow>,
    rails: Vec<tables::RailRow>,
}

pub(super) fn generate(lowered: &ResolvedSpec<'_>, document: &ApiDocument, cases: &[ExampleCase<'_>]) -> Vec<u8> {
    let reference = ReferencePage {
        title: lowered.service.title,
        about: lowered.service.doc.unwrap_or_default().trim_end(),
        groups: operations::groups(lowered, &examples::examples(document, cases)),
        schemes: tables::schemes(lowered),
        names: tables::names(lowered),
        runtime_headers: tables::runtime_headers(lowered),
        roles: tables::roles(lowered),
        proofs: proofs::proofs(lowered),
        types: types::types(lowered),
        envelopes: errors::envelopes(lowered),
        errors: errors::errors(lowered),
        objects: requests::objects(lowered),
        limits: tables::limits(lowered),
        rails: tables::rails(lowered),
    };
    bytes(reference.render().expect("writing to a string cannot fail"))
}
