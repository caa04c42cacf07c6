//! The service as its clients see it: what is served, what goes in, what comes out, what may go wrong.
//!
//! Read from the bytes of `resolved.json`, or of the sections that it is made of, and from nothing else, whether they were made a
//! moment ago or by somebody else: whatever OpenAPI and the clients say can therefore be said by any other generator too. Nothing
//! in here is specific to a language or a document; each has its own folder under `emit`.
//!
//! Invariants: planned operations are left out, and so are types that nothing served speaks of; names that stand in a
//! [`Document`] exist in it, or reading it fails.

mod call;
mod cases;
mod document;
mod errors;
mod made;
mod names;
mod read;
mod refusal;
mod reply;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use self::names::Names;
pub(crate) use self::read::{VERSION, asked, named_in, reached, received, served};
pub(crate) use self::request::{in_path, in_query, told};
pub use self::{
    call::{Call, Credential, Group, Parameter, Place, calls},
    cases::{Answered, Case, SentBody, case, cases},
    document::{
        Body, Bounds, Branch, Csv, Document, Envelope, ErrorCode, Example, Expected, Face, Family, Field, Fixture,
        Limit, Named, Operation, Pages, Passed, Proof, Route, Scheme, Sent, Service, Shape, Stream, Ty, TypeDef,
        Variant, WireName, Word,
    },
    errors::{Answer, Marker, Slots, codes, faces, marker, slots},
    read::{Unreadable, read},
    refusal::refusal,
    reply::{Reply, reply},
    request::{Request, Values, filled, samples},
};
