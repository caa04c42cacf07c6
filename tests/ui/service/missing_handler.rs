//! One operation has no handler: the complaint names its route and its place in the spec.
use std::sync::Arc;

use tollgate_tests::api::{AuthFailure, Authenticate, Cx, Principal, ProxyReply, RouterConfig};
use tollgate_tests::generated::ops::pictures::*;
use tollgate_tests::generated::ops::things::*;
use tollgate_tests::generated::types::Thing;

struct App;

impl Authenticate for App {
    async fn authenticate(&self, _: &str) -> Result<Principal, AuthFailure> {
        Err(AuthFailure::Unknown)
    }
}

impl ListThings for App {
    async fn list_things(&self, _: &Cx, _: ListThingsInput) -> Result<ListThingsReply, ListThingsError> {
        Err(ListThingsError::KeyMissing)
    }
}

impl TellThings for App {
    async fn tell_things(&self, _: &Cx, _: TellThingsInput) -> Result<Thing, TellThingsError> {
        Err(TellThingsError::KeyMissing)
    }
}

impl RelayThings for App {
    async fn relay_things(&self, _: &Cx, _: RelayThingsInput) -> Result<ProxyReply, RelayThingsError> {
        Err(RelayThingsError::KeyMissing)
    }
}

impl DrawPictures for App {
    async fn draw_pictures(&self, _: &Cx, _: DrawPicturesInput) -> Result<ProxyReply, DrawPicturesError> {
        Err(DrawPicturesError::KeyMissing)
    }
}

impl WatchPictures for App {
    async fn watch_pictures(&self, _: &Cx, _: WatchPicturesInput) -> Result<ProxyReply, WatchPicturesError> {
        Err(WatchPicturesError::KeyMissing)
    }
}

impl FilePictures for App {
    async fn file_pictures(&self, _: &Cx, input: FilePicturesInput) -> Result<ProxyReply, FilePicturesError> {
        Err(FilePicturesError::NoThing { thing: input.picture })
    }
}

impl UploadPictures for App {
    async fn upload_pictures(&self, _: &Cx, _: UploadPicturesInput) -> Result<ProxyReply, UploadPicturesError> {
        std::future::pending().await
    }
}

fn start(config: RouterConfig) {
    let _ = tollgate_tests::generated::router(Arc::new(App), config);
}

fn main() {}
