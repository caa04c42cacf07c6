//! The formats, and the upstream and model that an encoder writes for.

use super::ModelCapabilities;

/// A text format: of a client, or of a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Format O: `/v1/chat/completions`.
    Chat,
    /// Format O's older operation, `/v1/completions`: of clients alone. Providers that have it speak [`Format::Chat`].
    Completions,
    /// The responses API: `/v1/responses`.
    Responses,
    /// Format A: `/v1/messages`.
    Messages,
    /// Format G: `/v1beta/models/{model}:generateContent`.
    Generate,
}

impl Format {
    /// True if providers of the format take a function of this name.
    #[must_use]
    pub fn takes_function_name(self, name: &str) -> bool {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        match self {
            Self::Chat | Self::Completions | Self::Responses => {
                (1..=64).contains(&name.len()) && name.bytes().all(plain)
            }
            Self::Messages => (1..=128).contains(&name.len()) && name.bytes().all(plain),
            Self::Generate => {
                let letters = name.bytes().all(|byte| plain(byte) || matches!(byte, b'.' | b':'));
                letters
                    && name.len() <= 64
                    && name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            }
        }
    }
}

/// The upstream and the model that a request is written for.
#[derive(Debug, Clone, Copy)]
pub struct ConversionTarget<'a> {
    /// The provider's name in the configuration: the maker of the signatures that it gets back.
    pub upstream: &'a str,
    /// The model's name there.
    pub model: &'a str,
    /// The longest output of the model, in tokens: written where the format requires a bound and the client gave none.
    pub output_max: u64,
    /// The bound that the credit buys, in tokens, where that is less than what the client may have.
    pub output_bought: Option<u64>,
    /// True if the output bound of format O goes by its older name, `max_tokens`.
    pub older_bound_name: bool,
    /// True if caching is to be requested for a client whose own format caches without being asked.
    pub asks_for_cache: bool,
    /// The capabilities of the model.
    pub capabilities: ModelCapabilities,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_has_names_that_it_takes() {
        const FORMATS: [Format; 4] = [Format::Chat, Format::Responses, Format::Messages, Format::Generate];
        let [fits, longer, longest] = [64, 65, 129].map(|length| "x".repeat(length));
        for (name, takes) in [
            ("f", [true; 4]),
            ("_a-1", [true; 4]),
            (fits.as_str(), [true; 4]),
            (longer.as_str(), [false, false, true, false]),
            (longest.as_str(), [false; 4]),
            ("1a", [true, true, true, false]),
            ("-a", [true, true, true, false]),
            ("a.b:c", [false, false, false, true]),
            ("é", [false; 4]),
            ("", [false; 4]),
        ] {
            assert_eq!(FORMATS.map(|format| format.takes_function_name(name)), takes, "{name}");
        }
    }
}
