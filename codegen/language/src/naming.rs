//! Names derived for Rust. One place, so that a clash is found by the check and not by rustc.

use std::borrow::Cow;
use std::cell::RefCell;

use crate::map::HashMap;
use crate::model::DeclaredOperation;

/// The words of a name, in lower case: split at punctuation and where lower case meets upper.
///
/// `x402_order` and `x402-order` are `x402 order`, `chatCompletion` is `chat completion`, `GPTModel` is `gpt model`.
#[must_use]
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    each_part(name, |part| words.push(part.chars().flat_map(char::to_lowercase).collect()));
    words
}

/// Adds a word in small letters.
fn lower(word: &str, to: &mut String) {
    if word.is_ascii() {
        let begins = to.len();
        to.push_str(word);
        to[begins..].make_ascii_lowercase();
    } else {
        to.extend(word.chars().flat_map(char::to_lowercase));
    }
}

/// Gives the words of a name as they stand in it, one after the other.
fn each_part<'n>(name: &'n str, mut give: impl FnMut(&'n str)) {
    if is_plain(name) {
        name.split('_').filter(|part| !part.is_empty()).for_each(give);
    } else {
        let words = name.split(|letter: char| !letter.is_alphanumeric());
        words.for_each(|word| humps(word).for_each(&mut give));
    }
}

/// True if letters are all small or all capitals, as in most names: then only `_` parts the words.
fn is_plain(name: &str) -> bool {
    let is_all =
        |of: fn(&u8) -> bool| name.bytes().all(|letter| letter == b'_' || letter.is_ascii_digit() || of(&letter));
    is_all(u8::is_ascii_lowercase)
        || is_all(u8::is_ascii_uppercase)
            && !name.as_bytes().windows(2).any(|pair| pair[0].is_ascii_digit() && pair[1].is_ascii_uppercase())
}

/// A word of letters and digits, split where a capital follows a small letter or a digit, or begins the word after an acronym.
fn humps(word: &str) -> impl Iterator<Item = &str> {
    let mut rest = word;
    std::iter::from_fn(move || {
        let mut letters = rest.char_indices().peekable();
        let (_, mut before) = letters.next()?;
        let mut ends = rest.len();
        while let Some((at, letter)) = letters.next() {
            let after_small = before.is_lowercase() || before.is_ascii_digit();
            let ends_acronym = before.is_uppercase() && letters.peek().is_some_and(|(_, next)| next.is_lowercase());
            if letter.is_uppercase() && (after_small || ends_acronym) {
                ends = at;
                break;
            }
            before = letter;
        }
        let hump;
        (hump, rest) = rest.split_at(ends);
        Some(hump)
    })
}

/// `order_not_found` → `OrderNotFound`. A name that would begin with a digit gets an `N` in front.
#[must_use]
pub fn upper_camel(name: &str) -> String {
    let mut camel = String::with_capacity(name.len() + 1);
    each_part(name, |part| {
        let begins = camel.len();
        lower(part, &mut camel);
        if camel[begins..].starts_with(|first: char| first.is_ascii_lowercase()) {
            camel[begins..=begins].make_ascii_uppercase();
        }
    });
    if camel.starts_with(|first: char| first.is_ascii_digit()) {
        camel.insert(0, 'N');
    }
    camel
}

/// The name of the catch-all variant: `Other`, or a longer one where a listed variant is called so.
#[must_use]
pub fn other_than(variants: &[&str]) -> String {
    let mut name = "Other".to_owned();
    while variants.contains(&name.as_str()) {
        name.push_str("ThanListed");
    }
    name
}

/// `orderNotFound` → `order_not_found`. A name that would begin with a digit gets `n` in front; keywords are left to
/// [`word`] (`r#type`).
#[must_use]
pub fn snake(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    each_part(name, |part| {
        if !snake.is_empty() {
            snake.push('_');
        }
        lower(part, &mut snake);
    });
    if snake.starts_with(|first: char| first.is_ascii_digit()) {
        snake.insert(0, 'n');
    }
    snake
}

/// A name as Rust takes it: a keyword becomes a raw one, and one that cannot be raw gets `_` behind it.
#[must_use]
pub fn word(name: &str) -> Cow<'_, str> {
    match name {
        "self" | "Self" | "super" | "crate" => Cow::Owned(format!("{name}_")),
        _ if is_keyword(name) => Cow::Owned(format!("r#{name}")),
        _ => Cow::Borrowed(name),
    }
}

/// Types that generated code names without a path, so that no type of a spec may be called so.
const PLAIN_TYPES: [&str; 7] = ["Box", "Deserialize", "Option", "Serialize", "String", "Usd", "Vec"];

/// The name of a type as Rust takes it: what generated code means by a name without a path gets
/// `_` behind it.
#[must_use]
pub fn type_word(name: &str) -> Cow<'_, str> {
    if PLAIN_TYPES.contains(&name) { Cow::Owned(format!("{name}_")) } else { word(name) }
}

/// The type of an error code, beside the types of the values that codes carry. The macro `OpError` calls it so, too.
#[must_use]
pub fn code_type(code: &str) -> String {
    let camel = upper_camel(code);
    match camel.as_str() {
        "Self" | "String" => camel + "_",
        _ => camel,
    }
}

