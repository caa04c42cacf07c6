//! The counts of other rooms, as metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::InFlightRequests;
use crate::credit::{Histogram, Ledger, WriterStats};
use crate::telemetry::{Measure, Reading, Value};
use crate::topup::Topups;

type Counter = fn(&WriterStats) -> &AtomicU64;

const COUNTS: [(&str, &str, Counter); 9] = [
    ("ledger_batches", "Commits of the ledger", |stats| &stats.batches),
    ("ledger_operations", "Holds and endings carried out; by ledger_batches, the size of a batch", |stats| {
        &stats.operations
    }),
    ("ledger_holds_refused", "Holds refused by the rules", |stats| &stats.holds_refused),
    ("ledger_queue_full", "Holds refused because the queue stayed full", |stats| &stats.queue_full),
    ("ledger_retried", "Batches rolled back and tried again", |stats| &stats.retried),
    (
        "usage_counted",
        "Charges by our own count, where a provider reported no usage or none that could be true",
        |stats| &stats.counted,
    ),
    ("ledger_late", "Charges that stayed queued after their answers were delivered", |stats| &stats.late),
    ("shortfall_nanousd", "Cost that accounts could not pay, in billionths of a dollar", |stats| {
        &stats.shortfall_nanos
    }),
    ("ledger_holds_expired", "Holds given back because nobody came for them", |stats| &stats.expired),
];

type Classes = fn(&WriterStats) -> &Histogram;

const SPREADS: [(&str, &str, Classes, Measure); 4] = [
    ("ledger_commit", "Time spent writing and committing a batch", |stats| &stats.commit, Measure::Nanoseconds),
    (
        "ledger_queue_wait",
        "Time that an operation waited for its batch to begin",
        |stats| &stats.queue_wait,
        Measure::Nanoseconds,
    ),
    ("ledger_batch", "Operations in one commit", |stats| &stats.batch, Measure::Numbers),
    (
        "ledger_cost_percent",
        "What requests cost, in hundredths of what was held for them",
        |stats| &stats.cost_percent,
        Measure::Numbers,
    ),
];

/// Everything that is read rather than counted.
pub(super) fn all(credit: &Ledger, places: &InFlightRequests, topups: &Topups) -> Vec<Reading> {
    let (places, topups) = (places.clone(), topups.clone());
    let mut readings = vec![Reading {
        name: "requests_in_flight",
        help: "Requests that are being answered, streams included",
        read: Box::new(move || Value::Level(places.taken())),
    }];
    let largest = credit.clone();
    readings.push(Reading {
        name: "ledger_batch_max",
        help: "The most operations in one commit",
        read: Box::new(move || {
            let most = largest.stats().batch_max.load(Ordering::Relaxed);
            Value::Level(usize::try_from(most).unwrap_or(usize::MAX))
        }),
    });
    readings.extend(COUNTS.map(|(name, help, counter)| reading(credit, name, help, counter, Value::Count)));
    readings.extend(SPREADS.map(|(name, help, classes, of)| {
        let credit = credit.clone();
        let read = move || {
            let spread = classes(credit.stats());
            Value::Spread { classes: spread.buckets().collect(), sum: spread.sum(), of }
        };
        Reading { name, help, read: Box::new(read) }
    }));
    readings.extend([in_hand(credit.clone()), refusals(credit.clone()), unsealed(credit.clone())]);
    readings.extend(compared(&topups));
    readings.push(Reading {
        name: "topup_stranded",
        help: "Open payments and checkouts of chains, tokens and payment providers that the configuration does not have",
        read: Box::new(move || Value::Level(usize::try_from(topups.stranded()).unwrap_or(usize::MAX))),
    });
    readings
}

/// The results of the last comparison of each source by this server.
fn compared(topups: &Topups) -> [Reading; 2] {
    let (differing, unread) = (topups.clone(), topups.clone());
    [
        Reading {
            name: "reconciliation_findings",
            help: "Differences between the ledger and chains and payment provider, at the last comparison of each",
            read: Box::new(move || Value::Level(differing.compared().findings())),
        },
        Reading {
            name: "reconciliation_unread",
            help: "Chains and payment providers that could not be compared whole with the ledger, at the last comparison of each",
            read: Box::new(move || Value::Level(unread.compared().unread())),
        },
    ]
}

fn in_hand(credit: Ledger) -> Reading {
    Reading {
        name: "ledger_holds_open",
        help: "Holds of requests that this server is answering",
        read: Box::new(move || Value::Level(credit.live_holds())),
    }
}

fn unsealed(credit: Ledger) -> Reading {
    let read = move || {
        let seconds = credit.stats().unsealed_seconds.load(Ordering::Relaxed);
        Value::Level(usize::try_from(seconds).unwrap_or(usize::MAX))
    };
    Reading {
        name: "ledger_unsealed_seconds",
        help: "Age of the oldest movement or act that is not sealed yet, in seconds",
        read: Box::new(read),
    }
}

fn refusals(credit: Ledger) -> Reading {
    let read = move || {
        let stats = credit.stats();
        let reasons = [
            ("insufficient", &stats.refused_insufficient),
            ("tied_up", &stats.refused_tied_up),
            ("budget", &stats.refused_budget),
            ("rate", &stats.refused_rate),
            ("disabled", &stats.refused_disabled),
        ];
        let counts = reasons.map(|(reason, counter)| (reason, counter.load(Ordering::Relaxed)));
        let known: u64 = counts.iter().map(|(_, count)| count).sum();
        let other = stats.holds_refused.load(Ordering::Relaxed).saturating_sub(known);
        let queue_full = stats.queue_full.load(Ordering::Relaxed);
        Value::Counts(counts.into_iter().chain([("queue_full", queue_full), ("other", other)]).collect())
    };
    Reading { name: "ledger_refusals", help: "Holds that were refused, by reason", read: Box::new(read) }
}

fn reading(
    credit: &Ledger,
    name: &'static str,
    help: &'static str,
    counter: Counter,
    value: fn(u64) -> Value,
) -> Reading {
    let credit = credit.clone();
    Reading { name, help, read: Box::new(move || value(counter(credit.stats()).load(Ordering::Relaxed))) }
}
