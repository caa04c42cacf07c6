// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Operations of `things`.

use tollgate_macros::OpError;

use super::super::auth;
use super::super::errors::code;
use super::super::errors::envelopes;
use super::super::limits;
use super::super::types;
use crate::api;

/// GET /v1/things: All things, in the format of who asks. (spec/mini.yaml: things.list, source §1)
#[diagnostic::on_unimplemented(
    message = "operation `things.list` (GET /v1/things) has no handler on `{Self}`",
    label = "missing `impl ListThings for {Self}`",
    note = "declared at spec/mini.yaml: things.list",
    note = "add: impl ListThings for {Self} {{ async fn list_things(&self, cx: &Cx, input: ListThingsInput) -> Result<ListThingsReply, ListThingsError> {{ .. }} }}"
)]
pub trait ListThings: Send + Sync + 'static {
    /// Answers the operation.
    fn list_things(
        &self,
        cx: &api::Cx,
        input: ListThingsInput,
    ) -> impl Future<Output = Result<ListThingsReply, ListThingsError>> + Send;
}

/// The input of [`ListThings`].
#[derive(Debug)]
pub struct ListThingsInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The form of reply that the request asks for.
    pub format: ListThingsFormat,
    /// Selects format A.
    pub a_version: Option<String>,
    /// How many.
    pub limit: i64,
    /// Of which kind.
    pub kind: types::ThingKind,
}

/// The forms of [`ListThingsReply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListThingsFormat {
    /// Envelope `a`, `ThingListA`.
    A,
    /// Envelope `o`, `ThingList`.
    O,
}

/// The facts about a request that decide its [`ListThingsFormat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListThingsHas {
    /// The header `a-version`, under any of its names.
    pub a_version: bool,
}

impl ListThingsFormat {
    /// The first branch that fits decides.
    #[must_use]
    pub const fn select(has: ListThingsHas) -> Self {
        if has.a_version {
            Self::A
        } else {
            Self::O
        }
    }

    fn of(seen: api::Seen) -> Self {
        Self::select(ListThingsHas {
            a_version: seen.has(0),
        })
    }

    fn envelope(self) -> &'static api::Envelope {
        match self {
            Self::A => &envelopes::A,
            Self::O => &envelopes::O,
        }
    }
}

/// The reply of [`ListThings`], in the form that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum ListThingsReply {
    /// Envelope `a`, `ThingListA`.
    A(types::ThingListA),
    /// Envelope `o`, `ThingList`.
    O(types::ThingList),
}

/// The errors of [`ListThings`].
#[derive(Debug, OpError)]
#[op(operation = "things.list", spec = "spec/mini.yaml: things.list")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum ListThingsError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
}

pub(in crate::generated) static LIST_THINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/things"),
    ],
    schemes: &[&auth::BEARER, &auth::G_KEY],
    select: Some(|seen| ListThingsFormat::of(seen).envelope()),
    probes: &[
        api::Probe::Header(&auth::names::A_VERSION),
    ],
    ..api::Operation::new("things.list", "spec/mini.yaml: things.list", &envelopes::O)
};

pub(in crate::generated) async fn list_things<S: ListThings + api::Authenticate>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ListThingsInput {
        caller: call.caller(&*service).await?,
        format: ListThingsFormat::of(call.seen()),
        a_version: call.optional_header(&auth::names::A_VERSION, "a text")?,
        limit: call.optional_query("limit", api::Whole::of(1, 9))?.unwrap_or(3),
        kind: call.optional_query("kind", "a text")?.unwrap_or(types::ThingKind::Small),
    };
    let reply = service.list_things(&call.cx, input).await.map_err(api::OperationError::failure)?;
    match reply {
        ListThingsReply::A(reply) => call.answer(&reply),
        ListThingsReply::O(reply) => call.answer(&reply),
    }
}

/// GET /things: All things, for people. (spec/mini.yaml: things.page)
#[diagnostic::on_unimplemented(
    message = "operation `things.page` (GET /things) has no handler on `{Self}`",
    label = "missing `impl ShowThings for {Self}`",
    note = "declared at spec/mini.yaml: things.page",
    note = "add: impl ShowThings for {Self} {{ async fn show_things(&self, cx: &Cx, input: ShowThingsInput) -> Result<ProxyReply, ShowThingsError> {{ .. }} }}"
)]
pub trait ShowThings: Send + Sync + 'static {
    /// Answers the operation.
    fn show_things(
        &self,
        cx: &api::Cx,
        input: ShowThingsInput,
    ) -> impl Future<Output = Result<api::ProxyReply, ShowThingsError>> + Send;
}

