//! Reading, listing, downloading and deleting ordered videos, on the paths of all families. A video of another account, or of another
//! member or team, does not exist.

use tollgate_api::generated::errors::{code, envelopes};
use tollgate_api::generated::ops::video_a::{
    GetImageVideo, GetImageVideoError, GetImageVideoInput, GetTextVideo, GetTextVideoError, GetTextVideoInput,
};
use tollgate_api::generated::ops::videos::{
    DeleteVideo, DeleteVideoError, DeleteVideoInput, DownloadVideo, DownloadVideoError, DownloadVideoInput, GetVideo,
    GetVideoError, GetVideoGeneration, GetVideoGenerationError, GetVideoGenerationInput, GetVideoInput, ListVideos,
    ListVideosError, ListVideosInput,
};
use tollgate_api::generated::types::{VideoDeleted, VideoJob, VideoJobList, VideoOrder, VideoTask};
use tollgate_api::{Code, Cx, Declares, OperationError, Principal, ProxyReply, raise};
use tollgate_gateway::{GatewayError, answers};
use tollgate_store::StoreError;

use super::super::Videos;
use super::super::render;
use super::super::sql::{self, VisibleVideos};
use super::super::task::VideoTaskRow;

impl GetVideo for Videos {
    async fn get_video(&self, cx: &Cx, input: GetVideoInput) -> Result<VideoJob, GetVideoError> {
        self.find(cx, &input.caller, input.video_id).await.map(render::job)
    }
}

impl GetVideoGeneration for Videos {
    async fn get_video_generation(
        &self,
        cx: &Cx,
        input: GetVideoGenerationInput,
    ) -> Result<VideoTask, GetVideoGenerationError> {
        let task = self.find(cx, &input.caller, input.task_id).await?;
        Ok(self.shown_task(task, &cx.headers))
    }
}

impl GetTextVideo for Videos {
    async fn get_text_video(&self, cx: &Cx, input: GetTextVideoInput) -> Result<VideoTask, GetTextVideoError> {
        let task = self.find(cx, &input.caller, input.task_id).await?;
        Ok(self.shown_task(task, &cx.headers))
    }
}

impl GetImageVideo for Videos {
    async fn get_image_video(&self, cx: &Cx, input: GetImageVideoInput) -> Result<VideoTask, GetImageVideoError> {
        let task = self.find(cx, &input.caller, input.task_id).await?;
        Ok(self.shown_task(task, &cx.headers))
    }
}

impl ListVideos for Videos {
    async fn list_videos(&self, cx: &Cx, input: ListVideosInput) -> Result<VideoJobList, ListVideosError> {
        let ListVideosInput { caller, after, limit, order } = input;
        let seen = self.visible::<ListVideosError>(cx, &caller).await?;
        let after = match after {
            // Clients delete what they list, so the end of the page before may be gone.
            Some(after) => {
                let found = sql::find_even_deleted(self.store.readers(), seen, &after).await;
                Some(require_task::<ListVideosError>(cx, found, after)?)
            }
            None => None,
        };
        let _permit = self.credit.list_permit().await;
        let newest_first = order == VideoOrder::Desc;
        let listed = sql::list(self.store.readers(), seen, after.as_ref(), newest_first, limit).await;
        let mut tasks = listed.map_err(|error| unavailable::<ListVideosError>(cx, &error))?;
        let most = usize::try_from(limit).unwrap_or(usize::MAX);
        let has_more = tasks.len() > most;
        tasks.truncate(most);
        Ok(VideoJobList {
            object: "list",
            first_id: tasks.first().map(|task| task.id.clone()),
            last_id: tasks.last().map(|task| task.id.clone()),
            data: tasks.into_iter().map(render::job).collect(),
            has_more,
        })
    }
}

