//! The operations of the spec, and its rules for requests that match none, as data.

use std::time::Duration;

use http::{HeaderMap, Method};

use super::params::query_pairs;
use super::{BodyLimit, CodeInfo, Envelope, Failure, Family, Scheme, WireName};

/// One operation of the spec.
#[derive(Debug)]
pub struct Operation {
    /// `chat.create`.
    pub id: &'static str,
    /// The place of its declaration: `spec/operations/chat.yaml:4`.
    pub spec: &'static str,
    /// Every method and path that leads to it, aliases included.
    pub routes: &'static [Route],
    /// The accepted ways to show a key, in the order of their precedence; empty for public operations.
    pub schemes: &'static [&'static Scheme],
    /// The shape of its errors, where the request does not choose one.
    pub envelope: &'static Envelope,
    /// Chooses the shape of its errors by the probes that the request has.
    pub select: Option<fn(Seen) -> &'static Envelope>,
    /// The probes that `select` asks about; bit `n` of [`Seen`] answers probe `n`.
    pub probes: &'static [Probe],
    /// The one HTTP status of all answers, failures included.
    pub always_http: Option<u16>,
    /// The cap on its body.
    pub body: BodyLimit,
    /// True if the handler waits for an upstream, and may take that long.
    pub proxy: bool,
    /// True if it is carried out once for each Idempotency-Key.
    pub once: bool,
}

impl Operation {
    /// An operation that anyone may call, without a route yet; the generated statics say what is different.
    #[must_use]
    pub const fn new(id: &'static str, spec: &'static str, envelope: &'static Envelope) -> Self {
        Self {
            id,
            spec,
            routes: &[],
            schemes: &[],
            envelope,
            select: None,
            probes: &[],
            always_http: None,
            body: BodyLimit { bytes: 0, over: None },
            proxy: false,
            once: false,
        }
    }
}

impl Operation {
    /// True if it tells about the service itself: it is answered also while others are turned away.
    #[must_use]
    pub fn is_about_service(&self) -> bool {
        self.id.starts_with("service.")
    }
}

/// One way to an operation.
#[derive(Debug)]
pub struct Route {
    /// The method.
    pub method: Method,
    /// The path, with `{name}` for one segment and a final `{*name}` for the rest.
    pub path: &'static str,
    /// The end that the last segment must have (`:generateContent`); not part of the parameter's value.
    pub suffix: Option<&'static str>,
}

impl Route {
    /// A method and a path.
    #[must_use]
    pub const fn new(method: Method, path: &'static str) -> Self {
        Self { method, path, suffix: None }
    }

    /// A method and a path whose last segment ends with a verb.
    #[must_use]
    pub const fn with_suffix(method: Method, path: &'static str, suffix: &'static str) -> Self {
        Self { method, path, suffix: Some(suffix) }
    }
}

/// Something a request may have.
#[derive(Debug)]
pub enum Probe {
    /// A header, under any of its names.
    Header(&'static WireName),
    /// A query parameter.
    Query(&'static str),
}

impl Probe {
    pub(super) fn is_in(&self, headers: &HeaderMap, query: Option<&str>) -> bool {
        match self {
            Self::Header(name) => name.is_in(headers),
            Self::Query(name) => query_pairs(query).any(|(key, _)| key == *name),
        }
    }
}

/// The probes of an operation that the request has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen(u32);

impl Seen {
    /// True if the request has what probe `index` asks about.
    #[must_use]
    pub const fn has(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }

    pub(super) fn of(probes: &[Probe], headers: &HeaderMap, query: Option<&str>) -> Self {
        let bit = |probe: &Probe| u32::from(probe.is_in(headers, query));
        Self(probes.iter().rev().fold(0, |bits, probe| bits << 1 | bit(probe)))
    }
}

/// The spec's rules for requests as such.
/// These are the codes for what the runtime refuses, and the families that answer where no operation matched.
#[derive(Debug)]
pub struct Rules {
    /// The codes of the runtime's own refusals.
    pub framework: Framework,
    /// The families that answer where no operation matched; longer prefixes first, `/` last.
    pub families: &'static [Family],
    /// Path prefixes below which pages of any origin may call, without cookies.
    pub any_origin: &'static [&'static str],
    /// Every scheme of the spec: none of their places reaches a handler.
    pub schemes: &'static [&'static Scheme],
    /// The most levels that a JSON body may be nested.
    pub json_depth: usize,
    /// The most parts that a form may have.
    pub form_parts: usize,
    /// The longest time that a body may stay silent.
    pub body_read_idle: Duration,
    /// The longest time that a body may take to arrive.
    pub body_read_total: Duration,
    /// The longest time that an operation may take to begin its answer where it waits for an upstream.
    pub request_total: Duration,
}

/// The codes of the runtime's own refusals, by event. Comments name the values that are offered to the code.
#[derive(Debug)]
#[expect(missing_docs, reason = "each event says what it is by its name")]
pub struct Framework {
    pub bad_json: &'static CodeInfo,         // line column reason
    pub bad_field: &'static CodeInfo,        // field expected found
    pub missing_field: &'static CodeInfo,    // field
    pub missing_header: &'static CodeInfo,   // header
    pub bad_parameter: &'static CodeInfo,    // parameter expected found
    pub bad_content_type: &'static CodeInfo, // expected found
    pub wrong_method: &'static CodeInfo,     // method allowed
    pub unknown_path: &'static CodeInfo,     // method path
    pub body_too_large: &'static CodeInfo,   // limit_bytes
    pub body_timeout: &'static CodeInfo,     // bound seconds
    pub panic: &'static CodeInfo,
    pub timeout: &'static CodeInfo, // seconds
    pub overloaded: &'static CodeInfo,
    pub key_missing: &'static CodeInfo,
    pub key_invalid: &'static CodeInfo,
    pub key_disabled: &'static CodeInfo,
    pub key_expired: &'static CodeInfo,
    pub auth_unavailable: &'static CodeInfo,
    pub session_invalid: &'static CodeInfo,
    pub origin_refused: &'static CodeInfo,
    pub caller_conflict: &'static CodeInfo,
    pub operation_not_allowed: &'static CodeInfo, // operation
    pub address_not_allowed: &'static CodeInfo,
    pub share_taken: &'static CodeInfo,    // limit
    pub once_in_flight: &'static CodeInfo, // first_request_id
    pub once_done: &'static CodeInfo,      // first_request_id
    pub once_other: &'static CodeInfo,     // first_request_id
}

impl Rules {
    /// The failure of a request while too many are in flight.
    #[must_use]
    pub fn overloaded(&self) -> Failure {
        Failure::new(self.framework.overloaded)
    }
}
