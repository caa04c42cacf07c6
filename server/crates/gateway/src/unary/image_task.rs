//! Reading of a provider's reports on a task that makes images.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::routing::blame::ProviderErrorBody;

use super::image_answer;

/// The id of a task, restricted to letters that cannot change a path. A provider's answer must not choose our next URL.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImageTaskId(String);

/// A report on a task.
#[derive(Debug)]
pub(super) struct ImageTaskReport {
    /// The task.
    pub(super) task: ImageTaskId,
    /// Its state.
    pub(super) stage: ImageTaskState,
}

/// The state of a task.
#[derive(Debug)]
pub(super) enum ImageTaskState {
    /// It is waiting or running.
    Open,
    /// It is over, and its images are in the same answer.
    Made,
    /// It is over without images.
    Failed(ProviderErrorBody),
    /// The provider does not know the task, or no longer.
    Gone,
}

#[derive(Deserialize)]
struct TaskEnvelope<'a> {
    #[serde(borrow)]
    output: &'a RawValue,
}

#[derive(Deserialize)]
struct TaskReportBody<'a> {
    task_id: String,
    task_status: String,
    #[serde(borrow)]
    results: Option<Vec<&'a RawValue>>,
}

impl ImageTaskId {
    /// The longest id accepted; longer than any that is known.
    const LENGTH_MAX: usize = 128;

    fn new(text: String) -> Option<Self> {
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        fits.then_some(Self(text))
    }

    /// The id, for use in a path.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl ImageTaskReport {
    /// Reads an answer to the start of a task or to a poll; `None` where it is no report.
    pub(super) fn read(answer: &[u8]) -> Option<Self> {
        let TaskEnvelope { output } = serde_json::from_slice(answer).ok()?;
        let TaskReportBody { task_id, task_status, results } = serde_json::from_str(output.get()).ok()?;
        let stage = match task_status.as_str() {
            "SUCCEEDED" => match results.unwrap_or_default()[..] {
                // Each image has an error of its own; the first one is reported.
                [first, ..] if !image_answer::is_made(output) => {
                    ImageTaskState::Failed(ProviderErrorBody::of_task(first))
                }
                _ => ImageTaskState::Made,
            },
            "FAILED" | "CANCELED" => ImageTaskState::Failed(ProviderErrorBody::of_task(output)),
            "UNKNOWN" => ImageTaskState::Gone,
            // Waiting, running, or a state that is not known yet: in any case not over.
            _ => ImageTaskState::Open,
        };
        Some(Self { task: ImageTaskId::new(task_id)?, stage })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn stage(output: &Value) -> Option<String> {
        let ImageTaskReport { task, stage } = ImageTaskReport::read(json!({"output": output}).to_string().as_bytes())?;
        assert_eq!(task.as_str(), "t-1");
        Some(match stage {
            ImageTaskState::Open => "open".to_owned(),
            ImageTaskState::Made => "made".to_owned(),
            ImageTaskState::Failed(words) => format!("failed: {}", words.message.unwrap_or_default()),
            ImageTaskState::Gone => "gone".to_owned(),
        })
    }

    #[test]
    fn a_report_is_open_or_over() {
        let url = json!({"url": "https://x.example/a"});
        let failed = json!({"code": "InternalError", "message": "why"});
        let chosen = json!([{"message": {"content": [{"image": "https://x.example/a"}]}}]);
        for (status, more, expected) in [
            ("PENDING", json!({}), "open"),
            ("RUNNING", json!({}), "open"),
            ("SUSPENDED", json!({}), "open"),
            ("SUCCEEDED", json!({"results": [url, failed]}), "made"),
            ("SUCCEEDED", json!({"choices": []}), "made"),
            ("SUCCEEDED", json!({"choices": null, "results": [url]}), "made"),
            ("SUCCEEDED", json!({"choices": chosen, "results": null}), "made"),
            ("SUCCEEDED", json!({"choices": chosen, "results": [failed]}), "made"),
            ("SUCCEEDED", json!({"choices": [], "results": [failed]}), "failed: why"),
            ("SUCCEEDED", json!({"results": [null, url]}), "made"),
            ("PENDING", json!({"results": null}), "open"),
            ("FAILED", json!({"code": null, "message": null, "results": null}), "failed: "),
            ("SUCCEEDED", json!({"results": [failed, {"url": ""}]}), "failed: why"),
            ("FAILED", json!({"code": "InvalidParameter", "message": "no such size"}), "failed: no such size"),
            ("FAILED", json!({"results": [url]}), "failed: "),
            ("CANCELED", json!({}), "failed: "),
            ("UNKNOWN", json!({}), "gone"),
        ] {
            let mut output = more;
            (output["task_id"], output["task_status"]) = (json!("t-1"), json!(status));
            assert_eq!(stage(&output).as_deref(), Some(expected), "{output}");
        }
    }

    #[test]
    fn a_name_that_would_lead_elsewhere_is_none() {
        let long = "a".repeat(ImageTaskId::LENGTH_MAX + 1);
        for task in ["", ".", "..", "a/b", "../keys", "a.b", "a%2Fb", "a?b", "a#b", "a b", "a\nb", "\u{e4}", &long] {
            let answer = json!({"output": {"task_id": task, "task_status": "PENDING"}}).to_string();
            assert!(ImageTaskReport::read(answer.as_bytes()).is_none(), "{task}");
        }
    }

    #[test]
    fn what_is_no_report_is_none() {
        for answer in [
            json!({}),
            json!({"output": {}}),
            json!({"output": {"task_id": "t-1"}}),
            json!({"output": {"task_id": 7, "task_status": "PENDING"}}),
            json!({"output": {"task_id": "t-1", "task_status": "SUCCEEDED", "results": {}}}),
            json!({"code": "InternalError", "message": "no"}),
        ] {
            assert!(ImageTaskReport::read(answer.to_string().as_bytes()).is_none(), "{answer}");
        }
        assert!(ImageTaskReport::read(b"<html>").is_none());
    }
}
