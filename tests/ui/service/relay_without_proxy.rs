//! Upstream bytes from an operation that is no proxy.
use tollgate_tests::api::{Cx, ProxyReply};
use tollgate_tests::generated::ops::things::{GetThing, GetThingError, GetThingInput};

struct App;

impl GetThing for App {
    async fn get_thing(&self, _: &Cx, _: GetThingInput) -> Result<ProxyReply, GetThingError> {
        unreachable!()
    }
}

fn main() {}
