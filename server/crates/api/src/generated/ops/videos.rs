// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `videos`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/videos: Orders a video. Its state is polled by its id. The price of its length is held with the
/// order and charged when the video is finished; a video that fails costs nothing. (spec/operations/videos.yaml:
/// videos.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `videos.create` (POST /v1/videos) has no handler on `{Self}`",
    label = "missing `impl CreateVideo for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.create",
    note = "add: impl CreateVideo for {Self} {{ async fn create_video(&self, cx: &Cx, input: CreateVideoInput) -> Result<ProxyReply, CreateVideoError> {{ .. }} }}"
)]
pub trait CreateVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn create_video(
        &self,
        cx: &api::Cx,
        input: CreateVideoInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateVideoError>> + Send;
}

/// The input of [`CreateVideo`].
#[derive(Debug)]
pub struct CreateVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, JSON or a form, and the members that decide.
    pub body: api::ProxyBody<CreateVideoHead>,
}

/// The members of a `VideoForm` that decide.
#[derive(Debug, Clone)]
pub struct CreateVideoHead {
    /// Description of the video.
    pub prompt: api::Spanned<String>,
    /// Model that makes the video. Absent means the service's choice.
    pub model: Option<api::Spanned<String>>,
    /// Length, as a number or as a text. Absent means the model's usual length.
    pub seconds: Option<api::Spanned<api::Raw>>,
    /// `<width>x<height>`. Absent means the provider's choice.
    pub size: Option<api::Spanned<String>>,
}

impl api::Head for CreateVideoHead {
    const NAMES: &'static [&'static str] = &[
        "prompt",
        "model",
        "seconds",
        "size",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            prompt: members.required("prompt", api::Text::of(1, 32000))?,
            model: members.optional("model", api::Text::of(1, 256))?,
            seconds: members.optional("seconds", "JSON")?,
            size: members.optional("size", "a text")?,
        })
    }
}

/// The errors of [`CreateVideo`].
#[derive(Debug, OpError)]
#[op(operation = "videos.create", spec = "spec/operations/videos.yaml: videos.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateVideoError {
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

pub(in crate::generated) static CREATE_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/videos"),
        api::Route::new(http::Method::POST, "/videos"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("videos.create", "spec/operations/videos.yaml: videos.create", &envelopes::O)
};

pub(in crate::generated) async fn create_video<S: CreateVideo + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateVideoInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body_or_form().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_video(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// GET /v1/video/generations/{task_id}: State of a video, whichever operation ordered it.
/// (spec/operations/videos.yaml: videos.get_generation, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `videos.get_generation` (GET /v1/video/generations/{{task_id}}) has no handler on `{Self}`",
    label = "missing `impl GetVideoGeneration for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.get_generation",
    note = "add: impl GetVideoGeneration for {Self} {{ async fn get_video_generation(&self, cx: &Cx, input: GetVideoGenerationInput) -> Result<VideoTask, GetVideoGenerationError> {{ .. }} }}"
)]
pub trait GetVideoGeneration: Send + Sync + 'static {
    /// Answers the operation.
    fn get_video_generation(
        &self,
        cx: &api::Cx,
        input: GetVideoGenerationInput,
    ) -> impl Future<Output = Result<types::VideoTask, GetVideoGenerationError>> + Send;
}

/// The input of [`GetVideoGeneration`].
#[derive(Debug)]
pub struct GetVideoGenerationInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the task, from its creation.
    pub task_id: String,
}

/// The errors of [`GetVideoGeneration`].
#[derive(Debug, OpError)]
#[op(operation = "videos.get_generation", spec = "spec/operations/videos.yaml: videos.get_generation")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetVideoGenerationError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
}

pub(in crate::generated) static GET_VIDEO_GENERATION: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/video/generations/{task_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("videos.get_generation", "spec/operations/videos.yaml: videos.get_generation", &envelopes::O)
};

