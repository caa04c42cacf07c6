//! What a provider says of pictures that it makes as a task.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::super::verdict::Words;
use super::drawn;

/// The name of a task. It can stand in a path as it is: whoever answers must not choose what we ask for next.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TaskId(String);

/// One report of a task.
#[derive(Debug)]
pub(super) struct Report {
    /// Of which.
    pub(super) task: TaskId,
    /// How it does.
    pub(super) stage: Stage,
}

/// How a task does.
#[derive(Debug)]
pub(super) enum Stage {
    /// It waits or is worked on.
    Open,
    /// It is over, and what was made of it stands in the same answer.
    Made,
    /// It is over, and nothing was made.
    Failed(Words),
    /// There is no such task, or no more.
    Gone,
}

#[derive(Deserialize)]
struct Answer<'a> {
    #[serde(borrow)]
    output: &'a RawValue,
}

#[derive(Deserialize)]
struct Output<'a> {
    task_id: String,
    task_status: String,
    #[serde(borrow)]
    results: Option<Vec<&'a RawValue>>,
}

impl TaskId {
    /// Longer than any that is known.
    const LENGTH_MAX: usize = 128;

    fn new(text: String) -> Option<Self> {
        let fits = (1..=Self::LENGTH_MAX).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        fits.then_some(Self(text))
    }

    /// As it stands in a path.
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

impl Report {
    /// Reads an answer to a request for a task, or to a question about one; `None` where it is neither.
    pub(super) fn read(answer: &[u8]) -> Option<Self> {
        let Answer { output } = serde_json::from_slice(answer).ok()?;
        let Output { task_id, task_status, results } = serde_json::from_str(output.get()).ok()?;
        let stage = match task_status.as_str() {
            "SUCCEEDED" => match results.unwrap_or_default()[..] {
                // Each has a reason of its own; the first stands for all.
                [first, ..] if !drawn::is_made(output) => Stage::Failed(Words::of_task(first)),
                _ => Stage::Made,
            },
            "FAILED" | "CANCELED" => Stage::Failed(Words::of_task(output)),
            "UNKNOWN" => Stage::Gone,
            // Waiting, at work, or a word that came later than this was written: in any case not over.
            _ => Stage::Open,
        };
        Some(Self { task: TaskId::new(task_id)?, stage })
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn stage(output: &Value) -> Option<String> {
        let Report { task, stage } = Report::read(json!({"output": output}).to_string().as_bytes())?;
        assert_eq!(task.as_str(), "t-1");
        Some(match stage {
            Stage::Open => "open".to_owned(),
            Stage::Made => "made".to_owned(),
            Stage::Failed(words) => format!("failed: {}", words.message.unwrap_or_default()),
            Stage::Gone => "gone".to_owned(),
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
        let long = "a".repeat(TaskId::LENGTH_MAX + 1);
        for task in ["", ".", "..", "a/b", "../keys", "a.b", "a%2Fb", "a?b", "a#b", "a b", "a\nb", "\u{e4}", &long] {
            let answer = json!({"output": {"task_id": task, "task_status": "PENDING"}}).to_string();
            assert!(Report::read(answer.as_bytes()).is_none(), "{task}");
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
            assert!(Report::read(answer.to_string().as_bytes()).is_none(), "{answer}");
        }
        assert!(Report::read(b"<html>").is_none());
    }
}
