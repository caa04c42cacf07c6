//! The operations about keys and sessions: this room's reasons as codes.

mod account_keys;
mod convert;
mod keys;
mod own_sessions;
mod refusal;
mod sessions;

use std::error::Error;

use tollgate_api::Cx;

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "accounts could not be read or written");
}
