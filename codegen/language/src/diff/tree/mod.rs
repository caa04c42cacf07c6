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

use super::node::{Kind, Node, Room, Value};
use crate::model::{Located, Number, Place, Spec, Text};

/// The whole spec, but for types and envelopes, which are compared where they are used.
pub(super) fn root(spec: &Spec) -> Node {
    let start = spec.service.as_ref().map_or_else(Place::default, |service| service.place);
    Node::thing(Kind::Root, "", start)
        .with(service::all(spec))
        .with(errors::all(spec))
        .with(operations::all(spec))
        .with(machines::all(spec))
}

/// A word that is always there.
fn word(kind: Kind, text: &Text) -> Node {
    Node::facet(kind, Value::Word(Some(text.value.clone())), text.place)
}

/// A word that may be missing.
fn choice(kind: Kind, text: Option<&Text>, otherwise: Place) -> Node {
    let place = text.map_or(otherwise, |text| text.place);
    Node::facet(kind, Value::Word(text.map(|text| text.value.clone())), place)
}

/// A word without a place of its own.
fn plain(kind: Kind, text: Option<&str>, place: Place) -> Node {
    Node::facet(kind, Value::Word(text.map(str::to_owned)), place)
}

/// A switch that may be left out, and is off then.
fn switch(kind: Kind, written: &Located<bool>, otherwise: Place) -> Node {
    flag(kind, written.value, written_at(written, otherwise))
}

/// The place of what is written; what is left out has the place of what it is a facet of.
fn written_at<T>(written: &Located<T>, otherwise: Place) -> Place {
    if written.place == Place::default() { otherwise } else { written.place }
}

fn flag(kind: Kind, on: bool, place: Place) -> Node {
    Node::facet(kind, Value::Flag(on), place)
}

/// Room up to a bound (or, not `most`, down to one).
fn room(kind: Kind, most: bool, bound: Option<(i128, String, Place)>, otherwise: Place) -> Node {
    let place = bound.as_ref().map_or(otherwise, |(_, _, place)| *place);
    let (at, shown) = match bound {
        Some((at, shown, _)) => (Some(at), shown),
        None => (None, "no bound".to_owned()),
    };
    let side = if most { "most" } else { "least" };
    Node::facet(kind, Value::Room(Room { most, at, shown, named: None }), place).keyed(side)
}

fn whole(number: &Located<u64>) -> (i128, String, Place) {
    (i128::from(number.value), number.value.to_string(), number.place)
}

/// A decimal; one that is out of range has been complained about.
fn decimal(number: &Located<Number>) -> Option<(i128, String, Place)> {
    Some((number.nanos()?, number.text().to_owned(), number.place))
}
