//! The parts of the router that every request needs.

use std::sync::Arc;

use super::{RouterConfig, Rules};

/// The parts that every request needs: service, rules and configuration.
pub(super) struct RouterContext<S> {
    pub service: Arc<S>,
    pub rules: &'static Rules,
    pub config: RouterConfig,
}
