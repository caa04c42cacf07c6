//! Colours, and the contrast between two of them as WCAG 2 defines it, in whole numbers.

use std::fmt;
use std::str::FromStr;

/// The luminance of white. A power of two, so that fifth roots below fit in 128 bits.
const WHITE: u64 = 1 << 20;
/// What WCAG adds to both luminances: a twentieth of white.
const FLARE: u64 = WHITE / 20;

/// A colour of sRGB: red, green and blue. Written `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

/// The text is no colour.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be a colour as \"#rrggbb\", in hexadecimal digits, as in \"#1456d9\"")]
pub struct InvalidColour;

impl Colour {
    pub(super) const BLACK: Self = Self([0; 3]);
    pub(super) const WHITE: Self = Self([u8::MAX; 3]);

    /// The relative luminance, from 0 to [`WHITE`].
    fn luminance(self) -> u64 {
        let [red, green, blue] = self.0.map(linear);
        (2126 * red + 7152 * green + 722 * blue) / 10_000
    }

    /// The contrast to another colour in hundredths, from 100 to 2100, rounded down.
    pub(super) fn contrast(self, other: Self) -> u64 {
        let (one, two) = (self.luminance() + FLARE, other.luminance() + FLARE);
        100 * one.max(two) / one.min(two)
    }

    /// The colour at so many hundredths of the way to another.
    pub(super) fn mixed(self, other: Self, hundredths: u16) -> Self {
        let [red, green, blue] = other.0;
        let mix = |from: u8, to: u8| {
            let sum = u16::from(from) * (100 - hundredths) + u16::from(to) * hundredths;
            u8::try_from((sum + 50) / 100).unwrap_or(u8::MAX)
        };
        Self([mix(self.0[0], red), mix(self.0[1], green), mix(self.0[2], blue)])
    }
}

/// A channel of sRGB as light, from 0 to [`WHITE`]: `((c + 0.055) / 1.055)^2.4`, near black `c / 12.92`.
fn linear(channel: u8) -> u64 {
    let channel = u64::from(channel);
    if channel <= 10 {
        return channel * WHITE * 100 / (255 * 1292);
    }
    let base = (channel * 1000 + 255 * 55) * WHITE / (255 * 1055);
    let square = base * base / WHITE;
    // `x^2.4` is `x^2` times the fifth root of `x^2`.
    square * fifth_root(u128::from(square) * u128::from(WHITE).pow(4)) / WHITE
}

/// The fifth root of a number, at most that of [`WHITE`] to the fifth, rounded down.
fn fifth_root(number: u128) -> u64 {
    let (mut low, mut high) = (0, WHITE);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if u128::from(middle).pow(5) <= number { low = middle } else { high = middle - 1 }
    }
    low
}

impl FromStr for Colour {
    type Err = InvalidColour;

    fn from_str(text: &str) -> Result<Self, InvalidColour> {
        let digits = text.strip_prefix('#').filter(|digits| digits.len() == 6).ok_or(InvalidColour)?;
        let is_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let number = u32::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal).ok_or(InvalidColour)?;
        let [_, rgb @ ..] = number.to_be_bytes();
        Ok(Self(rgb))
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn colour(text: &str) -> Colour {
        text.parse().expect("a colour")
    }

    /// Figures of WCAG's own examples, to the hundredth.
    #[test]
    fn contrasts_are_those_of_wcag() {
        for (one, two, contrast) in [
            ("#000000", "#ffffff", 2100),
            ("#ffffff", "#ffffff", 100),
            ("#767676", "#ffffff", 454),
            ("#777777", "#ffffff", 447),
            ("#ff0000", "#ffffff", 399),
            ("#0000ff", "#ffffff", 859),
            ("#ffff00", "#000000", 1955),
            ("#0a0a0a", "#000000", 106),
        ] {
            let found = colour(one).contrast(colour(two));
            assert_eq!((found, colour(two).contrast(colour(one))), (contrast, contrast), "{one} {two}");
        }
    }

    #[test]
    fn a_colour_has_six_digits() {
        assert_eq!(colour("#1456D9").to_string(), "#1456d9");
        for text in ["", "#", "1456d9", "#1456d", "#1456d9f", "#1456dg", "#+456d9", "red", "#é456d", "#fff;}"] {
            assert_eq!(text.parse::<Colour>(), Err(InvalidColour), "{text}");
        }
    }

    #[test]
    fn colours_are_mixed() {
        let accent = colour("#1456d9");
        assert_eq!((accent.mixed(Colour::WHITE, 0), accent.mixed(Colour::WHITE, 100)), (accent, Colour::WHITE));
        assert_eq!(Colour::BLACK.mixed(Colour::WHITE, 50).to_string(), "#808080");
    }
}
