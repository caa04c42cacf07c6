//! Alarms: events of the log with the target `alarm`, gathered until they are written down where operators find them.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Map, Value};
use tokio::sync::Notify;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use tollgate_base::Clock;

/// The target of events that are alarms.
pub(crate) const TARGET: &str = "alarm";
/// The most alarms that wait to be written down. Further ones are in the log alone.
const WAITING_MAX: usize = 1_000;
/// The longest text of a subject, in bytes.
const SUBJECT_MAX: usize = 256;
/// The longest message and the longest value of a field, in bytes.
const TEXT_MAX: usize = 1_000;

/// Fields that name the thing that an alarm is about, in the order in which a subject tells them. Alarms of one code, message and
/// subject are one alarm that rang several times; whatever else they tell is of the last time.
const SUBJECT: [&str; 17] = [
    "network",
    "chain",
    "source",
    "kind",
    "upstream",
    "model",
    "entry",
    "group",
    "account",
    "agent",
    "order",
    "payment_id",
    "payment",
    "hold",
    "reference",
    "relayer",
    "of",
];

/// What an alarm is: those of one identity are one alarm that rang several times.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AlarmIdentity {
    /// Code, as `relayer`.
    pub alarm: String,
    /// The thing that it is about, as `network=eip155:8453`. Empty where it is about the whole service.
    pub subject: String,
    /// The sentence that the log has.
    pub message: String,
}

/// The times that an alarm rang since it was last written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlarmRings {
    /// How often it rang.
    pub count: i64,
    /// Unix time in milliseconds of the first time.
    pub first_ms: i64,
    /// Unix time in milliseconds of the last time.
    pub last_ms: i64,
    /// The fields of the last time.
    pub fields: Map<String, Value>,
}

/// Alarms that wait to be written down. Clones are one feed.
#[derive(Debug, Clone, Default)]
pub struct AlarmFeed {
    waiting: Arc<Mutex<BTreeMap<AlarmIdentity, AlarmRings>>>,
    rang: Arc<Notify>,
}

impl AlarmFeed {
    /// Adds an alarm. Beyond a thousand different ones that wait it is in the log alone.
    pub fn ring(&self, identity: AlarmIdentity, rings: AlarmRings) {
        let mut waiting = self.lock();
        if waiting.len() >= WAITING_MAX && !waiting.contains_key(&identity) {
            return;
        }
        waiting.entry(identity).and_modify(|known| known.add(&rings)).or_insert(rings);
        drop(waiting);
        self.rang.notify_one();
    }

    /// All that wait, which no longer wait then.
    #[must_use]
    pub fn take(&self) -> Vec<(AlarmIdentity, AlarmRings)> {
        std::mem::take(&mut *self.lock()).into_iter().collect()
    }

    /// Puts back what could not be written down.
    pub fn put_back(&self, alarms: Vec<(AlarmIdentity, AlarmRings)>) {
        for (identity, rings) in alarms {
            self.ring(identity, rings);
        }
    }

    /// Resolves when an alarm rang since the last time that this resolved.
    pub async fn rang(&self) {
        self.rang.notified().await;
    }

    /// A map is whole whoever panicked.
    fn lock(&self) -> MutexGuard<'_, BTreeMap<AlarmIdentity, AlarmRings>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AlarmRings {
    /// Adds other times that it rang. The fields are those of the later ones.
    fn add(&mut self, other: &Self) {
        if other.last_ms >= self.last_ms {
            self.fields = other.fields.clone();
        }
        self.count += other.count;
        self.first_ms = self.first_ms.min(other.first_ms);
        self.last_ms = self.last_ms.max(other.last_ms);
    }
}

/// The part of the log that gathers alarms.
#[derive(Debug)]
pub(crate) struct AlarmLayer {
    pub(crate) feed: AlarmFeed,
    pub(crate) clock: Clock,
}

impl<S: Subscriber> Layer<S> for AlarmLayer {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().target() != TARGET {
            return;
        }
        let mut visitor = FieldVisitor::default();
        event.record(&mut visitor);
        let FieldVisitor { message, mut fields } = visitor;
        let Some(Value::String(alarm)) = fields.remove(TARGET) else { return };
        let (subject, at) = (subject(&fields), self.clock.now_ms());
        let rings = AlarmRings { count: 1, first_ms: at, last_ms: at, fields };
        self.feed.ring(AlarmIdentity { alarm, subject, message }, rings);
    }
}

