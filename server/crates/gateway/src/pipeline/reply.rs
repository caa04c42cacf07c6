//! The outcome of a request, and the id that its answer is made of.

use crate::error::GatewayError;
use tollgate_api::{ProxyReply, RequestId};

/// The outcome of a request.
pub(crate) type ReplyResult = Result<ProxyReply, GatewayError>;

/// The id of a request without its prefix, of which the ids in an answer are made.
pub(crate) fn answer_id(request_id: &RequestId) -> String {
    let text = request_id.as_str();
    text.split_once('_').map_or(text, |(_, unique)| unique).to_owned()
}
