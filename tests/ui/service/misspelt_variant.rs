//! A misspelt variant of a closed set: rustc itself offers the right one.
use tollgate_tests::generated::ops::things::GetThingsError;

fn lost() -> GetThingsError {
    GetThingsError::NoThnig { thing: String::new() }
}

fn main() {}