pub(in crate::generated) async fn get_video_generation<S: GetVideoGeneration + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetVideoGenerationInput {
        caller: call.caller(&*service).await?,
        task_id: call.path("task_id", "a text")?,
    };
    let reply = service.get_video_generation(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /v1/videos/{video_id}: State of a video as a job. (spec/operations/videos.yaml: videos.get)
#[diagnostic::on_unimplemented(
    message = "operation `videos.get` (GET /v1/videos/{{video_id}}) has no handler on `{Self}`",
    label = "missing `impl GetVideo for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.get",
    note = "add: impl GetVideo for {Self} {{ async fn get_video(&self, cx: &Cx, input: GetVideoInput) -> Result<VideoJob, GetVideoError> {{ .. }} }}"
)]
pub trait GetVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn get_video(
        &self,
        cx: &api::Cx,
        input: GetVideoInput,
    ) -> impl Future<Output = Result<types::VideoJob, GetVideoError>> + Send;
}

/// The input of [`GetVideo`].
#[derive(Debug)]
pub struct GetVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the video, from its creation.
    pub video_id: String,
}

/// The errors of [`GetVideo`].
#[derive(Debug, OpError)]
#[op(operation = "videos.get", spec = "spec/operations/videos.yaml: videos.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetVideoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
}

pub(in crate::generated) static GET_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/videos/{video_id}"),
        api::Route::new(http::Method::GET, "/videos/{video_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("videos.get", "spec/operations/videos.yaml: videos.get", &envelopes::O)
};

pub(in crate::generated) async fn get_video<S: GetVideo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetVideoInput {
        caller: call.caller(&*service).await?,
        video_id: call.path("video_id", "a text")?,
    };
    let reply = service.get_video(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /v1/videos: The videos of the account, or of the member or team whose key it is.
/// (spec/operations/videos.yaml: videos.list)
#[diagnostic::on_unimplemented(
    message = "operation `videos.list` (GET /v1/videos) has no handler on `{Self}`",
    label = "missing `impl ListVideos for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.list",
    note = "add: impl ListVideos for {Self} {{ async fn list_videos(&self, cx: &Cx, input: ListVideosInput) -> Result<VideoJobList, ListVideosError> {{ .. }} }}"
)]
pub trait ListVideos: Send + Sync + 'static {
    /// Answers the operation.
    fn list_videos(
        &self,
        cx: &api::Cx,
        input: ListVideosInput,
    ) -> impl Future<Output = Result<types::VideoJobList, ListVideosError>> + Send;
}

/// The input of [`ListVideos`].
#[derive(Debug)]
pub struct ListVideosInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The page after this id. Absent means the first page.
    pub after: Option<String>,
    /// Videos in one page.
    pub limit: i64,
    /// `asc` or `desc`.
    pub order: types::VideoOrder,
}

/// The errors of [`ListVideos`].
#[derive(Debug, OpError)]
#[op(operation = "videos.list", spec = "spec/operations/videos.yaml: videos.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListVideosError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
}

pub(in crate::generated) static LIST_VIDEOS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/videos"),
        api::Route::new(http::Method::GET, "/videos"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("videos.list", "spec/operations/videos.yaml: videos.list", &envelopes::O)
};

pub(in crate::generated) async fn list_videos<S: ListVideos + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListVideosInput {
        caller: call.caller(&*service).await?,
        after: call.optional_query("after", "a text")?,
        limit: call.optional_query("limit", api::Whole::of(1, 100))?.unwrap_or(20),
        order: call.optional_query("order", "one of `asc`, `desc`")?.unwrap_or(types::VideoOrder::Desc),
    };
    let reply = service.list_videos(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// DELETE /v1/videos/{video_id}: Forgets a video that is finished or failed. (spec/operations/videos.yaml:
/// videos.delete)
#[diagnostic::on_unimplemented(
    message = "operation `videos.delete` (DELETE /v1/videos/{{video_id}}) has no handler on `{Self}`",
    label = "missing `impl DeleteVideo for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.delete",
    note = "add: impl DeleteVideo for {Self} {{ async fn delete_video(&self, cx: &Cx, input: DeleteVideoInput) -> Result<VideoDeleted, DeleteVideoError> {{ .. }} }}"
)]
pub trait DeleteVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn delete_video(
        &self,
        cx: &api::Cx,
        input: DeleteVideoInput,
    ) -> impl Future<Output = Result<types::VideoDeleted, DeleteVideoError>> + Send;
}

