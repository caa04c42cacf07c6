//! The settlement policy: for each ending of a call the rule of `SettlementRule` in `spec/`, and the usage that is charged.

use crate::metering::{ReportedServices, UsageMeter, UsageReport};
use tollgate_credit::{BilledUsage, SettlementRule};

/// The end of a call to a provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEnding {
    /// The provider finished its answer.
    Complete,
    /// The provider broke off, stalled, or exceeded its time.
    BrokeOff,
    /// The client left; the rest was read on for a bounded time.
    ClientGone,
}

/// The rule and the usage that an answer is settled by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettlementDecision {
    /// The rule that applied.
    pub rule: SettlementRule,
    /// The usage that is charged; nothing where `None`.
    pub usage: Option<BilledUsage>,
    /// The services beside tokens that the answer reports.
    pub told: ReportedServices,
    /// The model that answered, where it is not the one that the provider was asked for.
    pub other_model: Option<String>,
}

impl SettlementDecision {
    /// For an answer that reports nothing beside tokens.
    #[must_use]
    pub fn new(rule: SettlementRule, usage: Option<BilledUsage>) -> Self {
        Self { rule, usage, told: ReportedServices::default(), other_model: None }
    }
}

/// The settlement of an answer by its ending and its metered usage.
#[must_use]
pub fn settlement_for(ending: CallEnding, tally: &UsageMeter) -> SettlementDecision {
    let verdict = match (ending, tally.reported()) {
        (CallEnding::Complete, Some(usage)) => SettlementDecision::new(SettlementRule::Reported, Some(usage)),
        (CallEnding::Complete, None) if !tally.delivered() => nothing_delivered(),
        (CallEnding::Complete, None) => counted(SettlementRule::Counted, tally),
        (CallEnding::BrokeOff, _) if !tally.delivered() => nothing_delivered(),
        (CallEnding::BrokeOff, Some(usage)) => SettlementDecision::new(SettlementRule::BrokeOffReported, Some(usage)),
        (CallEnding::BrokeOff, None) => counted(SettlementRule::BrokeOffCounted, tally),
        (CallEnding::ClientGone, Some(usage)) => {
            SettlementDecision::new(SettlementRule::ClientGoneReported, Some(usage))
        }
        (CallEnding::ClientGone, None) if !tally.delivered() => nothing_delivered(),
        (CallEnding::ClientGone, None) => counted(SettlementRule::ClientGoneCounted, tally),
    };
    SettlementDecision { told: tally.services(), other_model: tally.other_model().map(str::to_owned), ..verdict }
}

/// The settlement of a whole answer that is no text: all of it was delivered.
#[must_use]
pub fn settlement_for_whole(
    ending: CallEnding,
    reported: Option<&UsageReport>,
    counted: BilledUsage,
) -> SettlementDecision {
    let (usage, reported) = match reported {
        // A report of zero tokens is no report that the answer was free.
        Some(UsageReport::Figures(usage)) if usage.prompt + usage.completion > 0 => (*usage, true),
        Some(UsageReport::Figures(_) | UsageReport::Absurd) | None => (counted, false),
    };
    let rule = match (ending, reported) {
        (CallEnding::Complete, true) => SettlementRule::Reported,
        (CallEnding::Complete, false) => SettlementRule::Counted,
        (CallEnding::BrokeOff, true) => SettlementRule::BrokeOffReported,
        (CallEnding::BrokeOff, false) => SettlementRule::BrokeOffCounted,
        (CallEnding::ClientGone, true) => SettlementRule::ClientGoneReported,
        (CallEnding::ClientGone, false) => SettlementRule::ClientGoneCounted,
    };
    SettlementDecision::new(rule, Some(usage))
}

fn counted(rule: SettlementRule, tally: &UsageMeter) -> SettlementDecision {
    SettlementDecision::new(rule, Some(tally.counted()))
}

fn nothing_delivered() -> SettlementDecision {
    SettlementDecision::new(SettlementRule::NothingDelivered, None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metering::MeteredEvent;
    use tollgate_formats::Format;

    const TEXT: &str = r#"{"choices":[{"delta":{"content":"12345678"}}]}"#;
    const USAGE: &str = r#"{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}}"#;
    const ABSURD: &str = r#"{"choices":[],"usage":{"prompt_tokens":-3,"completion_tokens":5}}"#;

    fn rule(ending: CallEnding, chunks: &[&str]) -> (SettlementRule, Option<(u64, u64, bool)>) {
        let mut tally = UsageMeter::new(Format::Chat, 1000, 40);
        for chunk in chunks {
            tally.add(&MeteredEvent::read(Format::Chat, chunk.as_bytes()).expect("a chunk"));
        }
        let SettlementDecision { rule, usage, .. } = settlement_for(ending, &tally);
        (rule, usage.map(|usage| (usage.prompt, usage.completion, usage.estimated)))
    }

    #[test]
    fn each_ending_has_its_rule() {
        use CallEnding::{BrokeOff, ClientGone, Complete};
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
