// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `models`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /v1/models: The models that the key may use, in the format of the client that asks. All three shapes
/// carry the same models; only formats A and G come in pages. (spec/operations/models.yaml: models.list, source
/// §4)
#[diagnostic::on_unimplemented(
    message = "operation `models.list` (GET /v1/models) has no handler on `{Self}`",
    label = "missing `impl ListModels for {Self}`",
    note = "declared at spec/operations/models.yaml: models.list",
    note = "add: impl ListModels for {Self} {{ async fn list_models(&self, cx: &Cx, input: ListModelsInput) -> Result<ListModelsReply, ListModelsError> {{ .. }} }}"
)]
pub trait ListModels: Send + Sync + 'static {
    /// Answers the operation.
    fn list_models(
        &self,
        cx: &api::Cx,
        input: ListModelsInput,
    ) -> impl Future<Output = Result<ListModelsReply, ListModelsError>> + Send;
}

/// The input of [`ListModels`].
#[derive(Debug)]
pub struct ListModelsInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The form of reply that the request asks for.
    pub format: ListModelsFormat,
    /// Selects format A.
    pub a_version: Option<String>,
    /// Format A: models in one page.
    pub limit: i64,
    /// Format A: the page after this id.
    pub after_id: Option<String>,
    /// Format A: the page before this id.
    pub before_id: Option<String>,
    /// Format G: models in one page.
    pub page_size: i64,
    /// Format G: `nextPageToken` of the page before.
    pub page_token: Option<String>,
}

/// The forms of [`ListModelsReply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListModelsFormat {
    /// Envelope `a`, `ModelListA`.
    A,
    /// Envelope `g`, `ModelListG`.
    G,
    /// Envelope `o`, `ModelListO`.
    O,
}

/// The facts about a request that decide its [`ListModelsFormat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListModelsHas {
    /// The header `x-api-key`, under any of its names.
    pub x_api_key: bool,
    /// The header `a-version`, under any of its names.
    pub a_version: bool,
    /// The header `x-g-api-key`, under any of its names.
    pub x_g_api_key: bool,
    /// The query parameter `key`.
    pub query_key: bool,
}

impl ListModelsFormat {
    /// The first branch that fits decides.
    #[must_use]
    pub const fn select(has: ListModelsHas) -> Self {
        if has.x_api_key && has.a_version {
            Self::A
        } else if has.x_g_api_key || has.query_key {
            Self::G
        } else if has.a_version {
            Self::A
        } else {
            Self::O
        }
    }

    fn of(seen: api::Seen) -> Self {
        Self::select(ListModelsHas {
            x_api_key: seen.has(0),
            a_version: seen.has(1),
            x_g_api_key: seen.has(2),
            query_key: seen.has(3),
        })
    }

    fn envelope(self) -> &'static api::Envelope {
        match self {
            Self::A => &envelopes::A,
            Self::G => &envelopes::G,
            Self::O => &envelopes::O,
        }
    }
}

/// The reply of [`ListModels`], in the form that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum ListModelsReply {
    /// Envelope `a`, `ModelListA`.
    A(types::ModelListA),
    /// Envelope `g`, `ModelListG`.
    G(types::ModelListG),
    /// Envelope `o`, `ModelListO`.
    O(types::ModelListO),
}

/// The errors of [`ListModels`].
#[derive(Debug, OpError)]
#[op(operation = "models.list", spec = "spec/operations/models.yaml: models.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListModelsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_MODELS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/models"),
        api::Route::new(http::Method::GET, "/models"),
        api::Route::new(http::Method::GET, "/v1beta/openai/models"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    select: Some(|seen| ListModelsFormat::of(seen).envelope()),
    probes: &[
        api::Probe::Header(&auth::names::X_API_KEY),
        api::Probe::Header(&auth::names::A_VERSION),
        api::Probe::Header(&auth::names::X_G_API_KEY),
        api::Probe::Query("key"),
    ],
    ..api::Operation::new("models.list", "spec/operations/models.yaml: models.list", &envelopes::O)
};

pub(in crate::generated) async fn list_models<S: ListModels + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListModelsInput {
        caller: call.caller(&*service).await?,
        format: ListModelsFormat::of(call.seen()),
        a_version: call.optional_header(&auth::names::A_VERSION, "a text")?,
        limit: call.optional_query("limit", api::Whole::of(1, 1000))?.unwrap_or(20),
        after_id: call.optional_query("after_id", "a text")?,
        before_id: call.optional_query("before_id", "a text")?,
        page_size: call.optional_query("pageSize", api::Whole::of(1, 1000))?.unwrap_or(50),
        page_token: call.optional_query("pageToken", "a text")?,
    };
    let reply = service.list_models(&call.cx, input).await.map_err(api::OperationError::failure)?;
    match reply {
        ListModelsReply::A(reply) => call.answer(&reply),
        ListModelsReply::G(reply) => call.answer(&reply),
        ListModelsReply::O(reply) => call.answer(&reply),
    }
}

