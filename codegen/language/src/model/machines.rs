//! State machines.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{DeclaredStates, EntryMap, OneOrMore, SpannedText};

/// A state machine over a stored row, or a view of one.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Machine")]
#[serde(deny_unknown_fields)]
pub struct DeclaredMachine {
    /// The subject of the machine.
    pub doc: Option<String>,
    /// The heading of the source that it follows.
    pub from: Option<SpannedText>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
    /// The row it is stored in; not for a view.
    pub row: Option<DeclaredRow>,
    /// The machine this one is another vocabulary of.
    pub view_of: Option<SpannedText>,
    /// The states: a list; for a view, a mapping to the states of its base.
    pub states: DeclaredStates,
    /// The first state; not for a view.
    pub start: Option<SpannedText>,
    /// The states without a way out.
    #[serde(default, rename = "final")]
    pub finals: Vec<SpannedText>,
    /// Conditions on moves. Those of a view are words for readers; it may name its base's too.
    #[serde(default)]
    pub guards: EntryMap<DeclaredGuard>,
    /// Effects of moves beside the change of state. Those of a view are words for readers; it may name its base's too.
    #[serde(default)]
    pub effects: EntryMap<DeclaredEffect>,
    /// The moves.
    pub moves: EntryMap<DeclaredMove>,
}

/// The row a machine is stored in.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Row")]
#[serde(deny_unknown_fields)]
pub struct DeclaredRow {
    /// The table.
    pub table: SpannedText,
    /// Its key column.
    pub key: SpannedText,
    /// The column of the state.
    pub state: SpannedText,
    /// The column that counts changes.
    pub revision: Option<SpannedText>,
}

/// A condition on a move: exactly one of `sql` and `proof`; of a view, `doc` alone.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Guard")]
#[serde(deny_unknown_fields)]
pub struct DeclaredGuard {
    /// The condition in words.
    pub doc: Option<String>,
    /// A condition that goes into the compare-and-set statement.
    pub sql: Option<SpannedText>,
    /// A value that only the checker can build.
    pub proof: Option<SpannedText>,
}

/// An effect of a move beside the change of state.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Effect")]
#[serde(deny_unknown_fields)]
pub struct DeclaredEffect {
    /// The effect in words.
    pub doc: Option<String>,
    /// The place of the effect; not for a view.
    #[serde(rename = "in")]
    pub within: Option<EffectPlace>,
    /// The thing that it happens once for.
    pub once_per: Option<SpannedText>,
}

/// The place of an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EffectPlace {
    /// In the transaction of the move.
    Transaction,
}

/// A move from one state to another.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[schemars(rename = "Move")]
#[serde(deny_unknown_fields)]
pub struct DeclaredMove {
    /// The move in words.
    pub doc: Option<String>,
    /// The states it may start in; `none` is before the row exists.
    pub from: OneOrMore,
    /// The state it ends in.
    pub to: SpannedText,
    /// The actors and operations that may make it.
    pub by: OneOrMore,
    /// The guards that must hold.
    pub when: Option<OneOrMore>,
    /// The effects it has.
    pub does: Option<OneOrMore>,
    /// The decision behind it.
    pub fact: Option<SpannedText>,
}
