// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `responses`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// POST /v1/responses: One model turn of the responses interface, with tools and reasoning, whole or as a
/// stream. The response and its input are kept for 30 days unless `store` is false, and `previous_response_id`
/// goes on from a kept one, whatever format the provider speaks; its instructions are not inherited. An input
/// item may be the id of a kept one alone (`item_reference`). Reasoning is kept with its encrypted content,
/// which is told to clients that `include` it. A failed response is not kept. An account keeps 256 MiB, input
/// included: beyond that its oldest responses are dropped, and one that is larger alone is not kept. Not served:
/// `background`, `conversation` and `prompt`. (spec/operations/responses.yaml: responses.create, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `responses.create` (POST /v1/responses) has no handler on `{Self}`",
    label = "missing `impl CreateResponse for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.create",
    note = "add: impl CreateResponse for {Self} {{ async fn create_response(&self, cx: &Cx, input: CreateResponseInput) -> Result<ProxyReply, CreateResponseError> {{ .. }} }}"
)]
pub trait CreateResponse: Send + Sync + 'static {
    /// Answers the operation.
    fn create_response(
        &self,
        cx: &api::Cx,
        input: CreateResponseInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CreateResponseError>> + Send;
}

/// The input of [`CreateResponse`].
#[derive(Debug)]
pub struct CreateResponseInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CreateResponseHead>,
}

/// The members of a `ResponsesRequest` that decide.
#[derive(Debug, Clone)]
pub struct CreateResponseHead {
    /// Model that answers.
    pub model: api::Spanned<String>,
    /// Send the answer as server-sent events while it is made.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// The response to go on from, with its whole conversation.
    pub previous_response_id: Option<api::Spanned<Option<String>>>,
    /// Bound of the output.
    pub max_output_tokens: Option<api::Spanned<Option<i64>>>,
    /// True if the service is to store the response. Absent means true.
    pub store: Option<api::Spanned<Option<bool>>>,
    /// Answer at once and work on. Not served; only false or absent.
    pub background: Option<api::Spanned<Option<bool>>>,
    /// A kept conversation. Not served; `previous_response_id` is.
    pub conversation: Option<api::Spanned<api::Raw>>,
    /// A kept prompt. Not served.
    pub prompt: Option<api::Spanned<api::Raw>>,
}

impl api::Head for CreateResponseHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "stream",
        "previous_response_id",
        "max_output_tokens",
        "store",
        "background",
        "conversation",
        "prompt",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            stream: members.nullable("stream", "true or false")?,
            previous_response_id: members.nullable("previous_response_id", "a text")?,
            max_output_tokens: members.nullable("max_output_tokens", api::Whole::least(1))?,
            store: members.nullable("store", "true or false")?,
            background: members.nullable("background", "true or false")?,
            conversation: members.optional("conversation", "JSON")?,
            prompt: members.optional("prompt", "JSON")?,
        })
    }
}

impl CreateResponseInput {
    /// The form of a stream on the wire.
    pub const STREAM: api::EventStream = api::EventStream {
        named: true,
        ends_with: &["response.completed", "response.incomplete", "response.failed", "response.cancelled"],
    };

    /// True if the request asks for a stream of events: `body.stream`.
    #[must_use]
    pub fn streams(&self) -> bool {
        self.body.head.stream.as_ref().is_some_and(|given| given.value == Some(true))
    }
}

/// The errors of [`CreateResponse`].
#[derive(Debug, OpError)]
#[op(operation = "responses.create", spec = "spec/operations/responses.yaml: responses.create")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CreateResponseError {
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
    #[code(PREVIOUS_RESPONSE_NOT_FOUND)]
    PreviousResponseNotFound { response_id: String },
    #[code(ITEM_NOT_FOUND)]
    ItemNotFound { item_id: String, field: String },
    #[code(BAD_COMPACTION)]
    BadCompaction,
}

pub(in crate::generated) static CREATE_RESPONSE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/responses"),
        api::Route::new(http::Method::POST, "/responses"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("responses.create", "spec/operations/responses.yaml: responses.create", &envelopes::O)
};

