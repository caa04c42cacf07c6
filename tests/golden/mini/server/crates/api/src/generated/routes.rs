// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! Every operation under its routes.
use std::sync::Arc;
use super::errors::RULES;
use super::ops;
use crate::api::{Authenticate, RouterConfig, Routes};
/// The routed operations that take a key, by their ids.
pub static KEYED: &[&str] = &[
    "things.list",
    "things.tell",
    "things.relay",
    "pictures.draw",
    "pictures.watch",
];
/// Every routed operation, and an answer in the right shape for everything else.
pub fn router<S>(service: Arc<S>, config: RouterConfig) -> axum::Router
where
    S: Authenticate,
    S: ops::things::ListThings,
    S: ops::things::GetThing,
    S: ops::things::TellThing,
    S: ops::things::RelayThing,
    S: ops::pictures::DrawPicture,
    S: ops::pictures::WatchPicture,
    S: ops::pictures::FilePicture,
    S: ops::pictures::UploadPicture,
{
    let mut routes = Routes::new(service, &RULES, config);
    routes.add(&ops::things::LIST_THINGS, ops::things::list_things);
    routes.add(&ops::things::GET_THING, ops::things::get_thing);
    routes.add(&ops::things::TELL_THING, ops::things::tell_thing);
    routes.add(&ops::things::RELAY_THING, ops::things::relay_thing);
    routes.add(&ops::pictures::DRAW_PICTURE, ops::pictures::draw_picture);
    routes.add(&ops::pictures::WATCH_PICTURE, ops::pictures::watch_picture);
    routes.add(&ops::pictures::FILE_PICTURE, ops::pictures::file_picture);
    routes.add(&ops::pictures::UPLOAD_PICTURE, ops::pictures::upload_picture);
    routes.finish()
}
