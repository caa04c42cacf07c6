//! The HTTP client of one provider: its address, its key, its pool of connections.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Uri, header};
use ipnet::IpNet;
use tokio::sync::Semaphore;
use tokio::time::timeout_at;
use url::Url;

use crate::config::{
    HttpVersion, OutputBoundField, ProviderKind, ProviderReach, UnknownMembers, UpstreamConfig, UpstreamLimits,
};
use tollgate_base::Secret;
use tollgate_formats::Format;
use tollgate_net::{HttpClient, HttpClientConfig, HttpProtocol, NameResolver, SystemResolver};

use super::action::UpstreamAction;
use super::address_guard::{AddressGuard, ForbiddenAddress, GuardedResolver};
use super::answer::{AnswerBody, AnswerDeadlines, UpstreamAnswer};
use super::credentials::{api_key, bearer, take_basic};
use super::error::UpstreamError;
use super::headers::A_VERSION;
use super::permit::{UpstreamAtLimit, UpstreamPermit};
use super::service_uris::{ServiceUris, uri};
use super::signed_tokens::TokenSigner;

/// The default version of format A, for clients of other formats, which name none.
const A_VERSION_DEFAULT: HeaderValue = HeaderValue::from_static("2023-06-01");

/// The header that providers with tasks require; they have no other way to answer.
const LATER: HeaderName = HeaderName::from_static("x-dashscope-async");
const LATER_ENABLED: HeaderValue = HeaderValue::from_static("enable");

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// The most unused connections that are kept to one provider.
const IDLE_CONNECTIONS_MAX: usize = 1024;

/// The HTTP client of one provider.
#[derive(Debug)]
pub struct UpstreamClient {
    name: String,
    /// The configuration that it was built from.
    config: UpstreamConfig,
    base_url: Url,
    /// The URIs of its services, where they do not depend on the model.
    services: Option<ServiceUris>,
    /// The headers with the key, and with what stands for a user in its address.
    credentials: Vec<(HeaderName, HeaderValue)>,
    tokens: Option<TokenSigner>,
    places: Option<Arc<Semaphore>>,
    client: HttpClient,
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
        let mut base_url = Url::parse(config.base_url.trim_end_matches('/')).map_err(|error| failed(error.into()))?;
        let basic = take_basic(&mut base_url).map(|value| (header::AUTHORIZATION, value));
        let key = config.api_key.as_ref().map(|key| api_key(config.kind, key.reveal())).transpose();
        let key = key.map_err(|error| failed(error.into()))?;
        let resolver = resolver(&config.reach, &base_url).map_err(|error| failed(error.into()))?;
        let client = HttpClient::build(&client_config(config.http, patience, resolver));
        Ok(Self {
            name: name.to_owned(),
            config: config.clone(),
            services: (!config.kind.names_model_in_path()).then(|| ServiceUris::new(&base_url, config.kind, "")),
            base_url,
            credentials: basic.into_iter().chain(key).collect(),
            tokens: config.key_pair.as_ref().map(TokenSigner::new),
            places: config.concurrency_max.map(|most| Arc::new(Semaphore::new(most))),
            client: client.map_err(|error| failed(error.into()))?,
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

    /// The URIs of its services for that model.
    #[must_use]
    pub fn services(&self, model: &str) -> ServiceUris {
        self.services.clone().unwrap_or_else(|| ServiceUris::new(&self.base_url, self.config.kind, model))
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
        let UpstreamRequest { services, action, mut headers, body } = request;
        headers.entry(header::CONTENT_TYPE).or_insert(JSON);
        if self.config.kind == ProviderKind::Speaks(Format::Messages) {
            headers.entry(A_VERSION).or_insert(A_VERSION_DEFAULT);
        }
        if self.config.kind.answers_with_task() {
            headers.append(LATER, LATER_ENABLED);
        }
        let request = self.request(Method::POST, services.get(action)?, headers, body);
        self.exchange(request, place, deadlines).await
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
        let mut request = self.request(method, uri(&url)?, headers, body);
        if let Some(tokens) = &self.tokens {
            let token = bearer(&tokens.token(now_ms)).expect("a token has no odd letters");
            request.headers_mut().append(header::AUTHORIZATION, token);
        }
        self.exchange(request, place, deadlines).await
    }

    /// A text without its secrets, where a provider has told them back.
    #[must_use]
    pub fn without_secrets(&self, text: &str) -> String {
        let UpstreamConfig { api_key, key_pair, .. } = &self.config;
        let pair = key_pair.iter().flat_map(|pair| [&pair.access_key, &pair.secret_key]);
        let secrets = api_key.iter().chain(pair).map(Secret::reveal);
        secrets.fold(text.to_owned(), |text, secret| text.replace(secret, "…"))
    }

    /// Makes the next request use a new token: the provider found this one too old or not valid yet.
    pub fn renew(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.renew();
        }
    }

    fn request(&self, method: Method, uri: Uri, mut headers: HeaderMap, body: Bytes) -> Request<Bytes> {
        for (name, value) in &self.credentials {
            headers.append(name, value.clone());
        }
        let mut request = Request::new(body);
        *request.method_mut() = method;
        *request.uri_mut() = uri;
        *request.headers_mut() = headers;
        request
    }

    async fn exchange(
        &self,
        request: Request<Bytes>,
        place: UpstreamPermit,
        deadlines: AnswerDeadlines,
    ) -> Result<UpstreamAnswer, UpstreamError> {
        let deadline = deadlines.begin.min(deadlines.whole);
        let response = match timeout_at(deadline, self.client.send(request)).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() => return Err(UpstreamError::TooSlow),
            Ok(Err(error)) => return Err(UpstreamError::Unreachable(error)),
            Err(_) => return Err(UpstreamError::TooSlow),
        };
        let (head, body) = response.into_parts();
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
    /// The URIs of the services for the model.
    pub services: &'a ServiceUris,
    /// The service.
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

/// The resolver of a provider's name, which finds no address at which the provider may not be.
fn resolver(reach: &ProviderReach, base_url: &Url) -> Result<Arc<dyn NameResolver>, ForbiddenAddress> {
    let system = Arc::new(SystemResolver);
    let ProviderReach::OpenInternet { allowed } = reach else { return Ok(system) };
    let guard = AddressGuard::new(allowed);
    guard.check_provider(base_url)?;
    Ok(Arc::new(GuardedResolver::new(system, guard, base_url.scheme() == "http")))
}

/// Checks that a provider that operators add may be at an address: on the open internet, or in a network that is allowed.
///
/// # Errors
/// The reason for the refusal.
pub fn check_provider_address(base_url: &str, allowed: &[IpNet]) -> Result<(), ForbiddenAddress> {
    let url = Url::parse(base_url).map_err(|_| ForbiddenAddress::NoAddress)?;
    AddressGuard::new(allowed).check_provider(&url)
}

fn client_config(version: HttpVersion, patience: UpstreamLimits, resolver: Arc<dyn NameResolver>) -> HttpClientConfig {
    HttpClientConfig {
        protocol: match version {
            HttpVersion::Auto => HttpProtocol::Negotiated,
            HttpVersion::Http1 => HttpProtocol::Http1,
            HttpVersion::Http2 => HttpProtocol::Http2,
        },
        connect_timeout: patience.connect,
        idle_connections_max: IDLE_CONNECTIONS_MAX,
        adaptive_window: true,
        resolver,
    }
}

#[cfg(test)]
mod tests;
