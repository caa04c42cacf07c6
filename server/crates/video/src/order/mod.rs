//! Orders of videos, in the words of each API family, read into one request for providers.

mod form;
mod video_a;

use tollgate_formats::MalformedRequest;
use tollgate_gateway::{FrameSize, GatewayError, RemainingMembers, StartImage, VideoRequest, VideoTerms};

pub(super) use form::read as read_form;
pub(super) use video_a::{read_image, read_text};

/// An order as a client gave it, whose length is not checked yet.
#[derive(Debug)]
pub(super) struct VideoRequestDraft {
    /// The model as the client named it.
    pub(super) model: String,
    /// The description of the video.
    pub(super) prompt: String,
    /// The length, where the client says.
    pub(super) seconds: Option<u32>,
    /// The name of its member in the request.
    pub(super) seconds_at: &'static str,
    /// The size as the client wrote it, to be shown again.
    pub(super) shown_size: Option<String>,
    /// The size.
    pub(super) size: Option<FrameSize>,
    /// True if it is charged as a large one.
    pub(super) large: bool,
    /// A picture to begin with.
    pub(super) picture: Option<StartImage>,
    /// The members that are passed on as they are.
    pub(super) rest: RemainingMembers,
}

/// Members by which providers of format O would make more, longer, larger or louder videos than the order says. None of them has a
/// price here.
const UNPRICED: [&str; 14] = [
    "audio",
    "duration",
    "generate_audio",
    "height",
    "n",
    "n_seconds",
    "n_variants",
    "num_frames",
    "num_videos",
    "quality",
    "resolution",
    "sound",
    "variants",
    "width",
];

impl VideoRequestDraft {
    /// The request for providers, with a length that the model offers.
    ///
    /// # Errors
    /// When the model does not offer that length.
    pub(super) fn settled(self, terms: &VideoTerms) -> Result<VideoRequest, GatewayError> {
        let Self { model, prompt, seconds, seconds_at, size, large, picture, rest, .. } = self;
        let Some(seconds) = seconds.or(terms.lengths.first().copied()) else { return Err(GatewayError::Unpriceable) };
        if !terms.lengths.contains(&seconds) {
            let lengths: Vec<String> = terms.lengths.iter().map(u32::to_string).collect();
            return Err(wrong(seconds_at, &format!("one of {}", lengths.join(", ")), &seconds.to_string()));
        }
        Ok(VideoRequest { model, prompt, seconds, size, large, picture, rest })
    }
}

/// Checks that no member asks for what has no price.
fn priced<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<(), GatewayError> {
    let unpriced = |name: &&str| UNPRICED.iter().any(|word| name.eq_ignore_ascii_case(word));
    match names.into_iter().find(unpriced) {
        Some(name) => Err(GatewayError::NotSold(name.to_owned())),
        None => Ok(()),
    }
}

/// The error of a member with a wrong value.
fn wrong(at: &str, expected: &str, found: &str) -> GatewayError {
    GatewayError::Unreadable(MalformedRequest::new(at, expected, found))
}

fn missing(at: &str) -> GatewayError {
    wrong(at, "present", "nothing")
}

/// A picture that is named by its address, or is there itself as a data URL.
fn picture_at(at: &str, text: &str) -> Result<StartImage, GatewayError> {
    if let Some(rest) = text.strip_prefix("data:") {
        let (media_type, base64) = rest.split_once(";base64,").unwrap_or(("", ""));
        return bytes(at, media_type, base64);
    }
    if ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme)) {
        return Ok(StartImage::Address(text.to_owned()));
    }
    Err(wrong(at, "an address or a data URL", "something else"))
}

/// A picture in base64.
fn bytes(at: &str, media_type: &str, base64: &str) -> Result<StartImage, GatewayError> {
    let decoded = data_encoding::BASE64.decode(base64.as_bytes());
    match decoded {
        Ok(bytes) if !bytes.is_empty() => {
            let media_type = if is_image(media_type) { media_type } else { kind_of(&bytes) };
            Ok(StartImage::Bytes { media_type: media_type.to_owned(), bytes: bytes.into() })
        }
        _ => Err(wrong(at, "a picture in base64", "other text")),
    }
}

/// A media type that may stand in a header as it is.
fn is_image(media_type: &str) -> bool {
    let Some(kind) = media_type.strip_prefix("image/") else { return false };
    !kind.is_empty() && kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

/// The media type by the first bytes of the file.
fn kind_of(bytes: &[u8]) -> &'static str {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => "image/jpeg",
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => "image/webp",
        _ => "image/png",
    }
}

fn size(at: &str, text: &str) -> Result<FrameSize, GatewayError> {
    FrameSize::read(text).ok_or_else(|| wrong(at, "<width>x<height>", text))
}
