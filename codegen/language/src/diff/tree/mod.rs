//! A spec as what is compared of it: one file here per matter.
//!
//! Facets are always there, also where nothing is written: their place is then that of what they are a facet of. So
//! every difference has a place on both sides. What only readers notice (`doc`, `from`, `fact`) is not compared, and
//! nothing of operations that are not served yet.

mod errors;
mod facets;
mod machines;
mod operations;
mod service;
mod shapes;

pub(super) use self::{errors::envelope, shapes::shape};
use super::node::{DiffNode, FacetKind};
use crate::model::{SourceSpan, Spec};

/// The whole spec, but for types and envelopes, which are compared where they are used.
pub(super) fn root(spec: &Spec) -> DiffNode {
    let start = spec.service.as_ref().map_or_else(SourceSpan::default, |service| service.place);
    DiffNode::thing(FacetKind::Root, "", start)
        .with(service::all(spec))
        .with(errors::all(spec))
        .with(operations::all(spec))
        .with(machines::all(spec))
}
