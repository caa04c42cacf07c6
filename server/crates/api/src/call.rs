//! One request on its way to a handler: its parts, read as the operation declares them.
//!
//! The order of reading is the order of refusal: credentials, then headers, path and query, then the body. Generated
//! route functions call these methods in that order and nothing else.

use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use axum::extract::Request;
use axum::response::Response;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, HOST, SET_COOKIE};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::auth::{self, ShownCredentials};
use super::authenticate::CredentialCheck;
use super::body::BodyReader;
use super::dispatched_request::DispatchedRequest;
use super::in_flight::{AdmissionRefusal, InFlightPermit};
use super::params::{decode, decode_query_value, path_value, query_pairs, query_without};
use super::refuse::unknown_path;
use super::request_context::client_address;
use super::request_digest::{RequestDigest, is_keyed};
use super::router_context::RouterContext;
use super::{
    Answer, Authenticate, BeginsSession, Caller, Cx, Failure, Framework, Head, Operation, OperatorCaller, ParamValue,
    Principal, ProxyBody, Route, Rules, Scheme, Seen, SessionCookies, ValueConstraint, WireName, WithValue,
};
use tollgate_base::RequestTags;

/// One request of a known operation.
#[derive(Debug)]
pub struct Call {
    /// The circumstances of the request, for the handler.
    pub cx: Cx,
    seen: Seen,
    shown: ShownCredentials,
    operation: &'static Operation,
    pub(super) asked: DispatchedRequest,
    /// The time that it may take.
    pub(super) within: Duration,
    route: &'static Route,
    pub(super) rules: &'static Rules,
    uri: Uri,
    cookies: Arc<SessionCookies>,
    reader: BodyReader,
    place: InFlightPermit,
}

impl Call {
    pub(super) fn begin<S>(
        host: &RouterContext<S>,
        route: &'static Route,
        request: Request,
        asked: DispatchedRequest,
        place: InFlightPermit,
    ) -> Self {
        let DispatchedRequest { operation, request_id, started, .. } = asked;
        let (parts, body) = request.into_parts();
        let (mut headers, uri) = (parts.headers, parts.uri);
        // HTTP/2 has it elsewhere.
        if let (false, Some(authority)) = (headers.contains_key(HOST), uri.authority()) {
            headers.extend(HeaderValue::try_from(authority.as_str()).ok().map(|host| (HOST, host)));
        }
        let seen = Seen::of(operation.probes, &headers, uri.query());
        let cookies = host.config.cookies.clone();
        let shown = auth::read_credentials(operation.schemes, &parts.method, &uri, &headers, &cookies);
        let schemes = host.rules.schemes;
        auth::strip(schemes, &mut headers);
        let query = uri.query().and_then(|query| query_without(query, |name| auth::is_secret_parameter(schemes, name)));
        let client = client_address(&parts.extensions);
        let digest =
            is_keyed(operation, &headers).then(|| RequestDigest::of(&parts.method, uri.path(), query.as_deref()));
        let reader = BodyReader::new(body, operation.body, host, started, digest);
        let (claim, tags, wait_seconds) = (None, RequestTags::default(), AtomicU32::new(0));
        let cx = Cx { request_id, client, headers, query, started, claim, tags, wait_seconds };
        let within = host.config.within(operation);
        Self { cx, seen, shown, operation, asked, within, route, rules: host.rules, uri, cookies, reader, place }
    }

    /// Answers to the operation's probes.
    #[must_use]
    pub const fn seen(&self) -> Seen {
        self.seen
    }

