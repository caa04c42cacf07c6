// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `content`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1beta/models/{*model}:generateContent: One model turn in format G, text or images.
/// (spec/operations/content.yaml: content.generate, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `content.generate` (POST /v1beta/models/{{*model}}:generateContent) has no handler on `{Self}`",
    label = "missing `impl GenerateContent for {Self}`",
    note = "declared at spec/operations/content.yaml: content.generate",
    note = "add: impl GenerateContent for {Self} {{ async fn generate_content(&self, cx: &Cx, input: GenerateContentInput) -> Result<ProxyReply, GenerateContentError> {{ .. }} }}"
)]
pub trait GenerateContent: Send + Sync + 'static {
    /// Answers the operation.
    fn generate_content(
        &self,
        cx: &api::Cx,
        input: GenerateContentInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GenerateContentError>> + Send;
}

/// The input of [`GenerateContent`].
#[derive(Debug)]
pub struct GenerateContentInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<GenerateContentHead>,
}

/// The members of a `GenerateRequest` that decide.
#[derive(Debug, Clone)]
pub struct GenerateContentHead {
    /// The conversation so far, oldest first.
    pub contents: api::Spanned<api::Raw>,
    /// Options of the answer. Absent means the model's own settings.
    pub generation_config: Option<api::Spanned<types::GenerationConfig>>,
    /// Tools that the model may call.
    pub tools: Option<api::Spanned<api::Raw>>,
}

impl api::Head for GenerateContentHead {
    const NAMES: &'static [&'static str] = &[
        "contents",
        "generationConfig",
        "tools",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            contents: members.required("contents", api::AList::ANY)?,
            generation_config: members.optional("generationConfig", "an object")?,
            tools: members.optional("tools", api::AList::ANY)?,
        })
    }
}

/// The errors of [`GenerateContent`].
#[derive(Debug, OpError)]
#[op(operation = "content.generate", spec = "spec/operations/content.yaml: content.generate")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GenerateContentError {
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
    #[code(MEMBER_UNKNOWN)]
    MemberUnknown { field: String, setting: String },
    #[code(NOT_OFFERED)]
    NotOffered { field: String, what: String, model: String, setting: String },
    #[code(PROVIDER_STATE)]
    ProviderState { field: String },
}

pub(in crate::generated) static GENERATE_CONTENT: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1beta/models/{*model}", ":generateContent"),
        api::Route::with_suffix(http::Method::POST, "/v1/models/{*model}", ":generateContent"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("content.generate", "spec/operations/content.yaml: content.generate", &envelopes::G)
};

pub(in crate::generated) async fn generate_content<S: GenerateContent + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = GenerateContentInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.generate_content(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1beta/models/{*model}:streamGenerateContent: One model turn in format G, as server-sent events with
/// `alt=sse`, otherwise as one JSON array. (spec/operations/content.yaml: content.stream)
#[diagnostic::on_unimplemented(
    message = "operation `content.stream` (POST /v1beta/models/{{*model}}:streamGenerateContent) has no handler on `{Self}`",
    label = "missing `impl StreamContent for {Self}`",
    note = "declared at spec/operations/content.yaml: content.stream",
    note = "add: impl StreamContent for {Self} {{ async fn stream_content(&self, cx: &Cx, input: StreamContentInput) -> Result<ProxyReply, StreamContentError> {{ .. }} }}"
)]
pub trait StreamContent: Send + Sync + 'static {
    /// Answers the operation.
    fn stream_content(
        &self,
        cx: &api::Cx,
        input: StreamContentInput,
    ) -> impl Future<Output = Result<api::ProxyReply, StreamContentError>> + Send;
}

/// The input of [`StreamContent`].
#[derive(Debug)]
pub struct StreamContentInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// `sse` for server-sent events.
    pub alt: Option<String>,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<StreamContentHead>,
}

