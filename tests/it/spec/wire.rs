//! What the derives make: no byte of an unknown member is lost, absent is not null, and complaints name the field.

mod any;
mod kept;
mod refused;

use tollgate_macros::{Wire, WireEnum, WireUnion};

use crate::api::wire::{Json, Map, Number, Object, Refusal, Rest, Unknown, read};

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml: Chat", open)]
struct Chat {
    #[wire(min_len = 1, max_len = 8)]
    model: String,
    #[wire(min_items = 1, max_items = 3)]
    messages: Vec<Turn>,
    #[wire(optional, min = 1, max = 100)]
    n: Option<i64>,
    #[wire(optional, nullable, min = 0, max = 2)]
    temperature: Option<Option<Number>>,
    #[wire(default = "false")]
    stream: bool,
    #[wire(optional)]
    usage: Option<Usage>,
    #[wire(name = "type", optional, literal = "chat")]
    kind: Option<&'static str>,
    #[wire(optional, max_items = 2)]
    metadata: Option<Map<String>>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml: Usage")]
struct Usage {
    prompt_tokens: u32,
    #[wire(nullable)]
    cached: Option<u8>,
    #[wire(default = "[1, 2]")]
    shares: Vec<i64>,
    #[wire(literal = "usage")]
    object: &'static str,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml: Turn", open)]
struct Turn {
    role: Role,
    content: Vec<Block>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, WireEnum)]
#[wire(spec = "spec/types/chat.yaml: Role")]
enum Role {
    #[wire(name = "user")]
    User,
    #[wire(name = "assistant")]
    Assistant,
}

#[derive(Debug, Clone, PartialEq, Eq, WireEnum)]
enum Reason {
    #[wire(name = "end_turn")]
    EndTurn,
    #[wire(other)]
    Other(String),
}

#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "type", spec = "spec/types/chat.yaml: Block")]
enum Block {
    #[wire(name = "text")]
    Text(Text),
    #[wire(name = "image")]
    Image(Box<Image>),
    #[wire(name = "group")]
    Group(Box<Group>),
    #[wire(name = "ping")]
    Ping,
    #[wire(other)]
    Other(Unknown),
}

#[derive(Debug, Clone, PartialEq, WireUnion)]
#[wire(by = "kind")]
enum Closed {
    #[wire(name = "text")]
    Text(Text),
    #[wire(name = "empty")]
    Empty,
}

#[derive(Debug, Clone, PartialEq, Wire)]
struct Text {
    text: String,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Image {
    #[wire(name = "type", literal = "image")]
    kind: &'static str,
    source: Json,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Group {
    content: Vec<Block>,
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(open)]
struct Free {
    #[wire(rest)]
    rest: Rest,
}

#[derive(Debug, Clone, PartialEq, Wire)]
struct Nothing {}

#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/types/chat.yaml: Address", min_len = 3, max_len = 5)]
struct Address(String);

#[derive(Debug, Clone, PartialEq, Wire)]
struct Wallets {
    addresses: Vec<Address>,
    #[wire(optional)]
    by_chain: Option<Map<Vec<Option<u8>>>>,
}

fn written<T: Object>(value: &T) -> String {
    let mut text = Vec::new();
    let mut serializer = serde_json::Serializer::new(&mut text);
    crate::api::wire::write_object(value, &mut serializer).expect("writes");
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// Reads and writes again: the same text.
fn survives<T: Object + serde_json_de::Owned>(text: &str) -> T {
    let value: T = read(text.as_bytes()).unwrap_or_else(|refusal| panic!("{text}\n{refusal}"));
    assert_eq!(written(&value), text);
    value
}

/// What reading `text` complains of.
fn refused<T: serde_json_de::Owned + std::fmt::Debug>(text: &str) -> Refusal {
    match read::<T>(text.as_bytes()) {
        Ok(value) => panic!("{text} was read as {value:?}"),
        Err(refusal) => refusal,
    }
}

fn check_refused<T: serde_json_de::Owned + std::fmt::Debug>(cases: &[(&str, &str)]) {
    for (text, complaint) in cases {
        assert_eq!(refused::<T>(text).to_string(), *complaint, "{text}");
    }
}

/// serde's name, through the runtime's door.
mod serde_json_de {
    pub(super) use crate::api::wire::serde::de::DeserializeOwned as Owned;
}
