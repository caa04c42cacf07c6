//! The settlement policy: for each ending of a call the rule of `SettlementRule` in `spec/`, and the usage that is charged.

use crate::credit::{SettlementRule, Usage};

use super::meter::{Reported, Tally, ToldServices};

/// The end of a call to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The provider finished its answer.
    Complete,
    /// The provider broke off, stalled, or exceeded its time.
    BrokeOff,
    /// The client left; the rest was read on for a bounded time.
    ClientGone,
}

/// The rule and the usage that an answer is settled by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The rule that applied.
    pub rule: SettlementRule,
    /// The usage that is charged; nothing where `None`.
    pub usage: Option<Usage>,
    /// The services beside tokens that the answer reports.
    pub told: ToldServices,
    /// The model that answered, where it is not the one that the provider was asked for.
    pub other_model: Option<String>,
}

impl Verdict {
    /// For an answer that reports nothing beside tokens.
    #[must_use]
    pub fn new(rule: SettlementRule, usage: Option<Usage>) -> Self {
        Self { rule, usage, told: ToldServices::default(), other_model: None }
    }
}

/// The settlement of an answer by its ending and its metered usage.
#[must_use]
pub fn judge(ending: Ending, tally: &Tally) -> Verdict {
    let verdict = match (ending, tally.reported()) {
        (Ending::Complete, Some(usage)) => Verdict::new(SettlementRule::Reported, Some(usage)),
        (Ending::Complete, None) if !tally.delivered() => nothing_delivered(),
        (Ending::Complete, None) => counted(SettlementRule::Counted, tally),
        (Ending::BrokeOff, _) if !tally.delivered() => nothing_delivered(),
        (Ending::BrokeOff, Some(usage)) => Verdict::new(SettlementRule::BrokeOffReported, Some(usage)),
        (Ending::BrokeOff, None) => counted(SettlementRule::BrokeOffCounted, tally),
        (Ending::ClientGone, Some(usage)) => Verdict::new(SettlementRule::ClientGoneReported, Some(usage)),
        (Ending::ClientGone, None) if !tally.delivered() => nothing_delivered(),
        (Ending::ClientGone, None) => counted(SettlementRule::ClientGoneCounted, tally),
    };
    Verdict { told: tally.services(), other_model: tally.other_model().map(str::to_owned), ..verdict }
}

/// The settlement of a whole answer that is no text: all of it was delivered.
#[must_use]
pub fn judge_whole(ending: Ending, reported: Option<&Reported>, counted: Usage) -> Verdict {
    let (usage, reported) = match reported {
        // A report of zero tokens is no report that the answer was free.
        Some(Reported::Figures(usage)) if usage.prompt + usage.completion > 0 => (*usage, true),
        Some(Reported::Figures(_) | Reported::Absurd) | None => (counted, false),
    };
    let rule = match (ending, reported) {
        (Ending::Complete, true) => SettlementRule::Reported,
        (Ending::Complete, false) => SettlementRule::Counted,
        (Ending::BrokeOff, true) => SettlementRule::BrokeOffReported,
        (Ending::BrokeOff, false) => SettlementRule::BrokeOffCounted,
        (Ending::ClientGone, true) => SettlementRule::ClientGoneReported,
        (Ending::ClientGone, false) => SettlementRule::ClientGoneCounted,
    };
    Verdict::new(rule, Some(usage))
}

fn counted(rule: SettlementRule, tally: &Tally) -> Verdict {
    Verdict::new(rule, Some(tally.counted()))
}

fn nothing_delivered() -> Verdict {
    Verdict::new(SettlementRule::NothingDelivered, None)
}

#[cfg(test)]
mod tests {
    use super::super::exchange::Format;
    use super::super::meter::Seen;
    use super::*;

    const TEXT: &str = r#"{"choices":[{"delta":{"content":"12345678"}}]}"#;
    const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}"#;
    const ABSURD: &str = r#"{"choices":[],"usage":{"prompt_tokens":-3,"completion_tokens":5}}"#;

    fn rule(ending: Ending, chunks: &[&str]) -> (SettlementRule, Option<(u64, u64, bool)>) {
        let mut tally = Tally::new(Format::Chat, 1000, 40);
        for chunk in chunks {
            tally.add(&Seen::look(Format::Chat, chunk.as_bytes()).expect("a chunk"));
        }
        let Verdict { rule, usage, .. } = judge(ending, &tally);
        (rule, usage.map(|usage| (usage.prompt, usage.completion, usage.estimated)))
    }

    #[test]
    fn each_ending_has_its_rule() {
        use Ending::{BrokeOff, ClientGone, Complete};
        let reported = Some((3, 5, false));
        let counted = Some((10, 2, true));
        for (ending, chunks, expected) in [
            (Complete, &[TEXT, USAGE][..], (SettlementRule::Reported, reported)),
            (Complete, &[USAGE], (SettlementRule::Reported, reported)),
            (Complete, &[TEXT], (SettlementRule::Counted, counted)),
            (Complete, &[TEXT, ABSURD], (SettlementRule::Counted, counted)),
            (Complete, &[], (SettlementRule::NothingDelivered, None)),
            (BrokeOff, &[TEXT, USAGE], (SettlementRule::BrokeOffReported, reported)),
            (BrokeOff, &[TEXT], (SettlementRule::BrokeOffCounted, counted)),
            (BrokeOff, &[], (SettlementRule::NothingDelivered, None)),
            (BrokeOff, &[USAGE], (SettlementRule::NothingDelivered, None)),
            (ClientGone, &[TEXT, USAGE], (SettlementRule::ClientGoneReported, reported)),
            (ClientGone, &[TEXT, ABSURD], (SettlementRule::ClientGoneCounted, counted)),
            (ClientGone, &[], (SettlementRule::NothingDelivered, None)),
        ] {
            assert_eq!(rule(ending, chunks), expected, "{ending:?} {chunks:?}");
        }
    }
}
