// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `content`.
use crate::api::{
    AList, Answer, Authenticate, BodyLimit, Call, Cx, EventStream, Failure, Head,
    Members, Operation, OperationError, Principal, ProxyBody, ProxyReply, Raw, Route,
    Spanned,
};

use http::Method;
use std::sync::Arc;
use tollgate_macros::OpError;
use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
/// POST /v1beta/models/{*model}:generateContent: One model turn in format G, text or images.
/// (spec/operations/content.yaml:7, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `content.generate` (POST /v1beta/models/{{*model}}:generateContent) has no handler on `{Self}`",
    label = "missing `impl GenerateContent for {Self}`",
    note = "declared at spec/operations/content.yaml:7",
    note = "add: impl GenerateContent for {Self} {{ async fn generate_content(&self, cx: &Cx, input: GenerateContentInput) -> Result<ProxyReply, GenerateContentError> {{ .. }} }}"
)]
pub trait GenerateContent: Send + Sync + 'static {
    /// Answers the operation.
    fn generate_content(
        &self,
        cx: &Cx,
        input: GenerateContentInput,
    ) -> impl Future<Output = Result<ProxyReply, GenerateContentError>> + Send;
}

/// What [`GenerateContent`] takes.
#[derive(Debug)]
pub struct GenerateContentInput {
    /// Who is calling.
    pub caller: Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: ProxyBody<GenerateContentHead>,
}

/// The members of a `GenerateRequest` that decide.
#[derive(Debug, Clone)]
pub struct GenerateContentHead {
    /// The conversation so far, oldest first.
    pub contents: Spanned<Raw>,
    /// How to generate. Absent means the model's own settings.
    pub generation_config: Option<Spanned<types::GenerationConfig>>,
    /// What the model may ask to have called.
    pub tools: Option<Spanned<Raw>>,
}

impl Head for GenerateContentHead {
    const NAMES: &'static [&'static str] = &["contents", "generationConfig", "tools"];
    fn read(members: &Members<'_>) -> Result<Self, Failure> {
        Ok(Self {
            contents: members.required("contents", AList::ANY)?,
            generation_config: members.optional("generationConfig", "an object")?,
            tools: members.optional("tools", AList::ANY)?,
        })
    }
}

/// What [`GenerateContent`] may fail with.
#[derive(Debug, OpError)]
#[op(operation = "content.generate", spec = "spec/operations/content.yaml:7")]
#[expect(
    missing_docs,
    reason = "each is a code of `errors::code`, which says what it means"
)]
pub enum GenerateContentError {
    #[code(KEY_MISSING)]
    KeyMissing,
    #[code(KEY_INVALID)]
    KeyInvalid,
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(MODEL_NOT_FOUND)]
    ModelNotFound { model: String },
    #[code(UNKNOWN_PRICE)]
    UnknownPrice { model: String },
    #[code(INSUFFICIENT_CREDIT)]
    InsufficientCredit {
        needed_usd: crate::api::Usd,
        available_usd: crate::api::Usd,
        held_usd: crate::api::Usd,
    },
    #[code(CREDIT_IN_FLIGHT)]
    CreditInFlight {
        needed_usd: crate::api::Usd,
        available_usd: crate::api::Usd,
        held_usd: crate::api::Usd,
    },
    #[code(UPSTREAM_REFUSED)]
    UpstreamRefused { reason: String },
    #[code(UPSTREAM_RATE_LIMITED)]
    UpstreamRateLimited { model: String },
    #[code(UPSTREAM_FAILED)]
    UpstreamFailed { model: String },
    #[code(UPSTREAM_OVERLOADED)]
    UpstreamOverloaded { model: String },
    #[code(UPSTREAM_TIMEOUT)]
    UpstreamTimeout { model: String },
    #[code(UPSTREAM_BROKE_OFF)]
    UpstreamBrokeOff { model: String },
    #[code(NOT_CONVERTIBLE)]
    NotConvertible { field: String, model: String, reason: String },
}

pub(crate) static GENERATE_CONTENT: Operation = Operation {
    routes: &[
        Route::with_suffix(Method::POST, "/v1beta/models/{*model}", ":generateContent"),
        Route::with_suffix(Method::POST, "/v1/models/{*model}", ":generateContent"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: BodyLimit {
        bytes: limits::MEDIA_BODY,
        over: None,
    },
    proxy: true,
    ..Operation::new("content.generate", "spec/operations/content.yaml:7", &envelopes::G)
};

pub(crate) async fn generate_content<S: GenerateContent + Authenticate>(
    service: Arc<S>,
    mut call: Call,
) -> Answer {
    let input = GenerateContentInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let reply = service
        .generate_content(&call.cx, input)
        .await
        .map_err(OperationError::failure)?;
    Ok(reply.into_response())
}

/// POST /v1beta/models/{*model}:streamGenerateContent: One model turn in format G, as server-sent events with
/// `alt=sse`, otherwise as one JSON array. (spec/operations/content.yaml:27)
#[diagnostic::on_unimplemented(
    message = "operation `content.stream` (POST /v1beta/models/{{*model}}:streamGenerateContent) has no handler on `{Self}`",
    label = "missing `impl StreamContent for {Self}`",
    note = "declared at spec/operations/content.yaml:27",
    note = "add: impl StreamContent for {Self} {{ async fn stream_content(&self, cx: &Cx, input: StreamContentInput) -> Result<ProxyReply, StreamContentError> {{ .. }} }}"
)]
pub trait StreamContent: Send + Sync + 'static {
    /// Answers the operation.
    fn stream_content(
        &self,
        cx: &Cx,
        input: StreamContentInput,
    ) -> impl Future<Output = Result<ProxyReply, StreamContentError>> + Send;
}

