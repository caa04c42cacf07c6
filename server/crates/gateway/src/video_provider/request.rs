//! A video request, from clients of any family, for any kind of provider.

use std::ops::Range;

use bytes::Bytes;
use serde_json::value::RawValue;

/// The most pixels of a video of the usual size, 1280 x 720. A larger one has a price of its own.
const LARGE_ABOVE_PIXELS: u64 = 1280 * 720;

/// A request for a video.
#[derive(Debug)]
pub struct VideoRequest {
    /// The model as the client named it.
    pub model: String,
    /// The prompt; empty where the start image is enough.
    pub prompt: String,
    /// The length in seconds, which is held for, so every provider is sent it.
    pub seconds: u32,
    /// The size, where the client gave one.
    pub size: Option<FrameSize>,
    /// True if it is charged as a large video: by its size, or by a mode that asks for one.
    pub large: bool,
    /// The start image.
    pub picture: Option<StartImage>,
    /// The other members, as the client wrote them.
    pub rest: RemainingMembers,
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameSize {
    /// The width of each frame.
    pub width: u32,
    /// The height of each frame.
    pub height: u32,
}

/// An image that the video starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StartImage {
    /// A URL; the provider fetches it.
    Address(String),
    /// The file itself.
    Bytes {
        /// The media type.
        media_type: String,
        /// The bytes of the file.
        bytes: Bytes,
    },
}

/// The members of a request that the gateway does not interpret.
#[derive(Debug)]
pub enum RemainingMembers {
    /// Format O's form as it came.
    Form(ForwardedForm),
    /// Other members of format O.
    O(Vec<(String, Box<RawValue>)>),
    /// Other members of `/videoA`.
    A(Vec<(String, Box<RawValue>)>),
}

/// A form that can be passed on, with the values that may have to be written into it.
#[derive(Debug)]
pub struct ForwardedForm {
    /// Its bytes.
    pub bytes: Bytes,
    /// The boundary between its parts.
    pub boundary: String,
    /// The range of the model's name, where it names one.
    pub model: Option<Range<usize>>,
    /// True if it names the length.
    pub says_seconds: bool,
    /// The names of the parts that only format O has.
    pub others: Vec<String>,
}

impl FrameSize {
    /// Reads `<width>x<height>` or `<width>*<height>`; `None` for sides outside of 1 to 16384.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (width, height) = text.split_once(['x', '*'])?;
        let side = |text: &str| text.parse().ok().filter(|side| (1..=16_384).contains(side));
        Some(Self { width: side(width)?, height: side(height)? })
    }

    /// True for a large size, which has a price of its own.
    #[must_use]
    pub fn is_large(self) -> bool {
        u64::from(self.width) * u64::from(self.height) > LARGE_ABOVE_PIXELS
    }
}

impl std::fmt::Display for FrameSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_and_the_larger_ones_are_large() {
        for (text, shown, large) in [
            ("1280x720", Some("1280x720"), false),
            ("720*1280", Some("720x1280"), false),
            ("1792x1024", Some("1792x1024"), true),
            ("1281x720", Some("1281x720"), true),
            ("16384x16384", Some("16384x16384"), true),
            ("16385x1", None, false),
            ("0x720", None, false),
            ("720", None, false),
            ("720x", None, false),
            ("-1x5", None, false),
            ("99999999999x1", None, false),
        ] {
            let size = FrameSize::read(text);
            assert_eq!(size.map(|size| size.to_string()).as_deref(), shown, "{text}");
            assert_eq!(size.is_some_and(FrameSize::is_large), large, "{text}");
        }
    }
}
