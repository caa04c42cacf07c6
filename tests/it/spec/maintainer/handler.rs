//! `POST /v1/things/{thing}:mend`

use crate::api::machine::Cas;
use crate::api::{Cx, raise};
use crate::generated::errors::code;
use crate::generated::machines::thing::{AnyRow, State, actor, mv};
use crate::generated::ops::things::{MendThing, MendThingError, MendThingInput};
use crate::generated::types::Thing;
use crate::mini_service::{Things, thing};

impl MendThing for Things {
    async fn mend_thing(&self, _: &Cx, input: MendThingInput) -> Result<Thing, MendThingError> {
        let mend = actor::ThingsMend::grant();
        let row = match AnyRow::read(State::Open, input.thing) {
            AnyRow::Open(row) => row,
            AnyRow::Fresh(row) => return Err(raise(code::NotBroken { thing: row.into_data() })),
            AnyRow::Closed(_) => return Err(raise(code::TooOld {})),
        };
        let step = row.step(mv::Mend::by(&mend));
        let changed = rows_changed_by(step.cas());
        match step.done(changed) {
            Ok(won) => Ok(thing(won.row.data())),
            Err(lost) => Err(raise(code::NotBroken { thing: lost.data })),
        }
    }
}

/// As the store tells it.
fn rows_changed_by(statement: &Cas) -> u64 {
    u64::from(statement.sql.starts_with("UPDATE"))
}

/// What people are told, each code in words of its own.
pub fn words(refused: &MendThingError) -> &'static str {
    match refused {
        MendThingError::NotBroken { .. } => "it is whole",
        MendThingError::TooOld => "it is gone",
        MendThingError::KeyDisabled | MendThingError::KeyExpired => "who are you?",
        MendThingError::LedgerUnavailable => "come back later",
    }
}
