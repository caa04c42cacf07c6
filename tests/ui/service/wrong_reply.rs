//! A reply of another shape than the operation's.
use tollgate_tests::api::Cx;
use tollgate_tests::generated::ops::things::{GetThings, GetThingsError, GetThingsInput};
use tollgate_tests::generated::types::ThingList;

struct App;

impl GetThings for App {
    async fn get_things(&self, _: &Cx, _: GetThingsInput) -> Result<ThingList, GetThingsError> {
        Ok(ThingList { data: Vec::new() })
    }
}

fn main() {}
