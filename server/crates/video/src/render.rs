//! Answers about a task, in the words of each API family.

use http::{HeaderMap, header};

use tollgate_api::Rest;
use tollgate_api::generated::machines::video_task::State;
use tollgate_api::generated::types::{VideoJob, VideoJobError, VideoMetadata, VideoStatus, VideoTask, VideoTaskError};
use tollgate_gateway::VideoMeasures;

use super::Videos;
use super::task::VideoTaskRow;

/// The format of files whose provider does not name one.
const FORMAT: &str = "mp4";
/// The error number for a failure that has a word in place of a number.
const FAILED: i64 = 500;

/// The task as a job of format O.
pub(super) fn job(task: VideoTaskRow) -> VideoJob {
    let finished = task.state == State::Completed;
    let error =
        task.fault.map(|fault| VideoJobError { code: fault.code, message: fault.message, rest: Rest::default() });
    VideoJob {
        id: task.id,
        object: "video",
        model: task.terms.model,
        status: status(task.state),
        progress: task.progress.into(),
        created_at: task.created_at_ms.div_euclid(1000),
        completed_at: Some(task.ended_at_ms.filter(|_| finished).map(|at| at.div_euclid(1000))),
        seconds: task.terms.seconds.to_string(),
        size: Some(task.terms.size),
        prompt: Some(Some(task.terms.prompt)),
        error: Some(error),
        rest: Rest::default(),
    }
}

/// The status in the words of the wire.
pub(super) fn status(state: State) -> VideoStatus {
    match state {
        State::Queued => VideoStatus::Queued,
        State::InProgress => VideoStatus::InProgress,
        State::Completed => VideoStatus::Completed,
        State::Failed => VideoStatus::Failed,
    }
}

impl Videos {
    /// The task in the words of the second API family.
    pub(super) fn shown_task(&self, task: VideoTaskRow, client: &HeaderMap) -> VideoTask {
        let finished = task.state == State::Completed;
        let ours = || format!("{}/v1/videos/{}/content", self.reached_at(client), task.id);
        let url = finished.then(|| task.made.url.clone().unwrap_or_else(ours));
        VideoTask {
            status: status(task.state),
            url,
            format: finished.then(|| FORMAT.to_owned()),
            metadata: finished.then(|| metadata(&task.made.measures)),
            error: task
                .fault
                .map(|fault| VideoTaskError { code: fault.code.parse().unwrap_or(FAILED), message: fault.message }),
            task_id: task.id,
            rest: Rest::default(),
        }
    }

    /// The address under which the client reaches this service. It is the configured one, or else the one of this request, over
    /// plain HTTP. Behind a proxy that ends TLS it has to be configured.
    fn reached_at(&self, client: &HeaderMap) -> String {
        if let Some(url) = &self.public_url {
            return url.clone();
        }
        let host = client.get(header::HOST).and_then(|host| host.to_str().ok());
        host.map_or_else(String::new, |host| format!("http://{host}"))
    }
}

fn metadata(measures: &VideoMeasures) -> VideoMetadata {
    VideoMetadata {
        duration: measures.seconds.map(i64::from),
        fps: None,
        width: measures.width.map(i64::from),
        height: measures.height.map(i64::from),
        seed: None,
        rest: Rest::default(),
    }
}
