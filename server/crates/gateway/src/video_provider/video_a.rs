//! Video providers in the style of `/videoA`: JSON with a code of its own in every answer, tasks under the path of their
//! submission, finished videos at public URLs.

use bytes::Bytes;
use data_encoding::BASE64;
use http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::routing::candidate_error::CandidateError;

use super::adapter::{AnsweredRequest, VideoAdapter, VideoProviderReply, VideoSubmission};
use super::report::{VideoMeasures, VideoTaskFailure, VideoTaskReport, VideoTaskState, seconds};
use super::request::{FrameSize, RemainingMembers, StartImage, VideoRequest};

/// The adapter of `/videoA`.
pub(super) struct VideoAAdapter;

/// Members that the client cannot set, in whatever case. The gateway writes them, or they would make the provider call
/// somebody with an id that only we know.
const OURS: [&str; 11] = [
    "callback_url",
    "duration",
    "external_task_id",
    "fps",
    "height",
    "image",
    "model",
    "model_name",
    "prompt",
    "sound",
    "width",
];

#[derive(Serialize)]
struct VideoASubmission<'a> {
    model_name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    prompt: &'a str,
    duration: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    image: Option<String>,
    external_task_id: &'a str,
    #[serde(flatten)]
    rest: indexmap::IndexMap<&'a str, Box<RawValue>>,
}

impl VideoAdapter for VideoAAdapter {
    fn order(&self, script: &VideoRequest, model: &str, ours: &str) -> Result<VideoSubmission, CandidateError> {
        let mut dropped = Vec::new();
        let mut rest = indexmap::IndexMap::new();
        match &script.rest {
            RemainingMembers::A(members) => {
                for (name, value) in members {
                    if OURS.iter().any(|ours| name.eq_ignore_ascii_case(ours)) {
                        dropped.push(name.clone());
                    } else {
                        rest.insert(name.as_str(), value.clone());
                    }
                }
            }
            RemainingMembers::O(members) => dropped.extend(members.iter().map(|(name, _)| name.clone())),
            RemainingMembers::Form(form) => dropped.extend(form.others.iter().cloned()),
        }
        if let Some(size) = script.size {
            // The format has the aspect ratio alone.
            dropped.extend(match &script.rest {
                RemainingMembers::A(_) => vec!["width".to_owned(), "height".to_owned()],
                RemainingMembers::O(_) | RemainingMembers::Form(_) => vec!["size".to_owned()],
            });
            rest.entry("aspect_ratio").or_insert_with(|| text(aspect(size)));
        }
        if script.large {
            rest.entry("mode").or_insert_with(|| text("pro"));
        }
        let image = script.picture.as_ref().map(image);
        let path = if image.is_some() { "videos/image2video" } else { "videos/text2video" };
        let body = VideoASubmission {
            model_name: model,
            prompt: &script.prompt,
            duration: script.seconds.to_string(),
            image,
            external_task_id: ours,
            rest,
        };
        let body = serde_json::to_vec(&body).expect("texts and JSON are JSON").into();
        Ok(VideoSubmission { path, body, content_type: "application/json".to_owned(), dropped })
    }

