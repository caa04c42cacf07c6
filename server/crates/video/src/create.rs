//! The making of a video order from end to end, as numbered steps.

use std::sync::Arc;

use tokio::sync::oneshot;

use tollgate_api::generated::machines::video_task::State;
use tollgate_api::{Cx, KeyClaim, Principal};
use tollgate_base::{AccountId, RequestId, RequestTags};
use tollgate_credit::{DurableHold, HoldRequest, MediaKinds, TokenPrices};
use tollgate_gateway::{GatewayError, SubmissionJournal, SubmittedVideo, VideoSource};

use super::Videos;
use super::end::TaskFailure;
use super::order::VideoRequestDraft;
use super::sql;
use super::task::{FinishedVideo, VideoOrderTerms, VideoTaskRow, fresh_id};
use super::watch_list::WatchEntry;

/// A video that was ordered.
#[derive(Debug)]
pub(super) struct OrderedVideo {
    /// The task as its row has it now.
    pub(super) task: VideoTaskRow,
    /// Places of the client's request that the provider did not see.
    pub(super) dropped: Vec<String>,
}

impl Videos {
    /// Orders a video. On every path the hold is charged or released, by this process or by the next one.
    pub(super) async fn create(
        &self,
        cx: &Cx,
        caller: Principal,
        wish: VideoRequestDraft,
    ) -> Result<OrderedVideo, GatewayError> {
        // 1. The model, its price, and the length.
        let (terms, price) = self.gateway.video_terms(&caller, &wish.model, wish.large)?;
        let size = wish.shown_size.clone();
        let script = wish.settled(&terms)?;
        let terms = VideoOrderTerms {
            model: script.model.clone(),
            seconds: script.seconds,
            price: price.completion,
            request: price.request,
            ratio: price.ratio,
            size,
            prompt: script.prompt.clone(),
        };
        // 2. All that follows continues when the client leaves: the hold must have an owner, and a provider that was asked will
        //    make the video.
        let (reply, waiting) = oneshot::channel();
        let (videos, headers, request_id) = (self.clone(), cx.headers.clone(), cx.request_id);
        let carried = (cx.claim.clone(), cx.tags.clone());
        self.tasks.spawn(async move {
            let cut = videos.cut.clone();
            let ordering = async {
                let id = fresh_id();
                let watching = videos.watched.enter(&id);
                // 3. The task, and all that it can cost held for it, durably, before anything is sent.
                let task = videos.open(id, request_id, carried, caller, terms, price).await?;
                // 4. The first candidate that takes the order, each written down before it is asked.
                let notes = TaskJournal { videos: &videos, id: &task.id };
                let filmed = videos.gateway.submit_video(request_id, &script, &task.id, &headers, &notes).await;
                // 5. From here on it is watched until it ends.
                match filmed {
                    Ok(filmed) => Ok(videos.watch_accepted(task, filmed, watching).await),
                    Err(error) => Err(videos.end_rejected(task, error, watching).await),
                }
            };
            // Cut short, it is an order on its way when the process dies: a sweep of the next start sees to it.
            let ordered = cut.run_until_cancelled(ordering).await.unwrap_or(Err(GatewayError::Failed));
            // A client that has gone finds the video in its list.
            drop(reply.send(ordered));
        });
        // The sender is dropped unsent only when the task panicked; the next sweep sees to what it left.
        waiting.await.unwrap_or(Err(GatewayError::Failed))
    }

    async fn open(
        &self,
        id: String,
        request: RequestId,
        (claim, tags): (Option<Arc<KeyClaim>>, RequestTags),
        caller: Principal,
        terms: VideoOrderTerms,
        price: TokenPrices,
    ) -> Result<VideoTaskRow, GatewayError> {
        let created_at_ms = self.clock.now_ms();
        let deadline_ms = i64::try_from(self.patience.deadline.as_millis()).unwrap_or(i64::MAX);
        let deadline_at_ms = created_at_ms.saturating_add(deadline_ms);
        let most = price
            .ceiling(MediaKinds::default())
            .worst_case(0, terms.seconds.into())
            .map_err(|_| GatewayError::Unpriceable)?;
        let ask = HoldRequest {
            account: caller.account,
            key: caller.key,
            request,
            tokens: 0,
            want: most,
            least: most,
            // It ends with its task, which has this time.
            expires_at_ms: deadline_at_ms,
            model: terms.model.clone(),
            stream: false,
            price,
            tags,
            claim,
        };
        let rider = sql::open(&id, caller.account, &terms, created_at_ms, deadline_at_ms);
        let hold = self.credit.hold_durable(ask, rider).await?;
        Ok(opened(id, caller.account, hold, terms, created_at_ms, deadline_at_ms))
    }

    async fn watch_accepted(
        &self,
        mut task: VideoTaskRow,
        filmed: SubmittedVideo,
        watching: WatchEntry,
    ) -> OrderedVideo {
        let SubmittedVideo { maker, report, dropped } = filmed;
        task.maker = Some(maker);
        let unwritten = match report {
            Some(report) => match sql::name(&self.store, &task.id, &report.id).await {
                Ok(()) => {
                    task.name = Some(report.id);
                    None
                }
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(task = task.id, error, "the name of a video could not be written down");
                    Some(report.id)
                }
            },
            None => None,
        };
        self.watch_ordered(task.clone(), unwritten, watching);
        OrderedVideo { task, dropped }
    }

    /// Ends the task of an order that nobody accepted. Returns the error for the client.
    async fn end_rejected(&self, task: VideoTaskRow, error: GatewayError, watching: WatchEntry) -> GatewayError {
        let maker = match sql::find_maker(self.store.readers(), &task.id).await {
            Ok(maker) => maker,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(task = task.id, error, "who was asked for a video could not be read");
                None
            }
        };
        let failing = TaskFailure::not_taken(&error.to_string(), maker.is_some());
        let task = VideoTaskRow { maker, ..task };
        if let Err(failed) = self.fail(&task, &failing).await {
            let failed = &failed as &dyn std::error::Error;
            tracing::warn!(task = task.id, error = failed, "a video that nobody makes could not be ended yet");
            self.watch_failing(task, failing, watching);
        }
        error
    }
}

/// Writes the provider that is asked into the row of the task.
struct TaskJournal<'a> {
    videos: &'a Videos,
    id: &'a str,
}

impl SubmissionJournal for TaskJournal<'_> {
    async fn note(&self, maker: &VideoSource) -> Result<(), GatewayError> {
        sql::note(&self.videos.store, self.id, maker).await.map_err(|error| {
            tracing::error!(
                task = self.id,
                error = &error as &dyn std::error::Error,
                "an order could not be written down"
            );
            GatewayError::Ledger
        })
    }
}

fn opened(
    id: String,
    account: AccountId,
    hold: DurableHold,
    terms: VideoOrderTerms,
    created_at_ms: i64,
    deadline_at_ms: i64,
) -> VideoTaskRow {
    VideoTaskRow {
        id,
        account,
        hold: hold.id,
        state: State::START,
        terms,
        maker: None,
        name: None,
        progress: 0,
        made: FinishedVideo::default(),
        fault: None,
        created_at_ms,
        deadline_at_ms,
        ended_at_ms: None,
    }
}
