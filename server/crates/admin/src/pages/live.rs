//! `GET /admin/live`: the numbers that change while somebody looks at the overview.

use std::convert::Infallible;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, Stream};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::sleep;

use super::texts::{ENGLISH, Texts};
use crate::{Admin, alarms, sql, unavailable};
use tollgate_api::generated::ops::admin_console::{ShowLive, ShowLiveError, ShowLiveInput};
use tollgate_api::{BoxBody, Cx, ProxyReply, ProxyReplyBody};
use tollgate_store::StoreError;

/// The pause between two events.
const PAUSE: Duration = Duration::from_secs(2);
/// After them the browser comes again, and its session is looked at again.
const EVENTS: i64 = 30;

/// The numbers, as the page shows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct LiveNumbers {
    pub(super) available: String,
    pub(super) held: String,
    pub(super) in_flight: String,
    pub(super) alarms: String,
    pub(super) set_aside: String,
    pub(super) servers: String,
    pub(super) unsealed: String,
}

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
}

impl ShowLive for Admin {
    async fn show_live(&self, cx: &Cx, input: ShowLiveInput) -> Result<ProxyReply, ShowLiveError> {
        let first = self.live_numbers(&ENGLISH).await.map_err(|error| {
            unavailable(cx, &error);
            ShowLiveError::LedgerUnavailable
        })?;
        let headers = HeaderMap::from_iter([
            (CONTENT_TYPE, HeaderValue::from_static("text/event-stream")),
            (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
            (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        ]);
        let body =
            ProxyReplyBody::Stream(BoxBody::from_stream(events(self.clone(), first, input.events.unwrap_or(EVENTS))));
        Ok(ProxyReply { status: StatusCode::OK, headers, body })
    }
}

/// So many events; fewer where the server stops or the numbers cannot be read.
fn events(admin: Admin, first: LiveNumbers, count: i64) -> impl Stream<Item = Result<Bytes, Infallible>> {
    let stopped = admin.stopped.clone();
    stream::unfold((admin, stopped, Some(first), count), move |(admin, mut stopped, first, left)| async move {
        if left == 0 {
            return None;
        }
        let numbers = match first {
            Some(first) => first,
            None => next(&admin, &mut stopped).await?,
        };
        let json = serde_json::to_string(&numbers).ok()?;
        Some((Ok(Bytes::from(format!("data: {json}\n\n"))), (admin, stopped, None, left - 1)))
    })
}

/// The numbers after the pause; none where the stream is to end.
async fn next(admin: &Admin, stopped: &mut watch::Receiver<bool>) -> Option<LiveNumbers> {
    let is_stopped = async { drop(stopped.wait_for(|stopped| *stopped).await) };
    tokio::select! {
        () = sleep(PAUSE) => {}
        () = is_stopped => return None,
    }
    admin.live_numbers(&ENGLISH).await.ok()
}
