//! The counts of other rooms, as metrics.

use std::sync::atomic::{AtomicU64, Ordering};

use tollgate_api::InFlightRequests;
use tollgate_credit::{Histogram, Ledger, WriterStats};
use tollgate_telemetry::{MetricReading, MetricUnit, MetricValue};
use tollgate_topup::Topups;

type CounterReader = fn(&WriterStats) -> &AtomicU64;

const COUNTS: [(&str, &str, CounterReader); 9] = [
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

type HistogramReader = fn(&WriterStats) -> &Histogram;

const SPREADS: [(&str, &str, HistogramReader, MetricUnit); 4] = [
    ("ledger_commit", "Time spent writing and committing a batch", |stats| &stats.commit, MetricUnit::Nanoseconds),
    (
        "ledger_queue_wait",
        "Time that an operation waited for its batch to begin",
        |stats| &stats.queue_wait,
        MetricUnit::Nanoseconds,
    ),
    ("ledger_batch", "Operations in one commit", |stats| &stats.batch, MetricUnit::Numbers),
    (
        "ledger_cost_percent",
        "What requests cost, in hundredths of what was held for them",
        |stats| &stats.cost_percent,
        MetricUnit::Numbers,
    ),
];

/// Everything that is read rather than counted.
pub(super) fn all(credit: &Ledger, places: &InFlightRequests, topups: &Topups) -> Vec<MetricReading> {
    let (places, topups) = (places.clone(), topups.clone());
    let mut readings = vec![MetricReading {
        name: "requests_in_flight",
        help: "Requests that are being answered, streams included",
        read: Box::new(move || MetricValue::Level(places.taken())),
    }];
    let largest = credit.clone();
    readings.push(MetricReading {
        name: "ledger_batch_max",
        help: "The most operations in one commit",
        read: Box::new(move || {
            let most = largest.stats().batch_max.load(Ordering::Relaxed);
            MetricValue::Level(usize::try_from(most).unwrap_or(usize::MAX))
        }),
    });
    readings.extend(COUNTS.map(|(name, help, counter)| reading(credit, name, help, counter, MetricValue::Count)));
    readings.extend(SPREADS.map(|(name, help, classes, of)| {
        let credit = credit.clone();
        let read = move || {
            let spread = classes(credit.stats());
            MetricValue::Spread { classes: spread.buckets().collect(), sum: spread.sum(), of }
        };
        MetricReading { name, help, read: Box::new(read) }
    }));
    readings.extend([live_holds(credit.clone()), refusals(credit.clone()), unsealed(credit.clone())]);
    readings.extend(compared(&topups));
    readings.push(MetricReading {
        name: "topup_stranded",
        help: "Open payments and checkouts of chains, tokens and payment providers that the configuration does not have",
        read: Box::new(move || MetricValue::Level(usize::try_from(topups.stranded()).unwrap_or(usize::MAX))),
    });
    readings
}

/// The results of the last comparison of each source by this server.
fn compared(topups: &Topups) -> [MetricReading; 2] {
    let (differing, unread) = (topups.clone(), topups.clone());
    [
        MetricReading {
            name: "reconciliation_findings",
            help: "Differences between the ledger and chains and payment provider, at the last comparison of each",
            read: Box::new(move || MetricValue::Level(differing.compared().findings())),
        },
        MetricReading {
            name: "reconciliation_unread",
            help: "Chains and payment providers that could not be compared whole with the ledger, at the last comparison of each",
            read: Box::new(move || MetricValue::Level(unread.compared().unread())),
        },
    ]
}

fn live_holds(credit: Ledger) -> MetricReading {
    MetricReading {
        name: "ledger_holds_open",
        help: "Holds of requests that this server is answering",
        read: Box::new(move || MetricValue::Level(credit.live_holds())),
    }
}

fn unsealed(credit: Ledger) -> MetricReading {
    let read = move || {
        let seconds = credit.stats().unsealed_seconds.load(Ordering::Relaxed);
        MetricValue::Level(usize::try_from(seconds).unwrap_or(usize::MAX))
    };
    MetricReading {
        name: "ledger_unsealed_seconds",
        help: "Age of the oldest movement or act that is not sealed yet, in seconds",
        read: Box::new(read),
    }
}

fn refusals(credit: Ledger) -> MetricReading {
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
        MetricValue::Counts(counts.into_iter().chain([("queue_full", queue_full), ("other", other)]).collect())
    };
    MetricReading { name: "ledger_refusals", help: "Holds that were refused, by reason", read: Box::new(read) }
}

fn reading(
    credit: &Ledger,
    name: &'static str,
    help: &'static str,
    counter: CounterReader,
    value: fn(u64) -> MetricValue,
) -> MetricReading {
    let credit = credit.clone();
    MetricReading { name, help, read: Box::new(move || value(counter(credit.stats()).load(Ordering::Relaxed))) }
}
