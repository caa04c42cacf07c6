// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `images`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/images/generations: Images from a text. A body with `input` is read as messages, one without as a
/// prompt. Each image that is delivered is charged at the model's price for one, or its tokens at theirs; a
/// model without either price is refused. (spec/operations/images.yaml: images.generate, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `images.generate` (POST /v1/images/generations) has no handler on `{Self}`",
    label = "missing `impl GenerateImage for {Self}`",
    note = "declared at spec/operations/images.yaml: images.generate",
    note = "add: impl GenerateImage for {Self} {{ async fn generate_image(&self, cx: &Cx, input: GenerateImageInput) -> Result<ProxyReply, GenerateImageError> {{ .. }} }}"
)]
pub trait GenerateImage: Send + Sync + 'static {
    /// Answers the operation.
    fn generate_image(
        &self,
        cx: &api::Cx,
        input: GenerateImageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GenerateImageError>> + Send;
}

/// The input of [`GenerateImage`].
#[derive(Debug)]
pub struct GenerateImageInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<GenerateImageHead>,
}

/// The members of a `ImageRequest` that decide.
#[derive(Debug, Clone)]
pub struct GenerateImageHead {
    /// Model that draws.
    pub model: api::Spanned<String>,
    /// The request as messages.
    pub input: Option<api::Spanned<types::ImageInput>>,
    /// The request as one text.
    pub prompt: Option<api::Spanned<String>>,
    /// Number of images. Each is paid for.
    pub n: Option<api::Spanned<Option<i64>>>,
    /// Images come whole; true is refused.
    pub stream: Option<api::Spanned<Option<bool>>>,
}

impl api::Head for GenerateImageHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "input",
        "prompt",
        "n",
        "stream",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            input: members.optional("input", "an object")?,
            prompt: members.optional("prompt", "a text")?,
            n: members.nullable("n", api::Whole::of(1, 10))?,
            stream: members.nullable("stream", "true or false")?,
        })
    }
}

/// The errors of [`GenerateImage`].
#[derive(Debug, OpError)]
#[op(operation = "images.generate", spec = "spec/operations/images.yaml: images.generate")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GenerateImageError {
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
    #[code(PROVIDER_STATE)]
    ProviderState { field: String },
}

pub(in crate::generated) static GENERATE_IMAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/images/generations"),
        api::Route::new(http::Method::POST, "/images/generations"),
        api::Route::new(http::Method::POST, "/v1beta/openai/images/generations"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("images.generate", "spec/operations/images.yaml: images.generate", &envelopes::O)
};

pub(in crate::generated) async fn generate_image<S: GenerateImage + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = GenerateImageInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.generate_image(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1/images/edits: Images from images and a text: a form with files, JSON that refers to the images, or
/// JSON with `input`, whose addresses the provider fetches. Each image that is delivered is charged at the
/// model's price for one, or its tokens at theirs; a model without either price is refused.
/// (spec/operations/images.yaml: images.edit, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `images.edit` (POST /v1/images/edits) has no handler on `{Self}`",
    label = "missing `impl EditImage for {Self}`",
    note = "declared at spec/operations/images.yaml: images.edit",
    note = "add: impl EditImage for {Self} {{ async fn edit_image(&self, cx: &Cx, input: EditImageInput) -> Result<ProxyReply, EditImageError> {{ .. }} }}"
)]
pub trait EditImage: Send + Sync + 'static {
    /// Answers the operation.
    fn edit_image(
        &self,
        cx: &api::Cx,
        input: EditImageInput,
    ) -> impl Future<Output = Result<api::ProxyReply, EditImageError>> + Send;
}

/// The input of [`EditImage`].
#[derive(Debug)]
pub struct EditImageInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, JSON or a form, and the members that decide.
    pub body: api::ProxyBody<EditImageHead>,
}

/// The members of a `ImageEditRequest` that decide.
#[derive(Debug, Clone)]
pub struct EditImageHead {
    /// Model that draws.
    pub model: api::Spanned<String>,
    /// The request as messages, the images among them.
    pub input: Option<api::Spanned<types::ImageInput>>,
    /// The change, as one text. Required without `input`.
    pub prompt: Option<api::Spanned<String>>,
    /// The images. Required without `input`.
    pub images: Option<api::Spanned<api::Raw>>,
    /// Number of images. Each is paid for. Absent means 1.
    pub n: Option<api::Spanned<Option<i64>>>,
    /// Images come whole; true is refused.
    pub stream: Option<api::Spanned<Option<bool>>>,
}

impl api::Head for EditImageHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "input",
        "prompt",
        "images",
        "n",
        "stream",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            input: members.optional("input", "an object")?,
            prompt: members.optional("prompt", "a text")?,
            images: members.optional("images", api::AList::FILLED)?,
            n: members.nullable("n", api::Whole::of(1, 10))?,
            stream: members.nullable("stream", "true or false")?,
        })
    }
}

/// The errors of [`EditImage`].
#[derive(Debug, OpError)]
#[op(operation = "images.edit", spec = "spec/operations/images.yaml: images.edit")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum EditImageError {
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
    #[code(PROVIDER_STATE)]
    ProviderState { field: String },
}

pub(in crate::generated) static EDIT_IMAGE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/images/edits"),
        api::Route::new(http::Method::POST, "/images/edits"),
        api::Route::new(http::Method::POST, "/v1beta/openai/images/edits"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("images.edit", "spec/operations/images.yaml: images.edit", &envelopes::O)
};

pub(in crate::generated) async fn edit_image<S: EditImage + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = EditImageInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body_or_form().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.edit_image(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}