/// The members of a `GenerateRequest` that decide.
#[derive(Debug, Clone)]
pub struct StreamContentHead {
    /// The conversation so far, oldest first.
    pub contents: api::Spanned<api::Raw>,
    /// Options of the answer. Absent means the model's own settings.
    pub generation_config: Option<api::Spanned<types::GenerationConfig>>,
    /// Tools that the model may call.
    pub tools: Option<api::Spanned<api::Raw>>,
}

impl api::Head for StreamContentHead {
    const NAMES: &'static [&'static str] = &[
        "contents",
        "generationConfig",
        "tools",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            contents: members.required("contents", api::AList::ANY)?,
            generation_config: members.optional("generationConfig", "an object")?,
            tools: members.optional("tools", api::AList::ANY)?,
        })
    }
}

impl StreamContentInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: false,
        ends_with: &[],
    };

    /// True if the request asks for a stream of events: `query.alt=sse`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.alt.as_deref() == Some("sse")
    }
}

/// The errors of [`StreamContent`].
#[derive(Debug, OpError)]
#[op(operation = "content.stream", spec = "spec/operations/content.yaml: content.stream")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum StreamContentError {
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
    #[code(MEMBER_UNKNOWN)]
    MemberUnknown { field: String, setting: String },
    #[code(NOT_OFFERED)]
    NotOffered { field: String, what: String, model: String, setting: String },
    #[code(PROVIDER_STATE)]
    ProviderState { field: String },
}

pub(in crate::generated) static STREAM_CONTENT: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1beta/models/{*model}", ":streamGenerateContent"),
        api::Route::with_suffix(http::Method::POST, "/v1/models/{*model}", ":streamGenerateContent"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("content.stream", "spec/operations/content.yaml: content.stream", &envelopes::G)
};

pub(in crate::generated) async fn stream_content<S: StreamContent + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = StreamContentInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        alt: call.optional_query("alt", "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.stream_content(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1beta/models/{*model}:countTokens: Input tokens of a request in format G. Free of charge. Where the
/// provider cannot count, or fails to, it is an estimate by the size of the texts, four bytes a token, and the
/// header `x-tollgate-estimated` says so. (spec/operations/content.yaml: content.count_tokens)
#[diagnostic::on_unimplemented(
    message = "operation `content.count_tokens` (POST /v1beta/models/{{*model}}:countTokens) has no handler on `{Self}`",
    label = "missing `impl CountContentTokens for {Self}`",
    note = "declared at spec/operations/content.yaml: content.count_tokens",
    note = "add: impl CountContentTokens for {Self} {{ async fn count_content_tokens(&self, cx: &Cx, input: CountContentTokensInput) -> Result<ProxyReply, CountContentTokensError> {{ .. }} }}"
)]
pub trait CountContentTokens: Send + Sync + 'static {
    /// Answers the operation.
    fn count_content_tokens(
        &self,
        cx: &api::Cx,
        input: CountContentTokensInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CountContentTokensError>> + Send;
}

/// The input of [`CountContentTokens`].
#[derive(Debug)]
pub struct CountContentTokensInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CountContentTokensHead>,
}

/// The members of a `CountContentRequest` that decide.
#[derive(Debug, Clone)]
pub struct CountContentTokensHead {
    /// The conversation to count. Absent when a whole request is given.
    pub contents: Option<api::Spanned<api::Raw>>,
    /// A whole request instead.
    pub generate_content_request: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CountContentTokensHead {
    const NAMES: &'static [&'static str] = &[
        "contents",
        "generateContentRequest",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            contents: members.optional("contents", api::AList::ANY)?,
            generate_content_request: members.optional("generateContentRequest", "JSON")?,
        })
    }
}

/// The errors of [`CountContentTokens`].
#[derive(Debug, OpError)]
#[op(operation = "content.count_tokens", spec = "spec/operations/content.yaml: content.count_tokens")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CountContentTokensError {
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

pub(in crate::generated) static COUNT_CONTENT_TOKENS: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1beta/models/{*model}", ":countTokens"),
        api::Route::with_suffix(http::Method::POST, "/v1/models/{*model}", ":countTokens"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    ..api::Operation::new("content.count_tokens", "spec/operations/content.yaml: content.count_tokens", &envelopes::G)
};