/// The input of [`ShowThings`].
#[derive(Debug)]
pub struct ShowThingsInput {
    /// Of which kind.
    pub kind: Option<types::ThingKind>,
}

/// The errors of [`ShowThings`].
#[derive(Debug, OpError)]
#[op(operation = "things.page", spec = "spec/mini.yaml: things.page")]
pub enum ShowThingsError {}

pub(in crate::generated) static SHOW_THINGS: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/things"),
    ],
    ..api::Operation::new("things.page", "spec/mini.yaml: things.page", &envelopes::O)
};

pub(in crate::generated) async fn show_things<S: ShowThings>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = ShowThingsInput {
        kind: call.optional_query("kind", "a text")?,
    };
    let reply = service.show_things(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}

/// GET /v1/things/{thing}: One thing. (spec/mini.yaml: things.get)
#[diagnostic::on_unimplemented(
    message = "operation `things.get` (GET /v1/things/{{thing}}) has no handler on `{Self}`",
    label = "missing `impl GetThing for {Self}`",
    note = "declared at spec/mini.yaml: things.get",
    note = "add: impl GetThing for {Self} {{ async fn get_thing(&self, cx: &Cx, input: GetThingInput) -> Result<Thing, GetThingError> {{ .. }} }}"
)]
pub trait GetThing: Send + Sync + 'static {
    /// Answers the operation.
    fn get_thing(
        &self,
        cx: &api::Cx,
        input: GetThingInput,
    ) -> impl Future<Output = Result<types::Thing, GetThingError>> + Send;
}

/// The input of [`GetThing`].
#[derive(Debug)]
pub struct GetThingInput {
    /// Its name.
    pub thing: String,
}

/// The errors of [`GetThing`].
#[derive(Debug, OpError)]
#[op(operation = "things.get", spec = "spec/mini.yaml: things.get")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum GetThingError {
    #[code(NO_THING)]
    NoThing { thing: String },
}

pub(in crate::generated) static GET_THING: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::GET, "/v1/things/{thing}"),
    ],
    ..api::Operation::new("things.get", "spec/mini.yaml: things.get", &envelopes::O)
};

pub(in crate::generated) async fn get_thing<S: GetThing>(
    service: std::sync::Arc<S>,
    call: api::Call,
) -> api::Answer {
    let input = GetThingInput {
        thing: call.path("thing", api::Text::most(20))?,
    };
    let reply = service.get_thing(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /v1/things/{*thing}:tell: A verb on a thing. (spec/mini.yaml: things.tell)
#[diagnostic::on_unimplemented(
    message = "operation `things.tell` (POST /v1/things/{{*thing}}:tell) has no handler on `{Self}`",
    label = "missing `impl TellThing for {Self}`",
    note = "declared at spec/mini.yaml: things.tell",
    note = "add: impl TellThing for {Self} {{ async fn tell_thing(&self, cx: &Cx, input: TellThingInput) -> Result<Thing, TellThingError> {{ .. }} }}"
)]
pub trait TellThing: Send + Sync + 'static {
    /// Answers the operation.
    fn tell_thing(
        &self,
        cx: &api::Cx,
        input: TellThingInput,
    ) -> impl Future<Output = Result<types::Thing, TellThingError>> + Send;
}

/// The input of [`TellThing`].
#[derive(Debug)]
pub struct TellThingInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// In which tone.
    pub x_tone: String,
    /// Its name.
    pub thing: String,
    /// The body.
    pub body: types::Telling,
}

/// The errors of [`TellThing`].
#[derive(Debug, OpError)]
#[op(operation = "things.tell", spec = "spec/mini.yaml: things.tell")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum TellThingError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(NO_THING)]
    NoThing { thing: String },
    #[code(TOO_DEAR)]
    TooDear { price_usd: api::Usd, count: i64 },
}

