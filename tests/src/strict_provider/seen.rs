//! What the model sees of a request, whatever its format.

use serde_json::Value;

use super::check::{Checked, Complaint, ensure};

/// Whether the model may call.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) enum Calling {
    #[default]
    Free,
    Never,
    Must,
    Named(String),
}

/// A tool on offer.
#[derive(Debug)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) schema: Value,
}

/// What the model sees of a request.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) stream: bool,
    /// Whether the stream's usage was asked for.
    pub(super) wants_usage: bool,
    pub(super) wants_thoughts: bool,
    /// Whether a turn that calls has to begin with what was thought.
    pub(super) wants_thoughts_first: bool,
    /// Whether they are to be told, in the format that can keep them to itself.
    pub(super) wants_summary: bool,
    /// Whether signatures are to be given out.
    pub(super) wants_signatures: bool,
    pub(super) system: Vec<String>,
    pub(super) roles: Vec<&'static str>,
    pub(super) text: String,
    pub(super) pictures: Vec<String>,
    pub(super) tools: Vec<Tool>,
    pub(super) calling: Calling,
    pub(super) schema: Option<Value>,
    /// What bounds and shapes the answer, in words that are the same in all formats.
    pub(super) settings: Vec<String>,
    /// Thoughts of earlier turns that came back whole.
    pub(super) remembered: usize,
    /// Calls of earlier turns.
    pub(super) calls_before: usize,
    /// Calls without a result, with their first argument.
    pub(super) open: Vec<(String, String)>,
    /// Results of the last turn, with the argument of their call.
    pub(super) results: Vec<String>,
}

impl Seen {
    /// A turn of this role begins, unless it goes on.
    pub(super) fn turn(&mut self, role: &'static str) {
        if self.roles.last() == Some(&role) {
            return;
        }
        self.roles.push(role);
        if role == "assistant" {
            self.results.clear();
        }
        self.text.clear();
        self.pictures.clear();
    }

    /// More of the user's words.
    pub(super) fn say(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A call in the history.
    pub(super) fn called(&mut self, id: &str, arguments: &Value) {
        let first = arguments.as_object().and_then(|members| members.values().next()).and_then(Value::as_str);
        self.open.push((id.to_owned(), first.unwrap_or_default().to_owned()));
        self.calls_before += 1;
    }

    /// A result of a call in the turn before.
    pub(super) fn result(&mut self, id: &str, text: &str) -> Checked {
        let Some(place) = self.open.iter().position(|(open, _)| open == id) else {
            return Err(Complaint::new(format!("unexpected tool result: no tool call found for id {id}")));
        };
        let (_, argument) = self.open.remove(place);
        self.results.push(format!("{argument}={text}"));
        Ok(())
    }

    /// Whether the last turn answers calls.
    pub(super) fn has_results(&self) -> bool {
        !self.results.is_empty()
    }

    /// Refuses a conversation that goes on while calls have no result.
    pub(super) fn answered(&self) -> Checked {
        let ids: Vec<&str> = self.open.iter().map(|(id, _)| id.as_str()).collect();
        ensure(ids.is_empty(), format!("tool calls without a tool result immediately after: {}", ids.join(", ")))
    }

    /// The results of the last turn, and what came beside them.
    pub(super) fn told_results(&self) -> String {
        let mut told = format!("results: {}", self.results.join(" | "));
        let more = [("then", self.text.clone()), ("pictures", self.pictures.join(", "))];
        for (word, what) in more.into_iter().filter(|(_, what)| !what.is_empty()) {
            told.push_str(&format!("; {word}: {what}"));
        }
        self.with_memory(told)
    }

    /// A text, and how many thoughts came back whole.
    pub(super) fn with_memory(&self, told: String) -> String {
        if self.remembered == 0 { told } else { format!("{told}; remembered: {}", self.remembered) }
    }
}
