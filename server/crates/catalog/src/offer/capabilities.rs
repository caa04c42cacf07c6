//! Capabilities of models, as written: beside the model, or in the price list for what is not written beside it.

use serde::{Deserialize, Serialize};

use tollgate_formats::{InputKind, ModelCapabilities, ThinkingMode};

/// The capabilities of a model; absent ones are not known.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::offer) struct WrittenCapabilities {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) thinking: Option<ThinkingMode>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) sampling: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) input: Option<Vec<InputKind>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) structured_output: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(in crate::offer) tools: Option<bool>,
}

/// The facts of a price list about a model beside its price; absent ones are not known.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(in crate::offer) struct ListedModel {
    pub(super) context_tokens: Option<u64>,
    pub(super) max_output_tokens: Option<u64>,
    pub(super) capabilities: WrittenCapabilities,
}

impl WrittenCapabilities {
    /// The capabilities in the gateway's form.
    pub(super) fn resolve(&self) -> ModelCapabilities {
        ModelCapabilities {
            thinking: self.thinking,
            sampling: self.sampling,
            input: self.input.as_ref().map(|kinds| kinds.iter().copied().collect()),
            structured_output: self.structured_output,
            tools: self.tools,
        }
    }

    /// True if nothing is known.
    pub(in crate::offer) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Takes what is not written here from another.
    pub(super) fn fill(&mut self, other: &Self) {
        let Self { thinking, sampling, input, structured_output, tools } = self;
        *thinking = thinking.or(other.thinking);
        *sampling = sampling.or(other.sampling);
        *input = input.take().or_else(|| other.input.clone());
        *structured_output = structured_output.or(other.structured_output);
        *tools = tools.or(other.tools);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str) -> WrittenCapabilities {
        toml::from_str(text).expect("capabilities")
    }

    #[test]
    fn what_is_written_beside_a_model_goes_before_what_a_list_knows() {
        let mut own = written("sampling = true\ninput = [\"pdf\"]");
        own.fill(&written("thinking = \"budget\"\nsampling = false\ninput = [\"text\", \"image\"]\ntools = false"));
        let ModelCapabilities { thinking, sampling, input, structured_output, tools } = own.resolve();
        assert_eq!(thinking, Some(ThinkingMode::Budget));
        assert_eq!((sampling, structured_output, tools), (Some(true), None, Some(false)));
        let words: Vec<_> = input.expect("written").iter().map(InputKind::word).collect();
        assert_eq!(words, ["text", "pdf"]);
        assert_eq!(WrittenCapabilities::default().resolve(), ModelCapabilities::default());
    }

    #[test]
    fn other_words_are_refused() {
        for text in ["thinking = \"much\"", "input = [\"smell\"]", "sampling = \"no\"", "vision = true"] {
            assert!(toml::from_str::<WrittenCapabilities>(text).is_err(), "{text}");
        }
    }
}
