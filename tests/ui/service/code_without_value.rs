//! A code without the value that its sentence needs.
use tollgate_tests::generated::ops::things::TellThingsError;

fn dear() -> TellThingsError {
    TellThingsError::TooDear { count: 1 }
}

fn main() {}
