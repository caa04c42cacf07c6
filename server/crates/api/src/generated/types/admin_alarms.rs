// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Types of `admin_alarms`.

use tollgate_macros::{Wire, WireEnum};


/// One page of the list of alarms.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_alarms.yaml: AlarmPage")]
pub struct AlarmPage {
    /// The alarms, the one that rang last first.
    pub alarms: Vec<Alarm>,
    /// Value of `after` for the next page. Null on the last one.
    #[wire(nullable)]
    pub next: Option<String>,
}

/// The state of an alarm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, WireEnum)]
#[wire(spec = "spec/operations/admin_alarms.yaml: AlarmState")]
pub enum AlarmState {
    /// Nobody has acknowledged it.
    #[wire(name = "open")]
    Open,
    /// An operator has acknowledged it.
    #[wire(name = "acknowledged")]
    Acknowledged,
}

/// Something that an operator is to look at.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_alarms.yaml: Alarm")]
pub struct Alarm {
    /// Number of the alarm.
    pub alarm_id: i64,
    /// Its code, as `relayer`. The operators' guide lists them.
    pub alarm: String,
    /// Its state.
    pub state: AlarmState,
    /// The thing that it is about, as `network=eip155:8453`. Empty where it is about the whole service.
    pub subject: String,
    /// The event, as the log tells it.
    pub message: String,
    /// The remedy. Null for a code of another version.
    #[wire(nullable)]
    pub remedy: Option<String>,
    /// Values of the last time that it rang, as JSON.
    pub fields: String,
    /// The server that it rang at last.
    pub server: String,
    /// The times that it rang.
    pub occurrences: i64,
    /// Time at which it first rang.
    pub first_at: String,
    /// Time at which it last rang.
    pub last_at: String,
    /// Time at which it was acknowledged. Null while it is open.
    #[wire(nullable)]
    pub acknowledged_at: Option<String>,
    /// The operator who did. Null while it is open.
    #[wire(nullable)]
    pub acknowledged_by: Option<String>,
}

/// The acknowledgement of an alarm.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_alarms.yaml: AlarmAcknowledgement")]
pub struct AlarmAcknowledgement {
    /// The times that it had rung when it was looked at. Where it rang since, it is not acknowledged. Absent means
    /// however often it rang.
    #[wire(optional, min = 1)]
    pub occurrences: Option<i64>,
    /// The finding or the act, for the log of changes.
    #[wire(optional, max_len = 500)]
    pub reason: Option<String>,
}

/// Answer of `admin_alarms.list`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_alarms.yaml: AlarmListReply")]
pub struct AlarmListReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The page.
    pub data: AlarmPage,
}

/// Answer of `admin_alarms.acknowledge`.
#[derive(Debug, Clone, PartialEq, Wire)]
#[wire(spec = "spec/operations/admin_alarms.yaml: AlarmReply")]
pub struct AlarmReply {
    /// Always true here; a failure has the shape of an error.
    pub success: bool,
    /// Empty.
    pub message: String,
    /// The alarm.
    pub data: Alarm,
}
