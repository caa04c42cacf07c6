// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `embeddings`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use crate::api;

/// POST /v1/engines/{model}/embeddings: Embeddings of texts, with the model in the path.
/// (spec/operations/embeddings.yaml: embeddings.create_for_engine, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `embeddings.create_for_engine` (POST /v1/engines/{{model}}/embeddings) has no handler on `{Self}`",
    label = "missing `impl CreateEngineEmbedding for {Self}`",
    note = "declared at spec/operations/embeddings.yaml: embeddings.create_for_engine",
    note = "add: impl CreateEngineEmbedding for {Self} {{ async fn create_engine_embedding(&self, cx: &Cx, input: CreateEngineEmbeddingInput) -> Result<ProxyReply, CreateEngineEmbeddingError> {{ .. }} }}"
)]
pub trait CreateEngineEmbedding: Send + Sync + 'static {
    /// Answers the operation.
    fn create_engine_embedding(
        &self,
        cx: &api::Cx,
        input: CreateEngineEmbeddingInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateEngineEmbeddingError>> + Send;
}

/// The input of [`CreateEngineEmbedding`].
#[derive(Debug)]
pub struct CreateEngineEmbeddingInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model or engine.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateEngineEmbeddingHead>,
}

/// The members of a `EngineEmbeddingRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateEngineEmbeddingHead {
    /// The path's model counts.
    pub model: Option<api::Spanned<String>>,
    /// A text, a list of texts, or tokens. Not empty.
    pub input: api::Spanned<api::Raw>,
    /// `float` or `base64`.
    pub encoding_format: Option<api::Spanned<Option<String>>>,
}

impl api::Head for CreateEngineEmbeddingHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "input",
        "encoding_format",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.optional("model", "a text")?,
            input: members.required("input", "JSON")?,
            encoding_format: members.nullable("encoding_format", "a text")?,
        })
    }
}

/// The errors of [`CreateEngineEmbedding`].
#[derive(Debug, OpError)]
#[op(operation = "embeddings.create_for_engine", spec = "spec/operations/embeddings.yaml: embeddings.create_for_engine")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateEngineEmbeddingError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(MODEL_NOT_FOUND)]
    ModelNotFound { model: String },
    #[code(MODEL_NOT_ALLOWED)]
    ModelNotAllowed { model: String },
    #[code(UNKNOWN_PRICE)]
    UnknownPrice { model: String },
    #[code(INSUFFICIENT_CREDIT)]
    InsufficientCredit { needed_usd: api::Usd, available_usd: api::Usd, held_usd: api::Usd },
    #[code(CREDIT_IN_FLIGHT)]
    CreditInFlight { needed_usd: api::Usd, available_usd: api::Usd, held_usd: api::Usd },
    #[code(KEY_SPEND_CAP_EXCEEDED)]
    KeySpendCapExceeded { cap_usd: api::Usd, spent_usd: api::Usd, needed_usd: api::Usd, resets_at: String },
    #[code(BUDGET_EXCEEDED)]
    BudgetExceeded { holder: String, period: String, budget_usd: api::Usd, left_usd: api::Usd, needed_usd: api::Usd, resets_at: String },
    #[code(BUDGET_IN_FLIGHT)]
    BudgetInFlight { holder: String, period: String, held_usd: api::Usd, left_usd: api::Usd, needed_usd: api::Usd },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
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

pub(in crate::generated) static CREATE_ENGINE_EMBEDDING: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/engines/{model}/embeddings"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("embeddings.create_for_engine", "spec/operations/embeddings.yaml: embeddings.create_for_engine", &envelopes::O)
};

pub(in crate::generated) async fn create_engine_embedding<S: CreateEngineEmbedding + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateEngineEmbeddingInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_engine_embedding(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1/embeddings: Embeddings of texts. (spec/operations/embeddings.yaml: embeddings.create)
#[diagnostic::on_unimplemented(
    message = "operation `embeddings.create` (POST /v1/embeddings) has no handler on `{Self}`",
    label = "missing `impl CreateEmbedding for {Self}`",
    note = "declared at spec/operations/embeddings.yaml: embeddings.create",
    note = "add: impl CreateEmbedding for {Self} {{ async fn create_embedding(&self, cx: &Cx, input: CreateEmbeddingInput) -> Result<ProxyReply, CreateEmbeddingError> {{ .. }} }}"
)]
pub trait CreateEmbedding: Send + Sync + 'static {
    /// Answers the operation.
    fn create_embedding(
        &self,
        cx: &api::Cx,
        input: CreateEmbeddingInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateEmbeddingError>> + Send;
}

/// The input of [`CreateEmbedding`].
#[derive(Debug)]
pub struct CreateEmbeddingInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateEmbeddingHead>,
}

/// The members of a `EmbeddingRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateEmbeddingHead {
    /// Model that embeds.
    pub model: api::Spanned<String>,
    /// A text, a list of texts, or tokens. Not empty.
    pub input: api::Spanned<api::Raw>,
    /// `float` or `base64`.
    pub encoding_format: Option<api::Spanned<Option<String>>>,
}

impl api::Head for CreateEmbeddingHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "input",
        "encoding_format",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            input: members.required("input", "JSON")?,
            encoding_format: members.nullable("encoding_format", "a text")?,
        })
    }
}

/// The errors of [`CreateEmbedding`].
#[derive(Debug, OpError)]
#[op(operation = "embeddings.create", spec = "spec/operations/embeddings.yaml: embeddings.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateEmbeddingError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(MODEL_NOT_FOUND)]
    ModelNotFound { model: String },
    #[code(MODEL_NOT_ALLOWED)]
    ModelNotAllowed { model: String },
    #[code(UNKNOWN_PRICE)]
    UnknownPrice { model: String },
    #[code(INSUFFICIENT_CREDIT)]
    InsufficientCredit { needed_usd: api::Usd, available_usd: api::Usd, held_usd: api::Usd },
    #[code(CREDIT_IN_FLIGHT)]
    CreditInFlight { needed_usd: api::Usd, available_usd: api::Usd, held_usd: api::Usd },
    #[code(KEY_SPEND_CAP_EXCEEDED)]
    KeySpendCapExceeded { cap_usd: api::Usd, spent_usd: api::Usd, needed_usd: api::Usd, resets_at: String },
    #[code(BUDGET_EXCEEDED)]
    BudgetExceeded { holder: String, period: String, budget_usd: api::Usd, left_usd: api::Usd, needed_usd: api::Usd, resets_at: String },
    #[code(BUDGET_IN_FLIGHT)]
    BudgetInFlight { holder: String, period: String, held_usd: api::Usd, left_usd: api::Usd, needed_usd: api::Usd },
    #[code(RATE_LIMITED)]
    RateLimited { limit: String },
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

pub(in crate::generated) static CREATE_EMBEDDING: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/embeddings"),
        api::Route::new(http::Method::POST, "/embeddings"),
        api::Route::new(http::Method::POST, "/v1beta/openai/embeddings"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("embeddings.create", "spec/operations/embeddings.yaml: embeddings.create", &envelopes::O)
};

pub(in crate::generated) async fn create_embedding<S: CreateEmbedding + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateEmbeddingInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_embedding(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}
