//! The amount of thinking, within the rules of providers: a budget has its least, stays below the output bound, and
//! goes with no forced call. Some models take a word for the effort and no budget, others a budget and no word.

use super::super::super::json::ObjectWriter;
use super::super::super::{At, Carry, Effort, Extra, Reasoning, ThinkingMode};

/// The smallest budget that providers take, in tokens.
const BUDGET_MIN: u64 = 1024;

/// The settings of thinking that are written.
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

/// The parts of a request that restrict its thinking.
#[derive(Debug, Clone, Copy)]
pub struct Around {
    /// The output bound, in tokens.
    pub output_max: u64,
    /// True if that is less than the client asked for.
    pub cut: bool,
    /// True if a call is forced, beside which models refuse to think.
    pub forced: bool,
    /// True if a turn calls without the thinking that models want back.
    pub lacks_thinking: bool,
    /// The way in which the model is told to think, where that is known.
    pub mode: Option<ThinkingMode>,
}

impl Around {
    /// True if providers would refuse the request if it asked for thinking with a budget.
    pub fn is_impossible(self) -> bool {
        self.forced || self.lacks_thinking
    }
}

impl<'a> Plan<'a> {
    /// The thinking that the client asked for, as far as it can be had.
    pub fn of(reasoning: Option<&'a At<Reasoning>>, around: Around, carry: &mut Carry) -> Self {
        let Some(At { at, value }) = reasoning else {
            return Self { how: How::Unsaid, effort: None, shown: None, extra: &[] };
        };
        let Reasoning { effort: _, budget: _, adaptive: _, shown, extra } = value;
        let same = carry.same_format();
        let (wish, effort) = if same { own(value, around) } else { for_mode(value, around) };
        let how = wish.within(around, same);
        if how != wish {
            carry.drop(at);
        }
        // A model that goes by the word keeps to it whether it thinks or not.
        let effort = effort.filter(|_| same || how == How::Adaptive || around.mode == Some(ThinkingMode::Adaptive));
        if !same {
            carry.drop_extras(extra);
        }
        let extra = if same { extra.as_slice() } else { &[] };
        Self { how, effort: effort.map(|effort| effort.max(Effort::Low)), shown: *shown, extra }
    }

    /// True if the model will think.
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
    /// The part of a wish that can be had.
    fn within(self, around: Around, same: bool) -> Self {
        match self {
            Self::Unsaid | Self::Off => self,
            Self::Adaptive | Self::Budget(_) if !same && around.mode == Some(ThinkingMode::None) => Self::Unsaid,
            // Such models want no thinking back.
            Self::Adaptive if around.mode == Some(ThinkingMode::Adaptive) && !around.forced => Self::Adaptive,
            Self::Adaptive | Self::Budget(_) if around.is_impossible() => Self::Unsaid,
            Self::Adaptive => Self::Adaptive,
            // What the client of the same format got wrong itself, the provider tells it.
            Self::Budget(tokens) if same && !around.cut => Self::Budget(tokens),
            Self::Budget(_) if around.output_max <= BUDGET_MIN => Self::Unsaid,
            Self::Budget(tokens) => Self::Budget(tokens.clamp(BUDGET_MIN, around.output_max - 1)),
        }
    }
}

/// The wish of a client of this format, and its word for the effort.
fn own(asked: &Reasoning, around: Around) -> (How, Option<Effort>) {
    let Reasoning { effort, budget, adaptive, .. } = asked;
    (wish(*effort, *budget, *adaptive, true, around.output_max), effort.filter(|effort| *effort > Effort::None))
}

/// The wish of a client of another format, in the way in which the model is told.
fn for_mode(asked: &Reasoning, around: Around) -> (How, Option<Effort>) {
    let Reasoning { effort, budget, adaptive, .. } = asked;
    let how = wish(*effort, *budget, *adaptive, false, around.output_max);
    let effort = effort.filter(|effort| *effort > Effort::None);
    match (around.mode, how) {
        // The highest words cost far more than any budget, and not every such model knows them: only who says them gets them.
        (Some(ThinkingMode::Adaptive), How::Budget(tokens)) => {
            (How::Adaptive, effort.or(Some(Effort::of_budget(tokens).min(Effort::High))))
        }
        (Some(ThinkingMode::Budget), How::Adaptive) => {
            (How::Budget(effort.unwrap_or(Effort::Medium).budget(around.output_max)), None)
        }
        // It does not think anyhow.
        (Some(ThinkingMode::None), How::Off) => (How::Unsaid, None),
        (_, how) => (how, effort),
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
