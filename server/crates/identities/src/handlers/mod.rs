//! The operations about identities: this room's reasons as codes.

mod convert;
mod oidc;
mod own;
mod sign_in;

use tollgate_api::Cx;
use tollgate_api::generated::limits;

/// Logs an error, once, that the caller is told of as the ledger being unavailable.
fn unavailable(cx: &Cx, error: &(dyn std::error::Error + 'static)) {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "identities could not be read or written");
}

/// Words for a limit on texts to sign and sign-ins that begin, with the time to wait.
fn too_many_texts(cx: &Cx, wait_seconds: u32) -> String {
    cx.retry_after(wait_seconds);
    format!("{} texts to sign and sign-ins begun in a minute, from one address", limits::WALLET_CHALLENGE_TRIES)
}

/// Words for a limit on failed tries, with the time to wait.
fn too_many_tries(cx: &Cx, wait_seconds: u32) -> String {
    cx.retry_after(wait_seconds);
    format!(
        "{} failed tries to sign in a minute, and {} new accounts, from one address",
        limits::LOGIN_ADDRESS_TRIES,
        limits::LOGIN_TRIES
    )
}
