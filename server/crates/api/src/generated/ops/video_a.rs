// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `video_a`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /videoA/v1/videos/text2video: Orders a video from a text. (spec/operations/video_a.yaml:
/// video_a.create_from_text, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `video_a.create_from_text` (POST /videoA/v1/videos/text2video) has no handler on `{Self}`",
    label = "missing `impl CreateTextVideo for {Self}`",
    note = "declared at spec/operations/video_a.yaml: video_a.create_from_text",
    note = "add: impl CreateTextVideo for {Self} {{ async fn create_text_video(&self, cx: &Cx, input: CreateTextVideoInput) -> Result<ProxyReply, CreateTextVideoError> {{ .. }} }}"
)]
pub trait CreateTextVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn create_text_video(
        &self,
        cx: &api::Cx,
        input: CreateTextVideoInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateTextVideoError>> + Send;
}

/// The input of [`CreateTextVideo`].
#[derive(Debug)]
pub struct CreateTextVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateTextVideoHead>,
}

/// The members of a `TextVideoRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateTextVideoHead {
    /// Model that makes the video.
    pub model: api::Spanned<String>,
    /// Description of the video.
    pub prompt: api::Spanned<String>,
    /// Seconds. Absent means the model's usual length.
    pub duration: Option<api::Spanned<i64>>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    pub width: Option<api::Spanned<i64>>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    pub height: Option<api::Spanned<i64>>,
    /// `std` or `pro`; `pro` is charged as a large video.
    pub mode: Option<api::Spanned<String>>,
    /// Only absent, false or `off`: sound has no price here.
    pub sound: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CreateTextVideoHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "prompt",
        "duration",
        "width",
        "height",
        "mode",
        "sound",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            prompt: members.required("prompt", api::Text::of(1, 32000))?,
            duration: members.optional("duration", api::Whole::of(1, 600))?,
            width: members.optional("width", api::Whole::of(1, 16384))?,
            height: members.optional("height", api::Whole::of(1, 16384))?,
            mode: members.optional("mode", "a text")?,
            sound: members.optional("sound", "JSON")?,
        })
    }
}

/// The errors of [`CreateTextVideo`].
#[derive(Debug, OpError)]
#[op(operation = "video_a.create_from_text", spec = "spec/operations/video_a.yaml: video_a.create_from_text")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateTextVideoError {
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

pub(in crate::generated) static CREATE_TEXT_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/videoA/v1/videos/text2video"),
        api::Route::new(http::Method::POST, "/kling/v1/videos/text2video"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::CHAT_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("video_a.create_from_text", "spec/operations/video_a.yaml: video_a.create_from_text", &envelopes::VIDEO_CREATE)
};

pub(in crate::generated) async fn create_text_video<S: CreateTextVideo + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateTextVideoInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_text_video(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /videoA/v1/videos/image2video: Orders a video from an image and a text. (spec/operations/video_a.yaml:
/// video_a.create_from_image, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `video_a.create_from_image` (POST /videoA/v1/videos/image2video) has no handler on `{Self}`",
    label = "missing `impl CreateImageVideo for {Self}`",
    note = "declared at spec/operations/video_a.yaml: video_a.create_from_image",
    note = "add: impl CreateImageVideo for {Self} {{ async fn create_image_video(&self, cx: &Cx, input: CreateImageVideoInput) -> Result<ProxyReply, CreateImageVideoError> {{ .. }} }}"
)]
pub trait CreateImageVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn create_image_video(
        &self,
        cx: &api::Cx,
        input: CreateImageVideoInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateImageVideoError>> + Send;
}

/// The input of [`CreateImageVideo`].
#[derive(Debug)]
pub struct CreateImageVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateImageVideoHead>,
}

/// The members of a `ImageVideoRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateImageVideoHead {
    /// Model that makes the video.
    pub model: api::Spanned<String>,
    /// Description of the video. Absent means the provider's choice.
    pub prompt: Option<api::Spanned<String>>,
    /// Address of an image or its base64 bytes.
    pub image: api::Spanned<String>,
    /// Seconds. Absent means the model's usual length.
    pub duration: Option<api::Spanned<i64>>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    pub width: Option<api::Spanned<i64>>,
    /// Pixels, together with the other side. Absent means the provider's choice.
    pub height: Option<api::Spanned<i64>>,
    /// `std` or `pro`; `pro` is charged as a large video.
    pub mode: Option<api::Spanned<String>>,
    /// Only absent, false or `off`: sound has no price here.
    pub sound: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CreateImageVideoHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "prompt",
        "image",
        "duration",
        "width",
        "height",
        "mode",
        "sound",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            prompt: members.optional("prompt", api::Text::most(32000))?,
            image: members.required("image", api::Text::least(1))?,
            duration: members.optional("duration", api::Whole::of(1, 600))?,
            width: members.optional("width", api::Whole::of(1, 16384))?,
            height: members.optional("height", api::Whole::of(1, 16384))?,
            mode: members.optional("mode", "a text")?,
            sound: members.optional("sound", "JSON")?,
        })
    }
}

