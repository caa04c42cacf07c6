//! A service over the small spec: every kind of operation that the generator makes, answered in a few lines.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tollgate_base::{AccountGroup, AccountId, Clock, KeyId, OperatorCaller, OperatorId, Secret, SessionId};

use crate::api::{
    AuthFailure, Authenticate, BeginsSession, BodyMemory, Code, Cx, FormPart, InFlightRequests, OperatorRoutes,
    Principal, ProxyReply, ProxyReplyBody, RouterBounds, RouterConfig, Usd, raise,
};
use crate::generated::errors::{RULES, code, envelopes};
use crate::generated::ops::operators::{
    BeginOperator, BeginOperatorError, BeginOperatorInput, ClearOperator, ClearOperatorError, ClearOperatorInput,
    EndOperator, EndOperatorError, EndOperatorInput, SeeOperator, SeeOperatorError, SeeOperatorInput,
};
use crate::generated::ops::pictures::{
    DrawPicture, DrawPictureError, DrawPictureInput, FilePicture, FilePictureError, FilePictureInput, UploadPicture,
    UploadPictureError, UploadPictureInput, WatchPicture, WatchPictureError, WatchPictureInput,
};
use crate::generated::ops::things::{
    GetThing, GetThingError, GetThingInput, ListThings, ListThingsError, ListThingsFormat, ListThingsInput,
    ListThingsReply, RelayThing, RelayThingError, RelayThingInput, ShowThings, ShowThingsError, ShowThingsInput,
    TellThing, TellThingError, TellThingInput,
};
use crate::generated::types::{Operator, OperatorRole, Thing, ThingKind, ThingList, ThingListA};

/// The time for what waits for nobody; what is passed on has more.
pub const OWN_TIME: Duration = Duration::from_secs(20);

/// The room that answers.
#[derive(Debug)]
pub struct Things;

/// The room that draws.
#[derive(Debug)]
pub struct Pictures;

/// The room that operators see.
#[derive(Debug)]
pub struct Operators;

/// The service.
#[derive(Debug)]
pub struct Small {
    things: Things,
    pictures: Pictures,
    operators: Operators,
}

crate::generated::delegate!(Small {
    things: [ListThings, GetThing, ShowThings, TellThing, RelayThing],
    pictures: [DrawPicture, WatchPicture, FilePicture, UploadPicture],
    operators: [BeginOperator, EndOperator, SeeOperator, ClearOperator],
});

impl Authenticate for Small {
    async fn authenticate(&self, secret: &str) -> Result<Principal, AuthFailure> {
        match secret {
            "sk-good" => Ok(Principal {
                account: AccountId(1),
                key: KeyId(1),
                agent: None,
                group: AccountGroup::DEFAULT,
                scope: None,
                include_cost: false,
            }),
            "sk-revoked" => Err(AuthFailure::Disabled),
            "sk-old" => Err(AuthFailure::Expired),
            "sk-dark" => Err(AuthFailure::Unavailable),
            _ => Err(AuthFailure::Unknown),
        }
    }

    async fn authenticate_operator(&self, secret: &str) -> Result<OperatorCaller, AuthFailure> {
        match secret {
            "op-viewer" => Ok(operator("viewer", None)),
            "op-keeper" => Ok(operator("keeper", None)),
            "op-owner" => Ok(operator("owner", None)),
            "op-revoked" => Err(AuthFailure::Disabled),
            "op-old" => Err(AuthFailure::Expired),
            "op-dark" => Err(AuthFailure::Unavailable),
            _ => Err(AuthFailure::Unknown),
        }
    }

    async fn authenticate_operator_session(&self, token: &str) -> Result<OperatorCaller, AuthFailure> {
        match token {
            "viewing" => Ok(operator("viewer", Some(SessionId([1; 32])))),
            "keeping" => Ok(operator("keeper", Some(SessionId([2; 32])))),
            _ => Err(AuthFailure::Unknown),
        }
    }
}

/// An operator who is called after the role.
fn operator(role: &'static str, session: Option<SessionId>) -> OperatorCaller {
    OperatorCaller { operator: OperatorId(1), name: role.into(), role, session }
}