pub(in crate::generated) async fn create_response<S: CreateResponse + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CreateResponseInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.create_response(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// POST /v1/responses/compact: Makes a long conversation short. The output, which is the user's messages and a
/// sealed summary by the model, is the beginning of the next input, sent back unchanged. Paid for like a turn.
/// (spec/operations/responses.yaml: responses.compact, source §4)
#[diagnostic::on_unimplemented(
    message = "operation `responses.compact` (POST /v1/responses/compact) has no handler on `{Self}`",
    label = "missing `impl CompactResponse for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.compact",
    note = "add: impl CompactResponse for {Self} {{ async fn compact_response(&self, cx: &Cx, input: CompactResponseInput) -> Result<ProxyReply, CompactResponseError> {{ .. }} }}"
)]
pub trait CompactResponse: Send + Sync + 'static {
    /// Answers the operation.
    fn compact_response(
        &self,
        cx: &api::Cx,
        input: CompactResponseInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CompactResponseError>> + Send;
}

/// The input of [`CompactResponse`].
#[derive(Debug)]
pub struct CompactResponseInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CompactResponseHead>,
}

/// The members of a `CompactRequest` that decide.
#[derive(Debug, Clone)]
pub struct CompactResponseHead {
    /// Model that compacts.
    pub model: api::Spanned<String>,
    /// Or the response that ends it.
    pub previous_response_id: Option<api::Spanned<Option<String>>>,
}

impl api::Head for CompactResponseHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "previous_response_id",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            previous_response_id: members.nullable("previous_response_id", "a text")?,
        })
    }
}

/// The errors of [`CompactResponse`].
#[derive(Debug, OpError)]
#[op(operation = "responses.compact", spec = "spec/operations/responses.yaml: responses.compact")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CompactResponseError {
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
    #[code(PREVIOUS_RESPONSE_NOT_FOUND)]
    PreviousResponseNotFound { response_id: String },
    #[code(ITEM_NOT_FOUND)]
    ItemNotFound { item_id: String, field: String },
    #[code(BAD_COMPACTION)]
    BadCompaction,
}

pub(in crate::generated) static COMPACT_RESPONSE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/responses/compact"),
        api::Route::new(http::Method::POST, "/responses/compact"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    once: true,
    ..api::Operation::new("responses.compact", "spec/operations/responses.yaml: responses.compact", &envelopes::O)
};

pub(in crate::generated) async fn compact_response<S: CompactResponse + api::Authenticate + api::Once>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CompactResponseInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let asker = api::Asker::from(&input.caller);
    let run = |service: std::sync::Arc<S>, call: api::Call| async move {
        let reply = service.compact_response(&call.cx, input).await.map_err(api::OperationError::failure)?;
        Ok(reply.into_response())
    };
    call.once(service, asker, run).await
}

/// GET /v1/responses/{response_id}: A stored response. (spec/operations/responses.yaml: responses.get)
#[diagnostic::on_unimplemented(
    message = "operation `responses.get` (GET /v1/responses/{{response_id}}) has no handler on `{Self}`",
    label = "missing `impl GetResponse for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.get",
    note = "add: impl GetResponse for {Self} {{ async fn get_response(&self, cx: &Cx, input: GetResponseInput) -> Result<ProxyReply, GetResponseError> {{ .. }} }}"
)]
pub trait GetResponse: Send + Sync + 'static {
    /// Answers the operation.
    fn get_response(
        &self,
        cx: &api::Cx,
        input: GetResponseInput,
    ) -> impl Future<Output = Result<api::ProxyReply, GetResponseError>> + Send;
}

/// The input of [`GetResponse`].
#[derive(Debug)]
pub struct GetResponseInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the response, as it was answered.
    pub response_id: String,
}

/// The errors of [`GetResponse`].
#[derive(Debug, OpError)]
#[op(operation = "responses.get", spec = "spec/operations/responses.yaml: responses.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetResponseError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(RESPONSE_NOT_FOUND)]
    ResponseNotFound { response_id: String },
}

pub(in crate::generated) static GET_RESPONSE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/responses/{response_id}"),
        api::Route::new(http::Method::GET, "/responses/{response_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    proxy: true,
    ..api::Operation::new("responses.get", "spec/operations/responses.yaml: responses.get", &envelopes::O)
};

pub(in crate::generated) async fn get_response<S: GetResponse + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetResponseInput {
        caller: call.caller(&*service).await?,
        response_id: call.path("response_id", "a text")?,
    };
    let reply = service.get_response(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// DELETE /v1/responses/{response_id}: Forgets a stored response. Responses that went on from it keep their
/// conversation. (spec/operations/responses.yaml: responses.delete)
#[diagnostic::on_unimplemented(
    message = "operation `responses.delete` (DELETE /v1/responses/{{response_id}}) has no handler on `{Self}`",
    label = "missing `impl DeleteResponse for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.delete",
    note = "add: impl DeleteResponse for {Self} {{ async fn delete_response(&self, cx: &Cx, input: DeleteResponseInput) -> Result<ResponseDeleted, DeleteResponseError> {{ .. }} }}"
)]
pub trait DeleteResponse: Send + Sync + 'static {
    /// Answers the operation.
    fn delete_response(
        &self,
        cx: &api::Cx,
        input: DeleteResponseInput,
    ) -> impl Future<Output = Result<types::ResponseDeleted, DeleteResponseError>> + Send;
}

