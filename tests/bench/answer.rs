//! The provider's answers in formats A, G and R: one of 1 KiB, and the events of a stream; and a list of embeddings. Answers of
//! format O to chat say when they were asked for, so they are made anew each time, in [`provider`](crate::provider).

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use crate::format::Format;
use crate::provider::CHUNKS;

/// Embeddings of a list.
pub(crate) const EMBEDDINGS: usize = 256;
/// Numbers of an embedding.
const DIMENSIONS: usize = 256;

/// The answers of a format, made once.
pub(crate) struct Answers {
    pub(crate) whole: Bytes,
    /// One for each chunk; the first and the last have the events around the text in them.
    pub(crate) events: Vec<Bytes>,
}

/// Of a format other than O.
pub(crate) fn answers(format: Format) -> &'static Answers {
    static MESSAGES: LazyLock<Answers> = LazyLock::new(messages);
    static GENERATE: LazyLock<Answers> = LazyLock::new(generate);
    static RESPONSES: LazyLock<Answers> = LazyLock::new(responses);
    match format {
        Format::Messages => &MESSAGES,
        Format::Generate => &GENERATE,
        Format::Responses | Format::Chat => &RESPONSES,
    }
}

/// A whole answer of format R, with ids of its own: a server that stores responses and their items finds them by these.
pub(crate) fn unique_response() -> Bytes {
    static LAST: AtomicU64 = AtomicU64::new(0);
    static PARTS: LazyLock<Vec<String>> = LazyLock::new(|| {
        let whole = String::from_utf8_lossy(&answers(Format::Responses).whole).into_owned();
        whole.split("_1\"").map(str::to_owned).collect()
    });
    PARTS.join(&format!("_{:016}\"", LAST.fetch_add(1, Ordering::Relaxed))).into()
}

/// A list of embeddings: half a MiB, made once.
pub(crate) fn embeddings() -> Bytes {
    static LIST: LazyLock<Bytes> = LazyLock::new(|| {
        let numbers = vec!["-0.0123"; DIMENSIONS].join(",");
        let embedding = |index| format!("{{\"object\":\"embedding\",\"index\":{index},\"embedding\":[{numbers}]}}");
        let list: Vec<String> = (0..EMBEDDINGS).map(embedding).collect();
        Bytes::from(format!(
            "{{\"object\":\"list\",\"model\":\"m\",\"data\":[{}],\"usage\":{{\"prompt_tokens\":5120,\"total_tokens\":5120}}}}",
            list.join(",")
        ))
    });
    LIST.clone()
}

fn text() -> String {
    "word ".repeat(130)
}

/// The events of a stream: those before the text, one for each word, those after it.
fn stream(before: &[String], word: &str, after: &[String]) -> Vec<Bytes> {
    (0..CHUNKS)
        .map(|index| {
            let before = if index == 0 { before.concat() } else { String::new() };
            let after = if index + 1 == CHUNKS { after.concat() } else { String::new() };
            Bytes::from([before.as_str(), word, &after].concat())
        })
        .collect()
}

fn event(name: &str, rest: &str) -> String {
    format!("event: {name}\ndata: {{\"type\":\"{name}\",{rest}}}\n\n")
}

fn messages() -> Answers {
    let message = |content: &str, stop: &str, output: u32| {
        format!(
            "{{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{content}],\
             \"stop_reason\":{stop},\"stop_sequence\":null,\"usage\":{{\"input_tokens\":20,\"output_tokens\":{output}}}}}"
        )
    };
    let text = format!("{{\"type\":\"text\",\"text\":\"{}\"}}", text());
    let start = format!("\"message\":{}", message("", "null", 1));
    let before = [
        event("message_start", &start),
        event("content_block_start", "\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"\"}"),
    ];
    let word = event("content_block_delta", "\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\" word\"}");
    let after = [
        event("content_block_stop", "\"index\":0"),
        event("message_delta", "\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":{\"output_tokens\":100}"),
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n".to_owned(),
    ];
    Answers { whole: message(&text, "\"end_turn\"", 130).into(), events: stream(&before, &word, &after) }
}

fn generate() -> Answers {
    let piece = |text: &str, rest: &str| {
        format!(
            "{{\"candidates\":[{{\"index\":0,\"content\":{{\"role\":\"model\",\"parts\":[{{\"text\":\"{text}\"}}]}}{rest},\
             \"modelVersion\":\"m\",\"responseId\":\"r-1\"}}"
        )
    };
    let end = |output: u32| {
        format!(
            ",\"finishReason\":\"STOP\"}}],\"usageMetadata\":{{\"promptTokenCount\":20,\"candidatesTokenCount\":{output},\
             \"totalTokenCount\":{}}}",
            output + 20
        )
    };
    let data = |piece: String| format!("data: {piece}\r\n\r\n");
    let after = [data(piece("", &end(100)))];
    let events = stream(&[], &data(piece(" word", "}]")), &after);
    Answers { whole: piece(&text(), &end(130)).into(), events }
}

fn responses() -> Answers {
    let response = |status: &str, output: &str, usage: &str| {
        format!(
            "{{\"id\":\"resp_1\",\"object\":\"response\",\"created_at\":1700000000,\"status\":\"{status}\",\
             \"model\":\"m\",\"error\":null,\"output\":[{output}],\"usage\":{usage}}}"
        )
    };
    let usage = "{\"input_tokens\":20,\"input_tokens_details\":{\"cached_tokens\":0},\"output_tokens\":100,\
        \"output_tokens_details\":{\"reasoning_tokens\":0},\"total_tokens\":120}";
    let item = |text: &str| {
        format!(
            "{{\"type\":\"message\",\"id\":\"msg_1\",\"status\":\"completed\",\"role\":\"assistant\",\"content\":[{{\
             \"type\":\"output_text\",\"text\":\"{text}\",\"annotations\":[]}}]}}"
        )
    };
    let whole = response("completed", &item(&text()), usage);
    let said = item(&" word".repeat(usize::try_from(CHUNKS).unwrap_or_default()));
    let started = format!("\"response\":{}", response("in_progress", "", "null"));
    let place = "\"item_id\":\"msg_1\",\"output_index\":0,\"content_index\":0";
    let before = [
        event("response.created", &started),
        event("response.in_progress", &started),
        event("response.output_item.added", &format!("\"output_index\":0,\"item\":{}", item(""))),
    ];
    let word = event("response.output_text.delta", &format!("{place},\"delta\":\" word\""));
    let after = [
        event("response.output_item.done", &format!("\"output_index\":0,\"item\":{said}")),
        event("response.completed", &format!("\"response\":{}", response("completed", &said, usage))),
    ];
    Answers { whole: whole.into(), events: stream(&before, &word, &after) }
}
