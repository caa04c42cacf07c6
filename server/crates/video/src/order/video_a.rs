//! Orders of the second API family: one from a text, one from a picture.

use bytes::Bytes;
use indexmap::IndexMap;
use serde_json::value::RawValue;

use tollgate_api::generated::ops::video_a::{CreateImageVideoHead, CreateTextVideoHead};
use tollgate_api::{ProxyBody, Raw, Spanned};
use tollgate_gateway::{FrameSize, GatewayError, RemainingMembers, StartImage};

use super::{VideoRequestDraft, bytes, picture_at, wrong};

/// Members that have a meaning here. `mode` has one too, and goes on as it is.
const KNOWN: [&str; 7] = ["model", "prompt", "image", "duration", "width", "height", "sound"];

/// Reads an order from a text.
///
/// # Errors
/// When it is none.
pub(crate) fn read_text(body: ProxyBody<CreateTextVideoHead>) -> Result<VideoRequestDraft, GatewayError> {
    let ProxyBody { bytes, head, .. } = body;
    let extras = VideoExtras { width: head.width, height: head.height, mode: head.mode, sound: head.sound };
    wish(&bytes, head.model.value, head.prompt.value, head.duration, extras, None)
}

/// Reads an order from a picture: its address, a data URL, or its bytes in base64.
///
/// # Errors
/// When it is none.
pub(crate) fn read_image(body: ProxyBody<CreateImageVideoHead>) -> Result<VideoRequestDraft, GatewayError> {
    let ProxyBody { bytes: body, head, .. } = body;
    let image = head.image.value;
    let picture = match picture_at("image", &image) {
        Ok(picture) => picture,
        Err(_) if !image.starts_with("data:") => bytes("image", "", &image)?,
        Err(error) => return Err(error),
    };
    let extras = VideoExtras { width: head.width, height: head.height, mode: head.mode, sound: head.sound };
    let prompt = head.prompt.map(|prompt| prompt.value).unwrap_or_default();
    wish(&body, head.model.value, prompt, head.duration, extras, Some(picture))
}

/// The members that make a video larger or dearer.
struct VideoExtras {
    width: Option<Spanned<i64>>,
    height: Option<Spanned<i64>>,
    mode: Option<Spanned<String>>,
    sound: Option<Spanned<Raw>>,
}

fn wish(
    body: &Bytes,
    model: String,
    prompt: String,
    duration: Option<Spanned<i64>>,
    extras: VideoExtras,
    picture: Option<StartImage>,
) -> Result<VideoRequestDraft, GatewayError> {
    let VideoExtras { width, height, mode, sound } = extras;
    let size = match (width, height) {
        (None, None) => None,
        (Some(width), Some(height)) => {
            let side = |side: i64| u32::try_from(side).unwrap_or(u32::MAX);
            Some(FrameSize { width: side(width.value), height: side(height.value) })
        }
        (Some(_), None) => return Err(wrong("height", "present beside width", "nothing")),
        (None, Some(_)) => return Err(wrong("width", "present beside height", "nothing")),
    };
    let is_large = size.is_some_and(FrameSize::is_large);
    let pro = match mode.as_ref().map(|mode| mode.value.as_str()) {
        None => false,
        Some("std") if is_large => return Err(wrong("mode", "pro for a video of this size", "std")),
        Some("std") => false,
        Some("pro") => true,
        Some(other) => return Err(wrong("mode", "std or pro", other)),
    };
    if sound.is_some_and(|sound| !is_off(&body[sound.span])) {
        return Err(GatewayError::NotSold("sound".to_owned()));
    }
    let mut members: IndexMap<String, Box<RawValue>> =
        serde_json::from_slice(body).map_err(|error| wrong("body", "an object", &error.to_string()))?;
    if let (None, Some(_)) = (&picture, members.get("image")) {
        return Err(wrong("image", "absent: image2video begins with one", "present"));
    }
    members.retain(|name, _| !KNOWN.contains(&name.as_str()));
    Ok(VideoRequestDraft {
        model,
        prompt,
        seconds: duration.and_then(|duration| u32::try_from(duration.value).ok()),
        seconds_at: "duration",
        shown_size: size.map(|size| size.to_string()),
        size,
        large: pro || is_large,
        picture,
        rest: RemainingMembers::A(members.into_iter().collect()),
    })
}

fn is_off(raw: &[u8]) -> bool {
    matches!(raw, b"false" | br#""off""#)
}
