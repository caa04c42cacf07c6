// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `completions`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/completions: Continues a text, whole or as a stream. Where the provider has no such operation, the
/// text is sent as one turn of a conversation; then it has to be one text. (spec/operations/completions.yaml:
/// completions.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `completions.create` (POST /v1/completions) has no handler on `{Self}`",
    label = "missing `impl CreateCompletion for {Self}`",
    note = "declared at spec/operations/completions.yaml: completions.create",
    note = "add: impl CreateCompletion for {Self} {{ async fn create_completion(&self, cx: &Cx, input: CreateCompletionInput) -> Result<ProxyReply, CreateCompletionError> {{ .. }} }}"
)]
pub trait CreateCompletion: Send + Sync + 'static {
    /// Answers the operation.
    fn create_completion(
        &self,
        cx: &api::Cx,
        input: CreateCompletionInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateCompletionError>> + Send;
}

/// The input of [`CreateCompletion`].
#[derive(Debug)]
pub struct CreateCompletionInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateCompletionHead>,
}

/// The members of a `CompletionRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateCompletionHead {
    /// Model that continues the text.
    pub model: api::Spanned<String>,
    /// A text, a list of texts, or tokens.
    pub prompt: api::Spanned<api::Raw>,
    /// Send the continuation as server-sent events while it is made. Absent means false.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// Only together with `stream`.
    pub stream_options: Option<api::Spanned<Option<types::ChatStreamOptions>>>,
    /// Bound of the output. 0 gives the prompt back with `echo`, to be scored.
    pub max_tokens: Option<api::Spanned<Option<i64>>>,
    /// Answers for each prompt.
    pub n: Option<api::Spanned<Option<i64>>>,
    /// Answers to make for each prompt, of which the best are given. All are paid for.
    pub best_of: Option<api::Spanned<Option<i64>>>,
}

impl api::Head for CreateCompletionHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "prompt",
        "stream",
        "stream_options",
        "max_tokens",
        "n",
        "best_of",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            prompt: members.required("prompt", "JSON")?,
            stream: members.nullable("stream", "true or false")?,
            stream_options: members.nullable("stream_options", "an object")?,
            max_tokens: members.nullable("max_tokens", api::Whole::least(0))?,
            n: members.nullable("n", api::Whole::of(1, 128))?,
            best_of: members.nullable("best_of", api::Whole::of(1, 128))?,
        })
    }
}

impl CreateCompletionInput {
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

/// The errors of [`CreateCompletion`].
#[derive(Debug, OpError)]
#[op(operation = "completions.create", spec = "spec/operations/completions.yaml: completions.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateCompletionError {
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
}

pub(in crate::generated) static CREATE_COMPLETION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/completions"),
        api::Route::new(http::Method::POST, "/completions"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("completions.create", "spec/operations/completions.yaml: completions.create", &envelopes::O)
};

pub(in crate::generated) async fn create_completion<S: CreateCompletion + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateCompletionInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_completion(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}
