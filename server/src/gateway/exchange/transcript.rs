//! A conversation as one text, for a model that is to summarise it.

use super::{Ask, Block, Kind, Role, Turn};

/// The conversation as text, turn by turn. Pictures, sounds and files are named and not shown; thinking is left out, and so are the
/// instructions that were given beside the conversation and not in it.
#[must_use]
pub fn transcript(ask: &Ask) -> String {
    let mut text = String::new();
    let mut add = |who: &str, block: &Block| {
        if let Some(line) = line(block) {
            text.push_str(&format!("<{who}>\n{line}\n</{who}>\n"));
        }
    };
    for block in ask.system.iter().filter(|block| block.at != "instructions") {
        add("instructions", block);
    }
    for turn in &ask.turns {
        let who = if is_result(turn) { "tool" } else { word(turn.role) };
        turn.blocks.iter().for_each(|block| add(who, block));
    }
    text
}

fn is_result(turn: &Turn) -> bool {
    turn.blocks.iter().any(|block| matches!(block.kind, Kind::CallResult { .. }))
}

const fn word(role: Role) -> &'static str {
    match role {
        Role::System | Role::Developer => "instructions",
        Role::User => "user",
        Role::Model => "assistant",
    }
}

fn line(block: &Block) -> Option<String> {
    Some(match &block.kind {
        Kind::Text(text) | Kind::Refusal(text) => text.clone(),
        Kind::Call { id, name, arguments, .. } => format!("[calls {name} as {id} with {arguments}]"),
        Kind::CallResult { id, content, .. } => {
            let said: Vec<String> = content.iter().filter_map(line).collect();
            format!("[result of {id}] {}", said.join("\n"))
        }
        Kind::Image(_) => "[a picture]".to_owned(),
        Kind::Document(_) => "[a file]".to_owned(),
        Kind::Audio(_) => "[a sound]".to_owned(),
        Kind::Video(_) => "[a film]".to_owned(),
        Kind::Other { name, .. } => format!("[{name}]"),
        Kind::Thinking { .. } | Kind::ClosedThinking(_) | Kind::Compaction { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, read_ask};
    use super::*;

    #[test]
    fn who_said_what_and_what_came_of_calls() {
        let body = br#"{"model":"m","instructions":"beside","input":[
            {"role":"developer","content":"Before."},
            {"role":"user","content":[{"type":"input_text","text":"Which?"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]},
            {"type":"reasoning","summary":[{"type":"summary_text","text":"secret"}]},
            {"type":"function_call","call_id":"c1","name":"look","arguments":"{\"at\":1}"},
            {"type":"function_call_output","call_id":"c1","output":"seen"},
            {"role":"assistant","content":"That."}]}"#;
        let ask = read_ask(Format::Responses, body, "", false).expect("readable");
        assert_eq!(
            transcript(&ask),
            "<instructions>\nBefore.\n</instructions>\n<user>\nWhich?\n</user>\n<user>\n[a picture]\n</user>\n<assistant>\n[calls look as c1 with {\"at\":1}]\n\
             </assistant>\n<tool>\n[result of c1] seen\n</tool>\n<assistant>\nThat.\n</assistant>\n"
        );
    }
}
