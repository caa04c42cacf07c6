//! Name, logo and colour that the pages for people bear.

mod accent;
mod contrast;
mod logo;

use std::fmt;

pub use accent::{Accent, InvalidAccent, SchemeColours};
pub use contrast::Colour;
pub use logo::{InvalidLogo, LOGO_BYTES_MAX, Logo};

/// The letters that a name may have.
const NAME_MAX: usize = 64;

/// Name, logo and colour of a service, on the pages of its operators and of its customers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Branding {
    /// The name, in the header and the title of each page.
    pub name: ServiceName,
    /// The picture beside the name.
    pub logo: Option<Logo>,
    /// The colour of buttons, links and charts; absent: that of the style.
    pub accent: Option<Accent>,
}

/// The name of a service for people: 1 to 64 letters without line breaks and outer spaces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceName(String);

/// The text is no name for people.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("must have 1 to {NAME_MAX} letters, no line breaks or other control characters, and no spaces around it")]
pub struct InvalidServiceName;

impl ServiceName {
    /// Takes a text for a name.
    ///
    /// # Errors
    /// When it is empty or too long, or has control characters or outer spaces.
    pub fn new(text: &str) -> Result<Self, InvalidServiceName> {
        let fits = (1..=NAME_MAX).contains(&text.chars().count());
        let is_plain = text.trim() == text && !text.chars().any(char::is_control);
        if fits && is_plain { Ok(Self(text.to_owned())) } else { Err(InvalidServiceName) }
    }
}

impl Default for ServiceName {
    fn default() -> Self {
        Self("Tollgate".to_owned())
    }
}

impl fmt::Display for ServiceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_line_of_its_own() {
        let longest = "é".repeat(NAME_MAX);
        for name in ["A", "Acme & Söhne <AI>", longest.as_str()] {
            assert_eq!(ServiceName::new(name).map(|name| name.to_string()), Ok(name.to_owned()));
        }
        for name in ["", " ", " A", "A ", "A\nB", "A\u{7f}", &"e".repeat(NAME_MAX + 1)] {
            assert_eq!(ServiceName::new(name), Err(InvalidServiceName), "{name:?}");
        }
        assert_eq!(Branding::default().name.to_string(), "Tollgate");
    }
}
