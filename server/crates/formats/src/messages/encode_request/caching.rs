//! Prompt caching: no provider of this format does it unasked. Where a client marks places itself they are
//! kept; else one member asks for the whole prompt, where that has a price.

use super::purpose::RequestPurpose;
use crate::json::{JsonValue, ObjectWriter};
use crate::{BlockKind, ChatRequest, ContentBlock, ConversionTarget, DropReport, UnknownMember};

/// The member of the request, and of blocks and tools, in formats A and O.
const MEMBER: &str = "cache_control";
/// The most marks that providers take in one request.
const MARKS_MAX: usize = 4;

/// The marks of a client of another format on its way to the provider.
#[derive(Debug)]
pub struct CacheMarks {
    /// The earliest of those that are too many: a later mark covers what stands before it.
    skipped: usize,
    count: usize,
}

/// The time for which a provider keeps the prompt before a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CacheLifetime {
    Usual,
    FiveMinutes,
    Hour,
}

impl CacheMarks {
    /// The marks of a request, on blocks and tools.
    pub fn of(ask: &ChatRequest) -> Self {
        let blocks = ask.system.iter().chain(ask.turns.iter().flat_map(|turn| &turn.blocks));
        let tools = ask.tools.iter().filter(|tool| lifetime(&tool.extra).is_some()).count();
        let count = blocks.map(marks_within).sum::<usize>() + tools;
        let places = MARKS_MAX - usize::from(lifetime(&ask.extra).is_some());
        Self { skipped: count.saturating_sub(places), count }
    }

    /// Writes the mark of a block or tool, and notes what else its format knows as left out.
    pub fn write(&mut self, extra: &[UnknownMember], carry: &mut DropReport, object: &mut ObjectWriter<'_>) {
        let mut mark = lifetime(extra);
        if mark.is_some() && self.skipped > 0 {
            self.skipped -= 1;
            mark = None;
        }
        if let Some(lifetime) = mark {
            write(lifetime, object);
        }
        drop_rest(extra, mark.is_some(), carry);
    }
}

/// Writes the member that asks for all of the prompt: as the client of another format does, or for one that marks nothing
/// and whose format caches unasked. Notes what else stands beside it as left out.
pub fn of_request(
    ask: &ChatRequest,
    marks: &CacheMarks,
    target: &ConversionTarget<'_>,
    purpose: RequestPurpose,
    carry: &mut DropReport,
    object: &mut ObjectWriter<'_>,
) {
    let own = lifetime(&ask.extra);
    let unasked = (target.asks_for_cache && marks.count == 0).then_some(CacheLifetime::Usual);
    let mark = own.or(unasked).filter(|_| purpose == RequestPurpose::Answer);
    if let Some(lifetime) = mark {
        write(lifetime, object);
    }
    drop_rest(&ask.extra, own.is_some() && mark.is_some(), carry);
}

fn write(lifetime: CacheLifetime, object: &mut ObjectWriter<'_>) {
    let ttl = match lifetime {
        CacheLifetime::Usual => None,
        CacheLifetime::FiveMinutes => Some("5m"),
        CacheLifetime::Hour => Some("1h"),
    };
    let mut mark = object.object(MEMBER);
    mark.member("type", "ephemeral").maybe("ttl", ttl);
    mark.end();
}

/// Notes members as left out, the mark among them unless it was `kept`.
fn drop_rest(extra: &[UnknownMember], kept: bool, carry: &mut DropReport) {
    for extra in extra.iter().filter(|extra| !(kept && extra.name == MEMBER)) {
        carry.drop_extras(std::slice::from_ref(extra));
    }
}

/// The mark among the members of something; `None` where there is none that providers know.
fn lifetime(extra: &[UnknownMember]) -> Option<CacheLifetime> {
    let UnknownMember { at, value, .. } = extra.iter().find(|extra| extra.name == MEMBER)?;
    let mut mark = JsonValue { at: at.clone(), raw: value }.object().ok()?;
    let known = mark.text(&["type"]).ok()?.is_some_and(|word| word == "ephemeral");
    match mark.text(&["ttl"]).ok()?.as_deref() {
        None => Some(CacheLifetime::Usual),
        Some("5m") => Some(CacheLifetime::FiveMinutes),
        Some("1h") => Some(CacheLifetime::Hour),
        Some(_) => None,
    }
    .filter(|_| known)
}

/// The number of marks on a block and, of a result, within it.
fn marks_within(block: &ContentBlock) -> usize {
    let own = usize::from(takes_mark(block) && lifetime(&block.extra).is_some());
    match &block.kind {
        BlockKind::CallResult { content, .. } => own + content.iter().map(marks_within).sum::<usize>(),
        _ => own,
    }
}

/// Providers take no mark on what the model thought.
pub fn takes_mark(block: &ContentBlock) -> bool {
    !matches!(block.kind, BlockKind::Thinking { .. } | BlockKind::ClosedThinking(_))
}
