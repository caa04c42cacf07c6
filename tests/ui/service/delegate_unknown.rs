//! A removed operation whose handler is still there.
use tollgate_tests::api::Cx;
use tollgate_tests::generated::ops::things::{PaintThings, PaintThingsInput};

struct App;

impl PaintThings for App {
    async fn paint_things(&self, _: &Cx, _: PaintThingsInput) {}
}

fn main() {}
