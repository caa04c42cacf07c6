//! Calls and their results.

use super::super::mark;
use super::items::ItemListEncoder;
use super::{content, tools};
use crate::{ContentBlock, UnknownMember, Unsupported};

impl ItemListEncoder<'_, '_> {
    pub(super) fn call(
        &mut self,
        block: &ContentBlock,
        (id, name, arguments): (&str, &str, &str),
        custom: bool,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        if !same {
            tools::check_name(&block.at, name)?;
        }
        let call_id = if same { id.to_owned() } else { self.ids.of_call(id, name) };
        let (kind, member) = if custom { ("custom_tool_call", "input") } else { ("function_call", "arguments") };
        let arguments = if arguments.is_empty() && !custom && !same { "{}" } else { arguments };
        let mut object = self.list.object();
        object.member("type", kind).member("call_id", &call_id).member("name", name).member(member, arguments);
        self.carry.extras(&block.extra, &mut object);
        object.end();
        Ok(())
    }

    pub(super) fn call_result(
        &mut self,
        block: &ContentBlock,
        (id, name): (&str, Option<&str>),
        content: &[ContentBlock],
        failed: bool,
    ) -> Result<(), Unsupported> {
        let same = self.carry.same_format();
        let call_id = if same { Some(id.to_owned()) } else { self.ids.of_result(id, name) };
        let call_id = call_id.ok_or_else(|| Unsupported::new(&block.at, "no earlier call is without a result"))?;
        let custom = self.custom.contains(id) || mark::is(&block.extra, "type", "custom_tool_call_output");
        let kind = if custom { "custom_tool_call_output" } else { "function_call_output" };
        let mut object = self.list.object();
        object.member("type", kind).member("call_id", &call_id);
        let extras: Vec<UnknownMember> = block.extra.iter().filter(|extra| extra.name != "type").cloned().collect();
        self.carry.extras(&extras, &mut object);
        content::write_result(content, failed, self.carry, &mut object)?;
        object.end();
        Ok(())
    }
}
