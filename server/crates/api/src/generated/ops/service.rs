// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `service`.

use tollgate_macros::OpError;

use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::types;
use crate::api;

/// GET /healthz: Liveness: the process runs and answers. Nothing else is looked at, so that a supervisor does
/// not restart it in vain. (spec/operations/service.yaml: service.health)
#[diagnostic::on_unimplemented(
    message = "operation `service.health` (GET /healthz) has no handler on `{Self}`",
    label = "missing `impl GetHealth for {Self}`",
    note = "declared at spec/operations/service.yaml: service.health",
    note = "add: impl GetHealth for {Self} {{ async fn get_health(&self, cx: &Cx, input: GetHealthInput) -> Result<ServiceState, GetHealthError> {{ .. }} }}"
)]
pub trait GetHealth: Send + Sync + 'static {
    /// Answers the operation.
    fn get_health(
        &self,
        cx: &api::Cx,
        input: GetHealthInput,
    ) -> impl Future<Output = Result<types::ServiceState, GetHealthError>> + Send;
}

/// The input of [`GetHealth`].
#[derive(Debug)]
pub struct GetHealthInput {}

/// The errors of [`GetHealth`].
#[derive(Debug, OpError)]
#[op(operation = "service.health", spec = "spec/operations/service.yaml: service.health")]
pub enum GetHealthError {}

pub(in crate::generated) static GET_HEALTH: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/healthz"),
    ],
    about_service: true,
    ..api::Operation::new("service.health", "spec/operations/service.yaml: service.health", &envelopes::O)
};

pub(in crate::generated) async fn get_health<S: GetHealth>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetHealthInput {};
    let reply = service.get_health(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /readyz: Readiness: the service can take requests, since the ledger can be written and it was not told to
/// stop. (spec/operations/service.yaml: service.ready)
#[diagnostic::on_unimplemented(
    message = "operation `service.ready` (GET /readyz) has no handler on `{Self}`",
    label = "missing `impl GetReadiness for {Self}`",
    note = "declared at spec/operations/service.yaml: service.ready",
    note = "add: impl GetReadiness for {Self} {{ async fn get_readiness(&self, cx: &Cx, input: GetReadinessInput) -> Result<ServiceState, GetReadinessError> {{ .. }} }}"
)]
pub trait GetReadiness: Send + Sync + 'static {
    /// Answers the operation.
    fn get_readiness(
        &self,
        cx: &api::Cx,
        input: GetReadinessInput,
    ) -> impl Future<Output = Result<types::ServiceState, GetReadinessError>> + Send;
}

/// The input of [`GetReadiness`].
#[derive(Debug)]
pub struct GetReadinessInput {}

/// The errors of [`GetReadiness`].
#[derive(Debug, OpError)]
#[op(operation = "service.ready", spec = "spec/operations/service.yaml: service.ready")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetReadinessError {
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(SHUTTING_DOWN)]
    ShuttingDown,
}

pub(in crate::generated) static GET_READINESS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/readyz"),
    ],
    about_service: true,
    ..api::Operation::new("service.ready", "spec/operations/service.yaml: service.ready", &envelopes::O)
};

pub(in crate::generated) async fn get_readiness<S: GetReadiness>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetReadinessInput {};
    let reply = service.get_readiness(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// GET /metrics: Metrics of the service, for Prometheus. Not found for callers that they are not open to.
/// (spec/operations/service.yaml: service.metrics)
#[diagnostic::on_unimplemented(
    message = "operation `service.metrics` (GET /metrics) has no handler on `{Self}`",
    label = "missing `impl GetMetrics for {Self}`",
    note = "declared at spec/operations/service.yaml: service.metrics",
    note = "add: impl GetMetrics for {Self} {{ async fn get_metrics(&self, cx: &Cx, input: GetMetricsInput) -> Result<ProxyReply, GetMetricsError> {{ .. }} }}"
)]
pub trait GetMetrics: Send + Sync + 'static {
    /// Answers the operation.
    fn get_metrics(
        &self,
        cx: &api::Cx,
        input: GetMetricsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GetMetricsError>> + Send;
}

/// The input of [`GetMetrics`].
#[derive(Debug)]
pub struct GetMetricsInput {}

/// The errors of [`GetMetrics`].
#[derive(Debug, OpError)]
#[op(operation = "service.metrics", spec = "spec/operations/service.yaml: service.metrics")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetMetricsError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
}

pub(in crate::generated) static GET_METRICS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/metrics"),
    ],
    about_service: true,
    ..api::Operation::new("service.metrics", "spec/operations/service.yaml: service.metrics", &envelopes::O)
};

pub(in crate::generated) async fn get_metrics<S: GetMetrics>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetMetricsInput {};
    let reply = service.get_metrics(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /openapi.json: Description of this service in OpenAPI 3.1, for tools that know that.
/// (spec/operations/service.yaml: service.openapi)
#[diagnostic::on_unimplemented(
    message = "operation `service.openapi` (GET /openapi.json) has no handler on `{Self}`",
    label = "missing `impl GetOpenapi for {Self}`",
    note = "declared at spec/operations/service.yaml: service.openapi",
    note = "add: impl GetOpenapi for {Self} {{ async fn get_openapi(&self, cx: &Cx, input: GetOpenapiInput) -> Result<ProxyReply, GetOpenapiError> {{ .. }} }}"
)]
pub trait GetOpenapi: Send + Sync + 'static {
    /// Answers the operation.
    fn get_openapi(
        &self,
        cx: &api::Cx,
        input: GetOpenapiInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GetOpenapiError>> + Send;
}

/// The input of [`GetOpenapi`].
#[derive(Debug)]
pub struct GetOpenapiInput {}

