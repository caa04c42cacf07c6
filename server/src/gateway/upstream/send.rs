//! One provider: its address, its key, its pool of connections.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use reqwest::{Client, Url};
use tokio::time::timeout_at;

use super::super::config::{HttpVersion, OutputBoundField, Patience, UpstreamConfig};
use super::answer::{Answer, AnswerBody, Deadlines};

/// One provider that speaks format O.
#[derive(Debug)]
pub struct Upstream {
    name: String,
    chat_url: Url,
    authorization: Option<HeaderValue>,
    output_bound_field: OutputBoundField,
    client: Client,
    patience: Patience,
}

/// Why no answer, or no whole answer, came. Never carries an address or a key.
#[derive(Debug, thiserror::Error)]
pub enum UpstreamError {
    /// The client for it could not be made.
    #[error("upstream `{name}`: building its HTTP client failed")]
    Build {
        /// The upstream.
        name: String,
        /// The cause.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// No connection, or it broke before an answer began.
    #[error("reaching the upstream failed")]
    Unreachable(#[source] reqwest::Error),
    /// The answer did not begin, or did not go on, in time.
    #[error("the upstream took too long")]
    TooSlow,
    /// The connection broke within the answer.
    #[error("the upstream broke off its answer")]
    BrokeOff(#[source] reqwest::Error),
    /// The answer, or an event of it, is larger than we keep.
    #[error("the upstream's answer is too large")]
    TooLarge,
}

impl Upstream {
    /// Makes the client; no connection is opened yet.
    ///
    /// # Errors
    /// [`UpstreamError::Build`] when the address is no URL, the key no header value, or TLS has no roots.
    pub fn build(name: &str, config: &UpstreamConfig, patience: Patience) -> Result<Self, UpstreamError> {
        let failed =
            |source: Box<dyn std::error::Error + Send + Sync>| UpstreamError::Build { name: name.into(), source };
        let chat_url = Url::parse(&format!("{}/chat/completions", config.base_url.trim_end_matches('/')));
        let authorization = config.api_key.as_ref().map(|key| {
            let mut value = HeaderValue::try_from(format!("Bearer {}", key.reveal()))?;
            value.set_sensitive(true);
            Ok::<_, header::InvalidHeaderValue>(value)
        });
        Ok(Self {
            name: name.to_owned(),
            chat_url: chat_url.map_err(|error| failed(error.into()))?,
            authorization: authorization.transpose().map_err(|error| failed(error.into()))?,
            output_bound_field: config.output_bound_field,
            client: client(config.http, patience).map_err(|error| failed(error.into()))?,
            patience,
        })
    }

    /// The name it has in the configuration.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The body field that bounds its output.
    #[must_use]
    pub fn output_bound_field(&self) -> OutputBoundField {
        self.output_bound_field
    }

    /// Sends a chat request and waits for the head of the answer, whatever its status.
    ///
    /// # Errors
    /// [`UpstreamError::Unreachable`] or [`UpstreamError::TooSlow`]; nothing of an answer has arrived then.
    pub async fn send_chat(
        &self,
        headers: HeaderMap,
        body: Bytes,
        deadlines: Deadlines,
    ) -> Result<Answer, UpstreamError> {
        let deadline = deadlines.begin.min(deadlines.whole);
        let mut request = self.client.post(self.chat_url.clone()).headers(headers);
        request = request.header(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        if let Some(authorization) = &self.authorization {
            request = request.header(header::AUTHORIZATION, authorization.clone());
        }
        let response = match timeout_at(deadline, request.body(body).send()).await {
            Ok(Ok(response)) => response,
            Ok(Err(error)) if error.is_timeout() => return Err(UpstreamError::TooSlow),
            Ok(Err(error)) => return Err(UpstreamError::Unreachable(error.without_url())),
            Err(_) => return Err(UpstreamError::TooSlow),
        };
        let (head, body) = http::Response::from(response).into_parts();
        Ok(Answer {
            status: head.status,
            headers: head.headers,
            body: AnswerBody::new(body, self.patience.idle, deadlines),
        })
    }
}

/// Makes ring the process's TLS provider; later calls change nothing.
pub fn install_tls() {
    // Fails when a provider is installed already, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
}

fn client(version: HttpVersion, patience: Patience) -> reqwest::Result<Client> {
    install_tls();
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
