// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `pictures`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/pictures: A picture, asked for in JSON or in a form, whole or stroke by stroke. (spec/mini.yaml:
/// pictures.draw)
#[diagnostic::on_unimplemented(
    message = "operation `pictures.draw` (POST /v1/pictures) has no handler on `{Self}`",
    label = "missing `impl DrawPicture for {Self}`",
    note = "declared at spec/mini.yaml: pictures.draw",
    note = "add: impl DrawPicture for {Self} {{ async fn draw_picture(&self, cx: &Cx, input: DrawPictureInput) -> Result<ProxyReply, DrawPictureError> {{ .. }} }}"
)]
pub trait DrawPicture: Send + Sync + 'static {
    /// Answers the operation.
    fn draw_picture(
        &self,
        cx: &api::Cx,
        input: DrawPictureInput,
    ) -> impl Future<Output = Result<api::ProxyReply, DrawPictureError>> + Send;
}

/// The input of [`DrawPicture`].
#[derive(Debug)]
pub struct DrawPictureInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, JSON or a form, and the members that decide.
    pub body: api::ProxyBody<DrawPictureHead>,
}

/// The members of a `Drawing` that decide.
#[derive(Debug, Clone)]
pub struct DrawPictureHead {
    /// Who draws.
    pub model: api::Spanned<String>,
    /// How many.
    pub count: Option<api::Spanned<i64>>,
    /// Stroke by stroke.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// On what.
    pub ground: Option<api::Spanned<types::Ground>>,
}

impl api::Head for DrawPictureHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "count",
        "stream",
        "ground",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 20))?,
            count: members.optional("count", api::Whole::of(1, 4))?,
            stream: members.nullable("stream", "true or false")?,
            ground: members.optional("ground", "one of `paper`, `glass`")?,
        })
    }
}

impl DrawPictureInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: true,
        ends_with: &["done"],
    };

    /// True if the request asks for a stream of events: `body.stream`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.body.head.stream.as_ref().is_some_and(|given| given.value == Some(true))
    }
}

/// The errors of [`DrawPicture`].
#[derive(Debug, OpError)]
#[op(operation = "pictures.draw", spec = "spec/mini.yaml: pictures.draw")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum DrawPictureError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static DRAW_PICTURE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/pictures"),
        api::Route::new(http::Method::POST, "/v2/pictures"),
    ],
    schemes: &[&auth::BEARER],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    proxy: true,
    ..api::Operation::new("pictures.draw", "spec/mini.yaml: pictures.draw", &envelopes::A)
};

pub(in crate::generated) async fn draw_picture<S: DrawPicture + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = DrawPictureInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body_or_form().await?,
    };
    let reply = service.draw_picture(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// POST /v1/pictures/{*picture}:watch: A picture as it grows, as events or as one list. (spec/mini.yaml:
/// pictures.watch)
#[diagnostic::on_unimplemented(
    message = "operation `pictures.watch` (POST /v1/pictures/{{*picture}}:watch) has no handler on `{Self}`",
    label = "missing `impl WatchPicture for {Self}`",
    note = "declared at spec/mini.yaml: pictures.watch",
    note = "add: impl WatchPicture for {Self} {{ async fn watch_picture(&self, cx: &Cx, input: WatchPictureInput) -> Result<ProxyReply, WatchPictureError> {{ .. }} }}"
)]
pub trait WatchPicture: Send + Sync + 'static {
    /// Answers the operation.
    fn watch_picture(
        &self,
        cx: &api::Cx,
        input: WatchPictureInput,
    ) -> impl Future<Output = Result<api::ProxyReply, WatchPictureError>> + Send;
}

/// The input of [`WatchPicture`].
#[derive(Debug)]
pub struct WatchPictureInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Its name.
    pub picture: String,
    /// `sse` for events.
    pub alt: Option<String>,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<WatchPictureHead>,
}

/// The members of a `Drawing` that decide.
#[derive(Debug, Clone)]
pub struct WatchPictureHead {
    /// Who draws.
    pub model: api::Spanned<String>,
}

impl api::Head for WatchPictureHead {
    const NAMES: &'static [&'static str] = &[
        "model",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 20))?,
        })
    }
}

impl WatchPictureInput {
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

/// The errors of [`WatchPicture`].
#[derive(Debug, OpError)]
#[op(operation = "pictures.watch", spec = "spec/mini.yaml: pictures.watch")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum WatchPictureError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static WATCH_PICTURE: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1/pictures/{*picture}", ":watch"),
        api::Route::with_suffix(http::Method::POST, "/v2/pictures/{*picture}", ":watch"),
    ],
    schemes: &[&auth::G_KEY],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    proxy: true,
    ..api::Operation::new("pictures.watch", "spec/mini.yaml: pictures.watch", &envelopes::O)
};

