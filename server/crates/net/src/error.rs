//! The errors of requests over HTTP.

use std::error::Error;
use std::io;

use h2::Reason;
use hyper_util::client::legacy;

/// An error of a request. Never carries a URL or a header.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The URL is longer than one may be, or has letters that it may not have.
    #[error("the URL cannot be requested")]
    InvalidUrl,
    /// No connection was opened, or it broke before an answer began.
    #[error("the request was not answered")]
    Request(#[source] legacy::Error),
    /// The connection broke within the body of the answer.
    #[error("the body of the answer broke off")]
    Body(#[from] hyper::Error),
}

/// The error of a client without usable TLS: the system has no certificates, for example.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be used")]
pub struct UnusableTls(#[from] rustls::Error);

/// The error of a mail server that cannot be spoken to by TLS.
#[derive(Debug, thiserror::Error)]
#[error("TLS cannot be used with the mail server")]
pub struct UnusableMailServer(#[source] pub(crate) Option<lettre::transport::smtp::Error>);

/// The error of a connection that was not opened in time.
#[derive(Debug, thiserror::Error)]
#[error("opening the connection took too long")]
pub(crate) struct ConnectTimeout;

impl HttpError {
    /// True if a time limit of the connection passed: to open it, or to have what was sent acknowledged.
    #[must_use]
    pub fn is_timeout(&self) -> bool {
        causes(self).any(|cause| {
            cause.is::<ConnectTimeout>()
                || cause.downcast_ref().is_some_and(hyper::Error::is_timeout)
                || cause.downcast_ref().is_some_and(|error: &io::Error| error.kind() == io::ErrorKind::TimedOut)
        })
    }

    /// The cause of that type, where it is among the causes.
    #[must_use]
    pub fn cause<E: Error + 'static>(&self) -> Option<&E> {
        causes(self).find_map(|cause| cause.downcast_ref())
    }
}

/// The causes of an error, the nearest first.
pub(crate) fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    std::iter::successors(error.source(), |&cause| cause.source())
}

/// True if the peer refused a stream before it worked on it, so that the request may be sent again.
///
/// That is a `REFUSED_STREAM`, or a connection that it closes in good order (RFC 9113, 8.7).
pub(crate) fn is_unprocessed(error: &legacy::Error) -> bool {
    let Some(error) = causes(error).find_map(|cause| cause.downcast_ref::<h2::Error>()) else { return false };
    let is_refused = error.is_reset() && error.reason() == Some(Reason::REFUSED_STREAM);
    let is_closing = error.is_go_away() && error.reason() == Some(Reason::NO_ERROR);
    error.is_remote() && (is_refused || is_closing)
}
