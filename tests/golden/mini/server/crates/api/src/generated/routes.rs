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
    S: ops::things::GetThings,
    S: ops::things::TellThings,
    S: ops::things::RelayThings,
    S: ops::pictures::DrawPictures,
    S: ops::pictures::WatchPictures,
    S: ops::pictures::FilePictures,
    S: ops::pictures::UploadPictures,
{
    let mut routes = Routes::new(service, &RULES, config);
    routes.add(&ops::things::LIST_THINGS, ops::things::list_things);
    routes.add(&ops::things::GET_THINGS, ops::things::get_things);
    routes.add(&ops::things::TELL_THINGS, ops::things::tell_things);
    routes.add(&ops::things::RELAY_THINGS, ops::things::relay_things);
    routes.add(&ops::pictures::DRAW_PICTURES, ops::pictures::draw_pictures);
    routes.add(&ops::pictures::WATCH_PICTURES, ops::pictures::watch_pictures);
    routes.add(&ops::pictures::FILE_PICTURES, ops::pictures::file_pictures);
    routes.add(&ops::pictures::UPLOAD_PICTURES, ops::pictures::upload_pictures);
    routes.finish()
}
