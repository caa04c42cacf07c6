//! Video providers of format O: a multipart form to submit, JSON reports.

use bytes::{BufMut, Bytes, BytesMut};
use http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use super::super::candidate_error::CandidateError;
use super::super::config::Kind;
use super::super::exchange::{Format, NotCarried};
use super::super::verdict::{ErrorBlame, ProviderErrorBody, client_status};
use super::report::{Fault, Measures, Report, Stage, seconds};
use super::script::{Picture, Rest, Script, Size, WholeForm};
use super::studio::{Asked, Order, Said, Studio};

/// The boundary of forms that the gateway writes; the parts must not have it.
const BOUNDARY: &str = "tollgate-8b4f0c1d5e7a";

/// The adapter of format O.
pub(super) struct O;

impl Studio for O {
    fn order(&self, script: &Script, model: &str, _ours: &str) -> Result<Order, CandidateError> {
        let (body, boundary, dropped) = match &script.rest {
            Rest::Form(form) => (passed_on(form, script, model), form.boundary.clone(), Vec::new()),
            Rest::O(members) => {
                let form = written(script, model, members)?;
                (form.finish(), BOUNDARY.to_owned(), Vec::new())
            }
            Rest::A(_) if script.large && !script.size.is_some_and(Size::is_large) => {
                let (at, reason) = ("mode".to_owned(), "its size alone says how large a video is".to_owned());
                return Err(CandidateError::NotCarried(NotCarried { at, reason }));
            }
            Rest::A(members) => {
                let form = written(script, model, &[])?;
                let dropped = members.iter().map(|(name, _)| name.clone()).collect();
                (form.finish(), BOUNDARY.to_owned(), dropped)
            }
        };
        let boundary = boundary.replace('\\', "\\\\").replace('"', "\\\"");
        let content_type = format!("multipart/form-data; boundary=\"{boundary}\"");
        Ok(Order { path: "videos", body, content_type, dropped })
    }

    fn read(&self, status: StatusCode, body: &Bytes, asked: Asked<'_>) -> Said {
        if status.is_success() {
            return match serde_json::from_slice::<Job>(body) {
                Ok(job) => Said::Report(job.report()),
                Err(_) => Said::Failed(CandidateError::NoAnswer),
            };
        }
        let failed = CandidateError::Status { status, retry_after_seconds: asked.retry_after_seconds };
        let words = ProviderErrorBody::read(Kind::Speaks(Format::Chat), body.clone());
        match ErrorBlame::of(status) {
            ErrorBlame::Request if words.blames_us() => Said::Failed(CandidateError::BlamesUs),
            ErrorBlame::Request => Said::Refused { status: client_status(status), message: words.message },
            ErrorBlame::Unclear if words.quotes_request(asked.request, asked.model) => {
                Said::Refused { status: client_status(status), message: words.message }
            }
            // An error page of a proxy in between is no evidence about the video.
            ErrorBlame::Unclear if words.is_error && matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) => {
                Said::Gone
            }
            ErrorBlame::Unclear | ErrorBlame::Answer | ErrorBlame::Provider => Said::Failed(failed),
        }
    }

    fn knows_ours(&self) -> bool {
        false
    }

    fn content(&self) -> Option<&'static str> {
        Some("content")
    }

    fn forgets(&self) -> bool {
        true
    }
}

/// The client's form with the provider's name of the model, and the length that is held for.
fn passed_on(form: &WholeForm, script: &Script, model: &str) -> Bytes {
    let WholeForm { bytes, boundary, model: place, says_seconds, .. } = form;
    let mut first = Form::of(boundary);
    if place.is_none() {
        first.text("model", model);
    }
    if !says_seconds {
        first.text("seconds", &script.seconds.to_string());
    }
    let opening = format!("--{boundary}");
    // Bytes before the first part have no meaning.
    let start = if bytes.starts_with(opening.as_bytes()) {
        0
    } else {
        memchr::memmem::find(bytes, format!("\r\n{opening}").as_bytes()).map_or(0, |at| at + 2)
    };
    let mut out = first.bytes;
    match place {
        Some(place) if script.model != model => {
            out.put(&bytes[start..place.start]);
            out.put(model.as_bytes());
            out.put(&bytes[place.end..]);
        }
        _ if out.is_empty() => return bytes.clone(),
        _ => out.put(&bytes[start..]),
    }
    out.freeze()
}