pub(in crate::generated) async fn count_content_tokens<S: CountContentTokens + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CountContentTokensInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let reply = service.count_content_tokens(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// POST /v1beta/models/{*model}:embedContent: One embedding in format G. (spec/operations/content.yaml:
/// content.embed)
#[diagnostic::on_unimplemented(
    message = "operation `content.embed` (POST /v1beta/models/{{*model}}:embedContent) has no handler on `{Self}`",
    label = "missing `impl EmbedContent for {Self}`",
    note = "declared at spec/operations/content.yaml: content.embed",
    note = "add: impl EmbedContent for {Self} {{ async fn embed_content(&self, cx: &Cx, input: EmbedContentInput) -> Result<ProxyReply, EmbedContentError> {{ .. }} }}"
)]
pub trait EmbedContent: Send + Sync + 'static {
    /// Answers the operation.
    fn embed_content(
        &self,
        cx: &api::Cx,
        input: EmbedContentInput,
    ) -> impl Future<Output = Result<api::ProxyReply, EmbedContentError>> + Send;
}

/// The input of [`EmbedContent`].
#[derive(Debug)]
pub struct EmbedContentInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<EmbedContentHead>,
}

/// The members of a `EmbedContentRequest` that decide.
#[derive(Debug, Clone)]
pub struct EmbedContentHead {
    /// The texts of its parts are embedded as one.
    pub content: api::Spanned<types::GenerateContent>,
}

impl api::Head for EmbedContentHead {
    const NAMES: &'static [&'static str] = &[
        "content",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            content: members.required("content", "an object")?,
        })
    }
}

/// The errors of [`EmbedContent`].
#[derive(Debug, OpError)]
#[op(operation = "content.embed", spec = "spec/operations/content.yaml: content.embed")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EmbedContentError {
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

pub(in crate::generated) static EMBED_CONTENT: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1beta/models/{*model}", ":embedContent"),
        api::Route::with_suffix(http::Method::POST, "/v1/models/{*model}", ":embedContent"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("content.embed", "spec/operations/content.yaml: content.embed", &envelopes::G)
};

pub(in crate::generated) async fn embed_content<S: EmbedContent + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = EmbedContentInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.embed_content(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1beta/models/{*model}:batchEmbedContents: Several embeddings in format G; the official clients use it
/// for a single one too. (spec/operations/content.yaml: content.batch_embed)
#[diagnostic::on_unimplemented(
    message = "operation `content.batch_embed` (POST /v1beta/models/{{*model}}:batchEmbedContents) has no handler on `{Self}`",
    label = "missing `impl BatchEmbedContents for {Self}`",
    note = "declared at spec/operations/content.yaml: content.batch_embed",
    note = "add: impl BatchEmbedContents for {Self} {{ async fn batch_embed_contents(&self, cx: &Cx, input: BatchEmbedContentsInput) -> Result<ProxyReply, BatchEmbedContentsError> {{ .. }} }}"
)]
pub trait BatchEmbedContents: Send + Sync + 'static {
    /// Answers the operation.
    fn batch_embed_contents(
        &self,
        cx: &api::Cx,
        input: BatchEmbedContentsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, BatchEmbedContentsError>> + Send;
}

/// The input of [`BatchEmbedContents`].
#[derive(Debug)]
pub struct BatchEmbedContentsInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<BatchEmbedContentsHead>,
}

/// The members of a `BatchEmbedRequest` that decide.
#[derive(Debug, Clone)]
pub struct BatchEmbedContentsHead {
    /// One for each content, all for the path's model.
    pub requests: api::Spanned<api::Raw>,
}

impl api::Head for BatchEmbedContentsHead {
    const NAMES: &'static [&'static str] = &[
        "requests",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            requests: members.required("requests", api::AList::FILLED)?,
        })
    }
}

/// The errors of [`BatchEmbedContents`].
#[derive(Debug, OpError)]
#[op(operation = "content.batch_embed", spec = "spec/operations/content.yaml: content.batch_embed")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum BatchEmbedContentsError {
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

