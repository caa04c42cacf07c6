//! Facets: words, switches and bounds as nodes.

use super::super::node::{DiffNode, FacetKind, FacetValue, ValueRoom};
use crate::model::{SourceSpan, SpannedText, SpannedValue, WrittenNumber};

/// A word that is always there.
pub(super) fn word(kind: FacetKind, text: &SpannedText) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Word(Some(text.value.clone())), text.place)
}

/// A word that may be missing.
pub(super) fn choice(kind: FacetKind, text: Option<&SpannedText>, otherwise: SourceSpan) -> DiffNode {
    let place = text.map_or(otherwise, |text| text.place);
    DiffNode::facet(kind, FacetValue::Word(text.map(|text| text.value.clone())), place)
}

/// A word without a place of its own.
pub(super) fn plain(kind: FacetKind, text: Option<&str>, place: SourceSpan) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Word(text.map(str::to_owned)), place)
}

/// A switch that may be left out, and is off then.
pub(super) fn switch(kind: FacetKind, written: &SpannedValue<bool>, otherwise: SourceSpan) -> DiffNode {
    flag(kind, written.value, written_at(written, otherwise))
}

/// The place of what is written; what is left out has the place of what it is a facet of.
pub(super) fn written_at<T>(written: &SpannedValue<T>, otherwise: SourceSpan) -> SourceSpan {
    if written.place == SourceSpan::default() { otherwise } else { written.place }
}

pub(super) fn flag(kind: FacetKind, on: bool, place: SourceSpan) -> DiffNode {
    DiffNode::facet(kind, FacetValue::Flag(on), place)
}

/// Room up to a bound (or, not `most`, down to one).
pub(super) fn room(
    kind: FacetKind,
    most: bool,
    bound: Option<(i128, String, SourceSpan)>,
    otherwise: SourceSpan,
) -> DiffNode {
    let place = bound.as_ref().map_or(otherwise, |(_, _, place)| *place);
    let (at, shown) = match bound {
        Some((at, shown, _)) => (Some(at), shown),
        None => (None, "no bound".to_owned()),
    };
    let side = if most { "most" } else { "least" };
    DiffNode::facet(kind, FacetValue::Room(ValueRoom { most, at, shown, named: None }), place).keyed(side)
}

pub(super) fn whole(number: &SpannedValue<u64>) -> (i128, String, SourceSpan) {
    (i128::from(number.value), number.value.to_string(), number.place)
}

/// A decimal; one that is out of range has been complained about.
pub(super) fn decimal(number: &SpannedValue<WrittenNumber>) -> Option<(i128, String, SourceSpan)> {
    Some((number.nanos()?, number.text().to_owned(), number.place))
}
