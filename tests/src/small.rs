//! A service over the small spec: every kind of operation that the generator makes, answered in a few lines.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tollgate_server::base::{AccountId, Clock, KeyId};

use crate::api::{
    AuthFailure, Authenticate, Bounds, Cx, Places, Principal, ProxyReply, ProxyReplyBody, RouterConfig, Usd, raise,
};
use crate::generated::errors::{RULES, code};
use crate::generated::ops::things::{
    GetThings, GetThingsError, GetThingsInput, ListThings, ListThingsError, ListThingsFormat, ListThingsInput,
    ListThingsReply, RelayThings, RelayThingsError, RelayThingsInput, TellThings, TellThingsError, TellThingsInput,
};
use crate::generated::types::{Thing, ThingKind, ThingList, ThingListA};

/// The room that answers.
#[derive(Debug)]
pub struct Things;

/// The service.
#[derive(Debug)]
pub struct Small {
    things: Things,
}

crate::generated::delegate!(Small { things: [ListThings, GetThings, TellThings, RelayThings] });

impl Authenticate for Small {
    async fn authenticate(&self, secret: &str) -> Result<Principal, AuthFailure> {
        match secret {
            "sk-good" => Ok(Principal { account: AccountId(1), key: KeyId(1) }),
            "sk-revoked" => Err(AuthFailure::Disabled),
            "sk-old" => Err(AuthFailure::Expired),
            "sk-dark" => Err(AuthFailure::Unavailable),
            _ => Err(AuthFailure::Unknown),
        }
    }
}

/// The service's router.
pub fn router() -> Router {
    let bounds = Bounds {
        request_own: Duration::from_secs(30),
        places: Places::new(4),
        retry_after_max: Duration::from_secs(7),
    };
    let config = RouterConfig::new(Clock::system(), &RULES, bounds);
    crate::generated::router(Arc::new(Small { things: Things }), config)
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

impl GetThings for Things {
    async fn get_things(&self, _: &Cx, input: GetThingsInput) -> Result<Thing, GetThingsError> {
        match input.thing.as_str() {
            "nothing" => Err(raise(code::NoThing { thing: input.thing })),
            "broken" => panic!("this thing is broken"),
            // Never comes; the runtime's own time limit has to end it.
            "slow" => std::future::pending().await,
            name => Ok(thing(name)),
        }
    }
}

impl TellThings for Things {
    async fn tell_things(&self, _: &Cx, input: TellThingsInput) -> Result<Thing, TellThingsError> {
        let colour = input.body.colour.map(crate::generated::types::Colour::into_inner);
        if input.body.loud {
            return Err(raise(code::TooDear { price_usd: Usd::from_nanos(2), count: 3 }));
        }
        Ok(thing(&[input.thing, input.body.words, colour.unwrap_or_default()].concat()))
    }
}

impl RelayThings for Things {
    async fn relay_things(&self, cx: &Cx, input: RelayThingsInput) -> Result<ProxyReply, RelayThingsError> {
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