/// What [`StreamContent`] takes.
#[derive(Debug)]
pub struct StreamContentInput {
    /// Who is calling.
    pub caller: Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// `sse` for server-sent events.
    pub alt: Option<String>,
    /// The body as it came, and the members that decide.
    pub body: ProxyBody<StreamContentHead>,
}

/// The members of a `GenerateRequest` that decide.
#[derive(Debug, Clone)]
pub struct StreamContentHead {
    /// The conversation so far, oldest first.
    pub contents: Spanned<Raw>,
    /// How to generate. Absent means the model's own settings.
    pub generation_config: Option<Spanned<types::GenerationConfig>>,
    /// What the model may ask to have called.
    pub tools: Option<Spanned<Raw>>,
}

impl Head for StreamContentHead {
    const NAMES: &'static [&'static str] = &["contents", "generationConfig", "tools"];
    fn read(members: &Members<'_>) -> Result<Self, Failure> {
        Ok(Self {
            contents: members.required("contents", AList::ANY)?,
            generation_config: members.optional("generationConfig", "an object")?,
            tools: members.optional("tools", AList::ANY)?,
        })
    }
}

impl StreamContentInput {
    /// How a stream looks on the wire.
    pub const STREAM: EventStream = EventStream {
        named: false,
        ends_with: None,
    };
    /// Whether the answer is to be a stream of events: `query.alt=sse`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.alt.as_deref() == Some("sse")
    }
}

/// What [`StreamContent`] may fail with.
#[derive(Debug, OpError)]
#[op(operation = "content.stream", spec = "spec/operations/content.yaml:27")]
#[expect(
    missing_docs,
    reason = "each is a code of `errors::code`, which says what it means"
)]
pub enum StreamContentError {
    #[code(KEY_MISSING)]
    KeyMissing,
    #[code(KEY_INVALID)]
    KeyInvalid,
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(MODEL_NOT_FOUND)]
    ModelNotFound { model: String },
    #[code(UNKNOWN_PRICE)]
    UnknownPrice { model: String },
    #[code(INSUFFICIENT_CREDIT)]
    InsufficientCredit {
        needed_usd: crate::api::Usd,
        available_usd: crate::api::Usd,
        held_usd: crate::api::Usd,
    },
    #[code(CREDIT_IN_FLIGHT)]
    CreditInFlight {
        needed_usd: crate::api::Usd,
        available_usd: crate::api::Usd,
        held_usd: crate::api::Usd,
    },
    #[code(UPSTREAM_REFUSED)]
    UpstreamRefused { reason: String },
    #[code(UPSTREAM_RATE_LIMITED)]
    UpstreamRateLimited { model: String },
    #[code(UPSTREAM_FAILED)]
    UpstreamFailed { model: String },
    #[code(UPSTREAM_OVERLOADED)]
    UpstreamOverloaded { model: String },
    #[code(UPSTREAM_TIMEOUT)]
    UpstreamTimeout { model: String },
    #[code(UPSTREAM_BROKE_OFF)]
    UpstreamBrokeOff { model: String },
    #[code(NOT_CONVERTIBLE)]
    NotConvertible { field: String, model: String, reason: String },
}

pub(crate) static STREAM_CONTENT: Operation = Operation {
    routes: &[
        Route::with_suffix(
            Method::POST,
            "/v1beta/models/{*model}",
            ":streamGenerateContent",
        ),
        Route::with_suffix(Method::POST, "/v1/models/{*model}", ":streamGenerateContent"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: BodyLimit {
        bytes: limits::MEDIA_BODY,
        over: None,
    },
    proxy: true,
    ..Operation::new("content.stream", "spec/operations/content.yaml:27", &envelopes::G)
};

pub(crate) async fn stream_content<S: StreamContent + Authenticate>(
    service: Arc<S>,
    mut call: Call,
) -> Answer {
    let input = StreamContentInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        alt: call.optional_query("alt", "a text")?,
        body: call.proxy_body().await?,
    };
    let reply = service
        .stream_content(&call.cx, input)
        .await
        .map_err(OperationError::failure)?;
    Ok(reply.into_response())
}
