//! A provider that draws as tasks: as strict as the real one, and in its words. It takes a request only with the header that
//! asks for a task, and tells what came of it at the third question.
//!
//! The text tells it what to do: `error: CODE` refuses the task with that code, `fails: CODE` fails it, `half` makes the first
//! picture alone, `none` makes none, `canceled`, `forgotten` and `endless` end it so or not at all; and what
//! [`pictures`](super::pictures) does with `lost` and `inside`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use crate::gateway::UPSTREAM_KEY;
use crate::reply::Reply;
use crate::upstream::Received;

use super::check::{Checked, Complaint, ensure, has, key, known, list, text};
use super::pictures::{Refused, address, body, failed, image, no_such_path, parameters, picture};

/// The path of a task, up to its name.
const TASKS: &str = "/v1/tasks/";
/// What every name of a task begins with.
const TASK_START: &str = "7f4836cd-1c47-41b3-b3a4-";

/// The provider, with its tasks. Cheap to clone; clones share them.
#[derive(Debug, Clone, Default)]
pub struct Easel(Arc<Mutex<Vec<Task>>>);

#[derive(Debug)]
struct Task {
    /// What was asked, in one line.
    told: String,
    prompt: String,
    count: u64,
    questions: usize,
}

impl Easel {
    /// The answer to a request for pictures, to a question about a task, or to one for a picture.
    #[must_use]
    pub fn answer(&self, request: &Received) -> Reply {
        let (method, path) = request.line.split_once(' ').unwrap_or_default();
        let path = path.split(' ').next().unwrap_or_default();
        let reply = match (method, path) {
            ("POST", "/v1/services/aigc/text2image/image-synthesis") => self.taken(request, false),
            ("POST", "/v1/services/aigc/image2image/image-synthesis") => self.taken(request, true),
            ("GET", path) => match path.strip_prefix(TASKS) {
                Some(name) => self.report(request, name),
                None => Ok(picture(path)),
            },
            _ => Ok(no_such_path()),
        };
        reply.unwrap_or_else(Refused::reply)
    }

    /// How many tasks were taken.
    #[must_use]
    pub fn taken_count(&self) -> usize {
        self.tasks().len()
    }

    fn tasks(&self) -> MutexGuard<'_, Vec<Task>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn taken(&self, request: &Received, edits: bool) -> Result<Reply, Refused> {
        let body = body(request)?;
        if request.header("x-dashscope-async") != Some("enable") {
            return Err(failed("AccessDenied"));
        }
        let task = read(&body, edits)?;
        if let Some(code) = task.prompt.strip_prefix("error: ") {
            return Err(failed(code));
        }
        let mut tasks = self.tasks();
        let name = format!("{TASK_START}{}", tasks.len());
        tasks.push(task);
        let output = json!({"task_id": name, "task_status": "PENDING"});
        Ok(Reply::json(200, &json!({"output": output, "request_id": "r-1"})))
    }

    fn report(&self, request: &Received, name: &str) -> Result<Reply, Refused> {
        key(request.header("authorization"), &format!("Bearer {UPSTREAM_KEY}"))?;
        ensure(request.body.is_empty(), "a question has no body")?;
        let index = name.strip_prefix(TASK_START).and_then(|index| index.parse::<usize>().ok());
        let mut tasks = self.tasks();
        let mut answer = match index.and_then(|index| tasks.get_mut(index)) {
            Some(task) => {
                task.questions += 1;
                task.report(request)
            }
            None => json!({"output": {"task_status": "UNKNOWN"}}),
        };
        answer["output"]["task_id"] = json!(name);
        answer["request_id"] = json!("r-2");
        Ok(Reply::json(200, &answer))
    }
}

impl Task {
    fn report(&self, request: &Received) -> Value {
        let failure = |code: &str| json!({"code": code, "message": format!("scripted failure {code}")});
        let over = |made: u64| {
            let mut results: Vec<_> = (0..made)
                .map(|number| {
                    let url = address(request, &self.prompt, &self.told, number);
                    json!({"orig_prompt": self.prompt, "actual_prompt": format!("{}, drawn", self.prompt), "url": url})
                })
                .collect();
            results.extend((made..self.count).map(|_| failure("DataInspectionFailed")));
            let metrics = json!({"TOTAL": self.count, "SUCCEEDED": made, "FAILED": self.count - made});
            let output = json!({"task_status": "SUCCEEDED", "results": results, "task_metrics": metrics});
            json!({"output": output, "usage": {"image_count": made}})
        };
        match (self.questions, self.prompt.as_str()) {
            (1, _) => json!({"output": {"task_status": "PENDING"}}),
            (2, _) | (_, "endless") => json!({"output": {"task_status": "RUNNING"}}),
            (_, "canceled") => json!({"output": {"task_status": "CANCELED"}}),
            (_, "forgotten") => json!({"output": {"task_status": "UNKNOWN"}}),
            (_, "half") => over(1),
            (_, "none") => over(0),
            (_, prompt) => match prompt.strip_prefix("fails: ") {
                Some(code) => {
                    let mut output = failure(code);
                    output["task_status"] = json!("FAILED");
                    json!({"output": output})
                }
                None => over(self.count),
            },
        }
    }
}

fn read(body: &Value, edits: bool) -> Checked<Task> {
    known(body, &["model", "input", "parameters"], |name| format!("unknown field {name}"))?;
    let input = &body["input"];
    let names: &[&str] = if edits { &["prompt", "negative_prompt", "images"] } else { &["prompt", "negative_prompt"] };
    known(input, names, |name| format!("unknown field input.{name}"))?;
    let prompt = text(&input["prompt"], "input.prompt")?;
    let mut told = vec![text(&body["model"], "model")?.to_owned()];
    if edits {
        for url in list(&input["images"], "input.images")? {
            told.push(image(url.as_str().ok_or_else(|| Complaint::new("images must be texts"))?)?);
        }
        ensure(told.len() <= 4, "at most 3 images")?;
    }
    told.push(prompt.to_owned());
    if has(input, "negative_prompt") {
        told.push(format!("not {}", text(&input["negative_prompt"], "input.negative_prompt")?));
    }
    let (count, size) = parameters(body, &["size", "n", "prompt_extend", "watermark", "seed"], 4)?;
    told.extend(size);
    Ok(Task { told: told.join("; "), prompt: prompt.to_owned(), count, questions: 0 })
}
