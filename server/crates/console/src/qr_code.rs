//! QR codes.

use qrcode::render::svg::Color;
use qrcode::types::QrError;
use qrcode::{EcLevel, QrCode};

/// Least width and height, in pixels; the drawing scales with its place.
const SIDE: u32 = 200;

/// A text as a QR code, drawn as SVG: black on white whatever the page looks like, since phones read no other.
pub(super) fn svg(text: &str) -> Result<String, QrError> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M)?;
    let mut drawing = code.render::<Color<'_>>();
    Ok(drawing.min_dimensions(SIDE, SIDE).dark_color(Color("#000")).light_color(Color("#fff")).build())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_becomes_a_drawing_and_never_markup() {
        let drawn = svg("https://gateway.example/topup/crypto?order=tg0</svg><script>").unwrap();
        assert!(drawn.contains("<svg") && drawn.contains("#000") && !drawn.contains("script"), "{drawn}");
        assert_eq!(drawn, svg("https://gateway.example/topup/crypto?order=tg0</svg><script>").unwrap());
        assert_ne!(drawn, svg("https://gateway.example/topup/crypto?order=tg1</svg><script>").unwrap());
    }

    #[test]
    fn what_is_too_long_for_a_code_is_none() {
        assert!(svg(&"x".repeat(2_000)).is_ok());
        assert!(svg(&"x".repeat(3_000)).is_err());
    }
}
