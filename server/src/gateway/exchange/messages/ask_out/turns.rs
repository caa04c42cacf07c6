//! Turns in the order that providers insist on.
//!
//! From a client of this format they stay as they stood. From another: speakers alternate and the user is the first; the
//! results of all calls of one turn stand at the head of the next one, in the order of the calls; instructions in the
//! middle become words of the user's after those results; ids are unique and of allowed letters. Empty texts go, and
//! thinking that somebody else signed.

use std::borrow::Cow;

use super::super::super::{Ask, Block, Carry, Extra, Format, Kind, Role, Signature, Target, merged};
use super::pairs::Pairs;
use super::taken;

/// The user's text where the conversation starts with the model.
const OPENING: &str = ".";

/// One turn as it is to be written.
#[derive(Debug)]
pub struct Spoken<'a> {
    /// The role of the speaker.
    pub role: Role,
    /// The content, in order.
    pub pieces: Vec<Piece<'a>>,
    /// Members of the turn that the client's format knows.
    pub extra: &'a [Extra],
    /// True if it is more or less than what the client wrote.
    changed: bool,
}

/// One block as it is to be written.
#[derive(Debug)]
pub struct Piece<'a> {
    /// The block.
    pub block: Cow<'a, Block>,
    /// The id of the call, or of the result's call, where it is another than in the block.
    pub id: Option<String>,
}

impl Spoken<'_> {
    /// True if the model calls without the thinking at the head of its turn that providers want back. What the client
    /// left out itself is the client's affair.
    pub fn lacks_thinking(&self) -> bool {
        let calls = self.pieces.iter().any(|piece| matches!(piece.block.kind, Kind::Call { .. }));
        self.changed && self.role == Role::Model && calls && !self.pieces.first().is_some_and(Piece::thinks)
    }
}

impl Piece<'_> {
    fn thinks(&self) -> bool {
        matches!(self.block.kind, Kind::Thinking { .. } | Kind::ClosedThinking(_))
    }
}

/// The turns of a request.
pub fn arrange<'a>(ask: &'a Ask, target: &Target<'_>, carry: &mut Carry) -> Vec<Spoken<'a>> {
    let sieve = Sieve { from: ask.from, upstream: target.upstream, same: carry.same_format() };
    if sieve.same { as_they_stand(ask, &sieve, carry) } else { in_order(ask, &sieve, carry) }
}

fn as_they_stand<'a>(ask: &'a Ask, sieve: &Sieve<'_>, carry: &mut Carry) -> Vec<Spoken<'a>> {
    let spoken = ask.turns.iter().map(|turn| {
        let pieces = sieve.pieces(&turn.blocks, carry);
        let changed = pieces.len() < turn.blocks.len();
        Spoken { role: turn.role, pieces, extra: &turn.extra, changed }
    });
    spoken.filter(|spoken| !(spoken.changed && spoken.pieces.is_empty())).collect()
}

fn in_order<'a>(ask: &'a Ask, sieve: &Sieve<'_>, carry: &mut Carry) -> Vec<Spoken<'a>> {
    for turn in &ask.turns {
        carry.drop_extras(&turn.extra);
    }
    let mut spoken: Vec<Spoken<'a>> = Vec::new();
    for (role, blocks) in merged(&ask.turns) {
        let role = if role == Role::Model { Role::Model } else { Role::User };
        let mut pieces = sieve.pieces(blocks, carry);
        drop_last_thoughts(&mut pieces, carry);
        match spoken.last_mut() {
            _ if pieces.is_empty() => {}
            Some(last) if last.role == role => last.pieces.append(&mut pieces),
            _ => spoken.push(Spoken { role, pieces, extra: &[], changed: true }),
        }
    }
    if spoken.first().is_none_or(|first| first.role == Role::Model) {
        let opening = Block { at: String::new(), kind: Kind::Text(OPENING.into()), extra: Vec::new() };
        let pieces = vec![Piece { block: Cow::Owned(opening), id: None }];
        spoken.insert(0, Spoken { role: Role::User, pieces, extra: &[], changed: true });
    }
    let mut pairs = Pairs::default();
    for turn in &mut spoken {
        pairs.tie(turn);
    }
    spoken
}

/// A turn must not end in thinking.
fn drop_last_thoughts(pieces: &mut Vec<Piece<'_>>, carry: &mut Carry) {
    while let Some(last) = pieces.pop_if(|last| last.thinks()) {
        carry.drop(&last.block.at);
    }
}

/// A filter for the blocks that a provider may see.
struct Sieve<'t> {
    from: Format,
    upstream: &'t str,
    same: bool,
}

impl Sieve<'_> {
    fn pieces<'a>(&self, blocks: impl IntoIterator<Item = &'a Block>, carry: &mut Carry) -> Vec<Piece<'a>> {
        let kept = blocks.into_iter().filter(|block| self.keeps(block, carry));
        kept.map(|block| Piece { block: Cow::Borrowed(block), id: None }).collect()
    }

    fn keeps(&self, block: &Block, carry: &mut Carry) -> bool {
        let signature = match &block.kind {
            Kind::Text(_) | Kind::Refusal(_) => return taken::says_something(block, self.same),
            Kind::Thinking { signature, .. } => signature.as_ref(),
            Kind::ClosedThinking(signature) => Some(signature),
            Kind::Image(_)
            | Kind::Document(_)
            | Kind::Audio(_)
            | Kind::Video(_)
            | Kind::Call { .. }
            | Kind::CallResult { .. }
            | Kind::Compaction { .. }
            | Kind::Other { .. } => return true,
        };
        let keeps = signature.is_some_and(|signature| self.may_see(signature));
        if !keeps {
            carry.drop(&block.at);
        }
        keeps
    }

    fn may_see(&self, signature: &Signature) -> bool {
        signature.for_upstream(self.from, self.upstream, Format::Messages).is_some()
    }
}
