//! The headers of an operation's reply: those that `reply_headers` of the spec name, and no others.

use http::{HeaderName, HeaderValue};
use serde::Serialize;

use super::{Answer, Call, Cx, Failure, OperationError, WireName};

/// A reply, or an error of an operation, with its headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Headed<T, H> {
    /// The reply or the error.
    pub value: T,
    /// The headers; each is left out where it is `None`.
    pub headers: H,
}

/// The headers that an operation declares. Generated.
pub trait ReplyHeaders: Default {
    /// The headers that are set, with their values.
    fn told(self) -> impl Iterator<Item = (&'static WireName, String)>;
}

/// The value without any header.
impl<T, H: ReplyHeaders> From<T> for Headed<T, H> {
    fn from(value: T) -> Self {
        Self { value, headers: H::default() }
    }
}

impl Call {
    /// A value of the spec as the operation's success, with its headers.
    ///
    /// # Errors
    /// When the value cannot be written, or a header is none; the caller learns of it as of any fault of ours.
    pub fn answer_headed(&self, headed: Headed<impl Serialize, impl ReplyHeaders>) -> Answer {
        let mut response = self.answer(&headed.value)?;
        for header in lines(headed.headers) {
            let (name, value) = header.ok_or_else(|| self.broken())?;
            response.headers_mut().insert(name, value);
        }
        Ok(response)
    }
}

impl Cx {
    /// A handler's failure, with its headers and the wait that it named. A header that is none is left out: the code says
    /// what went wrong without it.
    #[must_use]
    pub fn failed_headed(&self, headed: Headed<impl OperationError, impl ReplyHeaders>) -> Failure {
        self.failed(headed.value).with_headers(lines(headed.headers).flatten())
    }
}

/// Names and values as they are sent; none for a text that no header can have.
fn lines(headers: impl ReplyHeaders) -> impl Iterator<Item = Option<(HeaderName, HeaderValue)>> {
    headers.told().map(|(name, value)| Some((name.sent(), HeaderValue::try_from(value).ok()?)))
}
