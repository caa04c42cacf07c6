//! How much the model thinks, within the rules of providers: a budget has its least, stays below the output bound, and
//! goes with no forced call.

use super::super::super::json::ObjectWriter;
use super::super::super::{At, Carry, Effort, Extra, Reasoning};

/// The smallest budget that providers take, in tokens.
const BUDGET_MIN: u64 = 1024;

/// What is written of it.
#[derive(Debug)]
pub struct Plan<'a> {
    how: How,
    /// Beside the thinking, in a word.
    pub effort: Option<Effort>,
    shown: Option<bool>,
    extra: &'a [Extra],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Unsaid,
    Off,
    Adaptive,
    Budget(u64),
}

/// What stands around the thinking.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    /// The output bound, in tokens.
    pub output_max: u64,
    /// Whether that is less than the client asked for.
    pub cut: bool,
    /// Whether providers would refuse the request if it asked for thinking.
    pub impossible: bool,
}

impl<'a> Plan<'a> {
    /// What the client asked for, as far as it can be had.
    pub fn of(reasoning: Option<&'a At<Reasoning>>, around: Around, carry: &mut Carry) -> Self {
        let Some(At { at, value }) = reasoning else {
            return Self { how: How::Unsaid, effort: None, shown: None, extra: &[] };
        };
        let Reasoning { effort, budget, adaptive, shown, extra } = value;
        let wish = wish(*effort, *budget, *adaptive, carry.same_format(), around.output_max);
        let how = wish.within(around, carry.same_format());
        if how != wish {
            carry.drop(at);
        }
        let effort = effort.filter(|effort| *effort > Effort::None);
        let effort = effort.filter(|_| carry.same_format() || how == How::Adaptive);
        if !carry.same_format() {
            carry.drop_extras(extra);
        }
        let extra = if carry.same_format() { extra.as_slice() } else { &[] };
        Self { how, effort: effort.map(|effort| effort.max(Effort::Low)), shown: *shown, extra }
    }

    /// Whether the model will think.
    pub fn thinks(&self) -> bool {
        matches!(self.how, How::Adaptive | How::Budget(_))
    }

    /// Writes `thinking`.
    pub fn write(&self, object: &mut ObjectWriter<'_>) {
        let word = match self.how {
            How::Unsaid => return,
            How::Off => "disabled",
            How::Adaptive => "adaptive",
            How::Budget(_) => "enabled",
        };
        let mut thinking = object.object("thinking");
        thinking.member("type", word);
        if let How::Budget(tokens) = self.how {
            thinking.member("budget_tokens", &tokens);
        }
        let display = self.shown.filter(|_| self.thinks()).map(|shown| if shown { "summarized" } else { "omitted" });
        thinking.maybe("display", display).extras(self.extra);
        thinking.end();
    }
}

impl How {
    /// What can be had of a wish.
    fn within(self, around: Around, same: bool) -> Self {
        match self {
            Self::Unsaid | Self::Off => self,
            Self::Adaptive | Self::Budget(_) if around.impossible => Self::Unsaid,
            Self::Adaptive => Self::Adaptive,
            // What the client of the same format got wrong itself, the provider tells it.
            Self::Budget(tokens) if same && !around.cut => Self::Budget(tokens),
            Self::Budget(_) if around.output_max <= BUDGET_MIN => Self::Unsaid,
            Self::Budget(tokens) => Self::Budget(tokens.clamp(BUDGET_MIN, around.output_max - 1)),
        }
    }
}

fn wish(effort: Option<Effort>, budget: Option<u64>, adaptive: bool, same: bool, output_max: u64) -> How {
    match (effort, budget) {
        (Some(Effort::None), _) => How::Off,
        (_, Some(0)) if !same => How::Off,
        (_, Some(tokens)) => How::Budget(tokens),
        _ if adaptive => How::Adaptive,
        // A word alone asks for no thinking in this format.
        (Some(_), None) if same => How::Unsaid,
        (Some(effort), None) => How::Budget(effort.budget(output_max)),
        (None, None) => How::Unsaid,
    }
}