/// The thing that an alarm is about, of its fields.
fn subject(fields: &Map<String, Value>) -> String {
    let named = SUBJECT.iter().filter_map(|name| Some((name, fields.get(*name)?)));
    let texts = named.map(|(name, value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    });
    cut(&texts.collect::<Vec<_>>().join(" "), SUBJECT_MAX)
}

/// Reads the fields of an event.
#[derive(Default)]
struct FieldVisitor {
    message: String,
    fields: Map<String, Value>,
}

impl FieldVisitor {
    fn put(&mut self, field: &Field, value: Value) {
        if field.name() == "message" {
            self.message = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        } else {
            self.fields.insert(field.name().to_owned(), value);
        }
    }
}

impl Visit for FieldVisitor {
    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, cut(value, TEXT_MAX).into());
    }

    /// Values of `%`, which are texts, and those of wider integers.
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.put(field, cut(&format!("{value:?}"), TEXT_MAX).into());
    }
}

/// A text of at most so many bytes, with blanks for control characters, which not every database takes.
fn cut(text: &str, bytes: usize) -> String {
    text[..text.floor_char_boundary(bytes)].replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::{EnvFilter, Registry};

    use super::*;

    fn gathered(filter: &str, work: impl FnOnce()) -> Vec<(AlarmIdentity, AlarmRings)> {
        let feed = AlarmFeed::default();
        let layer = AlarmLayer { feed: feed.clone(), clock: Clock::system() };
        let filter = crate::with_alarms(EnvFilter::try_new(filter).expect("a filter"));
        tracing::subscriber::with_default(Registry::default().with(filter).with(layer), work);
        feed.take()
    }

    #[test]
    fn alarms_of_one_identity_are_one() {
        let found = gathered("off", || {
            for lamports in [3_u64, 2] {
                let network = "solana:local";
                tracing::error!(target: "alarm", alarm = "relayer", network, lamports, order = %7, "it is {}", "empty");
            }
            tracing::error!(target: "alarm", alarm = "unsealed", seconds = 600_u64, "nothing was sealed");
            tracing::error!(alarm = "no", "not an alarm");
        });
        let told: Vec<_> = found
            .iter()
            .map(|(identity, rings)| {
                (identity.alarm.as_str(), identity.subject.as_str(), identity.message.as_str(), rings.count)
            })
            .collect();
        let expected =
            [("relayer", "network=solana:local order=7", "it is empty", 2), ("unsealed", "", "nothing was sealed", 1)];
        assert_eq!(told, expected);
        assert_eq!(
            Value::Object(found[0].1.fields.clone()),
            json!({"network": "solana:local", "lamports": 2, "order": "7"})
        );
    }

    #[test]
    fn what_could_not_be_written_is_added_to_what_came_meanwhile() {
        let feed = AlarmFeed::default();
        let identity = AlarmIdentity { alarm: "usage".to_owned(), subject: String::new(), message: "m".to_owned() };
        let rings = |at, count| AlarmRings {
            count,
            first_ms: at,
            last_ms: at,
            fields: Map::from_iter([("at".to_owned(), at.into())]),
        };
        feed.ring(identity.clone(), rings(1, 2));
        let taken = feed.take();
        assert!(feed.take().is_empty());
        feed.ring(identity, rings(5, 1));
        feed.put_back(taken);
        let found = feed.take();
        assert_eq!(found.len(), 1);
        let AlarmRings { count, first_ms, last_ms, fields } = &found[0].1;
        assert_eq!((*count, *first_ms, *last_ms, &fields["at"]), (3, 1, 5, &json!(5)));
    }

    #[test]
    fn no_more_than_a_thousand_wait() {
        let feed = AlarmFeed::default();
        let rings = AlarmRings { count: 1, first_ms: 0, last_ms: 0, fields: Map::new() };
        for number in 0..WAITING_MAX + 5 {
            let subject = number.to_string();
            feed.ring(AlarmIdentity { alarm: "usage".to_owned(), subject, message: String::new() }, rings.clone());
        }
        assert_eq!(feed.take().len(), WAITING_MAX);
    }
}
