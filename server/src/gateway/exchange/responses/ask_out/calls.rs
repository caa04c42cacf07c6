//! Calls and their results.

use super::super::super::{Block, Extra, NotCarried};
use super::super::mark;
use super::items::Items;
use super::{content, tools};

impl Items<'_, '_> {
    pub(super) fn call(
        &mut self,
        block: &Block,
        (id, name, arguments): (&str, &str, &str),
        custom: bool,
    ) -> Result<(), NotCarried> {
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
        block: &Block,
        (id, name): (&str, Option<&str>),
        content: &[Block],
        failed: bool,
    ) -> Result<(), NotCarried> {
        let same = self.carry.same_format();
        let call_id = if same { Some(id.to_owned()) } else { self.ids.of_result(id, name) };
        let call_id = call_id.ok_or_else(|| NotCarried::new(&block.at, "no earlier call is without a result"))?;
        let custom = self.custom.contains(id) || mark::is(&block.extra, "type", "custom_tool_call_output");
        let kind = if custom { "custom_tool_call_output" } else { "function_call_output" };
        let mut object = self.list.object();
        object.member("type", kind).member("call_id", &call_id);
        let extras: Vec<Extra> = block.extra.iter().filter(|extra| extra.name != "type").cloned().collect();
        self.carry.extras(&extras, &mut object);
        content::write_result(content, failed, self.carry, &mut object)?;
        object.end();
        Ok(())
    }
}