pub(in crate::generated) static TELL_THING: api::Operation = api::Operation {
    routes: &[
        api::Route::with_suffix(http::Method::POST, "/v1/things/{*thing}", ":tell"),
    ],
    schemes: &[&auth::BEARER],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    ..api::Operation::new("things.tell", "spec/mini.yaml: things.tell", &envelopes::A)
};

pub(in crate::generated) async fn tell_thing<S: TellThing + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = TellThingInput {
        caller: call.caller(&*service).await?,
        x_tone: call.header(&auth::names::X_TONE, api::Text::most(5))?,
        thing: call.path("thing", "a text")?,
        body: call.json().await?,
    };
    let reply = service.tell_thing(&call.cx, input).await.map_err(|error| call.cx.failed(error))?;
    call.answer(&reply)
}

/// POST /v1/relay: Passed on to somebody else. (spec/mini.yaml: things.relay)
#[diagnostic::on_unimplemented(
    message = "operation `things.relay` (POST /v1/relay) has no handler on `{Self}`",
    label = "missing `impl RelayThing for {Self}`",
    note = "declared at spec/mini.yaml: things.relay",
    note = "add: impl RelayThing for {Self} {{ async fn relay_thing(&self, cx: &Cx, input: RelayThingInput) -> Result<ProxyReply, RelayThingError> {{ .. }} }}"
)]
pub trait RelayThing: Send + Sync + 'static {
    /// Answers the operation.
    fn relay_thing(
        &self,
        cx: &api::Cx,
        input: RelayThingInput,
    ) -> impl Future<Output = Result<api::ProxyReply, RelayThingError>> + Send;
}

/// The input of [`RelayThing`].
#[derive(Debug)]
pub struct RelayThingInput {
    /// The authenticated caller.
    pub caller: api::Principal,
    /// The body as it came, and the members that decide.
    pub body: api::ProxyBody<RelayThingHead>,
}

/// The members of a `Relayed` that decide.
#[derive(Debug, Clone)]
pub struct RelayThingHead {
    /// To whom.
    pub model: api::Spanned<String>,
    /// In pieces.
    pub stream: Option<api::Spanned<Option<bool>>>,
    /// Details.
    pub options: Option<api::Spanned<types::Options>>,
    /// What.
    pub items: api::Spanned<api::Raw>,
}

impl api::Head for RelayThingHead {
    const NAMES: &'static [&'static str] = &[
        "model",
        "stream",
        "options",
        "items",
    ];

    fn read(members: &api::Members<'_>) -> Result<Self, api::Failure> {
        Ok(Self {
            model: members.required("model", "a text")?,
            stream: members.nullable("stream", "true or false")?,
            options: members.optional("options", "an object")?,
            items: members.required("items", api::AList::FILLED)?,
        })
    }
}

/// The errors of [`RelayThing`].
#[derive(Debug, OpError)]
#[op(operation = "things.relay", spec = "spec/mini.yaml: things.relay")]
#[expect(missing_docs, reason = "each is a code of `errors::code`, which says what it means")]
pub enum RelayThingError {
    #[code(KEY_DISABLED)]
    KeyDisabled,
    #[code(KEY_EXPIRED)]
    KeyExpired,
    #[code(LEDGER_UNAVAILABLE)]
    LedgerUnavailable,
    #[code(TOO_DEAR)]
    TooDear { price_usd: api::Usd, count: i64 },
}

pub(in crate::generated) static RELAY_THING: api::Operation = api::Operation {
    routes: &[
        api::Route::new(http::Method::POST, "/v1/relay"),
    ],
    schemes: &[&auth::BEARER],
    body: api::BodyLimit { bytes: limits::BODY, over: None },
    proxy: true,
    ..api::Operation::new("things.relay", "spec/mini.yaml: things.relay", &envelopes::O)
};

pub(in crate::generated) async fn relay_thing<S: RelayThing + api::Authenticate>(
    service: std::sync::Arc<S>,
    mut call: api::Call,
) -> api::Answer {
    let input = RelayThingInput {
        caller: call.caller(&*service).await?,
        body: call.proxy_body().await?,
    };
    let reply = service.relay_thing(&call.cx, input).await.map_err(api::OperationError::failure)?;
    Ok(reply.into_response())
}
