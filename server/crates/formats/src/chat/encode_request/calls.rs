//! Calls that the assistant asked for in earlier turns.

use super::super::native_members::NativeMembers;
use super::ids::ChatCallIds;
use super::tools::fits_name;
use crate::json::{ArrayWriter, ObjectWriter};
use crate::{BlockKind, ContentBlock, ConversionTarget, DropReport, Format, Unsupported};

/// True for a call, or a kind of call that only this format knows.
pub fn is_one(block: &ContentBlock, same: bool) -> bool {
    matches!(block.kind, BlockKind::Call { .. })
        || same && matches!(block.kind, BlockKind::Other { .. }) && block.at.contains(".tool_calls[")
}

/// Writes the member `tool_calls`, where there are any: an empty list is refused.
pub fn write(
    blocks: &[&ContentBlock],
    from: Format,
    target: &ConversionTarget<'_>,
    ids: &mut ChatCallIds,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) -> Result<(), Unsupported> {
    if blocks.is_empty() {
        return Ok(());
    }
    let mut list = object.array("tool_calls");
    for block in blocks {
        if let BlockKind::Other { raw, .. } = &block.kind {
            list.element(raw);
        } else {
            call(block, from, target, ids, carry, &mut list)?;
        }
    }
    list.end();
    Ok(())
}

fn call(
    block: &ContentBlock,
    from: Format,
    target: &ConversionTarget<'_>,
    ids: &mut ChatCallIds,
    carry: &mut DropReport,
    list: &mut ArrayWriter<'_>,
) -> Result<(), Unsupported> {
    let BlockKind::Call { id, name, arguments, custom, signature } = &block.kind else { return Ok(()) };
    fits_name(&block.at, name, carry)?;
    let signed_there = signature.as_ref().and_then(|it| it.for_upstream(from, target.upstream, Format::Chat));
    if signed_there.is_none() {
        carry.drop_signature(&block.at, signature.as_ref());
    }
    let mut extra = NativeMembers::of(&block.extra, carry);
    let mut object = list.object();
    object.member("id", &ids.of_call(id, name, carry));
    let (kind, input) = if *custom { ("custom", "input") } else { ("function", "arguments") };
    object.member("type", kind);
    let mut inner = object.object(kind);
    let empty = arguments.is_empty() && !custom;
    inner.member("name", name).member(input, if empty { "{}" } else { arguments });
    extra.inside(kind).write(&mut inner);
    inner.end();
    signed(signed_there, extra.inside("extra_content"), &mut object);
    extra.write(&mut object);
    object.end();
    Ok(())
}

/// The member in which upstreams that sign calls in this format want the signature back.
fn signed(signature: Option<&str>, mut content: NativeMembers<'_>, object: &mut ObjectWriter<'_>) {
    let google = content.inside("google");
    if signature.is_none() && google.is_empty() && content.is_empty() {
        return;
    }
    let mut member = object.object("extra_content");
    if signature.is_some() || !google.is_empty() {
        let mut inner = member.object("google");
        inner.maybe("thought_signature", signature);
        google.write(&mut inner);
        inner.end();
    }
    content.write(&mut member);
    member.end();
}