/// A form that the gateway writes itself.
fn written(script: &Script, model: &str, members: &[(String, Box<RawValue>)]) -> Result<Form, CandidateError> {
    let mut form = Form::of(BOUNDARY);
    form.text("model", model);
    form.text("prompt", &script.prompt);
    form.text("seconds", &script.seconds.to_string());
    if let Some(size) = script.size {
        form.text("size", &size.to_string());
    }
    match &script.picture {
        None => {}
        Some(Picture::Address(address)) => form.text("input_reference[image_url]", address),
        Some(Picture::Bytes { media_type, bytes }) => form.file("input_reference", media_type, bytes),
    }
    for (name, value) in members.iter().filter(|(_, value)| value.get() != "null") {
        let text = serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned());
        form.text(name, &text);
    }
    if form.is_ambiguous() {
        let reason = "it holds what parts a form".to_owned();
        return Err(CandidateError::NotCarried(NotCarried { at: "body".to_owned(), reason }));
    }
    Ok(form)
}

/// A multipart form that is being written.
struct Form {
    delimiter: String,
    bytes: BytesMut,
    parts: usize,
}

impl Form {
    fn of(boundary: &str) -> Self {
        Self { delimiter: format!("--{boundary}\r\n"), bytes: BytesMut::new(), parts: 0 }
    }

    fn text(&mut self, name: &str, text: &str) {
        self.begin(name, "");
        self.bytes.put(text.as_bytes());
        self.bytes.put(&b"\r\n"[..]);
    }

    fn file(&mut self, name: &str, media_type: &str, content: &[u8]) {
        let kind = media_type.rsplit('/').next().unwrap_or("bin");
        self.begin(name, &format!("; filename=\"reference.{kind}\"\r\nContent-Type: {media_type}"));
        self.bytes.put(content);
        self.bytes.put(&b"\r\n"[..]);
    }

    /// Begins a part. Names are escaped as browsers do.
    fn begin(&mut self, name: &str, more: &str) {
        let name = name.replace('"', "%22").replace('\r', "%0D").replace('\n', "%0A");
        self.bytes.put(self.delimiter.as_bytes());
        self.bytes.put(format!("Content-Disposition: form-data; name=\"{name}\"{more}\r\n\r\n").as_bytes());
        self.parts += 1;
    }

    /// True if a part holds the delimiter itself.
    fn is_ambiguous(&self) -> bool {
        memchr::memmem::find_iter(&self.bytes, self.delimiter.trim_end()).count() != self.parts
    }

    fn finish(mut self) -> Bytes {
        let delimiter = self.delimiter.trim_end().to_owned();
        self.bytes.put(delimiter.as_bytes());
        self.bytes.put(&b"--\r\n"[..]);
        self.bytes.freeze()
    }
}

#[derive(Deserialize)]
struct Job {
    id: String,
    status: String,
    #[serde(default)]
    progress: Option<Number>,
    #[serde(default)]
    seconds: Value,
    #[serde(default)]
    size: Option<String>,
    #[serde(default)]
    error: Option<JobError>,
}

#[derive(Deserialize)]
struct JobError {
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: Option<String>,
}

impl Job {
    fn report(self) -> Report {
        let stage = match self.status.as_str() {
            "queued" => Stage::Queued,
            "completed" => Stage::Completed,
            "failed" | "cancelled" | "canceled" | "expired" => Stage::Failed,
            // An unknown state is taken for one before the end.
            _ => Stage::InProgress,
        };
        let size = self.size.as_deref().and_then(Size::read);
        let fault = (stage == Stage::Failed).then(|| fault(&self.status, self.error));
        Report {
            id: self.id,
            stage,
            progress: self.progress.as_ref().and_then(per_cent),
            url: None,
            measures: Measures {
                seconds: seconds(&self.seconds),
                width: size.map(|size| size.width),
                height: size.map(|size| size.height),
            },
            fault,
        }
    }
}

fn fault(status: &str, error: Option<JobError>) -> Fault {
    let (code, message) = error.map_or((Value::Null, None), |error| (error.code, error.message));
    let code = match code {
        Value::String(code) => code,
        Value::Number(code) => code.to_string(),
        _ => status.to_owned(),
    };
    Fault { code, message: message.unwrap_or_else(|| "the provider gave no reason".to_owned()) }
}

/// A progress of 0 to 100 per cent; `None` for anything else.
fn per_cent(progress: &Number) -> Option<u8> {
    let text = progress.to_string();
    let whole = text.split_once('.').map_or(text.as_str(), |(whole, _)| whole);
    whole.parse().ok().filter(|progress| *progress <= 100)
}
