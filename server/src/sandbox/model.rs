//! The deterministic model: the same conversation always gets the same answer, token by token.

use serde_json::Value;

/// Of an embedding.
const DIMENSIONS: usize = 64;

/// What the model makes of a conversation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Turn {
    /// Size of the prompt in sandbox tokens.
    pub(super) prompt_tokens: usize,
    /// The answer in sandbox tokens; joined they are the text.
    pub(super) tokens: Vec<String>,
    /// Whether the output bound cut it short.
    pub(super) cut: bool,
}

impl Turn {
    /// Answers the last user message of `messages`, in at most `tokens_max` tokens.
    pub(super) fn take(messages: &[Value], tokens_max: usize) -> Self {
        let texts: Vec<String> = messages.iter().map(text_of).collect();
        let prompt_tokens = texts.iter().map(|text| tokens_of(text).count()).sum();
        let asked = messages.iter().zip(&texts).rev().find(|(message, _)| message["role"] == "user");
        let said = asked.map_or("nothing", |(_, text)| text.as_str());
        let answer = format!("This is the sandbox model, not a real one. You said: {said}");
        let mut tokens: Vec<String> = tokens_of(&answer).map(str::to_owned).collect();
        let cut = tokens.len() > tokens_max;
        tokens.truncate(tokens_max);
        Self { prompt_tokens, tokens, cut }
    }

    /// Why it ended, in the words of format O.
    pub(super) fn finish_reason(&self) -> &'static str {
        if self.cut { "length" } else { "stop" }
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

/// Where a text stands among others: a direction of length 1, the same for the same words in any order.
#[expect(clippy::float_arithmetic, reason = "a direction is made of fractions; no money is reckoned here")]
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
        let whole = Turn::take(&messages, 100);
        assert_eq!((whole.prompt_tokens, whole.finish_reason()), (3, "stop"));
        assert!(whole.tokens.concat().ends_with("You said: hi there"));
        let cut = Turn::take(&messages, 2);
        assert_eq!((cut.tokens.concat().as_str(), cut.finish_reason()), ("This is", "length"));
    }
}
