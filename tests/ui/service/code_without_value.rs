//! A code without the value that its sentence needs.
use tollgate_tests::generated::ops::things::TellThingError;

fn dear() -> TellThingError {
    TellThingError::TooDear { count: 1 }
}

fn main() {}
