//! Floor 1: the HTTP runtime of the operations in `spec/`, and the Rust generated from it ([`generated`]).
//!
//! Holds everything between axum and a handler: reading of credentials, headers, paths, queries and bodies as the spec
//! declares them; failures and their rendering in an envelope; the router's method, suffix and family rules; the types
//! that proxied bodies and replies travel in. Imports `base` and the macros. Does not know any operation: what exists is data in `generated`, handed in
//! as [`Operation`], [`Rules`] and [`CodeInfo`] statics.
//!
//! Invariants: whatever goes wrong between the socket and the handler is answered in the envelope of the operation,
//! or of the request's family where no operation matched; no credential reaches a handler ([`Cx`] has none); every
//! answer names its request id; nothing here retries, logs a body or keeps state between requests.
//!
//! Start reading at [`Routes`] (what happens to a request), then [`Call`] (how its parts are read); for Idempotency-Keys at
//! [`IdempotentRequest`].

mod answer_headers;
mod auth;
mod authenticate;
mod body;
mod body_limit;
mod body_memory;
mod call;
mod claim;
mod code;
mod code_info;
mod constraints;
mod cors;
mod csv;
mod depth;
mod dispatched_request;
mod envelope;
mod envelope_rendering;
mod events;
mod failure;
mod family;
mod fast_scan;
mod form;
mod framework;
#[rustfmt::skip] // as the generator wrote it
#[allow(unused_qualifications, reason = "generated code spells its paths out, so that it stands in any crate")]
pub mod generated;
mod head;
mod head_value;
mod idempotency;
mod idempotent_request;
mod if_match;
mod in_flight;
mod inflate;
mod kept_answer;
mod limits;
pub mod machine;
mod names;
mod observer;
mod operation;
mod page_limit;
mod pages;
mod params;
mod permit_body;
mod probe;
mod refuse;
mod reply;
mod reply_headers;
mod request_context;
mod request_digest;
mod request_object;
mod router;
mod router_config;
mod router_context;
mod rules;
mod scan;
mod scheme;
mod secret;
mod serve;
mod session;
mod signed_in_pages;
mod slashes;
#[cfg(test)]
mod tests;
mod value;
pub mod wire;

/// What the macros make calls the runtime as `crate::api`, in whichever crate it stands.
pub extern crate self as api;

pub use auth::{AuthFailure, Authenticate};
pub use body_limit::BodyLimit;
pub use body_memory::{BodyMemory, BodyMemoryPermit};
pub use call::Call;
pub use claim::{ClaimReply, ClaimState, IdempotencyOutcome, KeyClaim};
pub use code::{Code, Declares, raise};
pub use code_info::{CodeInfo, Kind, Retry};
pub use constraints::{AList, ANumber, AnObject, Dollars, Text, ValueConstraint, Whole};
pub use csv::Table;
pub use envelope::{Absent, Envelope, Piece, Slot};
pub use events::EventStream;
pub use failure::{Failure, OperationError};
pub use family::Family;
pub use fast_scan::FastScanner;
pub use form::{FormPart, MultipartForm};
pub use framework::Framework;
pub use head::{Head, Members, ProxyBody, Spanned};
pub use head_value::{HeadValue, Raw};
pub use idempotency::{IdempotencyUnavailable, Once};
pub use idempotent_request::{Asker, IdempotentRequest};
pub use if_match::{is_version, version_of};
pub use in_flight::{GroupBounds, InFlightRequests};
pub use kept_answer::{IdempotentEnd, KeptAnswer};
pub use limits::UsdBounds;
pub use names::WireName;
pub use observer::{ObservedResponse, ResponseObserver};
pub use operation::{Deprecation, Operation, Route};
pub use page_limit::PageLimit;
pub use params::ParamValue;
pub use probe::{Probe, Seen};
pub use reply::{Answer, BoxBody, ProxyReply, ProxyReplyBody};
pub use reply_headers::{Headed, ReplyHeaders};
pub use request_context::{ClientAddress, Cx};
pub use request_object::{MemberClass, RequestObject, is_kept_by_provider};
pub use router::Routes;
pub use router_config::{OperatorRoutes, RouterBounds, RouterConfig};
pub use rules::Rules;
pub use scheme::Scheme;
pub use secret::ShownOnce;
pub use session::{BeginsSession, SessionCookies};
pub use signed_in_pages::{RefusalPage, SignedInPages, VisitRefusal};
pub use slashes::collapse_slashes;
pub use value::WithValue;
pub use wire::{Json, Map, Number, Rest, TextOrList, Unknown, WrittenUsd};

pub use crate::{__codes as codes, __kinds as kinds};
pub use tollgate_base::{Caller, Day, Moment, OperatorCaller, Principal, RequestId, Usd};
