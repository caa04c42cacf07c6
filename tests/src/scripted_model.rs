//! A model that works with the tools it is offered: it reads a file, edits it, runs a command, and says that it is done. It
//! speaks all four formats, whole and as streams, and decides by nothing but the request: which tools there are, and how many
//! results of calls the conversation holds.
//!
//! Start it with `upstream.on(scripted_model(folder))`.

pub(crate) mod call;
pub(crate) mod formats;
pub(crate) mod offered;

use std::path::PathBuf;

use serde_json::Value;

use crate::reply::Reply;
use crate::upstream::Received;

use call::next_call;
use formats::{Answer, Wire};

/// The file that is worked on, in the folder of the agent.
pub const FILE: &str = "note.txt";
/// What it holds at first.
pub const BEFORE: &str = "the word is before\n";
/// What it holds in the end.
pub const AFTER: &str = "the word is after\n";
/// What the command writes: a copy of the file.
pub const COPY: &str = "copy.txt";
/// Tokens of each prompt that the model reports.
pub const PROMPT_TOKENS: u64 = 1_000;
/// Tokens of each answer that it reports.
pub const OUTPUT_TOKENS: u64 = 40;

/// What it says when the work is done.
const DONE: &str = "The file is edited and copied.";

/// The model of a provider, for agents that work in `folder`.
pub fn scripted_model(folder: PathBuf) -> impl Fn(&Received) -> Reply + Send + Sync + 'static {
    move |received| {
        let Some(wire) = Wire::of(&received.line) else {
            return Reply::raw(404, "text/plain", b"no such path".to_vec());
        };
        let Ok(body) = serde_json::from_slice::<Value>(&received.body) else {
            return Reply::raw(400, "text/plain", b"no JSON".to_vec());
        };
        let offered = offered::tools(wire, &body);
        let call = next_call(&offered, offered::results(wire, &body), &folder);
        let answer = call.map_or(Answer::Text(DONE.to_owned()), |call| Answer::Call(Box::new(call)));
        formats::reply(wire, &body, &received.line, &answer, None)
    }
}
