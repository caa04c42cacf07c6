//! A spec as what is compared of it: one file here per matter.
//!
//! Facets are always there, also where nothing is written: their place is then that of what they are a facet of. So
//! every difference has a place on both sides. What only readers notice (`doc`, `from`, `fact`) is not compared, and
//! nothing of operations that are not served yet.

mod errors;
mod machines;
mod operations;
mod service;
mod shapes;

pub(super) use self::{errors::envelope, shapes::shape};

use super::node::{DiffNode, FacetKind, FacetValue, ValueRoom};
use crate::model::{SourceSpan, SpannedText, SpannedValue, Spec, WrittenNumber};

/// The whole spec, but for types and envelopes, which are compared where they are used.
pub(super) fn root(spec: &Spec) -> DiffNode {
    let start = spec.service.as_ref().map_or_else(SourceSpan::default, |service| service.place);
    DiffNode::thing(FacetKind::Root, "", start)
        .with(service::all(spec))
        .with(errors::all(spec))
        .with(operations::all(spec))
        .with(machines::all(spec))
}

/// A word that is always there.
fn word(kind: FacetKind, text: &SpannedText) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Word(Some(text.value.clone())), text.place)
}

/// A word that may be missing.
fn choice(kind: FacetKind, text: Option<&SpannedText>, otherwise: SourceSpan) -> DiffNode {
    let place = text.map_or(otherwise, |text| text.place);
    DiffNode::facet(kind, FacetValue::Word(text.map(|text| text.value.clone())), place)
}

/// A word without a place of its own.
fn plain(kind: FacetKind, text: Option<&str>, place: SourceSpan) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Word(text.map(str::to_owned)), place)
}

/// A switch that may be left out, and is off then.
fn switch(kind: FacetKind, written: &SpannedValue<bool>, otherwise: SourceSpan) -> DiffNode {
    flag(kind, written.value, written_at(written, otherwise))
}

/// The place of what is written; what is left out has the place of what it is a facet of.
fn written_at<T>(written: &SpannedValue<T>, otherwise: SourceSpan) -> SourceSpan {
    if written.place == SourceSpan::default() { otherwise } else { written.place }
}

fn flag(kind: FacetKind, on: bool, place: SourceSpan) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Flag(on), place)
}

/// Room up to a bound (or, not `most`, down to one).
fn room(kind: FacetKind, most: bool, bound: Option<(i128, String, SourceSpan)>, otherwise: SourceSpan) -> DiffNode {
    let place = bound.as_ref().map_or(otherwise, |(_, _, place)| *place);
    let (at, shown) = match bound {
        Some((at, shown, _)) => (Some(at), shown),
        None => (None, "no bound".to_owned()),
    };
    let side = if most { "most" } else { "least" };
    DiffNode::facet(kind, FacetValue::Room(ValueRoom { most, at, shown, named: None }), place).keyed(side)
}

fn whole(number: &SpannedValue<u64>) -> (i128, String, SourceSpan) {
    (i128::from(number.value), number.value.to_string(), number.place)
}

/// A decimal; one that is out of range has been complained about.
fn decimal(number: &SpannedValue<WrittenNumber>) -> Option<(i128, String, SourceSpan)> {
    Some((number.nanos()?, number.text().to_owned(), number.place))
}
