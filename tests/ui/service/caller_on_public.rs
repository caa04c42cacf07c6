//! A public operation has no caller to look at.
use tollgate_tests::generated::ops::things::GetThingInput;

fn who(input: GetThingInput) -> i64 {
    input.caller.account.0
}

fn main() {}
