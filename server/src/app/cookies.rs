//! The cookies of sessions.

use tollgate_api::SessionCookies;

/// The cookies of people's sessions. Pages of the public address are ours, also where a proxy in front of us asks for another host.
pub(super) fn cookies(public_url: Option<&str>) -> SessionCookies {
    let origin = public_url.and_then(|url| {
        let (scheme, rest) = url.split_once("://")?;
        Some(format!("{scheme}://{}", rest.split('/').next()?))
    });
    SessionCookies {
        secure: public_url.is_some_and(|url| url.starts_with("https://")),
        trusted_origins: origin.into_iter().collect(),
    }
}
