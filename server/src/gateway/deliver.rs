//! An answer that began, on its way to the client: metered, settled, and only then complete.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};

use crate::api::{BoxBody, ProxyReply, ProxyReplyBody};

use super::Gateway;
use super::ask::Prepared;
use super::begin::{Beginning, Begun};
use super::client::Client;
use super::ending::Ending;
use super::error::GatewayError;
use super::exchange::Exchange;
use super::run::Answered;
use super::stream::MeteredStream;
use super::upstream::downstream;

/// Tells the client that less output was bought than the model's maximum, in tokens for each choice.
const OUTPUT_BOUND: HeaderName = HeaderName::from_static("x-tollgate-output-bound");
const ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
const SHOULD_RETRY: HeaderName = HeaderName::from_static("x-should-retry");

impl Gateway {
    /// Makes the reply. A whole answer is charged before it is given, a stream before its end is.
    pub(super) async fn deliver(
        &self,
        begun: Begun,
        prepared: &Prepared,
        mut exchange: Exchange,
        client: &Client<Answered>,
    ) -> Answered {
        let Begun { status, headers, beginning } = begun;
        let mut headers = downstream(&headers);
        let body = match beginning {
            Beginning::Refusal(error) => {
                exchange.abandon().await;
                return refuse(status, headers, error);
            }
            Beginning::Whole { bytes, tally, first_read } => {
                exchange.began(first_read);
                let ending = if client.is_gone() { Ending::ClientGone } else { Ending::Complete };
                exchange.close(ending, &tally).await.map_err(|_| GatewayError::Ledger)?;
                ProxyReplyBody::Whole(bytes)
            }
            Beginning::Stream { first, relay, body } => {
                exchange.began(body.first_read());
                headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
                headers.insert(ACCEL_BUFFERING, HeaderValue::from_static("no"));
                let (tasks, absence) = (self.tasks.clone(), client.absence());
                let stream = MeteredStream::new(exchange, relay, body, first, tasks, absence, prepared.fault_event);
                ProxyReplyBody::Stream(BoxBody::new(stream))
            }
        };
        if let Some(bound) = prepared.output_bound {
            headers.insert(OUTPUT_BOUND, HeaderValue::from(bound));
        }
        Ok(ProxyReply { status, headers, body })
    }
}

/// A refusal that is about the request goes to the client in the provider's own words: both speak format O.
fn refuse(status: StatusCode, mut headers: HeaderMap, error: Option<Bytes>) -> Answered {
    let error = error.ok_or(GatewayError::Refused(status))?;
    headers.insert(SHOULD_RETRY, HeaderValue::from_static("false"));
    Ok(ProxyReply { status, headers, body: ProxyReplyBody::Whole(error) })
}