    /// The holder of the key that is shown. From here on the request is one of the caller's share.
    ///
    /// # Errors
    /// When no key is shown, or none that is accepted here; when the account has its share of requests in flight.
    pub fn caller<'c, A: Authenticate>(
        &'c self,
        service: &'c A,
    ) -> impl Future<Output = Result<Principal, Failure>> + Send + use<'c, A> {
        // The future borrows what it needs and not the call, whose unread body cannot be shared between threads.
        let (shown, door, place) = (&self.shown, self.credential_check(), &self.place);
        let for_model = self.operation.once && self.operation.proxy;
        async move {
            let caller = door.holder(shown, service).await?;
            let group = for_model.then_some(caller.group);
            place.assign_to(caller.account, group).map_err(|full| not_admitted(full, door.framework))?;
            Ok(caller)
        }
    }

    /// The caller whose key or session is shown. From here on the request is one of the caller's share.
    ///
    /// # Errors
    /// When neither is shown, or none that is accepted here; when both are and belong to different accounts; when a member of an
    /// organisation has none of the roles that may; when the account has its share of requests in flight.
    pub fn caller_or_session<'c, A: Authenticate>(
        &'c self,
        service: &'c A,
    ) -> impl Future<Output = Result<Caller, Failure>> + Send + use<'c, A> {
        let (shown, door, place) = (&self.shown, self.credential_check(), &self.place);
        async move {
            let caller = match (&shown.key, &shown.session) {
                (None, Some(token)) => door.signed_in(token, shown, service).await?,
                (None, None) => return Err(Failure::new(door.framework.key_missing)),
                (Some(_), session) => {
                    let holder = door.holder(shown, service).await?;
                    door.agree(&holder, session.as_ref(), service).await?;
                    holder.into()
                }
            };
            place.assign_to(caller.account, None).map_err(|full| not_admitted(full, door.framework))?;
            Ok(caller)
        }
    }

    /// The operator whose key or session is shown, in a role that may call the operation. A key counts before a session.
    ///
    /// # Errors
    /// When neither is shown, or none that is known; when the role is none of those that may.
    pub fn operator<'c, A: Authenticate>(
        &'c self,
        service: &'c A,
    ) -> impl Future<Output = Result<OperatorCaller, Failure>> + Send + use<'c, A> {
        let (shown, door, uri, method) = (&self.shown, self.credential_check(), &self.uri, &self.route.method);
        async move {
            // Requests that show neither have been answered before, as those for no path are.
            door.operator(shown, service).await?.ok_or_else(|| unknown_path(door.framework, method, uri))
        }
    }

    const fn credential_check(&self) -> CredentialCheck {
        CredentialCheck { operation: self.operation, framework: &self.rules.framework, client: self.cx.client }
    }

    /// Sees that a session is not begun by a page of another origin.
    ///
    /// # Errors
    /// When it would be.
    pub fn from_own_page(&self) -> Result<(), Failure> {
        let own = self.cookies.may_begin(&self.uri, &self.cx.headers);
        own.then_some(()).ok_or_else(|| Failure::new(self.rules.framework.origin_refused))
    }

    /// A header that the operation needs.
    ///
    /// # Errors
    /// When it is absent, contradicts itself under two names, or is not `expected`.
    pub fn header<T: ParamValue>(
        &self,
        name: &'static WireName,
        expected: impl ValueConstraint<T>,
    ) -> Result<T, Failure> {
        let missing = || Failure::new(self.rules.framework.missing_header).with("header", name.canonical);
        self.optional_header(name, expected)?.ok_or_else(missing)
    }

    /// A header that may be absent.
    ///
    /// # Errors
    /// When it contradicts itself under two names, or is not `expected`.
    pub fn optional_header<T: ParamValue>(
        &self,
        name: &'static WireName,
        expected: impl ValueConstraint<T>,
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
    pub fn path<T: ParamValue>(&self, name: &'static str, expected: impl ValueConstraint<T>) -> Result<T, Failure> {
        let raw = path_value(self.route.path, self.route.suffix, self.uri.path(), name).unwrap_or_default();
        let text = decode(raw).ok_or_else(|| self.bad_parameter(name, "UTF-8 text", raw))?;
        self.typed(name, &text, expected)
    }

    /// A query parameter that the operation needs.
    ///
    /// # Errors
    /// When it is absent, given twice, or not `expected`.
    pub fn query<T: ParamValue>(&self, name: &'static str, expected: impl ValueConstraint<T>) -> Result<T, Failure> {
        let words = expected.words();
        self.optional_query(name, expected)?.ok_or_else(|| self.bad_parameter(name, words, "nothing"))
    }

    /// A query parameter that may be absent.
    ///
    /// # Errors
    /// When it is given twice, or is not `expected`.
    pub fn optional_query<T: ParamValue>(
        &self,
        name: &'static str,
        expected: impl ValueConstraint<T>,
    ) -> Result<Option<T>, Failure> {
        let mut values = query_pairs(self.uri.query()).filter(|(key, _)| key == name).map(|(_, value)| value);
        let Some(raw) = values.next() else { return Ok(None) };
        if values.next().is_some() {
            return Err(self.bad_parameter(name, "one value", "several values"));
        }
        let text = decode_query_value(raw).ok_or_else(|| self.bad_parameter(name, "UTF-8 text", raw))?;
        self.typed(name, &text, expected).map(Some)
    }

    fn typed<T: ParamValue>(
        &self,
        name: &'static str,
        text: &str,
        expected: impl ValueConstraint<T>,
    ) -> Result<T, Failure> {
        let value = T::read(text).filter(|value| expected.holds(value));
        value.ok_or_else(|| self.bad_parameter(name, expected.words(), text))
    }

    pub(super) fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The digest of the request, once its body is read.
    pub(super) fn digest(&mut self) -> Option<[u8; 32]> {
        self.reader.digest.take().map(RequestDigest::finish)
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

    /// The body as a value of the spec, and the operator once more: a body that arrives slowly is not carried out for somebody who
    /// was shut out meanwhile.
    ///
    /// # Errors
    /// As [`json`](Self::json) and [`operator`](Self::operator).
    pub async fn json_of_operator<A: Authenticate, T: DeserializeOwned>(&mut self, service: &A) -> Result<T, Failure> {
        let body = self.json().await?;
        self.operator(service).await?;
        Ok(body)
    }

    /// A value of the spec as the operation's success.
    ///
    /// # Errors
    /// When the value cannot be written; the caller learns of it as of any fault of ours.
    pub fn answer(&self, value: &impl Serialize) -> Answer {
        let body = serde_json::to_vec(value).map_err(|_| self.broken())?;
        let mut response = Response::new(body.into());
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        self.keep_private(response.headers_mut());
        if let Some(status) = self.operation.always_http.and_then(|status| StatusCode::from_u16(status).ok()) {
            *response.status_mut() = status;
        }
        Ok(response)
    }

    /// Keeps an answer that is one caller's out of the caches between us.
    pub(super) fn keep_private(&self, headers: &mut HeaderMap) {
        if !self.operation.schemes.is_empty() {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        }
    }

    /// A value of the spec as the success of an operation that begins a session.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn answer_beginning(&self, scheme: &Scheme, begun: &BeginsSession<impl Serialize>) -> Answer {
        let cookie = scheme.cookie.and_then(|name| self.cookies.set(name, &begun.token, begun.lasts));
        self.answer_with_cookie(&begun.reply, cookie)
    }

    /// A value of the spec as the success of an operation that ends the caller's session.
    ///
    /// # Errors
    /// As [`answer`](Self::answer).
    pub fn answer_ending(&self, scheme: &Scheme, value: &impl Serialize) -> Answer {
        self.answer_with_cookie(value, scheme.cookie.and_then(|name| self.cookies.take_away(name)))
    }

    fn answer_with_cookie(&self, value: &impl Serialize, cookie: Option<HeaderValue>) -> Answer {
        let cookie = cookie.ok_or_else(|| Failure::new(self.rules.framework.panic))?;
        let mut response = self.answer(value)?;
        response.headers_mut().insert(SET_COOKIE, cookie);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
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

fn not_admitted(refused: AdmissionRefusal, framework: &Framework) -> Failure {
    let told = |limit: String| Failure::new(framework.too_many_requests).with("limit", limit);
    match refused {
        AdmissionRefusal::InFlight(most) => told(format!("{most} of the account are in flight")),
        AdmissionRefusal::ModelsInFlight(most) => {
            told(format!("{most} of the account are in flight, all that its group may have"))
        }
        AdmissionRefusal::Minute { most, wait } => {
            let seconds = u32::try_from(wait.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
            told(format!("an account of its group may begin {most} a minute")).with_retry_after(seconds)
        }
    }
}

/// The most characters of a wrong value that are told back.
const TOLD_BACK_MAX: usize = 64;

fn shortened(found: &str) -> String {
    match found.char_indices().nth(TOLD_BACK_MAX) {
        Some((end, _)) => format!("{}…", &found[..end]),
        None => found.to_owned(),
    }
}