/// The input of [`DeleteResponse`].
#[derive(Debug)]
pub struct DeleteResponseInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the response, as it was answered.
    pub response_id: String,
}

/// The errors of [`DeleteResponse`].
#[derive(Debug, OpError)]
#[op(operation = "responses.delete", spec = "spec/operations/responses.yaml: responses.delete")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum DeleteResponseError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(RESPONSE_NOT_FOUND)]
    ResponseNotFound { response_id: String },
}

pub(in crate::generated) static DELETE_RESPONSE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::DELETE, "/v1/responses/{response_id}"),
        api::Route::new(http::Method::DELETE, "/responses/{response_id}"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    ..api::Operation::new("responses.delete", "spec/operations/responses.yaml: responses.delete", &envelopes::O)
};

pub(in crate::generated) async fn delete_response<S: DeleteResponse + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = DeleteResponseInput {
        caller: call.caller(&*service).await?,
        response_id: call.path("response_id", "a text")?,
    };
    let reply = service.delete_response(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /v1/responses/{response_id}/cancel: Ends a response that runs in the background. None does, so that
/// every response of the account is refused. (spec/operations/responses.yaml: responses.cancel)
#[diagnostic::on_unimplemented(
    message = "operation `responses.cancel` (POST /v1/responses/{{response_id}}/cancel) has no handler on `{Self}`",
    label = "missing `impl CancelResponse for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.cancel",
    note = "add: impl CancelResponse for {Self} {{ async fn cancel_response(&self, cx: &Cx, input: CancelResponseInput) -> Result<ProxyReply, CancelResponseError> {{ .. }} }}"
)]
pub trait CancelResponse: Send + Sync + 'static {
    /// Answers the operation.
    fn cancel_response(
        &self,
        cx: &api::Cx,
        input: CancelResponseInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CancelResponseError>> + Send;
}

/// The input of [`CancelResponse`].
#[derive(Debug)]
pub struct CancelResponseInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the response, as it was answered.
    pub response_id: String,
}

/// The errors of [`CancelResponse`].
#[derive(Debug, OpError)]
#[op(operation = "responses.cancel", spec = "spec/operations/responses.yaml: responses.cancel")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CancelResponseError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(RESPONSE_NOT_FOUND)]
    ResponseNotFound { response_id: String },
    #[code(NOT_CANCELLABLE)]
    NotCancellable { response_id: String },
}

pub(in crate::generated) static CANCEL_RESPONSE: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/responses/{response_id}/cancel"),
        api::Route::new(http::Method::POST, "/responses/{response_id}/cancel"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    proxy: true,
    ..api::Operation::new("responses.cancel", "spec/operations/responses.yaml: responses.cancel", &envelopes::O)
};

pub(in crate::generated) async fn cancel_response<S: CancelResponse + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = CancelResponseInput {
        caller: call.caller(&*service).await?,
        response_id: call.path("response_id", "a text")?,
    };
    let reply = service.cancel_response(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /v1/responses/{response_id}/input_items: The input of a stored response, item by item, what it went on
/// from included. (spec/operations/responses.yaml: responses.input_items)
#[diagnostic::on_unimplemented(
    message = "operation `responses.input_items` (GET /v1/responses/{{response_id}}/input_items) has no handler on `{Self}`",
    label = "missing `impl ListResponseInputItems for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.input_items",
    note = "add: impl ListResponseInputItems for {Self} {{ async fn list_response_input_items(&self, cx: &Cx, input: ListResponseInputItemsInput) -> Result<ProxyReply, ListResponseInputItemsError> {{ .. }} }}"
)]
pub trait ListResponseInputItems: Send + Sync + 'static {
    /// Answers the operation.
    fn list_response_input_items(
        &self,
        cx: &api::Cx,
        input: ListResponseInputItemsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ListResponseInputItemsError>> + Send;
}