/// The errors of [`CreateImageVideo`].
#[derive(Debug, OpError)]
#[op(operation = "video_a.create_from_image", spec = "spec/operations/video_a.yaml: video_a.create_from_image")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateImageVideoError {
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

pub(in crate::generated) static CREATE_IMAGE_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/videoA/v1/videos/image2video"),
        api::Route::new(http::Method::POST, "/kling/v1/videos/image2video"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("video_a.create_from_image", "spec/operations/video_a.yaml: video_a.create_from_image", &envelopes::VIDEO_CREATE)
};

pub(in crate::generated) async fn create_image_video<S: CreateImageVideo + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateImageVideoInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_image_video(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// GET /videoA/v1/videos/text2video/{task_id}: State of a video that was ordered from a text.
/// (spec/operations/video_a.yaml: video_a.get_text, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `video_a.get_text` (GET /videoA/v1/videos/text2video/{{task_id}}) has no handler on `{Self}`",
    label = "missing `impl GetTextVideo for {Self}`",
    note = "declared at spec/operations/video_a.yaml: video_a.get_text",
    note = "add: impl GetTextVideo for {Self} {{ async fn get_text_video(&self, cx: &Cx, input: GetTextVideoInput) -> Result<VideoTask, GetTextVideoError> {{ .. }} }}"
)]
pub trait GetTextVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn get_text_video(
        &self,
        cx: &api::Cx,
        input: GetTextVideoInput,
    ) -> impl Future<Output = Result<types::VideoTask, GetTextVideoError>> + Send;
}

/// The input of [`GetTextVideo`].
#[derive(Debug)]
pub struct GetTextVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the task, from its creation.
    pub task_id: String,
}

/// The errors of [`GetTextVideo`].
#[derive(Debug, OpError)]
#[op(operation = "video_a.get_text", spec = "spec/operations/video_a.yaml: video_a.get_text")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetTextVideoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
}

pub(in crate::generated) static GET_TEXT_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/videoA/v1/videos/text2video/{task_id}"),
        api::Route::new(http::Method::GET, "/kling/v1/videos/text2video/{task_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("video_a.get_text", "spec/operations/video_a.yaml: video_a.get_text", &envelopes::VIDEO_CREATE)
};

pub(in crate::generated) async fn get_text_video<S: GetTextVideo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetTextVideoInput {
        caller: call.caller(&*service).await?,
        task_id: call.path("task_id", "a text")?,
    };
    let reply = service.get_text_video(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /videoA/v1/videos/image2video/{task_id}: State of a video that was ordered from an image.
/// (spec/operations/video_a.yaml: video_a.get_image)
#[diagnostic::on_unimplemented(
    message = "operation `video_a.get_image` (GET /videoA/v1/videos/image2video/{{task_id}}) has no handler on `{Self}`",
    label = "missing `impl GetImageVideo for {Self}`",
    note = "declared at spec/operations/video_a.yaml: video_a.get_image",
    note = "add: impl GetImageVideo for {Self} {{ async fn get_image_video(&self, cx: &Cx, input: GetImageVideoInput) -> Result<VideoTask, GetImageVideoError> {{ .. }} }}"
)]
pub trait GetImageVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn get_image_video(
        &self,
        cx: &api::Cx,
        input: GetImageVideoInput,
    ) -> impl Future<Output = Result<types::VideoTask, GetImageVideoError>> + Send;
}

/// The input of [`GetImageVideo`].
#[derive(Debug)]
pub struct GetImageVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the task, from its creation.
    pub task_id: String,
}

/// The errors of [`GetImageVideo`].
#[derive(Debug, OpError)]
#[op(operation = "video_a.get_image", spec = "spec/operations/video_a.yaml: video_a.get_image")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetImageVideoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
}

pub(in crate::generated) static GET_IMAGE_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/videoA/v1/videos/image2video/{task_id}"),
        api::Route::new(http::Method::GET, "/kling/v1/videos/image2video/{task_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("video_a.get_image", "spec/operations/video_a.yaml: video_a.get_image", &envelopes::VIDEO_CREATE)
};

pub(in crate::generated) async fn get_image_video<S: GetImageVideo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetImageVideoInput {
        caller: call.caller(&*service).await?,
        task_id: call.path("task_id", "a text")?,
    };
    let reply = service.get_image_video(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}