pub(in crate::generated) static BATCH_EMBED_CONTENTS: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1beta/models/{*model}", ":batchEmbedContents"),
        api::Route::with_suffix(http::Method::POST, "/v1/models/{*model}", ":batchEmbedContents"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("content.batch_embed", "spec/operations/content.yaml: content.batch_embed", &envelopes::G)
};

pub(in crate::generated) async fn batch_embed_contents<S: BatchEmbedContents + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = BatchEmbedContentsInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.batch_embed_contents(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// GET /v1beta/models: The models that the key may use, always in format G. (spec/operations/content.yaml:
/// content.list_models)
#[diagnostic::on_unimplemented(
    message = "operation `content.list_models` (GET /v1beta/models) has no handler on `{Self}`",
    label = "missing `impl ListContentModels for {Self}`",
    note = "declared at spec/operations/content.yaml: content.list_models",
    note = "add: impl ListContentModels for {Self} {{ async fn list_content_models(&self, cx: &Cx, input: ListContentModelsInput) -> Result<ModelListG, ListContentModelsError> {{ .. }} }}"
)]
pub trait ListContentModels: Send + Sync + 'static {
    /// Answers the operation.
    fn list_content_models(
        &self,
        cx: &api::Cx,
        input: ListContentModelsInput,
    ) -> impl Future<Output = Result<types::ModelListG, ListContentModelsError>> + Send;
}

/// The input of [`ListContentModels`].
#[derive(Debug)]
pub struct ListContentModelsInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Models in one page.
    pub page_size: i64,
    /// `nextPageToken` of the page before. Absent means the first page.
    pub page_token: Option<String>,
}

/// The errors of [`ListContentModels`].
#[derive(Debug, OpError)]
#[op(operation = "content.list_models", spec = "spec/operations/content.yaml: content.list_models")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListContentModelsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_CONTENT_MODELS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1beta/models"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("content.list_models", "spec/operations/content.yaml: content.list_models", &envelopes::G)
};

pub(in crate::generated) async fn list_content_models<S: ListContentModels + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListContentModelsInput {
        caller: call.caller(&*service).await?,
        page_size: call.optional_query("pageSize", api::Whole::of(1, 1000))?.unwrap_or(50),
        page_token: call.optional_query("pageToken", "a text")?,
    };
    let reply = service.list_content_models(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /v1beta/models/{*model}: One model, always in format G. (spec/operations/content.yaml: content.get_model)
#[diagnostic::on_unimplemented(
    message = "operation `content.get_model` (GET /v1beta/models/{{*model}}) has no handler on `{Self}`",
    label = "missing `impl GetContentModel for {Self}`",
    note = "declared at spec/operations/content.yaml: content.get_model",
    note = "add: impl GetContentModel for {Self} {{ async fn get_content_model(&self, cx: &Cx, input: GetContentModelInput) -> Result<ModelG, GetContentModelError> {{ .. }} }}"
)]
pub trait GetContentModel: Send + Sync + 'static {
    /// Answers the operation.
    fn get_content_model(
        &self,
        cx: &api::Cx,
        input: GetContentModelInput,
    ) -> impl Future<Output = Result<types::ModelG, GetContentModelError>> + Send;
}

/// The input of [`GetContentModel`].
#[derive(Debug)]
pub struct GetContentModelInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the model. It may have slashes.
    pub model: String,
}

/// The errors of [`GetContentModel`].
#[derive(Debug, OpError)]
#[op(operation = "content.get_model", spec = "spec/operations/content.yaml: content.get_model")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetContentModelError {
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
}

pub(in crate::generated) static GET_CONTENT_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1beta/models/{*model}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("content.get_model", "spec/operations/content.yaml: content.get_model", &envelopes::G)
};

pub(in crate::generated) async fn get_content_model<S: GetContentModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetContentModelInput {
        caller: call.caller(&*service).await?,
        model: call.path("model", "a text")?,
    };
    let reply = service.get_content_model(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
