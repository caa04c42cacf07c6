//! `GET /admin/live`: the numbers that change while somebody looks at the overview.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use tokio::sync::watch;
use tokio::time::sleep;

use super::texts::{ENGLISH, Texts};
use crate::live_numbers::LiveNumbers;
use crate::{Admin, alarms, sql, unavailable};
use tollgate_api::generated::ops::admin_console::{ShowLive, ShowLiveError, ShowLiveInput};
use tollgate_api::{BoxBody, Cx, ProxyReply, ProxyReplyBody};
use tollgate_store::StoreError;

/// The pause between two events.
const PAUSE: Duration = Duration::from_secs(2);
/// After them the browser comes again, and its session is looked at again.
const EVENTS: i64 = 30;

/// The most who look at one server. Further ones are sent one event, and come again.
const STREAMS_MAX: usize = 64;

impl Admin {
    /// The numbers of this moment.
    pub(super) async fn live_numbers(&self, t: &'static Texts) -> Result<LiveNumbers, StoreError> {
        let readers = self.store.readers();
        let (live, open) = (sql::live_totals(readers).await?, alarms::open_count(readers).await?);
        Ok(LiveNumbers {
            available: format!("{} USD", t.amount(&live.available)),
            held: format!("{} USD", t.amount(&live.held)),
            in_flight: self.in_flight.taken().to_string(),
            alarms: open.to_string(),
            set_aside: live.set_aside.to_string(),
            servers: live.servers.to_string(),
            unsealed: format!("{} {}", self.credit.stats().unsealed_seconds.load(Ordering::Relaxed), t.seconds),
        })
    }

    /// Reads the numbers every two seconds while somebody looks, once for all who do, until the future is dropped.
    pub async fn count_live_for_ever(&self) {
        loop {
            sleep(PAUSE).await;
            if self.live.receiver_count() == 0 {
                continue;
            }
            match self.live_numbers(&ENGLISH).await {
                Ok(numbers) => self.live.send(numbers),
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(error, "the numbers of the overview could not be read");
                }
            }
        }
    }
}

impl ShowLive for Admin {
    async fn show_live(&self, cx: &Cx, input: ShowLiveInput) -> Result<ProxyReply, ShowLiveError> {
        let first = self.live_numbers(&ENGLISH).await.map_err(|error| {
            unavailable(cx, &error);
            ShowLiveError::LedgerUnavailable
        })?;
        let is_stream = input.alt.as_deref() == Some("sse");
        let kind = if is_stream { "text/event-stream" } else { "application/json" };
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static(kind)),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ]);
        if !is_stream {
            let body = ProxyReplyBody::Whole(first.to_json().into());
            return Ok(ProxyReply { status: StatusCode::OK, headers, body });
        }
        let is_full = self.live.receiver_count() >= STREAMS_MAX;
        let count = if is_full { 1 } else { input.events.unwrap_or(EVENTS) };
        let (numbers, stopped) = (self.live.subscribe(), self.stopped.clone());
        let body = ProxyReplyBody::Stream(BoxBody::from_stream(events(numbers, stopped, first, count)));
        Ok(ProxyReply { status: StatusCode::OK, headers, body })
    }
}

/// So many events; fewer where the server stops.
fn events(
    numbers: watch::Receiver<Option<LiveNumbers>>,
    stopped: watch::Receiver<bool>,
    first: LiveNumbers,
    count: i64,
) -> impl Stream<Item = Result<Bytes, Infallible>> {
    stream::unfold((numbers, stopped, Some(first), count), async |(mut numbers, mut stopped, first, left)| {
        if left == 0 {
            return None;
        }
        let event = match first {
            Some(first) => first,
            None => next(&mut numbers, &mut stopped).await?,
        };
        Some((Ok(Bytes::from(format!("data: {}\n\n", event.to_json()))), (numbers, stopped, None, left - 1)))
    })
}

/// The next numbers; none where the server stops.
async fn next(
    numbers: &mut watch::Receiver<Option<LiveNumbers>>,
    stopped: &mut watch::Receiver<bool>,
) -> Option<LiveNumbers> {
    let is_stopped = async { drop(stopped.wait_for(|stopped| *stopped).await) };
    tokio::select! {
        changed = numbers.changed() => changed.ok()?,
        () = is_stopped => return None,
    }
    numbers.borrow_and_update().clone()
}