/// The service's router.
pub fn router() -> Router {
    router_with(OperatorRoutes::Served)
}

/// The service's router, with the operations of operators or without.
pub fn router_with(operators: OperatorRoutes) -> Router {
    let bounds = RouterBounds {
        request_own: OWN_TIME,
        places: InFlightRequests::new(4, 4),
        bodies: BodyMemory::new(1 << 20),
        retry_after_max: Duration::from_secs(7),
    };
    let config = RouterConfig { operators, ..RouterConfig::new(Clock::system(), &RULES, bounds) };
    crate::generated::router(Arc::new(Small { things: Things, pictures: Pictures, operators: Operators }), config)
}

/// A thing of that name.
#[must_use]
pub fn thing(name: &str) -> Thing {
    Thing {
        name: name.to_owned(),
        kind: ThingKind::Other("odd".to_owned()),
        size: Some(None),
        price_usd: Usd::from_nanos(1_500_000_000),
        parts: Vec::new(),
        labels: None,
        object: "thing",
    }
}

impl ListThings for Things {
    async fn list_things(&self, _: &Cx, input: ListThingsInput) -> Result<ListThingsReply, ListThingsError> {
        let count = usize::try_from(input.limit).expect("bounded by the spec");
        let things: Vec<Thing> = ["a", "b", "c", "d"].into_iter().take(count).map(thing).collect();
        Ok(match input.format {
            ListThingsFormat::A => ListThingsReply::A(ThingListA { things, more: true }),
            ListThingsFormat::O => ListThingsReply::O(ThingList { data: things }),
        })
    }
}

impl GetThing for Things {
    async fn get_thing(&self, _: &Cx, input: GetThingInput) -> Result<Thing, GetThingError> {
        match input.thing.as_str() {
            "nothing" => Err(raise(code::NoThing { thing: input.thing })),
            "broken" => panic!("this thing is broken"),
            // Never comes; the runtime's own time limit has to end it.
            "slow" => std::future::pending().await,
            name => Ok(thing(name)),
        }
    }
}

impl ShowThings for Things {
    async fn show_things(&self, _: &Cx, input: ShowThingsInput) -> Result<ProxyReply, ShowThingsError> {
        if matches!(input.kind, Some(ThingKind::Large)) {
            // As the slow thing.
            return std::future::pending().await;
        }
        Ok(told(200, "text/html; charset=utf-8", "<p>a b c d</p>"))
    }
}

impl TellThing for Things {
    async fn tell_thing(&self, _: &Cx, input: TellThingInput) -> Result<Thing, TellThingError> {
        let colour = input.body.colour.map(crate::generated::types::Colour::into_inner);
        if input.body.loud {
            return Err(raise(code::TooDear { price_usd: Usd::from_nanos(2), count: 3 }));
        }
        Ok(thing(&[input.thing, input.body.words, colour.unwrap_or_default()].concat()))
    }
}

impl RelayThing for Things {
    async fn relay_thing(&self, cx: &Cx, input: RelayThingInput) -> Result<ProxyReply, RelayThingError> {
        let span = input.body.head.model.span.clone();
        let told = format!(
            "{} {:?} {:?} {}",
            input.body.head.model.value,
            input.body.head.stream.map(|stream| stream.value),
            String::from_utf8_lossy(&input.body.bytes[span]),
            cx.headers.contains_key("authorization"),
        );
        Ok(ProxyReply {
            status: http::StatusCode::OK,
            headers: http::HeaderMap::new(),
            body: ProxyReplyBody::Whole(told.into()),
        })
    }
}

/// An answer of these bytes.
fn told(status: u16, content_type: &'static str, bytes: impl Into<bytes::Bytes>) -> ProxyReply {
    let mut headers = http::HeaderMap::new();
    headers.insert(http::header::CONTENT_TYPE, http::HeaderValue::from_static(content_type));
    let status = http::StatusCode::from_u16(status).expect("a status");
    ProxyReply { status, headers, body: ProxyReplyBody::Whole(bytes.into()) }
}

