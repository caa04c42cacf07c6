//! The places of a body of format G where an output bound is written.

use std::ops::Range;

use bytes::Bytes;

use tollgate_formats::wire::splice::JsonSplice;

/// The ranges of the body where an output bound can be written.
#[derive(Debug)]
pub(super) struct GenerateEditPlaces {
    pub(super) config: Option<Range<usize>>,
    /// A configuration that is null.
    pub(super) null_config: Option<Range<usize>>,
    /// A bound that is null.
    pub(super) null: Option<Range<usize>>,
}

impl GenerateEditPlaces {
    /// Writes `output_bound`, if there is one; the client gave none of its own then.
    pub(super) fn edit(&self, bytes: &Bytes, output_bound: Option<u64>, splice: &mut JsonSplice) {
        if let Some(bound) = output_bound {
            match (&self.config, &self.null) {
                (_, Some(null)) => splice.replace(null.clone(), bound.to_string()),
                (Some(config), None) => {
                    let empty = bytes[config.start + 1..config.end].trim_ascii_start().starts_with(b"}");
                    let comma = if empty { "" } else { "," };
                    let at = config.start + 1;
                    splice.replace(at..at, format!("\"maxOutputTokens\":{bound}{comma}"));
                }
                (None, None) if let Some(null) = &self.null_config => {
                    splice.replace(null.clone(), format!("{{\"maxOutputTokens\":{bound}}}"));
                }
                (None, None) => {
                    let brace = bytes.iter().position(|byte| *byte == b'{').expect("a proxied body is a JSON object");
                    let at = brace + 1;
                    splice.replace(at..at, format!("\"generationConfig\":{{\"maxOutputTokens\":{bound}}},"));
                }
            }
        }
    }
}
