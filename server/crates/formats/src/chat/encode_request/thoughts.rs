//! Thinking of earlier turns, for the upstream that made it.

use super::super::native_members::NativeMembers;
use super::super::thinking;
use crate::json::ObjectWriter;
use crate::{BlockKind, ContentBlock, ConversionTarget, DropReport, Format};

/// The thoughts of one turn that this upstream may see.
#[derive(Debug, Default)]
pub struct OutgoingThoughts<'a> {
    /// `reasoning_content`, or `reasoning` where the client calls it that, and its texts.
    plain: Vec<(&'static str, &'a str)>,
    details: Vec<OutgoingDetail<'a>>,
}

/// One of `reasoning_details`.
#[derive(Debug)]
struct OutgoingDetail<'a> {
    block: &'a ContentBlock,
    signature: Option<&'a str>,
    extra: NativeMembers<'a>,
}

/// True for a thought.
pub fn is_one(block: &ContentBlock, same: bool) -> bool {
    let is_detail = || same && block.at.contains(".reasoning_details[");
    match &block.kind {
        BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_) => true,
        BlockKind::Other { .. } => is_detail(),
        BlockKind::Text(_)
        | BlockKind::Refusal(_)
        | BlockKind::Image(_)
        | BlockKind::Document(_)
        | BlockKind::Audio(_)
        | BlockKind::Video(_)
        | BlockKind::Call { .. }
        | BlockKind::CallResult { .. }
        | BlockKind::Compaction { .. } => false,
    }
}

impl<'a> OutgoingThoughts<'a> {
    /// Chooses. A thought in another format's request goes only to its maker; a client of this format is believed where
    /// it sends a thought without a signature, and gets the others' signed ones left out.
    pub fn of(
        blocks: &[&'a ContentBlock],
        from: Format,
        target: &ConversionTarget<'_>,
        carry: &mut DropReport,
    ) -> Self {
        let same = carry.same_format();
        let mut thoughts = Self::default();
        for block in blocks {
            let in_details = same && block.at.contains(".reasoning_details[");
            let signature = thinking::signature_of(block);
            let for_it = signature.and_then(|signature| signature.for_upstream(from, target.upstream, Format::Chat));
            let has_words = !matches!(&block.kind, BlockKind::Thinking { text, .. } if text.is_empty());
            let sent_plain = !in_details && (has_words || signature.is_none());
            let is_plain = if same { sent_plain } else { for_it == Some("") };
            if let (BlockKind::Thinking { text, .. }, true) = (&block.kind, is_plain) {
                thoughts.plain.push((name(block), text));
            } else if for_it.is_none() && (!same || signature.is_some()) {
                carry.drop(&block.at);
            } else {
                let extra = NativeMembers::of(&block.extra, carry);
                thoughts.details.push(OutgoingDetail { block, signature: for_it, extra });
            }
        }
        thoughts
    }

    /// True if there is nothing to write.
    pub const fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.details.is_empty()
    }

    /// Writes them into the assistant's message.
    pub fn write(self, object: &mut ObjectWriter<'_>) {
        if let Some((name, _)) = self.plain.first() {
            object.member(name, &self.plain.iter().map(|(_, text)| *text).collect::<String>());
        }
        if !self.details.is_empty() {
            let mut list = object.array("reasoning_details");
            for detail in self.details {
                if let BlockKind::Other { raw, .. } = &detail.block.kind {
                    list.element(raw);
                } else {
                    detail.write(list.object());
                }
            }
            list.end();
        }
    }
}

impl OutgoingDetail<'_> {
    fn write(mut self, mut object: ObjectWriter<'_>) {
        if let BlockKind::Thinking { text, id, .. } = &self.block.kind {
            if let Some(summary) = self.extra.take("summary") {
                object.member("type", "reasoning.summary").member("summary", summary);
            } else {
                object.member("type", "reasoning.text").member("text", text);
            }
            object.maybe("signature", self.signature.filter(|signature| !signature.is_empty()));
            object.maybe("id", id.as_ref());
        }
        if let BlockKind::ClosedThinking(signature) = &self.block.kind {
            object.member("type", "reasoning.encrypted").maybe("data", self.signature);
            object.maybe("id", signature.item.as_ref());
        }
        self.extra.write(&mut object);
        object.end();
    }
}

/// The member that it came in; the commoner one for a thought of another format's.
fn name(block: &ContentBlock) -> &'static str {
    if block.at.ends_with(".reasoning") { "reasoning" } else { "reasoning_content" }
}
