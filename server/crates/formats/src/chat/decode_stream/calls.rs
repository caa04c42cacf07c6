//! Calls in fragments: each is added to its call, which is opened once its name is known.

use super::super::origin::MessageOrigin;
use super::super::{answer, calls};
use crate::json::{JsonObject, JsonValue};
use crate::{BlockDelta, BlockOpening, MalformedRequest, StreamEvent, ThinkingSignature};

/// The calls of one answer.
#[derive(Debug, Default)]
pub struct PartialCalls {
    /// The provider's id of the answer: ids of calls that have none are made of it.
    pub answer: String,
    calls: Vec<PartialCall>,
}

#[derive(Debug, Default)]
struct PartialCall {
    /// The index that the upstream gave it.
    wire: Option<u64>,
    id: String,
    name: String,
    custom: bool,
    signature: Option<ThinkingSignature>,
    /// Arguments that came before the name.
    early: String,
    /// The block's index, once it was opened.
    block: Option<usize>,
}

/// The content of one fragment.
#[derive(Debug, Default)]
struct CallFragment {
    wire: Option<u64>,
    id: String,
    name: String,
    custom: bool,
    arguments: String,
    signature: Option<ThinkingSignature>,
}

impl PartialCalls {
    /// Takes an element of `tool_calls`; `position` is its place in the list, which stands in for a missing index.
    pub fn fragment(
        &mut self,
        value: &JsonValue<'_>,
        position: usize,
        origin: MessageOrigin<'_>,
        opened: &mut usize,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let fragment = CallFragment::read(value, origin)?;
        let call = self.call_of(&fragment, position);
        self.add(call, fragment, opened, out);
        Ok(())
    }

    /// Takes a piece of the older `function_call`, of which an answer has one.
    pub fn older(
        &mut self,
        mut object: JsonObject<'_>,
        origin: MessageOrigin<'_>,
        opened: &mut usize,
        out: &mut Vec<StreamEvent>,
    ) -> Result<(), MalformedRequest> {
        let name = object.text(&["name"])?.unwrap_or_default();
        let arguments = calls::arguments(&mut object, "arguments", origin)?;
        let fragment = CallFragment { wire: Some(0), name, arguments, ..CallFragment::default() };
        let call = self.call_of(&fragment, 0);
        self.add(call, fragment, opened, out);
        Ok(())
    }

    /// True if a call was opened.
    pub fn any(&self) -> bool {
        self.calls.iter().any(|call| call.block.is_some())
    }

    /// Closes them. Tells whether one stayed without a name.
    pub fn end(&mut self, out: &mut Vec<StreamEvent>) -> bool {
        out.extend(self.calls.iter().filter_map(|call| Some(StreamEvent::Close { index: call.block? })));
        self.calls.iter().any(|call| call.block.is_none())
    }

    /// By index, else by id, else by position. A new id with a name is a new call, also under an index that was used:
    /// some servers give every call the same.
    fn call_of(&mut self, fragment: &CallFragment, position: usize) -> usize {
        let found = match (fragment.wire, fragment.id.as_str()) {
            (Some(wire), _) => self.calls.iter().rposition(|call| call.wire == Some(wire)),
            (None, "") if fragment.name.is_empty() => (position < self.calls.len()).then_some(position),
            (None, "") => None,
            (None, id) => self.calls.iter().position(|call| call.id == id),
        };
        let is_another = |index: &usize| {
            let call = &self.calls[*index];
            let named = !fragment.name.is_empty() && !call.name.is_empty();
            named && !fragment.id.is_empty() && call.id != fragment.id
        };
        found.filter(|index| !is_another(index)).unwrap_or_else(|| {
            self.calls.push(PartialCall { wire: fragment.wire, custom: fragment.custom, ..PartialCall::default() });
            self.calls.len() - 1
        })
    }

    fn add(&mut self, index: usize, fragment: CallFragment, opened: &mut usize, out: &mut Vec<StreamEvent>) {
        let call = &mut self.calls[index];
        if call.block.is_none() {
            // Servers that repeat id and name in each fragment are heard once.
            if call.id.is_empty() {
                call.id = fragment.id;
            }
            if call.name.is_empty() {
                call.name = fragment.name;
            }
            call.custom |= fragment.custom;
        }
        call.early.push_str(&fragment.arguments);
        if call.name.is_empty() {
            call.signature = fragment.signature.or(call.signature.take());
            return;
        }
        if call.id.is_empty() {
            call.id = answer::made_id(&self.answer, index);
        }
        let signature = fragment.signature.or(call.signature.take());
        let block = call.open(opened, out);
        if let Some(signature) = signature {
            out.push(StreamEvent::Delta { index: block, delta: BlockDelta::Signature(signature) });
        }
        let arguments = std::mem::take(&mut call.early);
        if !arguments.is_empty() {
            out.push(StreamEvent::Delta { index: block, delta: BlockDelta::Arguments(arguments) });
        }
    }
}

impl PartialCall {
    fn open(&mut self, opened: &mut usize, out: &mut Vec<StreamEvent>) -> usize {
        if let Some(block) = self.block {
            return block;
        }
        let block = *opened;
        *opened += 1;
        self.block = Some(block);
        let opening = BlockOpening::Call { id: self.id.clone(), name: self.name.clone(), custom: self.custom };
        out.push(StreamEvent::Open { index: block, opening });
        block
    }
}

impl CallFragment {
    fn read(value: &JsonValue<'_>, origin: MessageOrigin<'_>) -> Result<Self, MalformedRequest> {
        let mut object = value.object()?;
        let (signature, _) = calls::signature(&mut object, origin).unwrap_or_default();
        let custom = object.text(&["type"]).ok().flatten().is_some_and(|kind| kind == "custom") || object.has("custom");
        let mut fragment = Self {
            wire: object.whole(&["index"]).ok().flatten(),
            id: object.text(&["id"])?.unwrap_or_default(),
            custom,
            signature,
            ..Self::default()
        };
        if let Some(mut called) = object.object(&["function", "custom"])? {
            fragment.name = called.text(&["name"])?.unwrap_or_default();
            let input = if custom { "input" } else { "arguments" };
            fragment.arguments = calls::arguments(&mut called, input, origin)?;
        }
        Ok(fragment)
    }
}
