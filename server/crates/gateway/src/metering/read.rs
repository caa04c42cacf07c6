//! The reading of a reply or an event, in each format by the file of its name.

use tollgate_formats::Format;

use super::event::MeteredEvent;
use super::{generate, messages, responses};

impl<'a> MeteredEvent<'a> {
    /// Looks over one JSON object.
    ///
    /// # Errors
    /// When it is not one, or has no shape of its format.
    pub fn read(format: Format, json: &'a [u8]) -> Result<Self, serde_json::Error> {
        let seen = match format {
            Format::Chat | Format::Completions => serde_json::from_slice(json),
            Format::Messages => messages::look(json),
            Format::Generate => generate::look(json),
            Format::Responses => responses::look(json),
        }?;
        Ok(Self { json, ..seen })
    }
}
