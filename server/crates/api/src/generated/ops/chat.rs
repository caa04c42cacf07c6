// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `chat`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/chat/completions: One model turn in format O, whole or as a stream. Fields that are not listed here
/// travel to the provider as they are; what a provider adds to its answer comes back the same way. Providers are
/// asked in turn until one answers; none is asked any more once the client was sent the first byte. Where the
/// operator has named other models behind this one, theirs are asked after its own, and the reply names the
/// model that answered in the header `x-tollgate-fallback`. Where the request gives no bound of its output and
/// the credit buys less than the model's maximum, the provider is sent the bound that the credit buys, and the
/// reply tells it in the header `x-tollgate-output-bound`, in tokens for each answer.
/// (spec/operations/chat.yaml: chat.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `chat.create` (POST /v1/chat/completions) has no handler on `{Self}`",
    label = "missing `impl CreateChatCompletion for {Self}`",
    note = "declared at spec/operations/chat.yaml: chat.create",
    note = "add: impl CreateChatCompletion for {Self} {{ async fn create_chat_completion(&self, cx: &Cx, input: CreateChatCompletionInput) -> Result<ProxyReply, CreateChatCompletionError> {{ .. }} }}"
)]
pub trait CreateChatCompletion: Send + Sync + 'static {
    /// Answers the operation.
    fn create_chat_completion(
        &self,
        cx: &api::Cx,
        input: CreateChatCompletionInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateChatCompletionError>> + Send;
}

/// The input of [`CreateChatCompletion`].
#[derive(Debug)]
pub struct CreateChatCompletionInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateChatCompletionHead>,
}

/// The members of a `ChatRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateChatCompletionHead {
    /// Model that answers.
    pub model: api::Spanned<String>,
    /// The conversation so far, oldest first.
    pub messages: api::Spanned<api::Raw>,
    /// Answer as server-sent events while it is made. Absent means false.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// Only together with `stream`.
    pub stream_options: Option<api::Spanned<Option<types::ChatStreamOptions>>>,
    /// The older name of `max_completion_tokens`; see there.
    pub max_tokens: Option<api::Spanned<Option<i64>>>,
    /// Bound of the output, reasoning included. The credit that is held for the request depends on it; without a
    /// bound the model's own maximum is held for. Of this and `max_tokens` the larger counts for the hold where both
    /// are given, because it is the provider's choice which it goes by; both travel to it as they are. A provider
    /// that knows the older name alone is told this bound under that name too.
    pub max_completion_tokens: Option<api::Spanned<Option<i64>>>,
    /// Number of answers to make. Each is paid for. Absent means 1.
    pub n: Option<api::Spanned<Option<i64>>>,
    /// Functions that the model may ask to have called.
    pub tools: Option<api::Spanned<Option<api::Raw>>>,
    /// Kinds of output, `text` or `audio`.
    pub modalities: Option<api::Spanned<Option<api::Raw>>>,
    /// Voice and format of audio output. Refused where the model has no price for it.
    pub audio: Option<api::Spanned<api::Raw>>,
    /// Text that much of the answer is expected to repeat.
    pub prediction: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CreateChatCompletionHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "messages",
        "stream",
        "stream_options",
        "max_tokens",
        "max_completion_tokens",
        "n",
        "tools",
        "modalities",
        "audio",
        "prediction",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            messages: members.required("messages", api::AList::FILLED)?,
            stream: members.nullable("stream", "true or false")?,
            stream_options: members.nullable("stream_options", "an object")?,
            max_tokens: members.nullable("max_tokens", api::Whole::least(1))?,
            max_completion_tokens: members.nullable("max_completion_tokens", api::Whole::least(1))?,
            n: members.nullable("n", api::Whole::of(1, 128))?,
            tools: members.nullable("tools", api::AList::ANY)?,
            modalities: members.nullable("modalities", api::AList::ANY)?,
            audio: members.optional("audio", "JSON")?,
            prediction: members.optional("prediction", "JSON")?,
        })
    }
}

impl CreateChatCompletionInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: false,
        ends_with: &["[DONE]"],
    };

    /// True if the request asks for a stream of events: `body.stream`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.body.head.stream.as_ref().is_some_and(|given| given.value == Some(true))
    }
}

/// The errors of [`CreateChatCompletion`].
#[derive(Debug, OpError)]
#[op(operation = "chat.create", spec = "spec/operations/chat.yaml: chat.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateChatCompletionError {
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

pub(in crate::generated) static CREATE_CHAT_COMPLETION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/chat/completions"),
        api::Route::new(http::Method::POST, "/chat/completions"),
        api::Route::new(http::Method::POST, "/v1beta/openai/chat/completions"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("chat.create", "spec/operations/chat.yaml: chat.create", &envelopes::O)
};

pub(in crate::generated) async fn create_chat_completion<S: CreateChatCompletion + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateChatCompletionInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_chat_completion(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}
