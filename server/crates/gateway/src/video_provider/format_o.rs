//! Video providers of format O: a multipart form to submit, JSON reports.

use bytes::{BufMut, Bytes, BytesMut};
use http::StatusCode;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Number, Value};

use crate::config::ProviderKind;
use crate::routing::blame::{ErrorBlame, ProviderErrorBody, client_status};
use crate::routing::candidate_error::CandidateError;
use tollgate_formats::{Format, Unsupported};

use super::adapter::{AnsweredRequest, VideoAdapter, VideoProviderReply, VideoSubmission};
use super::report::{VideoMeasures, VideoTaskFailure, VideoTaskReport, VideoTaskState, seconds};
use super::request::{ForwardedForm, FrameSize, RemainingMembers, StartImage, VideoRequest};

/// The boundary of forms that the gateway writes; the parts must not have it.
const BOUNDARY: &str = "tollgate-8b4f0c1d5e7a";

/// The adapter of format O.
pub(super) struct FormatOAdapter;

impl VideoAdapter for FormatOAdapter {
    fn order(&self, script: &VideoRequest, model: &str, _ours: &str) -> Result<VideoSubmission, CandidateError> {
        let (body, boundary, dropped) = match &script.rest {
            RemainingMembers::Form(form) => (passed_on(form, script, model), form.boundary.clone(), Vec::new()),
            RemainingMembers::O(members) => {
                let form = written(script, model, members)?;
                (form.finish(), BOUNDARY.to_owned(), Vec::new())
            }
            RemainingMembers::A(_) if script.large && !script.size.is_some_and(FrameSize::is_large) => {
                let (at, reason) = ("mode".to_owned(), "its size alone says how large a video is".to_owned());
                return Err(CandidateError::NotCarried(Unsupported { at, reason }));
            }
            RemainingMembers::A(members) => {
                let form = written(script, model, &[])?;
                let dropped = members.iter().map(|(name, _)| name.clone()).collect();
                (form.finish(), BOUNDARY.to_owned(), dropped)
            }
        };
        let boundary = boundary.replace('\\', "\\\\").replace('"', "\\\"");
        let content_type = format!("multipart/form-data; boundary=\"{boundary}\"");
        Ok(VideoSubmission { path: "videos", body, content_type, dropped })
    }

    fn read(&self, status: StatusCode, body: &Bytes, asked: AnsweredRequest<'_>) -> VideoProviderReply {
        if status.is_success() {
            return match serde_json::from_slice::<VideoJobReport>(body) {
                Ok(job) => VideoProviderReply::Report(job.report()),
                Err(_) => VideoProviderReply::Failed(CandidateError::NoAnswer),
            };
        }
        let failed = CandidateError::Status { status, retry_after_seconds: asked.retry_after_seconds };
        let words = ProviderErrorBody::read(ProviderKind::Speaks(Format::Chat), body.clone());
        match ErrorBlame::of(status) {
            ErrorBlame::Request if words.blames_us() => VideoProviderReply::Failed(CandidateError::BlamesUs),
            ErrorBlame::Request => {
                VideoProviderReply::Refused { status: client_status(status), message: words.message }
            }
            ErrorBlame::Unclear if words.quotes_request(asked.request, asked.model) => {
                VideoProviderReply::Refused { status: client_status(status), message: words.message }
            }
            // An error page of a proxy in between is no evidence about the video.
            ErrorBlame::Unclear if words.is_error && matches!(status, StatusCode::NOT_FOUND | StatusCode::GONE) => {
                VideoProviderReply::Gone
            }
            ErrorBlame::Unclear | ErrorBlame::Answer | ErrorBlame::Provider => VideoProviderReply::Failed(failed),
        }
    }

    fn finds_by_our_id(&self) -> bool {
        false
    }

    fn content(&self) -> Option<&'static str> {
        Some("content")
    }

    fn can_delete(&self) -> bool {
        true
    }
}

/// The client's form with the provider's name of the model, and the length that is held for.
fn passed_on(form: &ForwardedForm, script: &VideoRequest, model: &str) -> Bytes {
    let ForwardedForm { bytes, boundary, model: place, says_seconds, .. } = form;
    let mut first = VideoFormWriter::of(boundary);
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
fn written(
    script: &VideoRequest,
    model: &str,
    members: &[(String, Box<RawValue>)],
) -> Result<VideoFormWriter, CandidateError> {
    let mut form = VideoFormWriter::of(BOUNDARY);
    form.text("model", model);
    form.text("prompt", &script.prompt);
    form.text("seconds", &script.seconds.to_string());
    if let Some(size) = script.size {
        form.text("size", &size.to_string());
    }
    match &script.picture {
        None => {}
        Some(StartImage::Address(address)) => form.text("input_reference[image_url]", address),
        Some(StartImage::Bytes { media_type, bytes }) => form.file("input_reference", media_type, bytes),
    }
    for (name, value) in members.iter().filter(|(_, value)| value.get() != "null") {
        let text = serde_json::from_str::<String>(value.get()).unwrap_or_else(|_| value.get().to_owned());
        form.text(name, &text);
    }
    if form.is_ambiguous() {
        let reason = "it holds what parts a form".to_owned();
        return Err(CandidateError::NotCarried(Unsupported { at: "body".to_owned(), reason }));
    }
    Ok(form)
}

/// A multipart form that is being written.
struct VideoFormWriter {
    delimiter: String,
    bytes: BytesMut,
    parts: usize,
}

impl VideoFormWriter {
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
struct VideoJobReport {
    id: String,
    status: String,
    #[serde(default)]
    progress: Option<Number>,
    #[serde(default)]
    seconds: Value,
    #[serde(default)]
    size: Option<String>,
    #[serde(default)]
    error: Option<VideoJobFailure>,
}

#[derive(Deserialize)]
struct VideoJobFailure {
    #[serde(default)]
    code: Value,
    #[serde(default)]
    message: Option<String>,
}

impl VideoJobReport {
    fn report(self) -> VideoTaskReport {
        let stage = match self.status.as_str() {
            "queued" => VideoTaskState::Queued,
            "completed" => VideoTaskState::Completed,
            "failed" | "cancelled" | "canceled" | "expired" => VideoTaskState::Failed,
            // An unknown state is taken for one before the end.
            _ => VideoTaskState::InProgress,
        };
        let size = self.size.as_deref().and_then(FrameSize::read);
        let fault = (stage == VideoTaskState::Failed).then(|| fault(&self.status, self.error));
        VideoTaskReport {
            id: self.id,
            stage,
            progress: self.progress.as_ref().and_then(per_cent),
            url: None,
            measures: VideoMeasures {
                seconds: seconds(&self.seconds),
                width: size.map(|size| size.width),
                height: size.map(|size| size.height),
            },
            fault,
        }
    }
}

fn fault(status: &str, error: Option<VideoJobFailure>) -> VideoTaskFailure {
    let (code, message) = error.map_or((Value::Null, None), |error| (error.code, error.message));
    let code = match code {
        Value::String(code) => code,
        Value::Number(code) => code.to_string(),
        _ => status.to_owned(),
    };
    VideoTaskFailure { code, message: message.unwrap_or_else(|| "the provider gave no reason".to_owned()) }
}

/// A progress of 0 to 100 per cent; `None` for anything else.
fn per_cent(progress: &Number) -> Option<u8> {
    let text = progress.to_string();
    let whole = text.split_once('.').map_or(text.as_str(), |(whole, _)| whole);
    whole.parse().ok().filter(|progress| *progress <= 100)
}