/// GET /v1/models/{*model}: One model, in the format of the client that asks. (spec/operations/models.yaml:
/// models.get)
#[diagnostic::on_unimplemented(
    message = "operation `models.get` (GET /v1/models/{{*model}}) has no handler on `{Self}`",
    label = "missing `impl GetModel for {Self}`",
    note = "declared at spec/operations/models.yaml: models.get",
    note = "add: impl GetModel for {Self} {{ async fn get_model(&self, cx: &Cx, input: GetModelInput) -> Result<GetModelReply, GetModelError> {{ .. }} }}"
)]
pub trait GetModel: Send + Sync + 'static {
    /// Answers the operation.
    fn get_model(
        &self,
        cx: &api::Cx,
        input: GetModelInput,
    ) -> impl Future<Output = Result<GetModelReply, GetModelError>> + Send;
}

/// The input of [`GetModel`].
#[derive(Debug)]
pub struct GetModelInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The form of reply that the request asks for.
    pub format: GetModelFormat,
    /// Selects format A.
    pub a_version: Option<String>,
    /// Id of the model, percent-encoded where it has slashes.
    pub model: String,
}

/// The forms of [`GetModelReply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GetModelFormat {
    /// Envelope `a`, `ModelA`.
    A,
    /// Envelope `g`, `ModelG`.
    G,
    /// Envelope `o`, `ModelO`.
    O,
}

/// The facts about a request that decide its [`GetModelFormat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GetModelHas {
    /// The header `x-api-key`, under any of its names.
    pub x_api_key: bool,
    /// The header `a-version`, under any of its names.
    pub a_version: bool,
    /// The header `x-g-api-key`, under any of its names.
    pub x_g_api_key: bool,
    /// The query parameter `key`.
    pub query_key: bool,
}

impl GetModelFormat {
    /// The first branch that fits decides.
    #[must_use]
    pub const fn select(has: GetModelHas) -> Self {
        if has.x_api_key && has.a_version {
            Self::A
        } else if has.x_g_api_key || has.query_key {
            Self::G
        } else if has.a_version {
            Self::A
        } else {
            Self::O
        }
    }

    fn of(seen: api::Seen) -> Self {
        Self::select(GetModelHas {
            x_api_key: seen.has(0),
            a_version: seen.has(1),
            x_g_api_key: seen.has(2),
            query_key: seen.has(3),
        })
    }

    fn envelope(self) -> &'static api::Envelope {
        match self {
            Self::A => &envelopes::A,
            Self::G => &envelopes::G,
            Self::O => &envelopes::O,
        }
    }
}

/// The reply of [`GetModel`], in the form that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum GetModelReply {
    /// Envelope `a`, `ModelA`.
    A(types::ModelA),
    /// Envelope `g`, `ModelG`.
    G(types::ModelG),
    /// Envelope `o`, `ModelO`.
    O(types::ModelO),
}

/// The errors of [`GetModel`].
#[derive(Debug, OpError)]
#[op(operation = "models.get", spec = "spec/operations/models.yaml: models.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetModelError {
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

pub(in crate::generated) static GET_MODEL: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/models/{*model}"),
        api::Route::new(http::Method::GET, "/models/{*model}"),
        api::Route::new(http::Method::GET, "/v1beta/openai/models/{*model}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    select: Some(|seen| GetModelFormat::of(seen).envelope()),
    probes: &[
        api::Probe::Header(&auth::names::X_API_KEY),
        api::Probe::Header(&auth::names::A_VERSION),
        api::Probe::Header(&auth::names::X_G_API_KEY),
        api::Probe::Query("key"),
    ],
    ..api::Operation::new("models.get", "spec/operations/models.yaml: models.get", &envelopes::O)
};

pub(in crate::generated) async fn get_model<S: GetModel + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetModelInput {
        caller: call.caller(&*service).await?,
        format: GetModelFormat::of(call.seen()),
        a_version: call.optional_header(&auth::names::A_VERSION, "a text")?,
        model: call.path("model", api::Text::of(1, 256))?,
    };
    let reply = service.get_model(&call.cx, input).await.map_err(api::OperationError::failure)?;
    match reply {
        GetModelReply::A(reply) => call.answer(&reply),
        GetModelReply::G(reply) => call.answer(&reply),
        GetModelReply::O(reply) => call.answer(&reply),
    }
}
