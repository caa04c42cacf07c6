//! What is to be filmed, out of any family of clients, for any kind of provider.

use std::ops::Range;

use bytes::Bytes;
use serde_json::value::RawValue;

/// Above this many pixels a video is a large one, with a price of its own: 1280 x 720 is the usual size.
const LARGE_ABOVE_PIXELS: u64 = 1280 * 720;

/// An order for a video.
#[derive(Debug)]
pub struct Script {
    /// The model as the client named it.
    pub model: String,
    /// What to show; empty where a picture says it all.
    pub prompt: String,
    /// How long; what is held for, so a provider is always told.
    pub seconds: u32,
    /// How large, where the client says.
    pub size: Option<Size>,
    /// Whether it is charged as a large one: by its size, or by a word for it.
    pub large: bool,
    /// A picture to begin with.
    pub picture: Option<Picture>,
    /// What else the client wrote, in its own words.
    pub rest: Rest,
}

/// Width and height in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Of each picture.
    pub width: u32,
    /// Of each picture.
    pub height: u32,
}

/// A picture to begin with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Picture {
    /// Lies elsewhere; the provider fetches it.
    Address(String),
    /// Is here.
    Bytes {
        /// What kind of file.
        media_type: String,
        /// The file.
        bytes: Bytes,
    },
}

/// The members of an order that have no meaning of their own here.
#[derive(Debug)]
pub enum Rest {
    /// Format O's form as it came.
    Form(WholeForm),
    /// Other members of format O.
    O(Vec<(String, Box<RawValue>)>),
    /// Other members of the second family.
    A(Vec<(String, Box<RawValue>)>),
}

/// A form that can go on as it stands, and what has to be written into it.
#[derive(Debug)]
pub struct WholeForm {
    /// Its bytes.
    pub bytes: Bytes,
    /// What stands between its parts.
    pub boundary: String,
    /// The model's name in it, where it names one.
    pub model: Option<Range<usize>>,
    /// Whether it says how long.
    pub says_seconds: bool,
    /// The names of the parts that only format O has a word for.
    pub others: Vec<String>,
}

impl Size {
    /// `<width>x<height>`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let (width, height) = text.split_once(['x', '*'])?;
        let side = |text: &str| text.parse().ok().filter(|side| (1..=16_384).contains(side));
        Some(Self { width: side(width)?, height: side(height)? })
    }

    /// Whether it has a price of its own.
    #[must_use]
    pub fn is_large(self) -> bool {
        u64::from(self.width) * u64::from(self.height) > LARGE_ABOVE_PIXELS
    }
}

impl std::fmt::Display for Size {
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
            let size = Size::read(text);
            assert_eq!(size.map(|size| size.to_string()).as_deref(), shown, "{text}");
            assert_eq!(size.is_some_and(Size::is_large), large, "{text}");
        }
    }
}
