//! A picture that stands beside the name.

use std::fmt;

/// Bytes that a logo may have.
pub const LOGO_BYTES_MAX: usize = 32 << 10;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";
const SVG_NAMESPACE: &str = "http://www.w3.org/2000/svg";

/// A logo: the bytes of a PNG or SVG picture. Which of them it is, its content says.
#[derive(Clone, PartialEq, Eq)]
pub struct Logo {
    bytes: Vec<u8>,
    content_type: &'static str,
}

/// The bytes are no logo.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum InvalidLogo {
    /// It is larger than [`LOGO_BYTES_MAX`].
    #[error("is larger than the {LOGO_BYTES_MAX} bytes that a logo may have")]
    TooLarge,
    /// It is neither PNG nor SVG.
    #[error("is neither a PNG nor an SVG picture, by its content")]
    OtherType,
    /// It is SVG that browsers do not show.
    #[error("is SVG without xmlns=\"{SVG_NAMESPACE}\" in its root, which browsers do not show as a picture")]
    NoNamespace,
    /// It is SVG with definitions in its DOCTYPE.
    #[error("is SVG whose DOCTYPE defines entities, which browsers may refuse: write them out")]
    Entities,
}

impl Logo {
    /// Takes the bytes of a file for a logo.
    ///
    /// # Errors
    /// When there are too many, or they are no picture of these two types.
    pub fn read(bytes: Vec<u8>) -> Result<Self, InvalidLogo> {
        if bytes.len() > LOGO_BYTES_MAX {
            return Err(InvalidLogo::TooLarge);
        }
        let content_type = if bytes.starts_with(PNG) { "image/png" } else { svg(&bytes)? };
        Ok(Self { bytes, content_type })
    }

    /// The picture.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Its type: `image/png` or `image/svg+xml`.
    #[must_use]
    pub const fn content_type(&self) -> &'static str {
        self.content_type
    }
}

/// The type of SVG, where the bytes are one.
fn svg(bytes: &[u8]) -> Result<&'static str, InvalidLogo> {
    let text = str::from_utf8(bytes).map_err(|_| InvalidLogo::OtherType)?;
    let text = after_prolog(text.strip_prefix('\u{feff}').unwrap_or(text))?;
    let root = text.strip_prefix("<svg").and_then(|rest| rest.split_once('>')).map(|(root, _)| root);
    let root = root.filter(|root| root.is_empty() || root.starts_with([' ', '\t', '\r', '\n', '/']));
    let root = root.ok_or(InvalidLogo::OtherType)?;
    if root.contains(SVG_NAMESPACE) { Ok("image/svg+xml") } else { Err(InvalidLogo::NoNamespace) }
}

/// The text from the root on: without the XML declaration, instructions, comments and the DOCTYPE before it.
fn after_prolog(mut text: &str) -> Result<&str, InvalidLogo> {
    loop {
        text = text.trim_start();
        let end = match text {
            _ if text.starts_with("<?") => "?>",
            _ if text.starts_with("<!--") => "-->",
            _ if text.starts_with("<!DOCTYPE") => ">",
            _ => return Ok(text),
        };
        let (before, rest) = text.split_once(end).ok_or(InvalidLogo::OtherType)?;
        if end == ">" && before.contains('[') {
            return Err(InvalidLogo::Entities);
        }
        text = rest;
    }
}

impl fmt::Debug for Logo {
    /// Without the bytes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Logo({}, {} bytes)", self.content_type, self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content_type(text: &str) -> Result<&'static str, InvalidLogo> {
        Logo::read(text.as_bytes().to_vec()).map(|logo| logo.content_type())
    }

    #[test]
    fn the_content_says_what_a_logo_is() {
        assert_eq!(Logo::read([PNG, b"..."].concat()).map(|logo| logo.content_type()), Ok("image/png"));
        let svg = format!("<svg xmlns=\"{SVG_NAMESPACE}\"/>");
        let declared =
            format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- a > b -->\n<!DOCTYPE svg PUBLIC \"-//W3C\" \"x\">{svg}");
        for text in [&svg, &declared, &format!("<svg\n  width='1' xmlns='{SVG_NAMESPACE}'></svg>")] {
            assert_eq!(content_type(text), Ok("image/svg+xml"), "{text}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let page = format!("<html><svg xmlns=\"{SVG_NAMESPACE}\"/></html>");
        for text in ["", "GIF89a", "<svg", "<svgx >", "<?xml", "\u{89}PNG\r\n", &page] {
            assert_eq!(content_type(text), Err(InvalidLogo::OtherType), "{text}");
        }
        assert_eq!(Logo::read(vec![0xff, 0xfe]), Err(InvalidLogo::OtherType));
        assert_eq!(content_type("<svg width=\"1\"></svg>"), Err(InvalidLogo::NoNamespace));
        let entities = format!("<!DOCTYPE svg [<!ENTITY a \"b\">]><svg xmlns=\"{SVG_NAMESPACE}\"/>");
        assert_eq!(content_type(&entities), Err(InvalidLogo::Entities));
        let most = [PNG, &vec![0; LOGO_BYTES_MAX - PNG.len()]].concat();
        assert!(Logo::read(most.clone()).is_ok());
        assert_eq!(Logo::read([most, vec![0]].concat()), Err(InvalidLogo::TooLarge));
    }
}
