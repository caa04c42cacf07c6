//! Upstream bytes from an operation that is no proxy.
use tollgate_tests::api::{Cx, ProxyReply};
use tollgate_tests::generated::ops::things::{GetThings, GetThingsError, GetThingsInput};

struct App;

impl GetThings for App {
    async fn get_things(&self, _: &Cx, _: GetThingsInput) -> Result<ProxyReply, GetThingsError> {
        unreachable!()
    }
}

fn main() {}
