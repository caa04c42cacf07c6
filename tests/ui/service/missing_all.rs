//! No operation has a handler: each is named in the same run.
use std::sync::Arc;

use tollgate_tests::api::RouterConfig;

struct App;

fn start(config: RouterConfig) {
    let _ = tollgate_tests::generated::router(Arc::new(App), config);
}

fn main() {}
