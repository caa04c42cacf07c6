//! The hand-written half of the generated routes: everything between axum and a handler.
//!
//! Holds: reading of credentials, headers, paths, queries and bodies as the spec declares them; failures and their
//! rendering in an envelope; the router's method, suffix and family rules; the types that proxied bodies and replies
//! travel in. May import `base` and axum. Does not know any operation: what exists is data in `generated`, handed in
//! as [`Operation`], [`Rules`] and [`CodeInfo`] statics.
//!
//! Invariants: whatever goes wrong between the socket and the handler is answered in the envelope of the operation,
//! or of the request's family where no operation matched; no credential reaches a handler ([`Cx`] has none); every
//! answer names its request id; nothing here retries, logs a body or keeps state between requests.
//!
//! Start reading at [`Routes`] (what happens to a request), then [`Call`] (how its parts are read).

mod auth;
mod body;
mod budget;
mod call;
mod claim;
mod code;
mod cors;
mod csv;
mod cx;
mod depth;
mod door;
mod envelope;
mod events;
mod expect;
mod failure;
mod family;
mod form;
mod head;
mod headed;
mod inflate;
mod kept;
mod limits;
pub mod machine;
mod names;
mod once;
mod operation;
mod params;
mod places;
mod refuse;
mod reply;
mod request_object;
mod router;
mod scan;
mod secret;
mod serve;
mod session;
mod skim;
mod slashes;
#[cfg(test)]
mod tests;
mod value;
pub mod wire;

pub use auth::{AuthFailure, Authenticate, Scheme};
pub use body::BodyLimit;
pub use budget::{Budget, Spent};
pub use call::{Answer, Call};
pub use claim::{ClaimReply, ClaimState, KeyClaim};
pub use code::{Code, CodeInfo, Declares, Kind, Retry, raise};
pub use csv::Table;
pub use cx::{ClientAddress, Cx};
pub use envelope::{Absent, Envelope, Piece, Slot};
pub use events::EventStream;
pub use expect::{AList, ANumber, AnObject, Dollars, Expect, Text, Whole};
pub use failure::{Failure, OperationError};
pub use family::Family;
pub use form::{Form, Part};
pub use head::{Head, HeadValue, Members, ProxyBody, Raw, Spanned};
pub use headed::{Headed, ReplyHeaders};
pub use limits::UsdBounds;
pub use names::WireName;
pub use once::{Asker, KeptAnswer, Keyed, Once, OnceEnd, OnceUnavailable, Turn};
pub use operation::{Framework, Operation, Probe, Route, Rules, Seen};
pub use params::Param;
pub use places::Places;
pub use reply::{BoxBody, ProxyReply, ProxyReplyBody};
pub use request_object::{MemberClass, RequestObject, is_kept_by_provider};
pub use router::{Answered, Bounds, Observe, RouterConfig, Routes};
pub use secret::ShownOnce;
pub use session::{BeginsSession, SessionCookies};
pub use skim::Skim;
pub use slashes::collapse_slashes;
pub use value::WithValue;
pub use wire::{Json, Map, Number, Rest, Unknown, WrittenUsd};

pub use crate::base::{Caller, Day, Moment, Principal, RequestId, Usd};
pub use crate::{__codes as codes, __kinds as kinds};
