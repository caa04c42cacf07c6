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
    S: ops::things::ShowThings,
    S: ops::things::GetThing,
    S: ops::things::TellThing,
    S: ops::things::RelayThing,
    S: ops::pictures::DrawPicture,
    S: ops::pictures::WatchPicture,
    S: ops::pictures::FilePicture,
    S: ops::pictures::UploadPicture,
    S: ops::operators::BeginOperator,
    S: ops::operators::EndOperator,
    S: ops::operators::SeeOperator,
    S: ops::operators::ClearOperator,
{
    let mut routes = Routes::new(service, &RULES, config);
    routes.add(&ops::things::LIST_THINGS, ops::things::list_things);
    routes.add(&ops::things::SHOW_THINGS, ops::things::show_things);
    routes.add(&ops::things::GET_THING, ops::things::get_thing);
    routes.add(&ops::things::TELL_THING, ops::things::tell_thing);
    routes.add(&ops::things::RELAY_THING, ops::things::relay_thing);
    routes.add(&ops::pictures::DRAW_PICTURE, ops::pictures::draw_picture);
    routes.add(&ops::pictures::WATCH_PICTURE, ops::pictures::watch_picture);
    routes.add(&ops::pictures::FILE_PICTURE, ops::pictures::file_picture);
    routes.add(&ops::pictures::UPLOAD_PICTURE, ops::pictures::upload_picture);
    routes.add(&ops::operators::BEGIN_OPERATOR, ops::operators::begin_operator);
    routes.add(&ops::operators::END_OPERATOR, ops::operators::end_operator);
    routes.add(&ops::operators::SEE_OPERATOR, ops::operators::see_operator);
    routes.add(&ops::operators::CLEAR_OPERATOR, ops::operators::clear_operator);
    routes.finish()
}
