//! The HTTP client of one provider: its address, its key, its pool of connections.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use reqwest::{Client, RequestBuilder, Url};
use tokio::sync::Semaphore;
use tokio::time::timeout_at;

use crate::config::{HttpVersion, OutputBoundField, ProviderKind, UnknownMembers, UpstreamConfig, UpstreamLimits};
use tollgate_formats::Format;

use super::action::UpstreamAction;
use super::answer::{AnswerBody, AnswerDeadlines, UpstreamAnswer};
use super::error::UpstreamError;
use super::headers::A_VERSION;
use super::permit::{UpstreamAtLimit, UpstreamPermit};
use super::signed_tokens::TokenSigner;

/// The default version of format A, for clients of other formats, which name none.
const A_VERSION_DEFAULT: HeaderValue = HeaderValue::from_static("2023-06-01");

/// The header that providers with tasks require; they have no other way to answer.
const LATER: HeaderName = HeaderName::from_static("x-dashscope-async");
const LATER_ENABLED: HeaderValue = HeaderValue::from_static("enable");

/// The HTTP client of one provider.
#[derive(Debug)]
pub struct UpstreamClient {
    name: String,
    /// The configuration that it was built from.
    config: UpstreamConfig,
    base_url: Url,
    credential: Option<(HeaderName, HeaderValue)>,
    tokens: Option<TokenSigner>,
    places: Option<Arc<Semaphore>>,
    client: Client,
    patience: UpstreamLimits,
}

impl UpstreamClient {
    /// Builds the client; no connection is opened yet.
    ///
    /// # Errors
    /// [`UpstreamError::Build`] when the address is no URL, the key no header value, or TLS has no roots.
    pub fn build(name: &str, config: &UpstreamConfig, patience: UpstreamLimits) -> Result<Self, UpstreamError> {
        let failed =
            |source: Box<dyn std::error::Error + Send + Sync>| UpstreamError::Build { name: name.into(), source };
        let base_url = Url::parse(config.base_url.trim_end_matches('/'));
        let credential = config.api_key.as_ref().map(|key| credential(config.kind, key.reveal()));
        Ok(Self {
            name: name.to_owned(),
            config: config.clone(),
            base_url: base_url.map_err(|error| failed(error.into()))?,
            credential: credential.transpose().map_err(|error| failed(error.into()))?,
            tokens: config.key_pair.as_ref().map(TokenSigner::new),
            places: config.concurrency_max.map(|most| Arc::new(Semaphore::new(most))),
            client: client(config.http, patience).map_err(|error| failed(error.into()))?,
            patience,
        })
    }

    /// True if it was built from this configuration, so that it need not be built again.
    #[must_use]
    pub fn is_of(&self, config: &UpstreamConfig, patience: UpstreamLimits) -> bool {
        self.config == *config && self.patience == patience
    }

    /// The name it has in the configuration.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its services and protocol.
    #[must_use]
    pub const fn kind(&self) -> ProviderKind {
        self.config.kind
    }

    /// The format in which a client's turn is sent: the client's own where the provider takes it. `None` for a provider
    /// without conversations.
    #[must_use]
    pub fn turn_format(&self, client: Format) -> Option<Format> {
        match (client, self.config.kind) {
            (Format::Completions, ProviderKind::Speaks(Format::Chat)) if self.config.completions => {
                Some(Format::Completions)
            }
            (_, ProviderKind::Speaks(format)) => Some(format),
            (_, ProviderKind::Pictures | ProviderKind::PicturesLater | ProviderKind::VideoA) => None,
        }
    }

    /// True if it gets members and kinds that neither the spec nor the operator lists.
    #[must_use]
    pub fn forwards_unknown(&self) -> bool {
        self.config.unknown_members == UnknownMembers::Forward
    }

    /// True if it keeps to a bound of tool uses; the other formats have no member for one.
    #[must_use]
    pub fn keeps_bounds(&self) -> bool {
        matches!(self.config.kind, ProviderKind::Speaks(Format::Messages | Format::Responses))
    }

    /// A permit for one of its concurrent requests, to be held until the answer has ended.
    ///
    /// # Errors
    /// [`UpstreamAtLimit`] when all are taken.
    pub fn try_acquire(&self) -> Result<UpstreamPermit, UpstreamAtLimit> {
        let taken = self.places.as_ref().map(|places| places.clone().try_acquire_owned()).transpose();
        taken.map(UpstreamPermit).map_err(|_| UpstreamAtLimit)
    }

    /// The body field that bounds its output.
    #[must_use]
    pub fn output_bound_field(&self) -> OutputBoundField {
        self.config.output_bound_field
    }