/// The input of [`ListResponseInputItems`].
#[derive(Debug)]
pub struct ListResponseInputItemsInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// Id of the response, as it was answered.
    pub response_id: String,
    /// The page after this id.
    pub after: Option<String>,
    /// Items in one page.
    pub limit: i64,
    /// `asc` or `desc`.
    pub order: String,
}

/// The errors of [`ListResponseInputItems`].
#[derive(Debug, OpError)]
#[op(operation = "responses.input_items", spec = "spec/operations/responses.yaml: responses.input_items")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListResponseInputItemsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(RESPONSE_NOT_FOUND)]
    ResponseNotFound { response_id: String },
}

pub(in crate::generated) static LIST_RESPONSE_INPUT_ITEMS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/responses/{response_id}/input_items"),
        api::Route::new(http::Method::GET, "/responses/{response_id}/input_items"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    proxy: true,
    ..api::Operation::new("responses.input_items", "spec/operations/responses.yaml: responses.input_items", &envelopes::O)
};

pub(in crate::generated) async fn list_response_input_items<S: ListResponseInputItems + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListResponseInputItemsInput {
        caller: call.caller(&*service).await?,
        response_id: call.path("response_id", "a text")?,
        after: call.optional_query("after", "a text")?,
        limit: call.optional_query("limit", api::Whole::of(1, 100))?.unwrap_or(20),
        order: call.optional_query("order", "a text")?.unwrap_or("desc".to_owned()),
    };
    let reply = service.list_response_input_items(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// POST /v1/responses/input_tokens: Input tokens of a request to the responses interface, with what it goes on
/// from. Free of charge. Where the provider cannot count, or fails to, it is an estimate by the size of the
/// texts, four bytes a token, and the header `x-tollgate-estimated` says so. (spec/operations/responses.yaml:
/// responses.count_tokens)
#[diagnostic::on_unimplemented(
    message = "operation `responses.count_tokens` (POST /v1/responses/input_tokens) has no handler on `{Self}`",
    label = "missing `impl CountResponseTokens for {Self}`",
    note = "declared at spec/operations/responses.yaml: responses.count_tokens",
    note = "add: impl CountResponseTokens for {Self} {{ async fn count_response_tokens(&self, cx: &Cx, input: CountResponseTokensInput) -> Result<ProxyReply, CountResponseTokensError> {{ .. }} }}"
)]
pub trait CountResponseTokens: Send + Sync + 'static {
    /// Answers the operation.
    fn count_response_tokens(
        &self,
        cx: &api::Cx,
        input: CountResponseTokensInput,
    ) -> impl Future<Output = Result<api::ProxyReply, CountResponseTokensError>> + Send;
}

/// The input of [`CountResponseTokens`].
#[derive(Debug)]
pub struct CountResponseTokensInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<CountResponseTokensHead>,
}

/// The members of a `ResponsesRequest` that decide.
#[derive(Debug, Clone)]
pub struct CountResponseTokensHead {
    /// Model that answers.
    pub model: api::Spanned<String>,
    /// The response to go on from, with its whole conversation.
    pub previous_response_id: Option<api::Spanned<Option<String>>>,
}

impl api::Head for CountResponseTokensHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "previous_response_id",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", api::Text::of(1, 256))?,
            previous_response_id: members.nullable("previous_response_id", "a text")?,
        })
    }
}

/// The errors of [`CountResponseTokens`].
#[derive(Debug, OpError)]
#[op(operation = "responses.count_tokens", spec = "spec/operations/responses.yaml: responses.count_tokens")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum CountResponseTokensError {
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
    #[code(PREVIOUS_RESPONSE_NOT_FOUND)]
    PreviousResponseNotFound { response_id: String },
    #[code(ITEM_NOT_FOUND)]
    ItemNotFound { item_id: String, field: String },
    #[code(BAD_COMPACTION)]
    BadCompaction,
}

pub(in crate::generated) static COUNT_RESPONSE_TOKENS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/responses/input_tokens"),
        api::Route::new(http::Method::POST, "/responses/input_tokens"),
    ],
    schemes: &[&auth::BEARER, &auth::X_API_KEY, &auth::G_KEY],
    body: api::BodyLimit { bytes: limits::MEDIA_BODY, over: None },
    proxy: true,
    ..api::Operation::new("responses.count_tokens", "spec/operations/responses.yaml: responses.count_tokens", &envelopes::O)
};

pub(in crate::generated) async fn count_response_tokens<S: CountResponseTokens + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = CountResponseTokensInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let reply = service.count_response_tokens(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
