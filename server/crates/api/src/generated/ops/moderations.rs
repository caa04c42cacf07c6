// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `moderations`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use crate::api;

/// POST /v1/moderations: Checks texts against the provider's usage policy. Charged at the model's price for
/// input; a model for which the operator wrote the price 0 is free. (spec/operations/moderations.yaml:
/// moderations.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `moderations.create` (POST /v1/moderations) has no handler on `{Self}`",
    label = "missing `impl CreateModeration for {Self}`",
    note = "declared at spec/operations/moderations.yaml: moderations.create",
    note = "add: impl CreateModeration for {Self} {{ async fn create_moderation(&self, cx: &Cx, input: CreateModerationInput) -> Result<ProxyReply, CreateModerationError> {{ .. }} }}"
)]
pub trait CreateModeration: Send + Sync + 'static {
    /// Answers the operation.
    fn create_moderation(
        &self,
        cx: &api::Cx,
        input: CreateModerationInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateModerationError>> + Send;
}

/// The input of [`CreateModeration`].
#[derive(Debug)]
pub struct CreateModerationInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateModerationHead>,
}

/// The members of a `ModerationRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateModerationHead {
    /// Absent means the model that the operator has chosen; without one, the member is missing.
    pub model: Option<api::Spanned<Option<String>>>,
    /// A text, a list of texts, or a list of parts with texts and images.
    pub input: api::Spanned<api::Raw>,
}

impl api::Head for CreateModerationHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "input",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.nullable("model", "a text")?,
            input: members.required("input", "JSON")?,
        })
    }
}

/// The errors of [`CreateModeration`].
#[derive(Debug, OpError)]
#[op(operation = "moderations.create", spec = "spec/operations/moderations.yaml: moderations.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateModerationError {
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

pub(in crate::generated) static CREATE_MODERATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/moderations"),
        api::Route::new(http::Method::POST, "/moderations"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("moderations.create", "spec/operations/moderations.yaml: moderations.create", &envelopes::O)
};

pub(in crate::generated) async fn create_moderation<S: CreateModeration + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateModerationInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_moderation(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}