pub(in crate::generated) async fn watch_picture<S: WatchPicture + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = WatchPictureInput {
        caller: call.caller(&*service).await?,
        picture: call.path("picture", "a text")?,
        alt: call.optional_query("alt", "a text")?,
        body: call.proxy_body().await?,
    };
    let reply = service.watch_picture(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /v1/files/{picture}: A picture as it is. (spec/mini.yaml: pictures.file)
#[diagnostic::on_unimplemented(
    message = "operation `pictures.file` (GET /v1/files/{{picture}}) has no handler on `{Self}`",
    label = "missing `impl FilePicture for {Self}`",
    note = "declared at spec/mini.yaml: pictures.file",
    note = "add: impl FilePicture for {Self} {{ async fn file_picture(&self, cx: &Cx, input: FilePictureInput) -> Result<ProxyReply, FilePictureError> {{ .. }} }}"
)]
pub trait FilePicture: Send + Sync + 'static {
    /// Answers the operation.
    fn file_picture(
        &self,
        cx: &api::Cx,
        input: FilePictureInput,
    ) -> impl Future<Output = Result<api::ProxyReply, FilePictureError>> + Send;
}

/// The input of [`FilePicture`].
#[derive(Debug)]
pub struct FilePictureInput {
    /// Which bytes.
    pub range: Option<String>,
    /// Its name.
    pub picture: String,
}

/// The errors of [`FilePicture`].
#[derive(Debug, OpError)]
#[op(operation = "pictures.file", spec = "spec/mini.yaml: pictures.file")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum FilePictureError {
    #[code(NO_THING)]
    NoThing { thing: String },
}

pub(in crate::generated) static FILE_PICTURE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/files/{picture}"),
    ],
    ..api::Operation::new("pictures.file", "spec/mini.yaml: pictures.file", &envelopes::O)
};

pub(in crate::generated) async fn file_picture<S: FilePicture>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = FilePictureInput {
        range: call.optional_header(&auth::names::RANGE, "a text")?,
        picture: call.path("picture", "a text")?,
    };
    let reply = service.file_picture(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// PUT /v1/files/{picture}: A picture from outside. (spec/mini.yaml: pictures.upload)
#[diagnostic::on_unimplemented(
    message = "operation `pictures.upload` (PUT /v1/files/{{picture}}) has no handler on `{Self}`",
    label = "missing `impl UploadPicture for {Self}`",
    note = "declared at spec/mini.yaml: pictures.upload",
    note = "add: impl UploadPicture for {Self} {{ async fn upload_picture(&self, cx: &Cx, input: UploadPictureInput) -> Result<ProxyReply, UploadPictureError> {{ .. }} }}"
)]
pub trait UploadPicture: Send + Sync + 'static {
    /// Answers the operation.
    fn upload_picture(
        &self,
        cx: &api::Cx,
        input: UploadPictureInput,
    ) -> impl Future<Output = Result<api::ProxyReply, UploadPictureError>> + Send;
}

/// The input of [`UploadPicture`].
#[derive(Debug)]
pub struct UploadPictureInput {
    /// Its name.
    pub picture: String,
    /// The form as it came, and the parts that decide.
    pub body: api::ProxyBody<UploadPictureHead>,
}

/// The members of a `DrawingForm` that decide.
#[derive(Debug, Clone)]
pub struct UploadPictureHead {
    /// Who draws.
    pub model: api::Spanned<String>,
    /// How many.
    pub count: Option<api::Spanned<i64>>,
}

impl api::Head for UploadPictureHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "count",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 20))?,
            count: members.optional("count", api::Whole::of(1, 4))?,
        })
    }
}

/// The errors of [`UploadPicture`].
#[derive(Debug, OpError)]
#[op(operation = "pictures.upload", spec = "spec/mini.yaml: pictures.upload")]
pub enum UploadPictureError {}

pub(in crate::generated) static UPLOAD_PICTURE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::PUT, "/v1/files/{picture}"),
    ],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    proxy: true,
    deprecated: Some(&api::Deprecation { since: 1795219200, until: Some(1811808000), successor: Some("/v1/pictures") }),
    ..api::Operation::new("pictures.upload", "spec/mini.yaml: pictures.upload", &envelopes::O)
};

pub(in crate::generated) async fn upload_picture<S: UploadPicture>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = UploadPictureInput {
        picture: call.path("picture", "a text")?,
        body: call.proxy_form().await?,
    };
    let reply = service.upload_picture(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