    /// Reads the code in the body. The status is less exact, and a success may hold a failure.
    fn read(&self, status: StatusCode, body: &Bytes, asked: AnsweredRequest<'_>) -> VideoProviderReply {
        let Ok(VideoAEnvelope { code, message, data }) = serde_json::from_slice::<VideoAEnvelope>(body) else {
            let failed = CandidateError::Status { status, retry_after_seconds: asked.retry_after_seconds };
            return VideoProviderReply::Failed(if status.is_success() { CandidateError::NoAnswer } else { failed });
        };
        let failed = |status| {
            VideoProviderReply::Failed(CandidateError::Status {
                status,
                retry_after_seconds: asked.retry_after_seconds,
            })
        };
        match (code, data) {
            (0, Some(data)) => VideoProviderReply::Report(data.report()),
            (0, None) => VideoProviderReply::Failed(CandidateError::NoAnswer),
            (1003 | 1004, _) => VideoProviderReply::Stale,
            (1200 | 1201 | 1300 | 1301, _) => VideoProviderReply::Refused { status: StatusCode::BAD_REQUEST, message },
            (1202 | 1203, _) if asked.request.is_empty() => VideoProviderReply::Gone,
            (1302 | 1303, _) => failed(StatusCode::TOO_MANY_REQUESTS),
            (5000, _) => failed(StatusCode::INTERNAL_SERVER_ERROR),
            (5001, _) => failed(StatusCode::SERVICE_UNAVAILABLE),
            (5002, _) => failed(StatusCode::GATEWAY_TIMEOUT),
            // Errors of our key, account, URL or model name.
            (1000..=1304, _) => VideoProviderReply::Failed(CandidateError::BlamesUs),
            _ if status.is_success() => VideoProviderReply::Failed(CandidateError::NoAnswer),
            _ => failed(status),
        }
    }

    fn finds_by_our_id(&self) -> bool {
        true
    }

    fn content(&self) -> Option<&'static str> {
        None
    }

    fn can_delete(&self) -> bool {
        false
    }
}

/// The nearest aspect ratio that the format has.
fn aspect(size: FrameSize) -> &'static str {
    let (width, height) = (u64::from(size.width), u64::from(size.height));
    // In between lies the mean of 16:9 and 1:1, which is 4:3.
    if width * 3 >= height * 4 {
        "16:9"
    } else if height * 3 >= width * 4 {
        "9:16"
    } else {
        "1:1"
    }
}

/// Its URL, or its bytes in base64 without a prefix.
fn image(picture: &StartImage) -> String {
    match picture {
        StartImage::Address(address) => address.clone(),
        StartImage::Bytes { bytes, .. } => BASE64.encode(bytes),
    }
}

fn text(word: &str) -> Box<RawValue> {
    to_raw_value(word).expect("a word is JSON")
}

#[derive(Deserialize)]
struct VideoAEnvelope {
    code: i64,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    data: Option<VideoATask>,
}

#[derive(Deserialize)]
struct VideoATask {
    task_id: String,
    task_status: String,
    #[serde(default)]
    task_status_msg: Option<String>,
    #[serde(default)]
    task_result: Option<VideoAResult>,
}

#[derive(Deserialize)]
struct VideoAResult {
    #[serde(default)]
    videos: Vec<VideoAFile>,
}

#[derive(Deserialize)]
struct VideoAFile {
    url: Option<String>,
    #[serde(default)]
    duration: Value,
}

impl VideoATask {
    fn report(self) -> VideoTaskReport {
        let video = self.task_result.and_then(|made| made.videos.into_iter().next());
        let address = video.as_ref().and_then(|video| video.url.clone());
        let stage = match self.task_status.as_str() {
            "submitted" => VideoTaskState::Queued,
            "succeed" => VideoTaskState::Completed,
            "failed" => VideoTaskState::Failed,
            _ => VideoTaskState::InProgress,
        };
        let fault = match stage {
            VideoTaskState::Failed => Some(self.task_status_msg.filter(|message| !message.is_empty())),
            // A video without a URL cannot be delivered, and is not charged.
            VideoTaskState::Completed if address.is_none() => Some(Some("the provider gave no video".to_owned())),
            _ => None,
        };
        let fault = fault.map(|message| VideoTaskFailure {
            code: "500".to_owned(),
            message: message.unwrap_or_else(|| "the provider gave no reason".to_owned()),
        });
        VideoTaskReport {
            id: self.task_id,
            stage: if fault.is_some() { VideoTaskState::Failed } else { stage },
            progress: None,
            url: address,
            measures: VideoMeasures {
                seconds: video.and_then(|video| seconds(&video.duration)),
                ..VideoMeasures::default()
            },
            fault,
        }
    }
}