/// The input of [`DeleteVideo`].
#[derive(Debug)]
pub struct DeleteVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the video, from its creation.
    pub video_id: String,
}

/// The errors of [`DeleteVideo`].
#[derive(Debug, OpError)]
#[op(operation = "videos.delete", spec = "spec/operations/videos.yaml: videos.delete")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum DeleteVideoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
    #[code(VIDEO_NOT_READY)]
    VideoNotReady { task_id: String, status: String },
}

pub(in crate::generated) static DELETE_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/v1/videos/{video_id}"),
        api::Route::new(http::Method::DELETE, "/videos/{video_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("videos.delete", "spec/operations/videos.yaml: videos.delete", &envelopes::O)
};

pub(in crate::generated) async fn delete_video<S: DeleteVideo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = DeleteVideoInput {
        caller: call.caller(&*service).await?,
        video_id: call.path("video_id", "a text")?,
    };
    let reply = service.delete_video(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /v1/videos/{video_id}/content: The finished video itself, whole or the part that a `Range` header names.
/// (spec/operations/videos.yaml: videos.download)
#[diagnostic::on_unimplemented(
    message = "operation `videos.download` (GET /v1/videos/{{video_id}}/content) has no handler on `{Self}`",
    label = "missing `impl DownloadVideo for {Self}`",
    note = "declared at spec/operations/videos.yaml: videos.download",
    note = "add: impl DownloadVideo for {Self} {{ async fn download_video(&self, cx: &Cx, input: DownloadVideoInput) -> Result<ProxyReply, DownloadVideoError> {{ .. }} }}"
)]
pub trait DownloadVideo: Send + Sync + 'static {
    /// Answers the operation.
    fn download_video(
        &self,
        cx: &api::Cx,
        input: DownloadVideoInput,
    ) -> impl Future<Output = Result<api::ProxyReply, DownloadVideoError>> + Send;
}

/// The input of [`DownloadVideo`].
#[derive(Debug)]
pub struct DownloadVideoInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The part that is wanted, such as `bytes=0-1023`. Absent means all of it.
    pub range: Option<String>,
    /// With `range`: the `etag` that the part is wanted of; of another file, all comes.
    pub if_range: Option<String>,
    /// Id of the video, from its creation.
    pub video_id: String,
    /// `video`, `thumbnail` or `spritesheet`.
    pub variant: types::VideoVariant,
}

/// The errors of [`DownloadVideo`].
#[derive(Debug, OpError)]
#[op(operation = "videos.download", spec = "spec/operations/videos.yaml: videos.download")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum DownloadVideoError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(VIDEO_NOT_FOUND)]
    VideoNotFound { task_id: String },
    #[code(VIDEO_NOT_READY)]
    VideoNotReady { task_id: String, status: String },
    #[code(UPSTREAM_REFUSED)]
    UpstreamRefused { reason: String },
    #[code(UPSTREAM_FAILED)]
    UpstreamFailed { model: String },
    #[code(UPSTREAM_OVERLOADED)]
    UpstreamOverloaded { model: String },
    #[code(UPSTREAM_TIMEOUT)]
    UpstreamTimeout { model: String },
}

pub(in crate::generated) static DOWNLOAD_VIDEO: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/videos/{video_id}/content"),
        api::Route::new(http::Method::GET, "/videos/{video_id}/content"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    proxy: true,
    ..api::Operation::new("videos.download", "spec/operations/videos.yaml: videos.download", &envelopes::O)
};

pub(in crate::generated) async fn download_video<S: DownloadVideo + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = DownloadVideoInput {
        caller: call.caller(&*service).await?,
        range: call.optional_header(&auth::names::RANGE, "a text")?,
        if_range: call.optional_header(&auth::names::IF_RANGE, "a text")?,
        video_id: call.path("video_id", "a text")?,
        variant: call.optional_query("variant", "one of `video`, `thumbnail`, `spritesheet`")?.unwrap_or(types::VideoVariant::Video),
    };
    let reply = service.download_video(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
