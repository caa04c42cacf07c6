//! A conversation as one text, for a model that is to summarise it.

use super::{BlockKind, ChatMessage, ChatRequest, ContentBlock, MessageRole};

/// The conversation as text, turn by turn. Pictures, sounds and files are named and not shown; thinking is left out, and so are the
/// instructions that were given beside the conversation and not in it.
#[must_use]
pub fn transcript(ask: &ChatRequest) -> String {
    let mut text = String::new();
    let mut add = |who: &str, block: &ContentBlock| {
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

fn is_result(turn: &ChatMessage) -> bool {
    turn.blocks.iter().any(|block| matches!(block.kind, BlockKind::CallResult { .. }))
}

const fn word(role: MessageRole) -> &'static str {
    match role {
        MessageRole::System | MessageRole::Developer => "instructions",
        MessageRole::User => "user",
        MessageRole::Model => "assistant",
    }
}

fn line(block: &ContentBlock) -> Option<String> {
    Some(match &block.kind {
        BlockKind::Text(text) | BlockKind::Refusal(text) => text.clone(),
        BlockKind::Call { id, name, arguments, .. } => format!("[calls {name} as {id} with {arguments}]"),
        BlockKind::CallResult { id, content, .. } => {
            let said: Vec<String> = content.iter().filter_map(line).collect();
            format!("[result of {id}] {}", said.join("\n"))
        }
        BlockKind::Image(_) => "[a picture]".to_owned(),
        BlockKind::Document(_) => "[a file]".to_owned(),
        BlockKind::Audio(_) => "[a sound]".to_owned(),
        BlockKind::Video(_) => "[a film]".to_owned(),
        BlockKind::Other { name, .. } => format!("[{name}]"),
        BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_) | BlockKind::Compaction { .. } => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Format, decode_request};
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
        let ask = decode_request(Format::Responses, body, "", false).expect("readable");
        assert_eq!(
            transcript(&ask),
            "<instructions>\nBefore.\n</instructions>\n<user>\nWhich?\n</user>\n<user>\n[a picture]\n</user>\n<assistant>\n[calls look as c1 with {\"at\":1}]\n\
             </assistant>\n<tool>\n[result of c1] seen\n</tool>\n<assistant>\nThat.\n</assistant>\n"
        );
    }
}
