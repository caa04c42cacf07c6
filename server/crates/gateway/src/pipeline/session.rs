//! Sessions: the requests of one conversation, which find what they repeat in the cache of the provider that answered the
//! turn before.
//!
//! The candidate of a session is found by rendezvous hashing, so that nodes agree without a word between them. A session
//! has the name that its client gives it, or else is known by what all its turns begin with. Names of different accounts are
//! different.

use http::{HeaderMap, HeaderValue};
use sha2::{Digest, Sha256};

use crate::inbound::InboundRequest;
use crate::routing::model::Candidate;
use tollgate_api::FastScanner;
use tollgate_base::AccountId;
use tollgate_formats::Format;

/// Headers in which programs name their session, the surest first.
const HEADERS: [&str; 3] = ["x-session-id", "session_id", "x-session-affinity"];
/// Members that are not the same in each turn: marks of a cache move, and ids are given when a turn is stored.
const PASSING: [&str; 7] = ["cache_control", "id", "status", "type", "role", "annotations", "phase"];
/// The bytes of one text that are looked at, beside its length.
const TEXT_BYTES: usize = 1_024;
/// The depth to which texts are looked for; a value below counts as one text.
const DEPTH: usize = 8;

/// The hash of a session's name, or of what its turns begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionHash([u8; 32]);

impl SessionHash {
    /// The session of a request of an account.
    #[must_use]
    pub fn of(account: AccountId, headers: &HeaderMap, inbound: &InboundRequest) -> Self {
        let mut hash = Sha256::new();
        hash.update(account.0.to_be_bytes());
        let named = HEADERS.iter().find_map(|name| headers.get(*name).map(HeaderValue::as_bytes));
        match named.filter(|name| !name.is_empty()) {
            Some(name) => add(&mut hash, name),
            // A body that cannot be read has no name; the provider will say why.
            None => {
                let _ = in_body(inbound.format, &inbound.bytes, &mut hash);
            }
        }
        Self(hash.finalize().into())
    }

    /// The hash of the session with a candidate, the same on every node.
    #[must_use]
    pub fn with(&self, candidate: &Candidate) -> u64 {
        let mut hash = Sha256::new();
        hash.update(self.0);
        add(&mut hash, candidate.upstream.name().as_bytes());
        add(&mut hash, candidate.model.as_bytes());
        let hash: [u8; 32] = hash.finalize().into();
        hash[..8].iter().fold(0, |number, byte| (number << 8) | u64::from(*byte))
    }
}

/// The parts of a body that all turns of a conversation begin with, as they are written.
#[derive(Default)]
struct ConversationStart<'b> {
    system: Option<&'b str>,
    tools: Option<&'b str>,
    conversation: Option<&'b str>,
}

/// Adds the session's name in a body, or what its turns begin with.
fn in_body(format: Format, bytes: &[u8], hash: &mut Sha256) -> Option<()> {
    let mut json = FastScanner::trusting(std::str::from_utf8(bytes).ok()?);
    let mut start = ConversationStart::default();
    let mut named = None;
    json.members(|name, json| {
        let text = json.text()?;
        match (&*name, format) {
            ("prompt_cache_key", Format::Chat | Format::Completions | Format::Responses) => named = Some(text),
            ("metadata", Format::Messages) => named = user_id(text),
            ("system" | "instructions" | "systemInstruction" | "system_instruction", _) => start.system = Some(text),
            ("tools", _) => start.tools = Some(text),
            ("messages" | "input" | "contents" | "prompt", _) => start.conversation = Some(text),
            _ => {}
        }
        Some(())
    })?;
    // An empty or null name is none.
    if let Some(name) = named.filter(|name| name.starts_with('"') && *name != "\"\"") {
        add_text(hash, name);
        return Some(());
    }
    for text in start.system.into_iter().chain(start.tools) {
        texts(&mut FastScanner::trusting(text), DEPTH, hash)?;
    }
    first_turn(start.conversation?, hash)
}

/// The user in the metadata of format A; programs put their session there.
fn user_id(metadata: &str) -> Option<&str> {
    let mut found = None;
    FastScanner::trusting(metadata).members(|name, json| {
        let text = json.text()?;
        if name == "user_id" {
            found = Some(text);
        }
        Some(())
    })?;
    found
}