    /// Sends a request and waits for the head of the answer, whatever its status.
    ///
    /// # Errors
    /// [`UpstreamError::Unreachable`] or [`UpstreamError::TooSlow`]; nothing of an answer has arrived then.
    pub async fn send(
        &self,
        request: UpstreamRequest<'_>,
        place: UpstreamPermit,
        deadlines: AnswerDeadlines,
    ) -> Result<UpstreamAnswer, UpstreamError> {
        let UpstreamRequest { model, action, mut headers, body } = request;
        headers.entry(header::CONTENT_TYPE).or_insert(HeaderValue::from_static("application/json"));
        let versioned = headers.contains_key(A_VERSION);
        let mut request = self.client.post(action.url(&self.base_url, self.config.kind, model)).headers(headers);
        if let Some((name, key)) = &self.credential {
            request = request.header(name, key.clone());
        }
        if self.config.kind == ProviderKind::Speaks(Format::Messages) && !versioned {
            request = request.header(A_VERSION, A_VERSION_DEFAULT);
        }
        if self.config.kind.answers_with_task() {
            request = request.header(LATER, LATER_ENABLED);
        }
        self.exchange(request.body(body), place, deadlines).await
    }

    /// Sends a request for a resource and waits for the head of the answer, whatever its status. `now_ms` is the time for
    /// a signed token.
    ///
    /// # Errors
    /// The errors of [`send`](Self::send).
    pub async fn ask(
        &self,
        question: ResourceRequest<'_>,
        place: UpstreamPermit,
        deadlines: AnswerDeadlines,
        now_ms: i64,
    ) -> Result<UpstreamAnswer, UpstreamError> {
        let ResourceRequest { method, path, query, headers, body } = question;
        let mut url = self.base_url.clone();
        url.path_segments_mut().expect("an http address has a path").extend(path);
        url.set_query(query.as_deref());
        let mut request = self.client.request(method, url).headers(headers);
        if let Some((name, key)) = &self.credential {
            request = request.header(name, key.clone());
        }
        if let Some(tokens) = &self.tokens {
            request = request.bearer_auth(tokens.token(now_ms));
        }
        let request = if body.is_empty() { request } else { request.body(body) };
        self.exchange(request, place, deadlines).await
    }

    /// Makes the next request use a new token: the provider found this one too old or not valid yet.
    pub fn renew(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.renew();
        }
    }

    async fn exchange(
        &self,
        request: RequestBuilder,
        place: UpstreamPermit,
        deadlines: AnswerDeadlines,
    ) -> Result<UpstreamAnswer, UpstreamError> {
        let deadline = deadlines.begin.min(deadlines.whole);
        let response = match timeout_at(deadline, request.send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() => return Err(UpstreamError::TooSlow),
            Ok(Err(error)) => return Err(UpstreamError::Unreachable(error.without_url())),
            Err(_) => return Err(UpstreamError::TooSlow),
        };
        let (head, body) = http::Response::from(response).into_parts();
        Ok(UpstreamAnswer {
            status: head.status,
            headers: head.headers,
            body: AnswerBody::new(body, self.patience.idle, deadlines, place),
        })
    }
}

/// A request for a service of a provider.
#[derive(Debug)]
pub struct UpstreamRequest<'a> {
    /// The model's name at the provider.
    pub model: &'a str,
    /// The service, which decides the path.
    pub action: UpstreamAction,
    /// The client's headers for the provider, and the type of the body where it is not JSON.
    pub headers: HeaderMap,
    /// The body, in the provider's format.
    pub body: Bytes,
}

/// A request for a resource, such as a task or a video.
#[derive(Debug)]
pub struct ResourceRequest<'a> {
    /// The HTTP method.
    pub method: Method,
    /// The path behind the base address, by its segments.
    pub path: Vec<&'a str>,
    /// The query string.
    pub query: Option<String>,
    /// The headers.
    pub headers: HeaderMap,
    /// The body; empty for requests without one.
    pub body: Bytes,
}

/// The header for the API key, by the kind of provider.
fn credential(kind: ProviderKind, key: &str) -> Result<(HeaderName, HeaderValue), header::InvalidHeaderValue> {
    let (name, text) = match kind {
        ProviderKind::Speaks(Format::Messages) => (HeaderName::from_static("x-api-key"), key.to_owned()),
        ProviderKind::Speaks(Format::Generate) => (HeaderName::from_static("x-goog-api-key"), key.to_owned()),
        ProviderKind::Speaks(Format::Chat | Format::Completions | Format::Responses)
        | ProviderKind::Pictures
        | ProviderKind::PicturesLater
        | ProviderKind::VideoA => (header::AUTHORIZATION, format!("Bearer {key}")),
    };
    let mut value = HeaderValue::try_from(text)?;
    value.set_sensitive(true);
    Ok((name, value))
}

fn client(version: HttpVersion, patience: UpstreamLimits) -> reqwest::Result<Client> {
    tollgate_net::install_tls();
    let builder = Client::builder()
        .connect_timeout(patience.connect)
        .no_proxy()
        // A redirect would carry the key to an address that nobody configured.
        .redirect(reqwest::redirect::Policy::none())
        .referer(false)
        .tcp_nodelay(true)
        .pool_max_idle_per_host(1024)
        .http2_adaptive_window(true);
    match version {
        HttpVersion::Auto => builder,
        HttpVersion::Http1 => builder.http1_only(),
        HttpVersion::Http2 => builder.http2_prior_knowledge(),
    }
    .build()
}
