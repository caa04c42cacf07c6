//! The colour of buttons, links and charts, made readable in the light and in the dark.

use std::str::FromStr;

use super::contrast::{Colour, InvalidColour};

/// Contrast that WCAG AA demands of text, in hundredths.
const CONTRAST_MIN: u64 = 450;
/// The darkest ground of light pages that text in the accent stands on.
const LIGHT_GROUND: Colour = Colour([0xf3, 0xf4, 0xf6]);
/// The lightest ground of dark pages that text in the accent stands on.
const DARK_GROUND: Colour = Colour([0x1a, 0x1d, 0x23]);

/// The text is no accent.
pub type InvalidAccent = InvalidColour;

/// An accent colour.
///
/// Buttons are filled with it as it is, under text in black or white, whichever is easier to read; one of the two always has a
/// contrast of 4.5:1. Links and charts have it as near as the ground of the page allows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accent {
    colour: Colour,
    readable: SchemeColours,
}

/// The accent as text and lines have it, by the scheme of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SchemeColours {
    /// On light pages.
    pub light: Colour,
    /// On dark pages.
    pub dark: Colour,
}

impl Accent {
    fn new(colour: Colour) -> Self {
        let nearest = |ground: Colour, end: Colour| {
            let mut steps = (0..=100).map(|step| colour.mixed(end, step));
            steps.find(|colour| colour.contrast(ground) >= CONTRAST_MIN).unwrap_or(end)
        };
        let (light, dark) = (nearest(LIGHT_GROUND, Colour::BLACK), nearest(DARK_GROUND, Colour::WHITE));
        Self { colour, readable: SchemeColours { light, dark } }
    }

    /// The colour as it was given.
    #[must_use]
    pub const fn colour(self) -> Colour {
        self.colour
    }

    /// The nearest colours that have a contrast of 4.5:1 with the pages: darkened on light ones, lightened on dark ones.
    #[must_use]
    pub const fn readable(self) -> SchemeColours {
        self.readable
    }

    /// The rules that follow a style and set its variables `--act`, `--fill` and `--on-fill`.
    #[must_use]
    pub fn style(self) -> String {
        let SchemeColours { light, dark } = self.readable;
        let (fill, on_fill) = (self.colour, self.on_fill());
        format!(
            ":root {{ --act: {light}; --fill: {fill}; --on-fill: {on_fill}; }}\n\
             @media (prefers-color-scheme: dark) {{ :root {{ --act: {dark}; --fill: {fill}; --on-fill: {on_fill}; }} }}\n"
        )
    }

    /// The text on it: black or white.
    fn on_fill(self) -> Colour {
        let contrast = |text: &Colour| text.contrast(self.colour);
        if contrast(&Colour::WHITE) >= contrast(&Colour::BLACK) { Colour::WHITE } else { Colour::BLACK }
    }
}

impl FromStr for Accent {
    type Err = InvalidAccent;

    fn from_str(text: &str) -> Result<Self, InvalidAccent> {
        text.parse().map(Self::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accent(text: &str) -> Accent {
        text.parse().expect("a colour")
    }

    #[test]
    fn a_readable_colour_stays_and_others_are_mixed_no_further_than_need_be() {
        for (given, light, dark) in [
            ("#1456d9", "#1456d9", "#5182e3"),
            ("#ffcc00", "#876c00", "#ffcc00"),
            ("#000000", "#000000", "#858585"),
            ("#ffffff", "#6e6e6e", "#ffffff"),
        ] {
            let SchemeColours { light: on_light, dark: on_dark } = accent(given).readable();
            assert_eq!([on_light, on_dark].map(|colour| colour.to_string()), [light, dark], "{given}");
        }
    }

    /// Whatever is given can be read, wherever it stands.
    #[test]
    fn every_accent_is_readable() {
        let steps = [0, 36, 73, 109, 119, 146, 182, 219, 255];
        for (red, green, blue) in steps
            .into_iter()
            .flat_map(|red| steps.into_iter().map(move |green| (red, green)))
            .flat_map(|(red, green)| steps.into_iter().map(move |blue| (red, green, blue)))
        {
            let accent = Accent::new(Colour([red, green, blue]));
            let SchemeColours { light, dark } = accent.readable();
            for (text, ground) in [
                (light, LIGHT_GROUND),
                (light, Colour::WHITE),
                (dark, DARK_GROUND),
                (dark, Colour([0x10, 0x12, 0x16])),
                (accent.on_fill(), accent.colour()),
            ] {
                assert!(text.contrast(ground) >= CONTRAST_MIN, "{text} on {ground}, of {accent:?}");
            }
        }
    }

    #[test]
    fn the_style_has_a_rule_for_each_scheme_of_colours() {
        let style = accent("#ffcc00").style();
        assert!(style.starts_with(":root { --act: #876c00; --fill: #ffcc00; --on-fill: #000000; }\n@media"), "{style}");
        assert!(style.contains("dark) { :root { --act: #ffcc00; --fill: #ffcc00;"), "{style}");
    }
}
