//! Blocks of a request.

use std::borrow::Cow;

use super::super::{call, nested};
use super::accepted_blocks::BlockPlace;
use super::arranged_message::{ArrangedBlock, ArrangedMessage};
use super::caching::{CacheMarks, takes_mark};
use super::{accepted_blocks, media};
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{
    BlockKind, ContentBlock, ConversionTarget, DropReport, Format, MediaContent, MessageRole, ThinkingSignature,
    Unsupported,
};

/// Writes blocks of one client for one provider.
#[derive(Debug)]
pub struct RequestBlockEncoder<'a> {
    from: Format,
    upstream: &'a str,
    marks: &'a mut CacheMarks,
    carry: &'a mut DropReport,
}

impl<'a> RequestBlockEncoder<'a> {
    /// Of a client that speaks `from`, for `target`.
    pub fn new(
        from: Format,
        target: &ConversionTarget<'a>,
        marks: &'a mut CacheMarks,
        carry: &'a mut DropReport,
    ) -> Self {
        Self { from, upstream: target.upstream, marks, carry }
    }

    /// Writes what stands before the conversation, and `ours` behind it.
    ///
    /// # Errors
    /// When it is more than text.
    pub fn system(
        &mut self,
        system: &[ContentBlock],
        ours: Option<&ContentBlock>,
        object: &mut ObjectWriter<'_>,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let mut told =
            system.iter().chain(ours).filter(|block| accepted_blocks::says_something(block, same)).peekable();
        if told.peek().is_none() {
            return Ok(());
        }
        let mut list = object.array("system");
        told.try_for_each(|block| self.block(block, None, BlockPlace::System, &mut list))?;
        list.end();
        Ok(())
    }

    /// Writes a turn.
    ///
    /// # Errors
    /// When providers do not take one of its blocks.
    pub fn turn(&mut self, turn: &ArrangedMessage<'_>, list: &mut ArrayWriter<'_>) -> Result<(), Unsupported> {
        let (word, place) = match turn.role {
            MessageRole::User => ("user", BlockPlace::User),
            MessageRole::Model => ("assistant", BlockPlace::Model),
            MessageRole::System | MessageRole::Developer => ("system", BlockPlace::System),
        };
        let mut object = list.object();
        object.member("role", word);
        let mut content = object.array("content");
        for ArrangedBlock { block, id } in &turn.pieces {
            self.block(block, id.as_deref(), place, &mut content)?;
        }
        content.end();
        object.extras(turn.extra);
        object.end();
        Ok(())
    }

    fn block(
        &mut self,
        block: &ContentBlock,
        tied: Option<&str>,
        place: BlockPlace,
        list: &mut ArrayWriter<'_>,
    ) -> Result<(), Unsupported> {
        // In its own format a client knows itself what may stand where.
        if !self.carry.same_format() {
            accepted_blocks::check(block, place)?;
        }
        match &block.kind {
            BlockKind::Text(text) | BlockKind::Refusal(text) => self.object(list, "text", block, |object| {
                object.member("text", text);
            }),
            BlockKind::Image(picture) => self.picture(block, picture, list)?,
            BlockKind::Document(document) => self.document(block, document, list)?,
            BlockKind::Call { id, name, arguments, custom, signature } => {
                self.carry.drop_signature(&block.at, signature.as_ref());
                self.object(list, "tool_use", block, |object| {
                    let input = call::input(arguments, *custom);
                    object.member("id", tied.unwrap_or(id)).member("name", name).member("input", &input);
                });
            }
            BlockKind::CallResult { id, name: _, content, failed } => {
                self.result(block, tied.unwrap_or(id), content, *failed, list)?;
            }
            BlockKind::Thinking { text, id: _, signature } => {
                let signature = signature.as_ref().and_then(|signature| self.signed(signature)).map(str::to_owned);
                self.object(list, "thinking", block, |object| {
                    object.member("thinking", text).maybe("signature", signature.as_deref());
                });
            }
            BlockKind::ClosedThinking(closed) => {
                let data = self.signed(closed).map(str::to_owned);
                self.object(list, "redacted_thinking", block, |object| {
                    object.maybe("data", data.as_deref());
                });
            }
            BlockKind::Compaction { id: _, closed } => self.object(list, "compaction", block, |object| {
                object.member("content", closed);
            }),
            BlockKind::Other { name: _, raw } => {
                list.element(raw);
            }
            BlockKind::Audio(_) | BlockKind::Video(_) => return Err(accepted_blocks::unsupported_media(block)),
        }
        Ok(())
    }

    fn picture(
        &mut self,
        block: &ContentBlock,
        media: &MediaContent,
        list: &mut ArrayWriter<'_>,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let fitted = if same { Cow::Borrowed(media) } else { media::picture(block, media)? };
        if media.detail.as_deref().is_some_and(|detail| detail != "auto") {
            self.carry.drop(&format!("{}.detail", block.at));
        }
        self.carry.drop_name(&block.at, media);
        let deeper = if same { block.extra.as_slice() } else { &[] };
        self.object(list, "image", block, |object| media::source(&fitted, deeper, object));
        Ok(())
    }

    fn document(
        &mut self,
        block: &ContentBlock,
        media: &MediaContent,
        list: &mut ArrayWriter<'_>,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let fitted = if same { Cow::Borrowed(media) } else { media::document(block, media)? };
        let deeper = if same { block.extra.as_slice() } else { &[] };
        self.object(list, "document", block, |object| {
            media::source(&fitted, deeper, object);
            object.maybe("title", media.name.as_deref());
        });
        Ok(())
    }

    fn result(
        &mut self,
        block: &ContentBlock,
        id: &str,
        content: &[ContentBlock],
        failed: Option<bool>,
        list: &mut ArrayWriter<'_>,
    ) -> Result<(), Unsupported> {
        let mut object = list.object();
        object.member("type", "tool_result").member("tool_use_id", id);
        let same = self.carry.same_format();
        let mut told = content.iter().filter(|block| accepted_blocks::says_something(block, same)).peekable();
        if told.peek().is_some() {
            let mut list = object.array("content");
            told.try_for_each(|block| self.block(block, None, BlockPlace::Result, &mut list))?;
            list.end();
        }
        let failed = failed.filter(|failed| *failed || same);
        object.maybe("is_error", failed.as_ref());
        self.extras(block, &mut object);
        object.end();
        Ok(())
    }

    fn object(
        &mut self,
        list: &mut ArrayWriter<'_>,
        word: &str,
        block: &ContentBlock,
        write: impl FnOnce(&mut ObjectWriter<'_>),
    ) {
        let mut object = list.object();
        object.member("type", word);
        write(&mut object);
        self.extras(block, &mut object);
        object.end();
    }

    fn extras(&mut self, block: &ContentBlock, object: &mut ObjectWriter<'_>) {
        if self.carry.same_format() {
            nested::write_own(&block.extra, &["source"], object);
        } else if takes_mark(block) {
            self.marks.write(&block.extra, self.carry, object);
        } else {
            self.carry.drop_extras(&block.extra);
        }
    }

    fn signed<'s>(&self, signature: &'s ThinkingSignature) -> Option<&'s str> {
        signature.for_upstream(self.from, self.upstream, Format::Messages)
    }
}
