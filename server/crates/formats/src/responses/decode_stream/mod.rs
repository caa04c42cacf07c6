//! Reading a provider's stream.
//!
//! Items are found by their index in the output. Pieces are passed on as they come; when an item is complete its whole
//! form decides, so that what came in no piece is added then, and what came in the last event only, at the end.

mod items;

use super::super::json::{JsonObject, JsonValue};
use super::super::{BlockDelta, BlockOpening, MalformedRequest, MalformedResponse, StreamDecoder, StreamEvent};
use super::decode_response::stop;
use super::usage;
use items::StreamItems;

/// Reads one stream of a provider of this format.
#[derive(Debug)]
pub struct ResponsesStreamDecoder {
    items: StreamItems,
    started: bool,
    over: bool,
}

impl ResponsesStreamDecoder {
    /// For the stream of `upstream`, by its name in the configuration.
    #[must_use]
    pub fn new(upstream: &str) -> Self {
        Self { items: StreamItems::new(upstream), started: false, over: false }
    }

    fn event(
        &mut self,
        name: &str,
        object: &mut JsonObject<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        match name {
            "error" => {
                self.over = true;
                out.push(StreamEvent::Error(error(object)?));
            }
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.end(name, object, out)?;
            }
            "response.output_item.added" => {
                let item = object.required(&["item"])?;
                self.items.added(object.whole(&["output_index"])?, &item, out)?;
            }
            "response.output_item.done" => {
                let item = object.required(&["item"])?;
                self.items.done(object.whole(&["output_index"])?, &item, out)?;
            }
            "response.output_text.delta" => self.text(object, "content_index", BlockOpening::Text, out)?,
            "response.refusal.delta" => self.text(object, "content_index", BlockOpening::Refusal, out)?,
            "response.reasoning_summary_text.delta" => self.thinking(object, "summary_index", out)?,
            "response.reasoning_text.delta" => self.thinking(object, "content_index", out)?,
            "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta" => {
                let item = self.items.find(object)?;
                let piece = object.text(&["delta"])?.unwrap_or_default();
                self.items.push(item, 0, None, &piece, BlockDelta::Arguments, out);
            }
            // The rest tells nothing that the item does not tell when it is complete.
            _ => {}
        }
        Ok(())
    }

    fn text(
        &mut self,
        object: &mut JsonObject<'_>,
        index: &str,
        opening: BlockOpening,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let item = self.items.find(object)?;
        let part = object.whole(&[index])?.unwrap_or_default();
        let piece = object.text(&["delta"])?.unwrap_or_default();
        self.items.push(item, part, Some(opening), &piece, BlockDelta::Text, out);
        Ok(())
    }

    fn thinking(
        &mut self,
        object: &mut JsonObject<'_>,
        index: &str,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let item = self.items.find(object)?;
        let part = object.whole(&[index])?.unwrap_or_default();
        let piece = object.text(&["delta"])?.unwrap_or_default();
        let Some(separator) = self.items.thinking(item, index == "summary_index", part) else { return Ok(()) };
        self.items.push(item, 0, Some(BlockOpening::Thinking), &[separator, &piece].concat(), BlockDelta::Text, out);
        Ok(())
    }

    /// The last event has the whole response in it.
    fn end(
        &mut self,
        name: &str,
        object: &mut JsonObject<'_>,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        self.over = true;
        let mut response = object.required(&["response"])?.object()?;
        for (position, item) in response.list(&["output"])?.iter().enumerate() {
            self.items.last(position, item, out)?;
        }
        self.items.close_all(out);
        out.extend(usage::told(&mut response).map(StreamEvent::Usage));
        let failed = response.object(&["error"])?.map(|mut object| error(&mut object)).transpose()?;
        match (stop(&mut response, self.items.said)?, name) {
            (Some(stop), "response.completed" | "response.incomplete") => {
                out.push(StreamEvent::Stop(stop));
                out.push(StreamEvent::End);
            }
            _ => out.push(StreamEvent::Error(failed.unwrap_or_else(|| name.to_owned()))),
        }
        Ok(())
    }
}

impl StreamDecoder for ResponsesStreamDecoder {
    fn read(&mut self, name: Option<&str>, data: &[u8], out: &mut Vec<StreamEvent>) -> Result<(), MalformedResponse> {
        if self.over || data == b"[DONE]" {
            return Ok(());
        }
        let mut object = JsonValue::document(data)?.object()?;
        let kind = object.text(&["type"])?;
        let kind = kind.as_deref().or(name).unwrap_or_default();
        if kind.is_empty() && object.has("error") {
            self.over = true;
            let error = object.required(&["error"])?;
            out.push(StreamEvent::Error(error.object().and_then(|mut object| self::error(&mut object))?));
            return Ok(());
        }
        if !std::mem::replace(&mut self.started, true) && kind != "error" {
            let response = object.value(&["response"]);
            let id = response.as_ref().map(|response| response.object()?.text(&["id"])).transpose()?.flatten();
            out.push(StreamEvent::Start { id: id.unwrap_or_default() });
            // The last event may be the first; it wants its response.
            object = JsonValue::document(data)?.object()?;
        }
        Ok(self.event(kind, &mut object, out)?)
    }

    fn finish(&mut self, out: &mut Vec<StreamEvent>) {
        // Without a last event there is no telling whether more was to come.
        self.items.close_all(out);
    }
}

/// The words of an error, with its code before them. Some servers nest it once.
fn error(object: &mut JsonObject<'_>) -> Result<String, MalformedRequest> {
    let mut nested = object.object(&["error"])?;
    let object = nested.as_mut().unwrap_or(object);
    let code = object.value(&["code"]).map(|code| code.text().unwrap_or_else(|_| code.raw.get().to_owned()));
    let message = object.text(&["message"])?.unwrap_or_default();
    Ok(code.map_or_else(|| message.clone(), |code| format!("{code}: {message}")))
}
