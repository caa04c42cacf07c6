//! What the files of `spec/` say, as written: one struct per kind of entry, nothing resolved yet.
//!
//! These types are the spec language. Their `JsonSchema` is what the structural check walks and what editors
//! complete from, so the two cannot disagree; their `Deserialize` reads the checked tree item by item.
//! Every file has the same shape ([`File`]); all files together are one namespace, [`Spec`].
//!
//! Invariants: no type here is `#[serde(untagged)]` (it would lose places); a choice between shapes is made by the
//! kind of the YAML node alone (word, list or mapping), in the types of [`crate::choice`]. A name that others refer
//! to is a key with its place ([`Entry`]); a word that refers to one is a [`Text`] with its own place.
//!
//! Start at [`Spec`], then [`Operation`] and [`Type`].

use crate::map::IndexMap;

pub use crate::parse::{Entry, FileId, Located, Place};

mod errors;
mod examples;
mod expr;
mod facts;
mod file;
mod machines;
mod operations;
mod origin;
mod primitive;
mod requests;
mod route;
mod section;
mod service;
mod style;
mod types;

pub use self::{
    errors::{ErrorCode, FRAMEWORK_EVENTS, Retry, WithType},
    examples::{Example, Expected, Fixture, Placeholder, SUCCESS, Sent, Untold},
    expr::{Base, ExprError, TypeExpr, is_upper_camel},
    facts::{Fact, FactStatus, Gap, Part, Source},
    file::{File, Spec},
    machines::{Effect, EffectPlace, Guard, Machine, Move, Row},
    operations::{Branch, Csv, Names, Operation, Pages, SessionEffect, Stage, Stream, Switch},
    origin::Origin,
    primitive::Primitive,
    requests::{Class, Classes, FormatName, RequestObject, TextClass},
    route::{FamilyPaths, Method, Parameter, Route, Segment},
    section::Section,
    service::{
        Bound, CallerKind, Docs, Ed25519Proof, EvmProof, Limit, Proof, RUNTIME_LIMITS, Rail, Scheme, Service, Wanted,
        WireName,
    },
    style::{Envelope, PerStyle, Style},
    types::{Secret, Shape, Type, Union},
};
pub use crate::choice::{
    Auth, Body, ByteCount, EnumWords, Field, Fields, Number, OneOrMore, Public, States, Value, Variant, WordOr,
};

/// A word of the spec, with its place.
pub type Text = Located<String>;

/// Named entries in the order they are written, each with the place of its key.
pub type Entries<T> = IndexMap<String, Entry<T>>;