/// The name of a module, as that of its file. What is no file of its own, and crates that every module sees, get `_` behind them;
/// other keywords are left to [`word`].
#[must_use]
pub fn module(name: &str) -> String {
    let snake = snake(name);
    match snake.as_str() {
        "self" | "super" | "crate" | "mod" | "alloc" | "core" | "std" => snake + "_",
        // Those that these modules lie in.
        "calls" | "machines" | "ops" | "types" => snake + "_",
        _ => snake,
    }
}

/// True for a keyword of Rust. The parser knows; it is asked once for each word, as names come again by the thousand.
#[must_use]
pub fn is_keyword(word: &str) -> bool {
    thread_local! {
        static ASKED: RefCell<HashMap<String, bool>> = RefCell::default();
    }
    // No keyword is longer or has other letters.
    let may_be = word.len() <= 8 && (word == "Self" || word.bytes().all(|letter| letter.is_ascii_lowercase()));
    if !may_be {
        return false;
    }
    ASKED.with_borrow_mut(|asked| {
        if let Some(is) = asked.get(word) {
            return *is;
        }
        // `gen` is one from the edition of 2024 on; the parser takes all editions.
        let is = word == "gen" || syn::parse_str::<syn::Ident>(word).is_err();
        asked.insert(word.to_owned(), is);
        is
    })
}

/// The trait of an operation: `name.rust`, else its verb, what it is done to, and the rest of its name: `keys.create` →
/// `CreateKey`, `keys.list` → `ListKeys`, `messages.count_tokens` → `CountMessageTokens`.
#[must_use]
pub fn operation_trait(name: &str, operation: &DeclaredOperation) -> String {
    if let Some(rust) = &operation.name.rust {
        return rust.value.clone();
    }
    let (group, act) = name.split_once('.').unwrap_or(("", name));
    let (verb, rest) = act.split_once('_').unwrap_or((act, ""));
    let thing = if verb == "list" && rest.is_empty() { Cow::Borrowed(group) } else { singular(group) };
    let name = [verb, &thing, rest].map(upper_camel).concat();
    // Beside the trait of another operation stand types with these ends.
    let ends = ["Error", "Format", "Has", "Head", "Headers", "Input", "Reply"];
    if ends.iter().any(|end| name.ends_with(end)) { name + "Operation" } else { name }
}

/// One of what a regular plural names; any other word as it is.
fn singular(word: &str) -> Cow<'_, str> {
    let sibilant = |stem: &&str| ["ss", "us", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end));
    if let Some(stem) = word.strip_suffix("ies") {
        return Cow::Owned(format!("{stem}y"));
    }
    if let Some(stem) = word.strip_suffix("es").filter(sibilant) {
        return Cow::Borrowed(stem);
    }
    let is_plural = !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is");
    Cow::Borrowed(word.strip_suffix('s').filter(|_| is_plural).unwrap_or(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_told() {
        for word in ["type", "Self", "self", "continue", "override", "abstract", "gen", "async", "try"] {
            assert!(is_keyword(word) && is_keyword(word), "{word}");
        }
        for word in ["union", "default", "auto", "raw", "Type", "typ", "selfs", "_", "a1"] {
            assert!(!is_keyword(word), "{word}");
        }
    }

    #[test]
    fn a_plural_names_one_of_them() {
        let words = [
            "keys",
            "entries",
            "addresses",
            "databases",
            "boxes",
            "videos",
            "moderations",
            "status",
            "address",
            "analysis",
            "chat",
        ];
        let one = [
            "key",
            "entry",
            "address",
            "database",
            "box",
            "video",
            "moderation",
            "status",
            "address",
            "analysis",
            "chat",
        ];
        assert_eq!(words.map(singular), one);
    }

    #[test]
    fn names_are_derived() {
        assert_eq!(upper_camel("ORDER_NOT_FOUND"), "OrderNotFound");
        assert_eq!(upper_camel("x402_order"), "X402Order");
        assert_eq!(upper_camel("14_wallets"), "N14Wallets");
        assert_eq!(snake("generateContent"), "generate_content");
        assert_eq!(snake("a-version"), "a_version");
        assert_eq!(snake("GPTModel"), "gpt_model");
        assert_eq!(snake("__x402--orderID2Go_"), "x402_order_id2_go");
        assert_eq!((snake("_one__2b_"), upper_camel("_one__2b_")), ("one_2b".to_owned(), "One2b".to_owned()));
        // A capital after a digit begins a word, whatever the others are.
        assert_eq!((snake("X402_P2P"), upper_camel("X402_P2P")), ("x402_p2_p".to_owned(), "X402P2P".to_owned()));
        assert_eq!(words("Größe ÄÖü 9Lives"), ["größe", "ä", "öü", "9", "lives"]);
        assert_eq!((upper_camel("").as_str(), snake("--").as_str()), ("", ""));
        assert_eq!([type_word("String"), type_word("Self"), type_word("Text")], ["String_", "Self_", "Text"]);
        assert_eq!([module("mod"), module("SELF"), module("type")], ["mod_", "self_", "type"]);
    }
}
