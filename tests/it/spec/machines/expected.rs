//! The machines as people agreed on them, written a second time by hand: a row that vanishes from the spec, or comes
//! into it, fails here.

use super::Row;

/// One machine.
pub(super) struct Expected {
    pub(super) table: &'static str,
    pub(super) key: &'static str,
    pub(super) state: &'static str,
    pub(super) revision: bool,
    pub(super) start: &'static str,
    pub(super) rows: &'static [Row],
    /// The column that the SQL guards compare with the time, and for each move that has such a guard, whether it wants
    /// that column in the past.
    pub(super) time_column: &'static str,
    pub(super) past_and_future: &'static [(&'static str, bool)],
}

pub(super) const EXPECTED: &[Expected] = &[
    Expected {
        table: "topup_order",
        key: "id",
        state: "status",
        revision: true,
        start: "pending",
        rows: &[
            ("pending", "begin_settlement", "settling"),
            ("settling", "succeed", "success"),
            ("settling", "fail", "failed"),
            ("settling", "give_back", "pending"),
            ("pending", "expire", "expired"),
            ("expired", "revive", "settling"),
            ("failed", "revive", "settling"),
        ],
        time_column: "expires_at",
        past_and_future: &[("begin_settlement", false), ("give_back", false), ("expire", true)],
    },
    Expected {
        table: "video_task",
        key: "task_id",
        state: "status",
        revision: true,
        start: "queued",
        rows: &[
            ("queued", "start_work", "in_progress"),
            ("queued", "complete", "completed"),
            ("in_progress", "complete", "completed"),
            ("queued", "fail", "failed"),
            ("in_progress", "fail", "failed"),
            ("queued", "give_up", "failed"),
            ("in_progress", "give_up", "failed"),
        ],
        time_column: "deadline_at",
        past_and_future: &[("give_up", true)],
    },
    Expected {
        table: "payments",
        key: "id",
        state: "state",
        revision: true,
        start: "claimed",
        rows: &[
            ("claimed", "pay", "paid"),
            ("void", "pay", "paid"),
            ("claimed", "give_up", "void"),
            ("claimed", "set_aside", "surplus"),
            ("void", "set_aside", "surplus"),
        ],
        time_column: "claimed_at",
        past_and_future: &[],
    },
    Expected {
        table: "agents",
        key: "id",
        state: "state",
        revision: true,
        start: "active",
        rows: &[("active", "revoke", "revoked")],
        time_column: "created_at",
        past_and_future: &[],
    },
    Expected {
        table: "api_keys",
        key: "id",
        state: "state",
        revision: true,
        start: "active",
        rows: &[("active", "revoke", "revoked")],
        time_column: "expires_at",
        past_and_future: &[],
    },
];