/// Adds a conversation up to the first that its user says in it.
fn first_turn(conversation: &str, hash: &mut Sha256) -> Option<()> {
    let mut json = FastScanner::trusting(conversation);
    if json.first()? != b'[' {
        return texts(&mut json, DEPTH, hash);
    }
    json.takes(b'[').then_some(())?;
    let mut more = !json.takes(b']');
    while more {
        let turn = json.text()?;
        texts(&mut FastScanner::trusting(turn), DEPTH, hash)?;
        if is_of_user(turn) {
            break;
        }
        more = json.takes(b',');
    }
    Some(())
}

/// True if a turn is the user's: its role says so, or it is no object that could have one.
fn is_of_user(turn: &str) -> bool {
    let mut role = None;
    let read = FastScanner::trusting(turn).members(|name, json| {
        let text = json.text()?;
        if name == "role" {
            role = Some(text);
        }
        Some(())
    });
    read.is_none() || role == Some("\"user\"")
}

/// Adds all texts inside a value, whatever they are wrapped in.
fn texts(json: &mut FastScanner<'_>, depth: usize, hash: &mut Sha256) -> Option<()> {
    match json.first()? {
        b'{' if depth > 0 => json.members(|name, json| match PASSING.contains(&&*name) {
            true => json.pass(),
            false => texts(json, depth - 1, hash),
        }),
        b'[' if depth > 0 => json.elements(|json| texts(json, depth - 1, hash)),
        _ => {
            add_text(hash, json.text()?);
            Some(())
        }
    }
}

/// Adds a value as it is meant: an escape is another spelling of the same.
fn add_text(hash: &mut Sha256, text: &str) {
    match text.contains('\\').then(|| serde_json::from_str::<String>(text).ok()).flatten() {
        Some(text) => add(hash, text.as_bytes()),
        None => add(hash, text.trim_matches('"').as_bytes()),
    }
}

fn add(hash: &mut Sha256, bytes: &[u8]) {
    hash.update(bytes.len().to_be_bytes());
    hash.update(&bytes[..bytes.len().min(TEXT_BYTES)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(format: Format, body: &str) -> [u8; 32] {
        let mut hash = Sha256::new();
        in_body(format, body.as_bytes(), &mut hash).expect(body);
        hash.finalize().into()
    }

    #[test]
    fn turns_of_one_conversation_are_one_session() {
        for (format, first, later) in [
            (
                Format::Chat,
                r#"{"messages":[{"role":"system","content":"S"},{"role":"user","content":"a"}]}"#,
                r#"{"messages":[{"role":"system","content":"S"},{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}"#,
            ),
            (
                Format::Messages,
                r#"{"system":"S","messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}]}"#,
                r#"{"system":"S","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}"#,
            ),
            (
                Format::Responses,
                r#"{"instructions":"S","input":"caf\u00e9"}"#,
                r#"{"instructions":"S","input":[{"id":"msg_1","type":"message","status":"completed","role":"user","content":[{"type":"input_text","text":"café"}]},{"role":"assistant","content":"b"}]}"#,
            ),
            (
                Format::Generate,
                r#"{"contents":[{"parts":[{"text":"a"}]}]}"#,
                r#"{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]}"#,
            ),
            (Format::Responses, r#"{"prompt_cache_key":"k","input":"a"}"#, r#"{"input":"b","prompt_cache_key":"k"}"#),
            (
                Format::Messages,
                r#"{"metadata":{"user_id":"k"},"messages":[{"role":"user","content":"a"}]}"#,
                r#"{"messages":[{"role":"user","content":"b"}],"metadata":{"x":1,"user_id":"k"}}"#,
            ),
        ] {
            assert_eq!(session(format, first), session(format, later), "{first}");
        }
    }

    #[test]
    fn what_begins_in_another_way_is_another_session() {
        let one = session(Format::Chat, r#"{"tools":[{"name":"f"}],"messages":[{"role":"user","content":"a"}]}"#);
        for other in [
            r#"{"tools":[{"name":"g"}],"messages":[{"role":"user","content":"a"}]}"#,
            r#"{"tools":[{"name":"f"}],"messages":[{"role":"user","content":"b"}]}"#,
            r#"{"tools":[{"name":"f"}],"messages":[{"role":"system","content":"s"},{"role":"user","content":"a"}]}"#,
            r#"{"prompt_cache_key":"k","tools":[{"name":"f"}],"messages":[{"role":"user","content":"a"}]}"#,
        ] {
            assert_ne!(one, session(Format::Chat, other), "{other}");
        }
        let null = r#"{"prompt_cache_key":null,"tools":[{"name":"f"}],"messages":[{"role":"user","content":"a"}]}"#;
        assert_eq!(one, session(Format::Chat, null));
    }
}
