// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Every operation under its routes.
use crate::api::{RouterConfig, Routes};
use std::sync::Arc;
use super::errors::RULES;
use super::{Service, ops};
/// Every routed operation, and an answer in the right shape for everything else.
pub fn router<S: Service>(service: Arc<S>, config: RouterConfig) -> axum::Router {
    let mut routes = Routes::new(service, &RULES, config);
    routes.add(&ops::things::LIST_THINGS, ops::things::list_things);
    routes.add(&ops::things::GET_THINGS, ops::things::get_things);
    routes.add(&ops::things::TELL_THINGS, ops::things::tell_things);
    routes.add(&ops::things::RELAY_THINGS, ops::things::relay_things);
    routes.finish()
}
