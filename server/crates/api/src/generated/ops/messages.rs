// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `messages`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use crate::api;

/// POST /v1/messages: One model turn in format A, whole or as a stream. (spec/operations/messages.yaml:
/// messages.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `messages.create` (POST /v1/messages) has no handler on `{Self}`",
    label = "missing `impl CreateMessage for {Self}`",
    note = "declared at spec/operations/messages.yaml: messages.create",
    note = "add: impl CreateMessage for {Self} {{ async fn create_message(&self, cx: &Cx, input: CreateMessageInput) -> Result<ProxyReply, CreateMessageError> {{ .. }} }}"
)]
pub trait CreateMessage: Send + Sync + 'static {
    /// Answers the operation.
    fn create_message(
        &self,
        cx: &api::Cx,
        input: CreateMessageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateMessageError>> + Send;
}

/// The input of [`CreateMessage`].
#[derive(Debug)]
pub struct CreateMessageInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Version of the format; a date.
    pub a_version: String,
    /// Names of preview features.
    pub a_beta: Option<String>,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateMessageHead>,
}

/// The members of a `MessagesRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateMessageHead {
    /// Model that answers.
    pub model: api::Spanned<String>,
    /// The conversation so far, oldest first.
    pub messages: api::Spanned<api::Raw>,
    /// Send the answer as server-sent events while it is made.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// Bound of the output.
    pub max_tokens: api::Spanned<i64>,
    /// Tools that the model may call.
    pub tools: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CreateMessageHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "messages",
        "stream",
        "max_tokens",
        "tools",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            messages: members.required("messages", api::AList::FILLED)?,
            stream: members.nullable("stream", "true or false")?,
            max_tokens: members.required("max_tokens", api::Whole::least(1))?,
            tools: members.optional("tools", api::AList::ANY)?,
        })
    }
}

impl CreateMessageInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: true,
        ends_with: &["message_stop"],
    };

    /// True if the request asks for a stream of events: `body.stream`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.body.head.stream.as_ref().is_some_and(|given| given.value == Some(true))
    }
}

/// The errors of [`CreateMessage`].
#[derive(Debug, OpError)]
#[op(operation = "messages.create", spec = "spec/operations/messages.yaml: messages.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateMessageError {
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
    #[code(THREAD_UNSUPPORTED)]
    ThreadUnsupported { error_code: String },
}

pub(in crate::generated) static CREATE_MESSAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/messages"),
        api::Route::new(http::Method::POST, "/messages"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("messages.create", "spec/operations/messages.yaml: messages.create", &envelopes::A)
};

pub(in crate::generated) async fn create_message<S: CreateMessage + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateMessageInput {
        caller: call.caller(&*service).await?,
        a_version: call.header(&auth::names::A_VERSION, api::Text::of(1, 32))?,
        a_beta: call.optional_header(&auth::names::A_BETA, "a text")?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_message(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1/messages/count_tokens: Input tokens of a request in format A. Free of charge. Where the provider
/// cannot count, or fails to, it is an estimate by the size of the texts, four bytes a token, and the header
/// `x-tollgate-estimated` says so. (spec/operations/messages.yaml: messages.count_tokens)
#[diagnostic::on_unimplemented(
    message = "operation `messages.count_tokens` (POST /v1/messages/count_tokens) has no handler on `{Self}`",
    label = "missing `impl CountMessageTokens for {Self}`",
    note = "declared at spec/operations/messages.yaml: messages.count_tokens",
    note = "add: impl CountMessageTokens for {Self} {{ async fn count_message_tokens(&self, cx: &Cx, input: CountMessageTokensInput) -> Result<ProxyReply, CountMessageTokensError> {{ .. }} }}"
)]
pub trait CountMessageTokens: Send + Sync + 'static {
    /// Answers the operation.
    fn count_message_tokens(
        &self,
        cx: &api::Cx,
        input: CountMessageTokensInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CountMessageTokensError>> + Send;
}

/// The input of [`CountMessageTokens`].
#[derive(Debug)]
pub struct CountMessageTokensInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Version of the format; a date.
    pub a_version: String,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CountMessageTokensHead>,
}

/// The members of a `CountTokensRequest` that decide.
#[derive(Debug, Clone)]
pub struct CountMessageTokensHead {
    /// For which model to count.
    pub model: api::Spanned<String>,
    /// The conversation to count.
    pub messages: api::Spanned<api::Raw>,
}

impl api::Head for CountMessageTokensHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "messages",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            messages: members.required("messages", api::AList::ANY)?,
        })
    }
}

/// The errors of [`CountMessageTokens`].
#[derive(Debug, OpError)]
#[op(operation = "messages.count_tokens", spec = "spec/operations/messages.yaml: messages.count_tokens")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CountMessageTokensError {
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

pub(in crate::generated) static COUNT_MESSAGE_TOKENS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/messages/count_tokens"),
        api::Route::new(http::Method::POST, "/messages/count_tokens"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    ..api::Operation::new("messages.count_tokens", "spec/operations/messages.yaml: messages.count_tokens", &envelopes::A)
};

pub(in crate::generated) async fn count_message_tokens<S: CountMessageTokens + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CountMessageTokensInput {
        caller: call.caller(&*service).await?,
        a_version: call.header(&auth::names::A_VERSION, api::Text::of(1, 32))?,
        body: call.proxy_body().await?,
    };
    let reply = service.count_message_tokens(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
