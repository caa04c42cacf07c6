//! The amount of thinking, within the rules of providers: a budget has its least, stays below the output bound, and
//! goes with no forced call. Some models take a word for the effort and no budget, others a budget and no word.

use crate::json::ObjectWriter;
use crate::{DropReport, LocatedValue, ReasoningEffort, ReasoningSettings, ThinkingMode, UnknownMember};

/// The smallest budget that providers take, in tokens.
const BUDGET_MIN: u64 = 1024;

/// The settings of thinking that are written.
#[derive(Debug)]
pub struct ThinkingPlan<'a> {
    how: ThinkingSetting,
    /// Beside the thinking, in a word.
    pub effort: Option<ReasoningEffort>,
    shown: Option<bool>,
    extra: &'a [UnknownMember],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ThinkingSetting {
    Unsaid,
    Off,
    Adaptive,
    Budget(u64),
}

/// The parts of a request that restrict its thinking.
#[derive(Debug, Clone, Copy)]
pub struct ThinkingLimits {
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

impl ThinkingLimits {
    /// True if providers would refuse the request if it asked for thinking with a budget.
    pub fn is_impossible(self) -> bool {
        self.forced || self.lacks_thinking
    }
}

impl<'a> ThinkingPlan<'a> {
    /// The thinking that the client asked for, as far as it can be had.
    pub fn of(
        reasoning: Option<&'a LocatedValue<ReasoningSettings>>,
        around: ThinkingLimits,
        carry: &mut DropReport,
    ) -> Self {
        let Some(LocatedValue { at, value }) = reasoning else {
            return Self { how: ThinkingSetting::Unsaid, effort: None, shown: None, extra: &[] };
        };
        let ReasoningSettings { effort: _, budget: _, adaptive: _, shown, extra } = value;
        let same = carry.same_format();
        let (wish, effort) = if same { own(value, around) } else { for_mode(value, around) };
        let how = wish.within(around, same);
        if how != wish {
            carry.drop(at);
        }
        // A model that goes by the word keeps to it whether it thinks or not.
        let effort =
            effort.filter(|_| same || how == ThinkingSetting::Adaptive || around.mode == Some(ThinkingMode::Adaptive));
        if !same {
            carry.drop_extras(extra);
        }
        let extra = if same { extra.as_slice() } else { &[] };
        Self { how, effort: effort.map(|effort| effort.max(ReasoningEffort::Low)), shown: *shown, extra }
    }

    /// True if the model will think.
    pub fn thinks(&self) -> bool {
        matches!(self.how, ThinkingSetting::Adaptive | ThinkingSetting::Budget(_))
    }

    /// Writes `thinking`.
    pub fn write(&self, object: &mut ObjectWriter<'_>) {
        let word = match self.how {
            ThinkingSetting::Unsaid => return,
            ThinkingSetting::Off => "disabled",
            ThinkingSetting::Adaptive => "adaptive",
            ThinkingSetting::Budget(_) => "enabled",
        };
        let mut thinking = object.object("thinking");
        thinking.member("type", word);
        if let ThinkingSetting::Budget(tokens) = self.how {
            thinking.member("budget_tokens", &tokens);
        }
        let display = self.shown.filter(|_| self.thinks()).map(|shown| if shown { "summarized" } else { "omitted" });
        thinking.maybe("display", display).extras(self.extra);
        thinking.end();
    }
}

impl ThinkingSetting {
    /// The part of a wish that can be had.
    fn within(self, around: ThinkingLimits, same: bool) -> Self {
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
fn own(asked: &ReasoningSettings, around: ThinkingLimits) -> (ThinkingSetting, Option<ReasoningEffort>) {
    let ReasoningSettings { effort, budget, adaptive, .. } = asked;
    (
        wish(*effort, *budget, *adaptive, true, around.output_max),
        effort.filter(|effort| *effort > ReasoningEffort::None),
    )
}

/// The wish of a client of another format, in the way in which the model is told.
fn for_mode(asked: &ReasoningSettings, around: ThinkingLimits) -> (ThinkingSetting, Option<ReasoningEffort>) {
    let ReasoningSettings { effort, budget, adaptive, .. } = asked;
    let how = wish(*effort, *budget, *adaptive, false, around.output_max);
    let effort = effort.filter(|effort| *effort > ReasoningEffort::None);
    match (around.mode, how) {
        // The highest words cost far more than any budget, and not every such model knows them: only who says them gets them.
        (Some(ThinkingMode::Adaptive), ThinkingSetting::Budget(tokens)) => (
            ThinkingSetting::Adaptive,
            effort.or(Some(ReasoningEffort::from_budget(tokens).min(ReasoningEffort::High))),
        ),
        (Some(ThinkingMode::Budget), ThinkingSetting::Adaptive) => {
            (ThinkingSetting::Budget(effort.unwrap_or(ReasoningEffort::Medium).budget(around.output_max)), None)
        }
        // It does not think anyhow.
        (Some(ThinkingMode::None), ThinkingSetting::Off) => (ThinkingSetting::Unsaid, None),
        (_, how) => (how, effort),
    }
}

fn wish(
    effort: Option<ReasoningEffort>,
    budget: Option<u64>,
    adaptive: bool,
    same: bool,
    output_max: u64,
) -> ThinkingSetting {
    match (effort, budget) {
        (Some(ReasoningEffort::None), _) => ThinkingSetting::Off,
        (_, Some(0)) if !same => ThinkingSetting::Off,
        (_, Some(tokens)) => ThinkingSetting::Budget(tokens),
        _ if adaptive => ThinkingSetting::Adaptive,
        // A word alone asks for no thinking in this format.
        (Some(_), None) if same => ThinkingSetting::Unsaid,
        (Some(effort), None) => ThinkingSetting::Budget(effort.budget(output_max)),
        (None, None) => ThinkingSetting::Unsaid,
    }
}