impl DrawPicture for Pictures {
    async fn draw_picture(&self, cx: &Cx, input: DrawPictureInput) -> Result<ProxyReply, DrawPictureError> {
        if input.streams() {
            let stroke = DrawPictureInput::STREAM.event("stroke", br#"{"type":"stroke","at":1}"#);
            let failure = code::Internal {}.failure();
            let broken = DrawPictureInput::STREAM.failure(&failure, &envelopes::A, &cx.request_id);
            return Ok(told(200, "text/event-stream", [stroke, broken].concat()));
        }
        let head = &input.body.head;
        let file = |part: &FormPart| (part.file_name.clone(), input.body.bytes.slice(part.span.clone()));
        let files: Vec<_> = input.body.form.iter().flat_map(|form| form.named("image")).map(file).collect();
        let model = &input.body.bytes[head.model.span.clone()];
        let count = head.count.as_ref().map(|count| count.value);
        let ground = head.ground.as_ref().map(|ground| ground.value);
        let words = format!("{} {} {count:?} {ground:?} {files:?}", head.model.value, String::from_utf8_lossy(model));
        Ok(told(200, "text/plain", words))
    }
}

impl WatchPicture for Pictures {
    async fn watch_picture(&self, _: &Cx, input: WatchPictureInput) -> Result<ProxyReply, WatchPictureError> {
        let picture = format!(r#"{{"name":"{}"}}"#, input.picture);
        Ok(if input.streams() {
            told(200, "text/event-stream", WatchPictureInput::STREAM.event("picture", picture.as_bytes()))
        } else {
            told(200, "application/json", format!("[{picture}]"))
        })
    }
}

impl FilePicture for Pictures {
    async fn file_picture(&self, _: &Cx, input: FilePictureInput) -> Result<ProxyReply, FilePictureError> {
        match (input.picture.as_str(), input.range.as_deref()) {
            ("nothing", _) => Err(raise(code::NoThing { thing: input.picture })),
            (_, Some("bytes=1-")) => Ok(told(206, "image/png", &b"\xffPNG"[1..])),
            _ => Ok(told(200, "image/png", &b"\xffPNG"[..])),
        }
    }
}

impl UploadPicture for Pictures {
    async fn upload_picture(&self, _: &Cx, input: UploadPictureInput) -> Result<ProxyReply, UploadPictureError> {
        let form = input.body.form.expect("nothing else is taken");
        let count = input.body.head.count.map(|count| count.value);
        Ok(told(200, "text/plain", format!("{} {count:?} {}", input.body.head.model.value, form.parts.len())))
    }
}

/// What an operator is told of oneself.
fn told_of(caller: &OperatorCaller) -> Operator {
    let role = match caller.role {
        "owner" => OperatorRole::Owner,
        "keeper" => OperatorRole::Keeper,
        _ => OperatorRole::Viewer,
    };
    Operator { name: caller.name.to_string(), role }
}

impl BeginOperator for Operators {
    async fn begin_operator(
        &self,
        _: &Cx,
        input: BeginOperatorInput,
    ) -> Result<BeginsSession<Operator>, BeginOperatorError> {
        let reply = Operator { name: input.body.name, role: OperatorRole::Viewer };
        Ok(BeginsSession { reply, token: Secret::new("viewing".to_owned()), lasts: Duration::from_secs(60) })
    }
}

impl EndOperator for Operators {
    async fn end_operator(&self, _: &Cx, input: EndOperatorInput) -> Result<Operator, EndOperatorError> {
        Ok(told_of(&input.caller))
    }
}

impl SeeOperator for Operators {
    async fn see_operator(&self, _: &Cx, input: SeeOperatorInput) -> Result<Operator, SeeOperatorError> {
        Ok(told_of(&input.caller))
    }
}

impl ClearOperator for Operators {
    async fn clear_operator(&self, _: &Cx, input: ClearOperatorInput) -> Result<Operator, ClearOperatorError> {
        Ok(told_of(&input.caller))
    }
}
