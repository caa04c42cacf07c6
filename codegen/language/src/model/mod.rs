//! What the files of `spec/` say, as written: one struct per kind of entry, nothing resolved yet.
//!
//! These types are the spec language. Their `JsonSchema` is what the structural check walks and what editors
//! complete from, so the two cannot disagree; their `Deserialize` reads the checked tree item by item.
//! Every file has the same shape ([`SpecFile`]); all files together are one namespace, [`Spec`].
//!
//! Invariants: no type here is `#[serde(untagged)]` (it would lose places); a choice between shapes is made by the
//! kind of the YAML node alone (word, list or mapping), in the types of [`crate::shape_choice`]. A name that others refer
//! to is a key with its place ([`SpecEntry`]); a word that refers to one is a [`SpannedText`] with its own place.
//!
//! Start at [`Spec`], then [`DeclaredOperation`] and [`DeclaredType`].

use crate::map::IndexMap;
pub use crate::parse::{FileId, SourceSpan, SpannedValue, SpecEntry};

mod errors;
mod examples;
mod expr;
mod facts;
mod file;
mod framework;
mod machines;
mod operations;
mod origin;
mod primitive;
mod requests;
mod roles;
mod route;
mod runtime;
mod secret;
mod section;
mod service;
mod session_effect;
mod style;
mod target_names;
mod types;

pub use self::{
    errors::{DeclaredErrorCode, DeclaredKind, RetryAdvice, WithType},
    examples::{Example, ExampleAnswer, ExampleRequest, Fixture, FixturePlaceholder, SUCCESS, UntoldCodes},
    expr::{BaseType, ExprError, TypeExpr, is_upper_camel},
    facts::{Fact, FactStatus, Gap, SourceDocument, SourcePart},
    file::{Spec, SpecFile},
    framework::{
        BODY_BYTES, BODY_TOO_LARGE, CALLER_CONFLICT, FIRST_REQUEST_ID, FRAMEWORK_EVENTS, FrameworkEvent, KEY_MISSING,
        REPLAYED, REQUEST_ID, ROLE_MISSING, RUNTIME_HEADERS, RUNTIME_LIMITS, RuntimeCause, RuntimeHeader, RuntimeLimit,
        SHOULD_RETRY, TAGS,
    },
    machines::{DeclaredEffect, DeclaredGuard, DeclaredMachine, DeclaredMove, DeclaredRow, EffectPlace},
    operations::{
        DeclaredBranch, DeclaredCsv, DeclaredData, DeclaredDeprecation, DeclaredOperation, DeclaredPages,
        DeclaredStream, OperationStage, StreamSwitch,
    },
    origin::EntryOrigin,
    primitive::Primitive,
    requests::{DeclaredMemberClass, DeclaredMemberClasses, DeclaredRequestObject, FormatName, TextClass},
    roles::RoleHolder,
    route::{DeclaredRoute, FamilyPaths, PathParameter, PathSegment, RouteMethod},
    secret::SecretKind,
    section::SpecSection,
    service::{
        AuthScheme, CallerKind, DeclaredLimit, DeclaredProof, DeclaredRail, DeclaredRole, DeclaredService,
        DeclaredWireName, DocsPolicy, Ed25519Proof, EvmProof, ExamplesPolicy, LimitBound, LimitUnit,
    },
    session_effect::SessionEffect,
    style::{DeclaredEnvelope, DeclaredFamily, EnvelopeStyle, PerStyle},
    target_names::TargetNames,
    types::{DeclaredShape, DeclaredType, UnionTag},
};
pub use crate::shape_choice::{
    ByteCount, DeclaredBody, DeclaredField, DeclaredFields, DeclaredSession, DeclaredStates, DeclaredVariant,
    EnumWords, OneOrMore, OperationAuth, PublicWord, SpannedJson, WordOr, WrittenNumber,
};

/// A word of the spec, with its place.
pub type SpannedText = SpannedValue<String>;

/// Named entries in the order they are written, each with the place of its key.
pub type EntryMap<T> = IndexMap<String, SpecEntry<T>>;
