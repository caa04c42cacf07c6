//! A reply of another shape than the operation's.
use tollgate_tests::api::Cx;
use tollgate_tests::generated::ops::things::{GetThing, GetThingError, GetThingInput};
use tollgate_tests::generated::types::ThingList;

struct App;

impl GetThing for App {
    async fn get_thing(&self, _: &Cx, _: GetThingInput) -> Result<ThingList, GetThingError> {
        Ok(ThingList { data: Vec::new() })
    }
}

fn main() {}
