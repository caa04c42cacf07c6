//! A provider that draws, asked in messages with parameters: as strict as the real one, and in its words. Each picture lies
//! at an address of its own and holds, behind a picture's first bytes, what was asked.
//!
//! The text tells it what to do: `error: CODE` fails with that code, `one` puts all pictures into one choice, `lost` gives
//! addresses where nothing lies, `inside` gives addresses on a network behind the gateway.

use data_encoding::HEXLOWER;
use serde_json::{Value, json};

use crate::gateway::UPSTREAM_KEY;
use crate::reply::Reply;
use crate::upstream::Received;

use super::check::{Checked, Complaint, data_url, ensure, has, key, known, list, text};

/// What every picture begins with.
pub const PICTURE_START: &[u8] = b"\x89PNG\r\n\x1a\n";
/// The folder of its pictures.
const PICTURES: &str = "/pictures/";

/// A refusal with its code.
pub(super) struct Refused {
    status: u16,
    code: String,
    message: String,
}

impl Refused {
    /// As it is answered.
    pub(super) fn reply(self) -> Reply {
        let Self { status, code, message } = self;
        Reply::json(status, &json!({"code": code, "message": message, "request_id": "r-1"}))
    }
}

impl From<Complaint> for Refused {
    fn from(Complaint { status, message }: Complaint) -> Self {
        let code = if status == 401 { "InvalidApiKey" } else { "InvalidParameter" };
        Self { status, code: code.to_owned(), message }
    }
}

/// The answer to a request for pictures, or for one of them.
#[must_use]
pub fn answer(request: &Received) -> Reply {
    let (method, path) = request.line.split_once(' ').unwrap_or_default();
    let path = path.split(' ').next().unwrap_or_default();
    match (method, path) {
        ("POST", "/v1/services/aigc/multimodal-generation/generation") => drawn(request).unwrap_or_else(Refused::reply),
        ("GET", path) => picture(path),
        _ => no_such_path(),
    }
}

/// What lies at an address.
pub(super) fn picture(path: &str) -> Reply {
    match path.strip_prefix(PICTURES).and_then(|rest| HEXLOWER.decode(rest.as_bytes()).ok()) {
        Some(told) => Reply::raw(200, "application/octet-stream", [PICTURE_START, &told].concat()),
        None => Reply::raw(404, "application/xml", b"<Code>NoSuchKey</Code>".to_vec()),
    }
}

pub(super) fn no_such_path() -> Reply {
    Reply::json(404, &json!({"code": "NotFound", "message": "no such path", "request_id": "r-1"}))
}

/// The body of a request with the key, in JSON.
pub(super) fn body(request: &Received) -> Checked<Value> {
    let bearer = format!("Bearer {UPSTREAM_KEY}");
    key(request.header("authorization"), &bearer)?;
    ensure(request.header("content-type") == Some("application/json"), "the content type is not JSON")?;
    serde_json::from_slice(&request.body).map_err(|error| Complaint::new(error.to_string()))
}

/// Where a picture lies that holds what was `told`.
pub(super) fn address(request: &Received, prompt: &str, told: &str, number: u64) -> String {
    let host = request.header("host").unwrap_or_default();
    match prompt {
        "lost" => format!("http://{host}{PICTURES}none-{number}"),
        "inside" => format!("https://169.254.169.254{PICTURES}{number}"),
        _ => format!("http://{host}{PICTURES}{}", HEXLOWER.encode(format!("{number} {told}").as_bytes())),
    }
}

fn drawn(request: &Received) -> Result<Reply, Refused> {
    let body = body(request)?;
    let (told, prompt, count) = read(&body)?;
    if let Some(code) = prompt.strip_prefix("error: ") {
        return Err(failed(code));
    }
    let images: Vec<_> = (0..count).map(|number| json!({"image": address(request, prompt, &told, number)})).collect();
    let choices: Vec<Value> = match prompt {
        "one" => vec![choice(&images)],
        _ => images.iter().map(|image| choice(std::slice::from_ref(image))).collect(),
    };
    let usage = json!({"image_count": count, "width": 1024, "height": 1024});
    Ok(Reply::json(200, &json!({"output": {"choices": choices}, "usage": usage, "request_id": "r-1"})))
}

fn choice(content: &[Value]) -> Value {
    json!({"finish_reason": "stop", "message": {"role": "assistant", "content": content}})
}

/// What was asked, in one line; the text; the number of pictures.
fn read(body: &Value) -> Checked<(String, &str, u64)> {
    known(body, &["model", "input", "parameters"], |name| format!("unknown field {name}"))?;
    known(&body["input"], &["messages"], |name| format!("unknown field input.{name}"))?;
    let model = text(&body["model"], "model")?;
    let [message] = list(&body["input"]["messages"], "input.messages")? else {
        return Err(Complaint::new("num_messages must be 1"));
    };
    ensure(message["role"] == "user", "role must be user")?;
    let (mut told, mut texts) = (vec![model.to_owned()], Vec::new());
    for part in list(&message["content"], "content")? {
        known(part, &["image", "text"], |name| format!("unknown field {name}"))?;
        match (part["image"].as_str(), part["text"].as_str()) {
            (None, Some(text)) => texts.push(text),
            (Some(url), None) => told.push(image(url)?),
            _ => return Err(Complaint::new("content must be a text or an image")),
        }
    }
    ensure(told.len() <= 4, "at most 3 images")?;
    let [prompt] = texts[..] else { return Err(Complaint::new("content must hold exactly one text")) };
    ensure(!prompt.is_empty(), "text must not be empty")?;
    told.push(prompt.to_owned());
    let names = ["size", "n", "negative_prompt", "prompt_extend", "watermark", "seed"];
    let (count, size) = parameters(body, &names, 6)?;
    told.extend(size);
    Ok((told.join("; "), prompt, count))
}

/// A picture that is to be changed.
pub(super) fn image(url: &str) -> Checked<String> {
    if url.starts_with("https://") { Ok(url.to_owned()) } else { data_url(url) }
}

/// The number of pictures, and their size where it is given.
pub(super) fn parameters(body: &Value, names: &[&str], count_max: u64) -> Checked<(u64, Option<String>)> {
    if !has(body, "parameters") {
        return Ok((1, None));
    }
    let parameters = &body["parameters"];
    known(parameters, names, |name| format!("unknown parameter {name}"))?;
    let mut count = 1;
    if has(parameters, "n") {
        count = parameters["n"].as_u64().filter(|count| (1..=count_max).contains(count)).unwrap_or_default();
        ensure(count > 0, format!("n must be from 1 to {count_max}"))?;
    }
    if !has(parameters, "size") {
        return Ok((count, None));
    }
    let size = text(&parameters["size"], "size")?;
    let sides = size.split_once('*').map(|(width, height)| (width.parse::<u32>(), height.parse::<u32>()));
    ensure(matches!(sides, Some((Ok(_), Ok(_)))), "size must be width*height")?;
    Ok((count, Some(size.to_owned())))
}

/// The refusal with that code.
pub(super) fn failed(code: &str) -> Refused {
    let status = match code {
        "InvalidApiKey" => 401,
        "AccessDenied" | "AccessDenied.Unpurchased" => 403,
        "ModelNotFound" => 404,
        "Throttling" | "Throttling.RateQuota" | "Throttling.AllocationQuota" => 429,
        "InternalError" => 500,
        _ => 400,
    };
    Refused { status, code: code.to_owned(), message: format!("scripted failure {code}") }
}
