//! One request on its way to a handler: its parts, read as the operation declares them.
//!
//! The order of reading is the order of refusal: credentials, then headers, path and query, then the body. Generated
//! route functions call these methods in that order and nothing else.

use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CONTENT_TYPE, HOST};
use http::{HeaderValue, StatusCode, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::auth::{self, Shown};
use super::body::Reader;
use super::cx::client_address;
use super::once;
use super::params::{decode, decode_query_value, path_value, query_pairs, query_without};
use super::places::{Place, ShareTaken};
use super::router::Host;
use super::serve::Asked;
use super::{
    AuthFailure, Authenticate, Cx, Expect, Failure, Framework, Head, Operation, Param, Principal, ProxyBody, Route,
    Rules, Scheme, Seen, WireName, WithValue,
};

/// What a route function gives back: an answer, or a failure that the router renders.
pub type Answer = Result<Response, Failure>;

/// One request of a known operation.
#[derive(Debug)]
pub struct Call {
    /// What the handler will see of the circumstances.
    pub cx: Cx,
    seen: Seen,
    shown: Shown,
    operation: &'static Operation,
    pub(super) asked: Asked,
    /// How long it may take.
    pub(super) within: Duration,
    route: &'static Route,
    pub(super) rules: &'static Rules,
    uri: Uri,
    reader: Reader,
    place: Place,
}

impl Call {
    pub(super) fn begin<S>(
        host: &Host<S>,
        route: &'static Route,
        request: Request,
        asked: Asked,
        place: Place,
    ) -> Self {
        let Asked { operation, request_id, started, .. } = asked;
        let (parts, body) = request.into_parts();
        let (mut headers, uri) = (parts.headers, parts.uri);
        // HTTP/2 has it elsewhere.
        if let (false, Some(authority)) = (headers.contains_key(HOST), uri.authority()) {
            headers.extend(HeaderValue::try_from(authority.as_str()).ok().map(|host| (HOST, host)));
        }
        let seen = Seen::of(operation.probes, &headers, uri.query());
        let trusted = &host.config.trusted_origins;
        let shown = auth::shown(operation.schemes, &parts.method, &uri, &headers, trusted);
        let schemes = host.rules.schemes;
        auth::strip(schemes, &mut headers);
        let query = uri.query().and_then(|query| query_without(query, |name| auth::is_secret_parameter(schemes, name)));
        let client = client_address(&parts.extensions);
        let digest =
            once::is_keyed(operation, &headers).then(|| once::Digest::of(&parts.method, uri.path(), query.as_deref()));
        let reader = Reader::new(body, operation.body, host, started, digest);
        let cx = Cx { request_id, client, headers, query, started };
        let within = host.config.within(operation);
        Self { cx, seen, shown, operation, asked, within, route, rules: host.rules, uri, reader, place }
    }

    /// Answers to the operation's probes.
    #[must_use]
    pub const fn seen(&self) -> Seen {
        self.seen
    }

    /// Who is calling. From here on the request is one of the caller's share.
    ///
    /// # Errors
    /// When no credential is shown, or none that is accepted; when the account has its share of requests in flight.
    pub fn caller<'c, A: Authenticate>(
        &'c self,
        service: &'c A,
    ) -> impl Future<Output = Result<Principal, Failure>> + Send + use<'c, A> {
        // The future borrows what it needs and not the call, whose unread body cannot be shared between threads.
        let (shown, schemes, framework) = (&self.shown, self.operation.schemes, &self.rules.framework);
        let place = &self.place;
        async move {
            let caller = match shown {
                Shown::Nothing => Err(Failure::new(framework.key_missing)),
                Shown::Conflict => Err(conflict(framework)),
                Shown::ForeignOrigin => Err(Failure::new(framework.origin_refused)),
                Shown::Key(value) => {
                    let secret = key(schemes, value).ok_or_else(|| AuthFailure::Unknown.of_key(framework))?;
                    service.authenticate(secret).await.map_err(|failure| failure.of_key(framework))
                }
                Shown::Session(value) => {
                    let token = value.to_str().unwrap_or_default();
                    service.authenticate_session(token).await.map_err(|failure| failure.of_session(framework))
                }
            }?;
            place.belongs_to(caller.account).map_err(|full| share_taken(full, framework))?;
            Ok(caller)
        }
    }

    /// A header that the operation needs.
    ///
    /// # Errors
    /// When it is absent, contradicts itself under two names, or is not `expected`.
    pub fn header<T: Param>(&self, name: &'static WireName, expected: impl Expect<T>) -> Result<T, Failure> {
        let missing = || Failure::new(self.rules.framework.missing_header).with("header", name.canonical);
        self.optional_header(name, expected)?.ok_or_else(missing)
    }

    /// A header that may be absent.
    ///
    /// # Errors
    /// When it contradicts itself under two names, or is not `expected`.
    pub fn optional_header<T: Param>(
        &self,
        name: &'static WireName,
        expected: impl Expect<T>,
    ) -> Result<Option<T>, Failure> {
        let twice = |_| self.bad_parameter(name.canonical, "one value", "different values");
        let Some(value) = name.value(&self.cx.headers).map_err(twice)? else { return Ok(None) };
        let text = value.to_str().map_err(|_| self.bad_parameter(name.canonical, "ASCII", "other bytes"))?;
        self.typed(name.canonical, text, expected).map(Some)
    }

    /// A parameter of the path.
    ///
    /// # Errors
    /// When it is not `expected`.
    pub fn path<T: Param>(&self, name: &'static str, expected: impl Expect<T>) -> Result<T, Failure> {
        let raw = path_value(self.route.path, self.route.suffix, self.uri.path(), name).unwrap_or_default();
        let text = decode(raw).ok_or_else(|| self.bad_parameter(name, "UTF-8 text", raw))?;
        self.typed(name, &text, expected)
    }

    /// A query parameter that the operation needs.
    ///
    /// # Errors
    /// When it is absent, given twice, or not `expected`.
    pub fn query<T: Param>(&self, name: &'static str, expected: impl Expect<T>) -> Result<T, Failure> {
        let words = expected.words();
        self.optional_query(name, expected)?.ok_or_else(|| self.bad_parameter(name, words, "nothing"))
    }

    /// A query parameter that may be absent.
    ///
    /// # Errors
    /// When it is given twice, or is not `expected`.
    pub fn optional_query<T: Param>(&self, name: &'static str, expected: impl Expect<T>) -> Result<Option<T>, Failure> {
        let mut values = query_pairs(self.uri.query()).filter(|(key, _)| key == name).map(|(_, value)| value);
        let Some(raw) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(self.bad_parameter(name, "one value", "several values"));
        }
        let text = decode_query_value(raw).ok_or_else(|| self.bad_parameter(name, "UTF-8 text", raw))?;
        self.typed(name, &text, expected).map(Some)
    }

    fn typed<T: Param>(&self, name: &'static str, text: &str, expected: impl Expect<T>) -> Result<T, Failure> {
        let value = T::read(text).filter(|value| expected.holds(value));
        value.ok_or_else(|| self.bad_parameter(name, expected.words(), text))
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The digest of the request, once its body is read.
    pub(super) fn digest(&mut self) -> Option<[u8; 32]> {
        self.reader.digest.take().map(once::Digest::finish)
    }

    /// A fault of ours in an answer.
    pub(super) fn broken(&self) -> Failure {
        Failure::new(self.rules.framework.panic)
    }

    pub(super) fn bad_parameter(&self, name: &'static str, expected: impl Into<WithValue>, found: &str) -> Failure {
        let failure = Failure::new(self.rules.framework.bad_parameter).with("parameter", name);
        failure.with("expected", expected).with("found", shortened(found))
    }

    /// The body as a value of the spec.
    ///
    /// # Errors
    /// When it is too large, too slow, no JSON, or another shape.
    pub async fn json<T: DeserializeOwned>(&mut self) -> Result<T, Failure> {
        let bytes = self.reader.json_bytes(&self.cx.headers).await?;
        self.reader.parse(&bytes)
    }

    /// A value of the spec as the operation's success.
    ///
    /// # Errors
    /// When the value cannot be written; the caller learns of it as of any fault of ours.
    pub fn answer(&self, value: &impl Serialize) -> Answer {
        let body = serde_json::to_vec(value).map_err(|_| self.broken())?;
        let mut response = Response::new(body.into());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(status) = self.operation.always_http.and_then(|status| StatusCode::from_u16(status).ok()) {
            *response.status_mut() = status;
        }
        Ok(response)
    }

    /// The body's own bytes, whatever they are.
    ///
    /// # Errors
    /// When it is too large or too slow.
    pub async fn bytes(&mut self) -> Result<Bytes, Failure> {
        self.reader.bytes(&self.cx.headers).await
    }

    /// The body's own bytes, a JSON object, and the members that decide.
    ///
    /// # Errors
    /// When it is too large, too slow, no JSON object, or one of those members is missing or of another type.
    pub async fn proxy_body<H: Head>(&mut self) -> Result<ProxyBody<H>, Failure> {
        let bytes = self.reader.json_bytes(&self.cx.headers).await?;
        ProxyBody::read(bytes, self.rules)
    }

    /// The body's own bytes, a form, and the parts that decide.
    ///
    /// # Errors
    /// When it is too large, too slow, no form, or one of those parts is missing or of another type.
    pub async fn proxy_form<H: Head>(&mut self) -> Result<ProxyBody<H>, Failure> {
        let (bytes, boundary) = self.reader.form_bytes(&self.cx.headers).await?;
        ProxyBody::read_form(bytes, &boundary, self.rules)
    }

    /// The body's own bytes, a JSON object or a form, and the members or parts that decide.
    ///
    /// # Errors
    /// As for [`proxy_body`](Self::proxy_body), or [`proxy_form`](Self::proxy_form) where it is sent as a form.
    pub async fn proxy_body_or_form<H: Head>(&mut self) -> Result<ProxyBody<H>, Failure> {
        if self.reader.form_or_json(&self.cx.headers)? { self.proxy_form().await } else { self.proxy_body().await }
    }
}

/// The key as text, if it can be one of ours at all.
fn key<'v>(schemes: &[&Scheme], value: &'v HeaderValue) -> Option<&'v str> {
    let secret = value.to_str().ok()?;
    let ours = |scheme: &&&Scheme| scheme.cookie.is_none() && secret.starts_with(scheme.key_starts);
    schemes.iter().find(ours).map(|_| secret)
}

fn conflict(framework: &Framework) -> Failure {
    let failure = Failure::new(framework.bad_parameter).with("parameter", "API key");
    failure.with("expected", "one key").with("found", "two different keys in two places")
}

fn share_taken(ShareTaken { most }: ShareTaken, framework: &Framework) -> Failure {
    Failure::new(framework.share_taken).with("limit", format!("{most} of the account are in flight"))
}

/// At most this much of a wrong value is told back.
const TOLD_BACK_MAX: usize = 64;

fn shortened(found: &str) -> String {
    match found.char_indices().nth(TOLD_BACK_MAX) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found.to_owned(),
    }
}
