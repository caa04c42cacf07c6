//! What other rooms count, as the metrics show it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::api::Places;
use crate::credit::{Credit, WriterStats};
use crate::telemetry::{Reading, Value};

type Counter = fn(&WriterStats) -> &AtomicU64;

const COUNTS: [(&str, &str, Counter); 8] = [
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
    ("shortfall_nanousd", "Cost that accounts could not pay, in billionths of a dollar", |stats| {
        &stats.shortfall_nanos
    }),
    ("ledger_holds_expired", "Holds given back because nobody came for them", |stats| &stats.expired),
];

const TIMES: [(&str, &str, Counter); 2] = [
    ("ledger_commit", "Time spent writing and committing batches", |stats| &stats.commit_nanos),
    ("ledger_queue_wait", "Time that operations waited for their batch to begin", |stats| &stats.queue_wait_nanos),
];

/// Everything that is read rather than counted.
pub(super) fn all(credit: &Credit, places: &Places) -> Vec<Reading> {
    let places = places.clone();
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
    let time = |nanos| Value::Time(Duration::from_nanos(nanos));
    readings.extend(TIMES.map(|(name, help, counter)| reading(credit, name, help, counter, time)));
    readings
}

fn reading(
    credit: &Credit,
    name: &'static str,
    help: &'static str,
    counter: Counter,
    value: fn(u64) -> Value,
) -> Reading {
    let credit = credit.clone();
    Reading { name, help, read: Box::new(move || value(counter(credit.stats()).load(Ordering::Relaxed))) }
}
