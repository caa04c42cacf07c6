//! Metrics: answers are counted as they are given, everything else is read when somebody asks.

use std::fmt;
use std::time::Duration;

use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeLabelSet, EncodeMetric, NoLabelSet};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::{ConstCounter, Counter};
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Content type of the text of [`MetricsRegistry::text`].
pub const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Upper bounds of the buckets of durations, in seconds: from an answer of our own to a model at its slowest.
const CLASSES: [f64; 14] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0];

/// The metrics of this process: counters of answers, and the readings of other rooms.
pub struct MetricsRegistry {
    answers: Family<AnswerLabels, Counter>,
    durations: Family<OperationLabels, Histogram>,
    registry: Registry,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct AnswerLabels {
    operation: &'static str,
    status: u16,
    code: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OperationLabels {
    operation: &'static str,
}

/// A number that another room keeps.
pub struct MetricReading {
    /// Its name, without the unit.
    pub name: &'static str,
    /// The help text: the thing that is counted, or measured.
    pub help: &'static str,
    /// Reads the current value.
    pub read: Box<dyn Fn() -> MetricValue + Send + Sync>,
}

/// The current value of a reading.
#[derive(Debug, Clone)]
pub enum MetricValue {
    /// A number that goes up and down.
    Level(usize),
    /// A number that only grows.
    Count(u64),
    /// Numbers that only grow, each for a reason.
    Counts(Vec<(&'static str, u64)>),
    /// A histogram: the count of observed numbers in each bucket.
    Spread {
        /// Upper bound and count of each bucket. A number counts in the first bucket that it fits; the last has no bound.
        classes: Vec<(Option<u64>, u64)>,
        /// Sum of all observed numbers.
        sum: u64,
        /// Unit of the numbers.
        of: MetricUnit,
    },
}

/// Unit of the numbers of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricUnit {
    /// Plain numbers.
    Numbers,
    /// Nanoseconds, which are shown as seconds.
    Nanoseconds,
}

impl MetricUnit {
    fn unit(self) -> Option<&'static Unit> {
        match self {
            Self::Numbers => None,
            Self::Nanoseconds => Some(&Unit::Seconds),
        }
    }

    fn shown(self, number: u64) -> f64 {
        match self {
            Self::Numbers => number as f64,
            Self::Nanoseconds => Duration::from_nanos(number).as_secs_f64(),
        }
    }
}

impl MetricsRegistry {
    /// Metrics of answers, and these readings.
    #[must_use]
    pub fn new(readings: Vec<MetricReading>) -> Self {
        let mut registry = Registry::with_prefix("tollgate");
        let answers = Family::<AnswerLabels, Counter>::default();
        let durations = Family::<OperationLabels, Histogram>::new_with_constructor(|| Histogram::new(CLASSES));
        registry.register("answers", "Answers by operation, status and error code", answers.clone());
        let help = "Time from a request to the head of its answer";
        registry.register_with_unit("answer_duration", help, Unit::Seconds, durations.clone());
        registry.register_collector(Box::new(MetricReadings(readings)));
        Self { answers, durations, registry }
    }

    /// Counts an answer.
    pub fn answered(&self, operation: &'static str, status: u16, code: &'static str, took: Duration) {
        self.answers.get_or_create(&AnswerLabels { operation, status, code }).inc();
        self.durations.get_or_create(&OperationLabels { operation }).observe(took.as_secs_f64());
    }

    /// All of them in the OpenMetrics format.
    ///
    /// # Errors
    /// When a reading cannot be written.
    pub fn text(&self) -> Result<String, fmt::Error> {
        let mut text = String::with_capacity(16 * 1024);
        encode(&mut text, &self.registry)?;
        Ok(text)
    }
}

impl fmt::Debug for MetricsRegistry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Metrics").finish_non_exhaustive()
    }
}

struct MetricReadings(Vec<MetricReading>);

impl fmt::Debug for MetricReadings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|reading| reading.name)).finish()
    }
}

impl Collector for MetricReadings {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for MetricReading { name, help, read } in &self.0 {
            match read() {
                MetricValue::Level(level) => {
                    let gauge = ConstGauge::new(i64::try_from(level).unwrap_or(i64::MAX));
                    gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
                }
                MetricValue::Count(count) => {
                    let counter = ConstCounter::new(count);
                    counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
                }
                MetricValue::Counts(counts) => {
                    let mut family = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
                    for (reason, count) in counts {
                        ConstCounter::new(count).encode(family.encode_family(&[("reason", reason)])?)?;
                    }
                }
                MetricValue::Spread { classes, sum, of } => {
                    let count = classes.iter().map(|(_, count)| count).sum();
                    let shown =
                        |(bound, count): (Option<u64>, u64)| (bound.map_or(f64::MAX, |bound| of.shown(bound)), count);
                    let classes: Vec<(f64, u64)> = classes.into_iter().map(shown).collect();
                    let mut spread = encoder.encode_descriptor(name, help, of.unit(), MetricType::Histogram)?;
                    spread.encode_histogram::<NoLabelSet>(of.shown(sum), count, &classes, None)?;
                }
            }
        }
        Ok(())
    }
}
