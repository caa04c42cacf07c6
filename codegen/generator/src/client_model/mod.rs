//! The service as its clients see it: what is served, what goes in, what comes out, what may go wrong.
//!
//! Read from the bytes of `resolved.json`, or of the sections that it is made of, and from nothing else, whether they were made a
//! moment ago or by somebody else: whatever OpenAPI and the clients say can therefore be said by any other generator too. Nothing
//! in here is specific to a language or a document; each has its own folder under `emit`.
//!
//! Invariants: planned operations are left out, and so are types that nothing served speaks of; names that stand in a
//! [`ApiDocument`] exist in it, or reading it fails.

mod api_type;
mod call;
mod cases;
mod document;
mod errors;
mod example_case;
mod framework_cases;
mod names;
mod read;
mod refusal;
mod reply;
mod request;
#[cfg(test)]
mod tests;

pub(crate) use self::names::UnionVariantNames;
pub(crate) use self::read::{VERSION, asked, named_in, reached, received, served};
pub(crate) use self::request::{in_path, in_query, joined_word};
pub use self::{
    api_type::{ApiBounds, ApiEnumWord, ApiField, ApiShape, ApiTargetNames, ApiType, ApiTypeDef, ApiVariant},
    call::{ApiCall, CallCredential, CallGroup, CallParameter, ParameterPlace, calls},
    cases::cases,
    document::{
        ApiBody, ApiBranch, ApiCsv, ApiDocument, ApiEnvelope, ApiErrorCode, ApiExample, ApiExampleAnswer,
        ApiExampleRequest, ApiFixture, ApiLimit, ApiOperation, ApiPages, ApiPassedBody, ApiPathFamily, ApiProof,
        ApiRoute, ApiScheme, ApiService, ApiStream, ApiWireError, ApiWireName,
    },
    errors::{ErrorAnswer, ErrorMarker, ErrorMemberPaths, codes, faces, marker, slots},
    example_case::{CaseAnswer, CaseBody, ExampleCase, case},
    read::{DocumentError, read},
    refusal::refusal,
    reply::{ApiReply, media, reply},
    request::{FixtureValues, Request, filled, samples},
};
