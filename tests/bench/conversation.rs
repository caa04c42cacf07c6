//! A conversation of format R: each turn goes on from the response before by `previous_response_id`.

use bytes::Bytes;

use crate::Failed;

/// Turns of a conversation; the next one begins anew.
pub(crate) const TURNS: usize = 20;

/// The state of a conversation between two turns.
#[derive(Default)]
pub(crate) struct Conversation {
    /// Turns that were answered.
    turns: usize,
    previous: Option<String>,
}

impl Conversation {
    /// The body of the next turn: that of a first turn, with the response that it goes on from.
    pub(crate) fn body(&self, first: &Bytes) -> Result<Bytes, Failed> {
        let Some(previous) = &self.previous else { return Ok(first.clone()) };
        let members = first.strip_prefix(b"{").ok_or("a body that is no object")?;
        Ok([format!("{{\"previous_response_id\":\"{previous}\",").as_bytes(), members].concat().into())
    }

    /// Takes the id of a response out of the first piece of an answer.
    pub(crate) fn answered(&mut self, piece: &[u8]) -> Result<(), Failed> {
        const BEFORE: &[u8] = b"\"id\":\"resp_";
        self.turns = (self.turns + 1) % TURNS;
        let start = memchr::memmem::find(piece, BEFORE).ok_or("an answer without the id of a response")?;
        let id = piece[start + BEFORE.len()..].split(|byte| *byte == b'"').next().unwrap_or_default();
        self.previous = (self.turns > 0).then(|| format!("resp_{}", String::from_utf8_lossy(id)));
        Ok(())
    }
}
