//! The operations of the spec, as data.

use std::time::{Duration, UNIX_EPOCH};

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use httpdate::fmt_http_date;

use super::{BodyLimit, Envelope, Probe, Scheme, Seen};

/// One operation of the spec.
#[derive(Debug)]
pub struct Operation {
    /// `chat.create`.
    pub id: &'static str,
    /// The file and key of its declaration: `spec/operations/chat.yaml: chat.create`.
    pub spec: &'static str,
    /// Every method and path that leads to it, aliases included.
    pub routes: &'static [Route],
    /// The accepted ways to show a key, in the order of their precedence; empty for public operations.
    pub schemes: &'static [&'static Scheme],
    /// The roles by which operators may call it; empty for operations that are not theirs.
    pub roles: &'static [&'static str],
    /// The roles by which members of organisations may call it; empty for operations that no session of an account may call.
    pub members: &'static [&'static str],
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
    /// True if it tells about the service itself: it is answered also while others are turned away, and where those of operators are
    /// served alone.
    pub about_service: bool,
    /// True if it is for one account: a request that names two is refused.
    pub for_one_account: bool,
    /// True if it is carried out once for each Idempotency-Key.
    pub once: bool,
    /// Its deprecation, which its answers tell.
    pub deprecated: Option<&'static Deprecation>,
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
            roles: &[],
            members: &[],
            envelope,
            select: None,
            probes: &[],
            always_http: None,
            body: BodyLimit { bytes: 0, over: None },
            proxy: false,
            about_service: false,
            for_one_account: false,
            once: false,
            deprecated: None,
        }
    }
}

/// The deprecation of an operation. Times are seconds since 1970.
#[derive(Debug)]
pub struct Deprecation {
    /// Since when it should not be used.
    pub since: i64,
    /// From when it may not be there any more.
    pub until: Option<u64>,
    /// The path of the operation to use in its place.
    pub successor: Option<&'static str>,
}

impl Deprecation {
    /// Tells it in the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`.
    pub(super) fn tell(&self, headers: &mut HeaderMap) {
        let until = self.until.map(|until| fmt_http_date(UNIX_EPOCH + Duration::from_secs(until)));
        let successor = self.successor.map(|path| format!("<{path}>; rel=\"successor-version\""));
        let told = [("deprecation", Some(format!("@{}", self.since))), ("sunset", until), ("link", successor)];
        for (name, value) in told {
            if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
                headers.append(HeaderName::from_static(name), value);
            }
        }
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
