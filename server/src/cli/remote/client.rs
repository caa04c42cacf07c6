//! The client of the admin API.

use std::time::Duration;

use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, HeaderValue, IF_MATCH, USER_AGENT};
use http::{Method, StatusCode};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, Url};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde::{Deserialize, Serialize};

use tollgate_api::Code as _;
use tollgate_api::generated::errors::code;

use super::error::RemoteError;
use super::target::ServerTarget;

const CONNECT: Duration = Duration::from_secs(10);
/// Longer than a server waits for its ledger, so that it can say itself that it cannot be written.
const WHOLE: Duration = Duration::from_secs(60);
/// More than a page of a thousand entries has.
const ANSWER_BYTES_MAX: usize = 32 * 1024 * 1024;
const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// An operator at one server.
#[derive(Debug)]
pub(in super::super) struct AdminClient {
    http: Client,
    server: Url,
    /// Marked as sensitive, so that no debug print has it.
    authorization: HeaderValue,
}

/// A request for a change.
#[derive(Debug)]
pub(super) struct AdminRequest<'a> {
    method: Method,
    path: &'a [&'a str],
    header: Option<(HeaderName, &'a str)>,
    body: Option<Vec<u8>>,
}

impl<'a> AdminRequest<'a> {
    /// `POST` or `PATCH` of a body below `/api/admin`.
    pub(super) fn new(method: Method, path: &'a [&'a str], body: &impl Serialize) -> Self {
        let body = serde_json::to_vec(body).expect("types of the spec are always JSON");
        Self { method, path, header: None, body: Some(body) }
    }

    /// A request without a body.
    pub(super) const fn bare(method: Method, path: &'a [&'a str]) -> Self {
        Self { method, path, header: None, body: None }
    }

    /// Of that version alone.
    pub(super) fn of_version(self, version: &'a str) -> Self {
        Self { header: Some((IF_MATCH, version)), ..self }
    }

    /// Booked once under that key.
    pub(super) fn once(self, key: &'a str) -> Self {
        Self { header: Some((IDEMPOTENCY_KEY, key)), ..self }
    }
}

/// The part of an answer that a command reads.
#[derive(Deserialize)]
struct Answer<T> {
    data: T,
}

/// The error of the account operations.
#[derive(Deserialize)]
struct ErrorAnswer {
    code: String,
    detail: String,
    request_id: String,
}

impl AdminClient {
    /// Makes the client; no connection is opened yet.
    ///
    /// # Errors
    /// When TLS has no roots.
    pub(in super::super) fn new(target: ServerTarget) -> Result<Self, RemoteError> {
        tollgate_net::install_tls();
        let http = Client::builder()
            .connect_timeout(CONNECT)
            .timeout(WHOLE)
            // The key is for one server: no proxy and no other address is handed it.
            .no_proxy()
            .redirect(Policy::none())
            .referer(false)
            .build()
            .map_err(RemoteError::NoTls)?;
        let bearer = format!("Bearer {}", target.key.reveal());
        let mut authorization = HeaderValue::from_str(&bearer).expect("checked when the key was read");
        authorization.set_sensitive(true);
        Ok(Self { http, server: target.url, authorization })
    }

    /// The address of the server, without a slash at its end.
    pub(super) fn address(&self) -> String {
        self.server.as_str().trim_end_matches('/').to_owned()
    }

    /// Reads what is at a path below `/api/admin`.
    pub(super) async fn get<T: DeserializeOwned>(
        &self,
        path: &[&str],
        query: &[(&str, &str)],
    ) -> Result<T, RemoteError> {
        let mut url = self.url(path);
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        self.exchange(self.http.get(url)).await
    }

    /// Asks for a change.
    pub(super) async fn send<T: DeserializeOwned>(&self, request: AdminRequest<'_>) -> Result<T, RemoteError> {
        let AdminRequest { method, path, header, body } = request;
        let mut request = self.http.request(method, self.url(path));
        if let Some((name, value)) = header {
            let value = HeaderValue::from_str(value).map_err(|_| RemoteError::BookingKey(value.to_owned()))?;
            request = request.header(name, value);
        }
        if let Some(body) = body {
            request = request.header(CONTENT_TYPE, "application/json").body(body);
        }
        self.exchange(request).await
    }

    fn url(&self, path: &[&str]) -> Url {
        let mut url = self.server.clone();
        url.path_segments_mut()
            .expect("an address with a host has a path")
            .pop_if_empty()
            .extend(["api", "admin"])
            .extend(path);
        url
    }

    async fn exchange<T: DeserializeOwned>(&self, request: reqwest::RequestBuilder) -> Result<T, RemoteError> {
        let request = request
            .header(AUTHORIZATION, self.authorization.clone())
            .header(USER_AGENT, concat!("tollgate/", env!("CARGO_PKG_VERSION")));
        let response = request.send().await.map_err(|error| self.unanswered(error))?;
        let status = response.status();
        let body = self.body(response).await?;
        if status.is_success() { self.read(status, &body) } else { Err(self.refusal(status, &body)) }
    }

    fn unanswered(&self, error: reqwest::Error) -> RemoteError {
        let (server, unsent) = (self.address(), error.is_connect());
        // The address is in the sentence already, and may be long.
        let source = error.without_url();
        if unsent { RemoteError::Unreachable { server, source } } else { RemoteError::NoAnswer { server, source } }
    }

    async fn body(&self, mut response: Response) -> Result<Vec<u8>, RemoteError> {
        let mut body = Vec::new();
        while let Some(piece) = response.chunk().await.map_err(|error| self.unanswered(error))? {
            body.extend_from_slice(&piece);
            if body.len() > ANSWER_BYTES_MAX {
                return Err(RemoteError::TooLong(self.address()));
            }
        }
        Ok(body)
    }

    fn read<T: DeserializeOwned>(&self, status: StatusCode, body: &[u8]) -> Result<T, RemoteError> {
        let server = self.address();
        match serde_json::from_slice::<Answer<T>>(body) {
            Ok(answer) => Ok(answer.data),
            Err(source) if serde_json::from_slice::<Answer<IgnoredAny>>(body).is_ok() => {
                Err(RemoteError::OtherVersion { server, source })
            }
            Err(_) => Err(RemoteError::NotTollgate { server, status }),
        }
    }

    fn refusal(&self, status: StatusCode, body: &[u8]) -> RemoteError {
        let server = self.address();
        let Ok(ErrorAnswer { code, detail, request_id }) = serde_json::from_slice(body) else {
            return RemoteError::NotTollgate { server, status };
        };
        match status {
            // Paths of operators are like paths that do not exist to whoever is none.
            StatusCode::NOT_FOUND if code == code::RouteNotFound::INFO.code => {
                RemoteError::NotServed { server, request_id }
            }
            StatusCode::UNAUTHORIZED => RemoteError::KeyRefused { code, detail, request_id },
            StatusCode::PRECONDITION_FAILED => RemoteError::ChangedMeanwhile { request_id },
            _ => RemoteError::Refused { code, detail, request_id },
        }
    }
}