/// The errors of [`GetOpenapi`].
#[derive(Debug, OpError)]
#[op(operation = "service.openapi", spec = "spec/operations/service.yaml: service.openapi")]
pub enum GetOpenapiError {}

pub(in crate::generated) static GET_OPENAPI: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/openapi.json"),
    ],
    about_service: true,
    ..api::Operation::new("service.openapi", "spec/operations/service.yaml: service.openapi", &envelopes::O)
};

pub(in crate::generated) async fn get_openapi<S: GetOpenapi>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetOpenapiInput {};
    let reply = service.get_openapi(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /openapi-3.0.json: The same description in OpenAPI 3.0.3, for tools that know no later version.
/// (spec/operations/service.yaml: service.openapi_30)
#[diagnostic::on_unimplemented(
    message = "operation `service.openapi_30` (GET /openapi-3.0.json) has no handler on `{Self}`",
    label = "missing `impl GetOpenapi30 for {Self}`",
    note = "declared at spec/operations/service.yaml: service.openapi_30",
    note = "add: impl GetOpenapi30 for {Self} {{ async fn get_openapi30(&self, cx: &Cx, input: GetOpenapi30Input) -> Result<ProxyReply, GetOpenapi30Error> {{ .. }} }}"
)]
pub trait GetOpenapi30: Send + Sync + 'static {
    /// Answers the operation.
    fn get_openapi30(
        &self,
        cx: &api::Cx,
        input: GetOpenapi30Input,
    ) -> impl Future<Output = Result<api::ProxyReply, GetOpenapi30Error>> + Send;
}

/// The input of [`GetOpenapi30`].
#[derive(Debug)]
pub struct GetOpenapi30Input {}

/// The errors of [`GetOpenapi30`].
#[derive(Debug, OpError)]
#[op(operation = "service.openapi_30", spec = "spec/operations/service.yaml: service.openapi_30")]
pub enum GetOpenapi30Error {}

pub(in crate::generated) static GET_OPENAPI30: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/openapi-3.0.json"),
    ],
    about_service: true,
    ..api::Operation::new("service.openapi_30", "spec/operations/service.yaml: service.openapi_30", &envelopes::O)
};

pub(in crate::generated) async fn get_openapi30<S: GetOpenapi30>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetOpenapi30Input {};
    let reply = service.get_openapi30(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /docs: Documentation of this service, in pages for people: the first of them. It names its version in
/// `ETag`; a request that names the same one in `If-None-Match` is answered with 304 and without a body.
/// (spec/operations/service.yaml: service.docs)
#[diagnostic::on_unimplemented(
    message = "operation `service.docs` (GET /docs) has no handler on `{Self}`",
    label = "missing `impl ShowDocs for {Self}`",
    note = "declared at spec/operations/service.yaml: service.docs",
    note = "add: impl ShowDocs for {Self} {{ async fn show_docs(&self, cx: &Cx, input: ShowDocsInput) -> Result<ProxyReply, ShowDocsError> {{ .. }} }}"
)]
pub trait ShowDocs: Send + Sync + 'static {
    /// Answers the operation.
    fn show_docs(
        &self,
        cx: &api::Cx,
        input: ShowDocsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowDocsError>> + Send;
}

/// The input of [`ShowDocs`].
#[derive(Debug)]
pub struct ShowDocsInput {}

/// The errors of [`ShowDocs`].
#[derive(Debug, OpError)]
#[op(operation = "service.docs", spec = "spec/operations/service.yaml: service.docs")]
pub enum ShowDocsError {}

pub(in crate::generated) static SHOW_DOCS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/docs"),
    ],
    about_service: true,
    ..api::Operation::new("service.docs", "spec/operations/service.yaml: service.docs", &envelopes::O)
};

pub(in crate::generated) async fn show_docs<S: ShowDocs>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowDocsInput {};
    let reply = service.show_docs(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /docs/{file}: A further page of the documentation, or what its pages load. Versions are told as those of
/// the first one. (spec/operations/service.yaml: service.docs_file)
#[diagnostic::on_unimplemented(
    message = "operation `service.docs_file` (GET /docs/{{file}}) has no handler on `{Self}`",
    label = "missing `impl ShowDocsFile for {Self}`",
    note = "declared at spec/operations/service.yaml: service.docs_file",
    note = "add: impl ShowDocsFile for {Self} {{ async fn show_docs_file(&self, cx: &Cx, input: ShowDocsFileInput) -> Result<ProxyReply, ShowDocsFileError> {{ .. }} }}"
)]
pub trait ShowDocsFile: Send + Sync + 'static {
    /// Answers the operation.
    fn show_docs_file(
        &self,
        cx: &api::Cx,
        input: ShowDocsFileInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowDocsFileError>> + Send;
}

/// The input of [`ShowDocsFile`].
#[derive(Debug)]
pub struct ShowDocsFileInput {
    /// Name of the page, as it stands in links.
    pub file: String,
}

/// The errors of [`ShowDocsFile`].
#[derive(Debug, OpError)]
#[op(operation = "service.docs_file", spec = "spec/operations/service.yaml: service.docs_file")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ShowDocsFileError {
    #[code(ROUTE_NOT_FOUND)]
    RouteNotFound { method: String, path: String },
}

pub(in crate::generated) static SHOW_DOCS_FILE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/docs/{file}"),
    ],
    about_service: true,
    ..api::Operation::new("service.docs_file", "spec/operations/service.yaml: service.docs_file", &envelopes::O)
};

pub(in crate::generated) async fn show_docs_file<S: ShowDocsFile>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowDocsFileInput {
        file: call.path("file", api::Text::of(1, 64))?,
    };
    let reply = service.show_docs_file(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
