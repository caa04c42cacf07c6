//! The stand-in for a gateway that charges nothing: the bare proxy that also checks a key and reads the model out of the body.
//!
//! The server has no such mode, so that no build of it can give answers away. Beside this one the money of the gateway is seen,
//! and with it all else that a gateway does: limits, routing, metering, conversion.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use http::{HeaderMap, StatusCode};
use ring::digest::{SHA256, digest};
use serde::Deserialize;

use crate::Failed;
use crate::format::{Format, model};
use crate::proxy::{self, Upstream};

/// The largest body that is read.
const BODY_BYTES_MAX: usize = 16 << 20;

/// The members that a gateway needs of any body. The rest is skipped and goes on as it came.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    model: Option<Cow<'a, str>>,
    #[serde(default)]
    stream: bool,
}

#[derive(Clone)]
struct Gate {
    upstream: Upstream,
    /// The account of each key, by the digest of the key.
    accounts: Arc<HashMap<Vec<u8>, usize>>,
    models: Arc<[String]>,
}

/// The keys that it knows, one an account.
pub(crate) fn keys(accounts: usize) -> Vec<String> {
    (0..accounts).map(|account| format!("sk-bench-{account:032}")).collect()
}

/// Serves until the process is killed; prints its address first.
pub(crate) async fn serve(target: &str, accounts: usize) -> Result<(), Failed> {
    let accounts = keys(accounts).iter().enumerate().map(|(account, key)| (hashed(key), account)).collect();
    let models: Vec<String> = std::iter::once("m".to_owned()).chain(Format::ALL.map(model)).collect();
    let gate = Gate { upstream: Upstream::new(target)?, accounts: Arc::new(accounts), models: models.into() };
    proxy::listen(Router::new().fallback(any(pass)).with_state(gate)).await
}

async fn pass(State(gate): State<Gate>, request: Request) -> Response {
    if gate.account(request.headers()).is_none() {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_BYTES_MAX).await else { return StatusCode::BAD_REQUEST.into_response() };
    // A client of format G has the model in the path, and its body has none.
    let is_known = serde_json::from_slice::<Head<'_>>(&body).is_ok_and(|head| {
        std::hint::black_box(head.stream);
        head.model.is_none_or(|model| gate.models.iter().any(|known| **known == *model))
    });
    if !is_known {
        return StatusCode::NOT_FOUND.into_response();
    }
    gate.upstream.pass(Request::from_parts(parts, Body::from(body))).await
}

impl Gate {
    fn account(&self, headers: &HeaderMap) -> Option<usize> {
        let key = headers.get(http::header::AUTHORIZATION)?.to_str().ok()?.strip_prefix("Bearer ")?;
        self.accounts.get(&hashed(key)).copied()
    }
}

fn hashed(key: &str) -> Vec<u8> {
    digest(&SHA256, key.as_bytes()).as_ref().to_vec()
}
