//! A move that the table does not have from this state.
use tollgate_tests::generated::machines::thing::{AnyRow, State, actor, mv};

fn main() {
    let AnyRow::Open(row) = AnyRow::read(State::Open, ()) else { return };
    let tell = actor::ThingsTell::grant();
    row.step(mv::Open::by(&tell));
}
