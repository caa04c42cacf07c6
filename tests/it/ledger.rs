//! The ledger under pressure, faults and time, in a file and on a database server.

mod backup;
pub(crate) mod commit_steps;
mod crash;
mod disk;
mod idempotency;
mod kill;
mod ledger_mode;
mod money;
mod months;
mod orphaned_holds;
mod outages;
mod poolers;
mod promotions;
pub(crate) mod restartable;
mod schema_steps;
mod shared;
mod standbys;
mod statements;
mod tags;
mod tls;
