//! A task as clients of each family read it.

use http::{HeaderMap, header};

use crate::api::Rest;
use crate::gateway::Measures;
use crate::generated::machines::video_task::State;
use crate::generated::types::{VideoJob, VideoJobError, VideoMetadata, VideoStatus, VideoTask, VideoTaskError};

use super::Videos;
use super::task::Task;

/// Files of providers that do not say what they give are of this kind.
const FORMAT: &str = "mp4";
/// What failed with a word for programs, in the family that wants a number.
const FAILED: i64 = 500;

/// As format O's job.
pub(super) fn job(task: Task) -> VideoJob {
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

/// Where it stands.
pub(super) fn status(state: State) -> VideoStatus {
    match state {
        State::Queued => VideoStatus::Queued,
        State::InProgress => VideoStatus::InProgress,
        State::Completed => VideoStatus::Completed,
        State::Failed => VideoStatus::Failed,
    }
}

impl Videos {
    /// As the task of the other paths.
    pub(super) fn shown_task(&self, task: Task, client: &HeaderMap) -> VideoTask {
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

    /// Where the client reaches this service: by the configuration, or else as it did this time, in the clear. Behind a proxy
    /// that ends TLS the configuration has to say.
    fn reached_at(&self, client: &HeaderMap) -> String {
        if let Some(url) = &self.public_url {
            return url.clone();
        }
        let host = client.get(header::HOST).and_then(|host| host.to_str().ok());
        host.map_or_else(String::new, |host| format!("http://{host}"))
    }
}

fn metadata(measures: &Measures) -> VideoMetadata {
    VideoMetadata {
        duration: measures.seconds.map(i64::from),
        fps: None,
        width: measures.width.map(i64::from),
        height: measures.height.map(i64::from),
        seed: None,
        rest: Rest::default(),
    }
}
