//! Names derived for Rust. One place, so that a clash is found by the check and not by rustc.

use crate::model::Operation;

/// The words of a name, in lower case: split at punctuation and where lower case meets upper.
///
/// `x402_order` and `x402-order` are `x402 order`, `chatCompletion` is `chat completion`, `GPTModel` is `gpt model`.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut current = String::new();
    let chars: Vec<char> = name.chars().collect();
    for (index, &letter) in chars.iter().enumerate() {
        let before = index.checked_sub(1).map(|at| chars[at]);
        let after_lower = before.is_some_and(|before| before.is_lowercase() || before.is_ascii_digit());
        let ends_acronym =
            before.is_some_and(char::is_uppercase) && chars.get(index + 1).is_some_and(|next| next.is_lowercase());
        let begins = letter.is_uppercase() && (after_lower || ends_acronym);
        if (begins || !letter.is_alphanumeric()) && !current.is_empty() {
            words.push(std::mem::take(&mut current));
        }
        if letter.is_alphanumeric() {
            current.extend(letter.to_lowercase());
        }
    }
    if !current.is_empty() {
        words.push(current);
    }
    words
}

/// `order_not_found` → `OrderNotFound`. A name that would begin with a digit gets an `N` in front.
#[must_use]
pub fn upper_camel(name: &str) -> String {
    let mut camel = String::new();
    for word in words(name) {
        let mut letters = word.chars();
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.extend(letters);
    }
    if camel.starts_with(|first: char| first.is_ascii_digit()) { format!("N{camel}") } else { camel }
}

/// `orderNotFound` → `order_not_found`. A name that would begin with a digit gets `n` in front; keywords are left to
/// the one who writes tokens (`r#type`).
#[must_use]
pub fn snake(name: &str) -> String {
    let snake = words(name).join("_");
    if snake.starts_with(|first: char| first.is_ascii_digit()) { format!("n{snake}") } else { snake }
}

/// The trait of an operation: `name.rust`, else `<Verb><Group>`: `chat.create` → `CreateChat`.
#[must_use]
pub fn operation_trait(name: &str, operation: &Operation) -> String {
    if let Some(rust) = &operation.name.rust {
        return rust.value.clone();
    }
    let (group, verb) = name.split_once('.').unwrap_or(("", name));
    format!("{}{}", upper_camel(verb), upper_camel(group))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_derived() {
        assert_eq!(upper_camel("ORDER_NOT_FOUND"), "OrderNotFound");
        assert_eq!(upper_camel("x402_order"), "X402Order");
        assert_eq!(upper_camel("14_wallets"), "N14Wallets");
        assert_eq!(snake("generateContent"), "generate_content");
        assert_eq!(snake("a-version"), "a_version");
        assert_eq!(snake("GPTModel"), "gpt_model");
    }
}