impl DeleteVideo for Videos {
    async fn delete_video(&self, cx: &Cx, input: DeleteVideoInput) -> Result<VideoDeleted, DeleteVideoError> {
        let DeleteVideoInput { caller, video_id } = input;
        let task = self.find::<DeleteVideoError>(cx, &caller, video_id).await?;
        if !task.state.is_final() {
            return Err(raise(not_ready(task)));
        }
        let deleted = sql::delete(&self.store, caller.account, &task.id, self.clock.now_ms()).await;
        match deleted {
            Ok(true) => {
                let id = task.id.clone();
                self.forget_at_maker(task);
                Ok(VideoDeleted { id, object: "video.deleted", deleted: true })
            }
            // Somebody else has just deleted it.
            Ok(false) => Err(DeleteVideoError::VideoNotFound { task_id: task.id }),
            Err(error) => Err(unavailable(cx, &error)),
        }
    }
}

impl DownloadVideo for Videos {
    async fn download_video(&self, cx: &Cx, input: DownloadVideoInput) -> Result<ProxyReply, DownloadVideoError> {
        // Range headers are passed on among the headers.
        let DownloadVideoInput { caller, video_id, variant, .. } = input;
        let task = self.find::<DownloadVideoError>(cx, &caller, video_id).await?;
        let model = task.terms.model.clone();
        let (Some(maker), Some(name), true) =
            (&task.maker, &task.name, task.ended_at_ms.is_some() && task.fault.is_none())
        else {
            return Err(raise(not_ready(task)));
        };
        let address = task.made.url.as_deref();
        let content = self.gateway.video_content(maker, name, address, variant.as_str(), &cx.headers).await;
        let failed = match content {
            Ok(reply) => return Ok(reply),
            Err(GatewayError::Refused { status, message }) => {
                let reason = message.unwrap_or_default();
                let failure = code::UpstreamRefused { reason }.failure().with_status(status);
                return Ok(answers::rendered(cx, &envelopes::O, &failure));
            }
            Err(error) => error,
        };
        Err(match failed {
            GatewayError::TooSlow => DownloadVideoError::UpstreamTimeout { model },
            GatewayError::Overloaded { .. } | GatewayError::RateLimited { .. } => {
                DownloadVideoError::UpstreamOverloaded { model }
            }
            _ => DownloadVideoError::UpstreamFailed { model },
        })
    }
}

impl Videos {
    async fn find<E>(&self, cx: &Cx, caller: &Principal, task_id: String) -> Result<VideoTaskRow, E>
    where
        E: OperationError + Declares<code::VideoNotFound> + Declares<code::LedgerUnavailable>,
    {
        let seen = self.visible::<E>(cx, caller).await?;
        require_task(cx, sql::find(self.store.readers(), seen, &task_id).await, task_id)
    }

    /// The videos that the holder of a key sees, as its receipts.
    async fn visible<E: Declares<code::LedgerUnavailable>>(
        &self,
        cx: &Cx,
        caller: &Principal,
    ) -> Result<VisibleVideos, E> {
        let keys = self.credit.keys_seen_by_key(caller.key).await.map_err(|error| unavailable::<E>(cx, &error))?;
        Ok(VisibleVideos { account: caller.account, keys })
    }

    /// Deletes the video at its provider, in the background: the client's video is gone whether or not that succeeds.
    fn forget_at_maker(&self, task: VideoTaskRow) {
        let (gateway, cut) = (self.gateway.clone(), self.stopping.clone());
        self.tasks.spawn(async move {
            if let (Some(maker), Some(name)) = (&task.maker, &task.name) {
                cut.run_until_cancelled(gateway.delete_video_task(maker, name)).await;
            }
        });
    }
}

fn require_task<E>(cx: &Cx, found: Result<Option<VideoTaskRow>, StoreError>, task_id: String) -> Result<VideoTaskRow, E>
where
    E: OperationError + Declares<code::VideoNotFound> + Declares<code::LedgerUnavailable>,
{
    match found {
        Ok(Some(task)) => Ok(task),
        Ok(None) => Err(raise(code::VideoNotFound { task_id })),
        Err(error) => Err(unavailable(cx, &error)),
    }
}

fn not_ready(task: VideoTaskRow) -> code::VideoNotReady {
    code::VideoNotReady { task_id: task.id, status: task.state.to_string() }
}

fn unavailable<E: Declares<code::LedgerUnavailable>>(cx: &Cx, error: &(dyn std::error::Error + 'static)) -> E {
    let request_id = cx.request_id;
    tracing::error!(%request_id, error, "videos cannot be reached");
    raise(code::LedgerUnavailable {})
}
