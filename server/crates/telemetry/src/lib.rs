//! Floor 1: the log, the metrics and the traces. One line an event, allow-listed fields; never keys, signatures or bodies, and no
//! account, key or model in a metric.
//!
//! Imports `base` alone: what is counted in other rooms is handed in as a [`MetricReading`]. Start reading at [`start`], then at
//! [`MetricsRegistry`], then at [`TraceHandle`].

mod alarms;
mod metrics;
mod traces;

use tracing::Dispatch;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use tollgate_base::Clock;

use alarms::AlarmLayer;

pub use alarms::{AlarmFeed, AlarmIdentity, AlarmRings};
pub use metrics::{MetricReading, MetricUnit, MetricValue, MetricsRegistry, OPENMETRICS};
pub use traces::{SpanPart, TraceHandle, TraceSpan, TracesConfig, TracesError};

/// The filter does not follow the syntax of `tracing`.
#[derive(Debug, thiserror::Error)]
#[error("the log filter {filter:?} cannot be read")]
pub struct InvalidLogFilter {
    filter: String,
    #[source]
    source: tracing_subscriber::filter::ParseError,
}

/// Starts the log on standard error, and answers the feed of its alarms. Later calls in the same process change nothing, and their
/// feeds have none.
///
/// # Errors
/// When `filter` cannot be read.
pub fn start(filter: &str, json: bool, clock: &Clock) -> Result<AlarmFeed, InvalidLogFilter> {
    let feed = AlarmFeed::default();
    // Fails when another log was started first, which then stays.
    let _ = log(filter, json, std::io::stderr, &feed, clock)?.try_init();
    Ok(feed)
}

/// Makes the same log over another writer; the caller installs it. Its alarms come into the feed.
///
/// # Errors
/// When `filter` cannot be read.
pub fn log(
    filter: &str,
    json: bool,
    writer: impl for<'w> MakeWriter<'w> + Send + Sync + 'static,
    feed: &AlarmFeed,
    clock: &Clock,
) -> Result<Dispatch, InvalidLogFilter> {
    let parsed = EnvFilter::try_new(by_crates(filter))
        .map_err(|source| InvalidLogFilter { filter: filter.to_owned(), source })?;
    let builder = tracing_subscriber::fmt()
        .with_env_filter(with_alarms(parsed))
        .with_writer(writer)
        .with_span_events(FmtSpan::NONE)
        .with_target(false);
    let alarms = AlarmLayer { feed: feed.clone(), clock: clock.clone() };
    Ok(match json {
        true => Dispatch::new(builder.json().finish().with(alarms)),
        false => Dispatch::new(builder.finish().with(alarms)),
    })
}

/// The filter, which lets all alarms through: what somebody has to be woken for is not told less often for a quieter log.
fn with_alarms(filter: EnvFilter) -> EnvFilter {
    filter.add_directive(format!("{}=error", alarms::TARGET).parse().expect("a directive"))
}

/// A filter in the names of crates, where it is in those of modules: they were all in `tollgate_server` once.
fn by_crates(filter: &str) -> String {
    let moved = filter
        .replace("tollgate_server::gateway::exchange", "tollgate_formats")
        .replace("tollgate_server::generated", "tollgate_api::generated");
    let rooms = moved.replace("tollgate_server::", "tollgate_").replace("tollgate_server", "tollgate");
    ["app", "cli", "settings"].into_iter().fold(rooms, |filter, module| {
        filter.replace(&format!("tollgate_{module}"), &format!("tollgate_server::{module}"))
    })
}

#[cfg(test)]
mod tests {
    use super::by_crates;

    #[test]
    fn older_filters_are_understood() {
        for (filter, expected) in [
            ("info", "info"),
            ("info,tollgate_credit=debug", "info,tollgate_credit=debug"),
            ("info,tollgate_server=debug", "info,tollgate=debug"),
            ("tollgate_server::credit::nodes=trace,warn", "tollgate_credit::nodes=trace,warn"),
            ("tollgate_server::app=debug", "tollgate_server::app=debug"),
            ("tollgate_server::gateway::exchange=trace", "tollgate_formats=trace"),
        ] {
            assert_eq!(by_crates(filter), expected);
        }
    }
}
