//! A move out of a final state.
use tollgate_tests::generated::machines::thing::{AnyRow, State, actor, mv};

fn main() {
    let AnyRow::Closed(row) = AnyRow::read(State::Closed, ()) else { return };
    row.step(mv::Open::by(&actor::ThingsTell::grant()));
}
