//! The bodies of requests.

use bytes::Bytes;

use crate::answer::EMBEDDINGS;

/// 1 KB of one message.
pub(crate) fn small() -> Bytes {
    Bytes::from(format!(
        "{{\"model\":\"m\",\"max_tokens\":200,\"messages\":[{{\"role\":\"user\",\"content\":\"{}\"}}]}}",
        "word ".repeat(180)
    ))
}

/// 100 KB of a long conversation, with an escape every few bytes.
pub(crate) fn large() -> Bytes {
    let turn = format!("{{\"role\":\"user\",\"content\":\"{}\"}}", "word \\n ".repeat(120));
    let turns = vec![turn; 100].join(",");
    Bytes::from(format!("{{\"model\":\"m\",\"max_tokens\":200,\"messages\":[{turns}]}}"))
}

/// 256 texts of 100 bytes, to be embedded.
pub(crate) fn embeddings() -> Bytes {
    let text = format!("\"{}\"", "word ".repeat(20));
    Bytes::from(format!("{{\"model\":\"m\",\"input\":[{}]}}", vec![text; EMBEDDINGS].join(",")))
}

/// A short question, to be answered by a stream.
pub(crate) fn stream() -> Bytes {
    Bytes::from_static(
        b"{\"model\":\"m\",\"stream\":true,\"max_tokens\":200,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}",
    )
}
