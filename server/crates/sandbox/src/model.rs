//! The deterministic model: the same conversation always gets the same answer, token by token.

use serde_json::Value;

use super::tools::SandboxToolCall;

/// The first sentence of every answer.
const NOT_REAL: &str = "This is the sandbox model, not a real one.";
/// Dimensions of an embedding.
const DIMENSIONS: usize = 64;

/// The answer of the model to a conversation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SandboxAnswer {
    /// Size of the prompt in sandbox tokens.
    pub(super) prompt_tokens: usize,
    /// The answer in sandbox tokens; joined they are the text, or the arguments of the call.
    pub(super) tokens: Vec<String>,
    /// The tool that is called, where the answer is a call.
    pub(super) tool: Option<String>,
    /// True if the output bound cut the answer short.
    pub(super) cut: bool,
}

impl SandboxAnswer {
    /// Answers what the conversation of `request` ends with, in at most `tokens_max` tokens: calls the tool that the user
    /// names, tells what tools gave, or else what the user said.
    pub(super) fn take(request: &Value, tokens_max: usize) -> Self {
        let messages = request["messages"].as_array().map_or(&[][..], Vec::as_slice);
        let texts: Vec<String> = messages.iter().map(text_of).collect();
        let prompt_tokens = texts.iter().map(|text| tokens_of(text).count()).sum();
        let last_said = messages.iter().rposition(|message| message["role"] == "assistant").map_or(0, |at| at + 1);
        let since = |role: &'static str| {
            let new = messages.iter().zip(&texts).skip(last_said);
            new.filter(move |(message, _)| message["role"] == role).map(|(_, text)| text.as_str())
        };
        let results: Vec<&str> = since("tool").collect();
        let users = since("user").collect::<Vec<_>>().join("\n");
        let (tool, answer) = match SandboxToolCall::asked(request, &users, !results.is_empty()) {
            Some(SandboxToolCall { name, arguments }) => (Some(name), arguments),
            None if !results.is_empty() => (None, format!("{NOT_REAL} The tool gave: {}", results.join("\n"))),
            None => {
                let asked = messages.iter().zip(&texts).rev().find(|(message, _)| message["role"] == "user");
                (None, format!("{NOT_REAL} You said: {}", asked.map_or("nothing", |(_, text)| text.as_str())))
            }
        };
        let mut tokens: Vec<String> = tokens_of(&answer).map(str::to_owned).collect();
        let cut = tokens.len() > tokens_max;
        tokens.truncate(tokens_max);
        Self { prompt_tokens, tokens, tool, cut }
    }

    /// Tokens of the answer; the name of a tool counts as one.
    pub(super) fn completion_tokens(&self) -> usize {
        self.tokens.len() + usize::from(self.tool.is_some())
    }

    /// The reason for the end, in the words of format O.
    pub(super) fn finish_reason(&self) -> &'static str {
        match (self.cut, &self.tool) {
            (true, _) => "length",
            (false, Some(_)) => "tool_calls",
            (false, None) => "stop",
        }
    }
}

/// A sandbox token is a run of white space and the word after it.
pub(super) fn tokens_of(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let word = rest.find(|letter: char| !letter.is_whitespace()).unwrap_or(rest.len());
        let end = rest[word..].find(char::is_whitespace).map_or(rest.len(), |length| word + length);
        let (token, after) = rest.split_at(end);
        rest = after;
        (!token.is_empty()).then_some(token)
    })
}

/// The embedding of a text: a vector of length 1, the same for the same words in any order.
#[expect(clippy::float_arithmetic, reason = "a direction, never money")]
pub(super) fn embedding(text: &str) -> Vec<f32> {
    let mut counts = [0_u16; DIMENSIONS];
    for word in text.split_whitespace() {
        // FNV-1a: any spread of words over the dimensions will do.
        let hash = word
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let place = usize::try_from(hash >> 32).unwrap_or_default() % DIMENSIONS;
        counts[place] = counts[place].saturating_add(1);
    }
    let values = counts.map(f32::from);
    let length = values.iter().map(|value| value * value).sum::<f32>().sqrt();
    values.iter().map(|value| if length > 0.0 { value / length } else { 0.0 }).collect()
}

/// The text of a message: its content, or the text parts of it.
fn text_of(message: &Value) -> String {
    match &message["content"] {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join(" "),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tokens_joined_are_the_text() {
        for text in ["", "a", " a  b\n", "é ü", "   "] {
            assert_eq!(tokens_of(text).collect::<String>(), text);
        }
        assert_eq!(tokens_of("one two  three").count(), 3);
    }

    #[test]
    fn texts_of_the_same_words_lie_in_the_same_direction() {
        assert_eq!(embedding("a cat sleeps"), embedding("sleeps  a cat"));
        assert_ne!(embedding("a cat"), embedding("a dog barks"));
        let length: f32 = embedding("a cat sleeps").iter().map(|value| value * value).sum();
        assert!((length - 1.0).abs() < 1e-5, "{length}");
    }

    #[test]
    fn the_last_user_message_is_answered_within_the_bound() {
        let messages =
            [json!({"role": "user", "content": "first"}), json!({"role": "user", "content": [{"text": "hi there"}]})];
        let request = json!({"messages": messages});
        let whole = SandboxAnswer::take(&request, 100);
        assert_eq!((whole.prompt_tokens, whole.finish_reason()), (3, "stop"));
        assert!(whole.tokens.concat().ends_with("You said: hi there"));
        let cut = SandboxAnswer::take(&request, 2);
        assert_eq!((cut.tokens.concat().as_str(), cut.finish_reason()), ("This is", "length"));
    }

    #[test]
    fn a_tool_is_called_once_and_its_result_told() {
        let mut request = json!({
            "tools": [{"type": "function", "function": {"name": "look", "parameters": {}}}],
            "messages": [{"role": "user", "content": "use look"}],
        });
        let call = SandboxAnswer::take(&request, 100);
        assert_eq!(
            (call.tool.as_deref(), call.tokens.concat().as_str(), call.finish_reason()),
            (Some("look"), "{}", "tool_calls")
        );
        assert_eq!((call.completion_tokens(), SandboxAnswer::take(&request, 0).finish_reason()), (2, "length"));
        let more = [
            json!({"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function"}]}),
            json!({"role": "tool", "tool_call_id": "c", "content": "two cats"}),
            json!({"role": "user", "content": "a reminder of the program"}),
        ];
        request["messages"].as_array_mut().expect("a list").extend(more);
        let told = SandboxAnswer::take(&request, 100);
        assert_eq!((told.tool.as_deref(), told.finish_reason()), (None, "stop"));
        assert!(told.tokens.concat().ends_with("The tool gave: two cats"));
        request["tool_choice"] = json!("required");
        assert_eq!(SandboxAnswer::take(&request, 100).tool, None, "it was called");
        request["messages"].as_array_mut().expect("a list").push(json!({"role": "user", "content": "use look again"}));
        assert_eq!(SandboxAnswer::take(&request, 100).tool.as_deref(), Some("look"));
    }
}
