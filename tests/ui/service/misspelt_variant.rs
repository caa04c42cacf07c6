//! A misspelt variant of a closed set: rustc itself offers the right one.
use tollgate_tests::generated::ops::things::GetThingError;

fn lost() -> GetThingError {
    GetThingError::NoThnig { thing: String::new() }
}

fn main() {}
