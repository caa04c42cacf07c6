//! The facts of public lists about models beside their prices. What a list does not tell is not known, and is not guessed.

use serde_json::{Map, Value};

use tollgate_formats::{InputKind, ThinkingMode};

/// The facts about a model, by the keys of a configuration.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct ModelFacts {
    pub(in super::super) context_tokens: Option<u64>,
    pub(in super::super) max_output_tokens: Option<u64>,
    pub(in super::super) thinking: Option<ThinkingMode>,
    pub(in super::super) sampling: Option<bool>,
    /// Empty where it is not known.
    pub(in super::super) input: Vec<InputKind>,
    pub(in super::super) structured_output: Option<bool>,
    pub(in super::super) tools: Option<bool>,
}

/// The members of a model, each of which may hold anything.
struct ModelColumns<'a>(&'a Map<String, Value>);

/// The facts of a list with a column for each capability of a model.
pub(super) fn by_columns(model: &Value) -> ModelFacts {
    let Some(columns) = ModelColumns::of(model) else { return ModelFacts::default() };
    let thinking = match (columns.flag("supports_adaptive_thinking"), columns.flag("supports_reasoning")) {
        (Some(true), _) => Some(ThinkingMode::Adaptive),
        (_, Some(false)) => Some(ThinkingMode::None),
        // Whether it goes by a word or by a budget stands nowhere.
        _ => columns.flag("supports_legacy_thinking").filter(|legacy| *legacy).map(|_| ThinkingMode::Budget),
    };
    let reads = [
        (InputKind::Image, "supports_vision"),
        (InputKind::Pdf, "supports_pdf_input"),
        (InputKind::Audio, "supports_audio_input"),
        (InputKind::Video, "supports_video_input"),
    ];
    let told = reads.iter().any(|(_, column)| columns.flag(column).is_some());
    let kinds = reads.iter().filter(|(_, column)| columns.flag(column) == Some(true)).map(|(kind, _)| *kind);
    ModelFacts {
        context_tokens: columns.tokens("max_input_tokens"),
        max_output_tokens: columns.tokens("max_output_tokens"),
        thinking,
        sampling: columns.flag("supports_sampling_params"),
        input: if told { [InputKind::Text].into_iter().chain(kinds).collect() } else { Vec::new() },
        structured_output: columns.flag("supports_response_schema"),
        tools: columns.flag("supports_function_calling"),
    }
    .consistent()
}

/// The facts of a list that names the parameters which a model takes.
pub(super) fn by_parameters(model: &Value) -> ModelFacts {
    let Some(columns) = ModelColumns::of(model) else { return ModelFacts::default() };
    let parameters = columns.words(&["supported_parameters"]).filter(|parameters| !parameters.is_empty());
    let takes = |name: &str| parameters.as_ref().map(|parameters| parameters.contains(&name));
    ModelFacts {
        context_tokens: columns.tokens("context_length"),
        max_output_tokens: columns.at(&["top_provider", "max_completion_tokens"]).and_then(Value::as_u64),
        // How one is told to that thinks stands nowhere.
        thinking: takes("reasoning").filter(|thinks| !thinks).map(|_| ThinkingMode::None),
        sampling: takes("temperature"),
        input: columns.kinds(&["architecture", "input_modalities"]),
        structured_output: takes("structured_outputs"),
        tools: takes("tools"),
    }
    .consistent()
}

/// The facts of a list with models below their providers.
pub(super) fn by_provider(model: &Value) -> ModelFacts {
    let Some(columns) = ModelColumns::of(model) else { return ModelFacts::default() };
    let limit = |name: &str| columns.at(&["limit", name]).and_then(Value::as_u64);
    ModelFacts {
        context_tokens: limit("context"),
        max_output_tokens: limit("output"),
        thinking: columns.flag("reasoning").filter(|thinks| !thinks).map(|_| ThinkingMode::None),
        sampling: columns.flag("temperature"),
        input: columns.kinds(&["modalities", "input"]),
        structured_output: columns.flag("structured_output"),
        tools: columns.flag("tool_call"),
    }
    .consistent()
}

impl ModelFacts {
    /// Without lengths that no model can have: nothing at all, or an output that is longer than all together.
    fn consistent(mut self) -> Self {
        self.context_tokens = self.context_tokens.filter(|tokens| *tokens > 0);
        let most = self.context_tokens.unwrap_or(u64::MAX);
        self.max_output_tokens = self.max_output_tokens.filter(|tokens| (1..=most).contains(tokens));
        self
    }

    /// True if any fact is known.
    pub(in super::super) fn any(&self) -> bool {
        *self != Self::default()
    }
}

impl<'a> ModelColumns<'a> {
    fn of(model: &'a Value) -> Option<Self> {
        model.as_object().map(Self)
    }

    fn flag(&self, name: &str) -> Option<bool> {
        self.0.get(name)?.as_bool()
    }

    /// A length; some lists write it with a fraction of nothing.
    fn tokens(&self, name: &str) -> Option<u64> {
        let value = self.0.get(name)?;
        value.as_u64().or_else(|| value.to_string().strip_suffix(".0")?.parse().ok())
    }

    fn at(&self, path: &[&str]) -> Option<&'a Value> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.0.get(*first)?, |value, name| value.get(name))
    }

    fn words(&self, path: &[&str]) -> Option<Vec<&'a str>> {
        Some(self.at(path)?.as_array()?.iter().filter_map(Value::as_str).collect())
    }

    /// Kinds of input; those that have no word here are passed over.
    fn kinds(&self, path: &[&str]) -> Vec<InputKind> {
        let words = self.words(path).unwrap_or_default();
        let among = |kind: &InputKind| words.iter().any(|word| *word == kind.word() || (*word, *kind) == FILES);
        InputKind::ALL.into_iter().filter(among).collect()
    }
}

/// One list calls documents so.
const FILES: (&str, InputKind) = ("file", InputKind::Pdf);
