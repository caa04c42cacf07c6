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
struct Refused {
    status: u16,
    code: String,
    message: String,
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
        ("POST", "/v1/services/aigc/multimodal-generation/generation") => drawn(request).unwrap_or_else(|refused| {
            let Refused { status, code, message } = refused;
            Reply::json(status, &json!({"code": code, "message": message, "request_id": "r-1"}))
        }),
        ("GET", path) => match path.strip_prefix(PICTURES).and_then(|rest| HEXLOWER.decode(rest.as_bytes()).ok()) {
            Some(told) => Reply::raw(200, "application/octet-stream", [PICTURE_START, &told].concat()),
            None => Reply::raw(404, "application/xml", b"<Code>NoSuchKey</Code>".to_vec()),
        },
        _ => Reply::json(404, &json!({"code": "NotFound", "message": "no such path", "request_id": "r-1"})),
    }
}

fn drawn(request: &Received) -> Result<Reply, Refused> {
    let bearer = format!("Bearer {UPSTREAM_KEY}");
    key(request.header("authorization"), &bearer)?;
    ensure(request.header("content-type") == Some("application/json"), "the content type is not JSON")?;
    let body: Value = serde_json::from_slice(&request.body).map_err(|error| Complaint::new(error.to_string()))?;
    let (told, prompt, count) = read(&body)?;
    if let Some(code) = prompt.strip_prefix("error: ") {
        return Err(failed(code));
    }
    let host = request.header("host").unwrap_or_default();
    let address = |number: u64| match prompt {
        "lost" => format!("http://{host}{PICTURES}none-{number}"),
        "inside" => format!("https://169.254.169.254{PICTURES}{number}"),
        _ => format!("http://{host}{PICTURES}{}", HEXLOWER.encode(format!("{number} {told}").as_bytes())),
    };
    let images: Vec<_> = (0..count).map(|number| json!({"image": address(number)})).collect();
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
            (Some(url), None) if url.starts_with("https://") => told.push(url.to_owned()),
            (Some(url), None) => told.push(data_url(url)?),
            _ => return Err(Complaint::new("content must be a text or an image")),
        }
    }
    ensure(told.len() <= 4, "at most 3 images")?;
    let [prompt] = texts[..] else { return Err(Complaint::new("content must hold exactly one text")) };
    ensure(!prompt.is_empty(), "text must not be empty")?;
    told.push(prompt.to_owned());
    let parameters = &body["parameters"];
    let mut count = 1;
    if has(body, "parameters") {
        let names = ["size", "n", "negative_prompt", "prompt_extend", "watermark", "seed"];
        known(parameters, &names, |name| format!("unknown parameter {name}"))?;
        if has(parameters, "n") {
            count = parameters["n"].as_u64().filter(|count| (1..=6).contains(count)).unwrap_or_default();
            ensure(count > 0, "n must be from 1 to 6")?;
        }
        if has(parameters, "size") {
            let size = text(&parameters["size"], "size")?;
            let sides = size.split_once('*').map(|(width, height)| (width.parse::<u32>(), height.parse::<u32>()));
            ensure(matches!(sides, Some((Ok(_), Ok(_)))), "size must be width*height")?;
            told.push(size.to_owned());
        }
    }
    Ok((told.join("; "), prompt, count))
}

fn failed(code: &str) -> Refused {
    let status = match code {
        "InvalidApiKey" => 401,
        "AccessDenied.Unpurchased" => 403,
        "ModelNotFound" => 404,
        "Throttling" | "Throttling.RateQuota" | "Throttling.AllocationQuota" => 429,
        "InternalError" => 500,
        _ => 400,
    };
    Refused { status, code: code.to_owned(), message: format!("scripted failure {code}") }
}
