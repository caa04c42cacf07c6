//! The endpoints by which a test sets the faults of the provider and reads what it has sent.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{StatusCode, header};
use serde::Serialize;

use super::faults::Faults;
use super::house::House;

/// `GET /control/faults`
pub(super) async fn show_faults(State(house): State<House>) -> Response {
    as_json(&house.faults())
}

/// `PUT /control/faults`
pub(super) async fn set_faults(State(house): State<House>, body: Bytes) -> Response {
    match serde_json::from_slice::<Faults>(&body) {
        Ok(faults) => {
            let told = as_json(&faults);
            house.0.faults.send_replace(faults);
            told
        }
        Err(error) => (StatusCode::BAD_REQUEST, format!("these are no faults: {error}\n")).into_response(),
    }
}

/// `GET /control/notices`
pub(super) async fn show_notices(State(house): State<House>) -> Response {
    let sent = house.sent().clone();
    as_json(&sent)
}

/// An answer of the control endpoints, in JSON.
fn as_json(told: &impl Serialize) -> Response {
    let text = serde_json::to_string(told).expect("texts and numbers are always JSON");
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}
