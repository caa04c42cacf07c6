//! One operation has no handler: the complaint names its route and its place in the spec.
use std::sync::Arc;

use tollgate_tests::api::{AuthFailure, Authenticate, BeginsSession, Cx, Principal, ProxyReply, RouterConfig};
use tollgate_tests::generated::ops::operators::*;
use tollgate_tests::generated::ops::pictures::*;
use tollgate_tests::generated::ops::things::*;
use tollgate_tests::generated::types::{Operator, Thing};

struct App;

impl Authenticate for App {
    async fn authenticate(&self, _: &str) -> Result<Principal, AuthFailure> {
        Err(AuthFailure::Unknown)
    }
}

impl ListThings for App {
    async fn list_things(&self, _: &Cx, _: ListThingsInput) -> Result<ListThingsReply, ListThingsError> {
        std::future::pending().await
    }
}

impl ShowThings for App {
    async fn show_things(&self, _: &Cx, _: ShowThingsInput) -> Result<ProxyReply, ShowThingsError> {
        std::future::pending().await
    }
}

impl TellThing for App {
    async fn tell_thing(&self, _: &Cx, _: TellThingInput) -> Result<Thing, TellThingError> {
        std::future::pending().await
    }
}

impl RelayThing for App {
    async fn relay_thing(&self, _: &Cx, _: RelayThingInput) -> Result<ProxyReply, RelayThingError> {
        std::future::pending().await
    }
}

impl DrawPicture for App {
    async fn draw_picture(&self, _: &Cx, _: DrawPictureInput) -> Result<ProxyReply, DrawPictureError> {
        std::future::pending().await
    }
}

impl WatchPicture for App {
    async fn watch_picture(&self, _: &Cx, _: WatchPictureInput) -> Result<ProxyReply, WatchPictureError> {
        std::future::pending().await
    }
}

impl FilePicture for App {
    async fn file_picture(&self, _: &Cx, input: FilePictureInput) -> Result<ProxyReply, FilePictureError> {
        Err(FilePictureError::NoThing { thing: input.picture })
    }
}

impl UploadPicture for App {
    async fn upload_picture(&self, _: &Cx, _: UploadPictureInput) -> Result<ProxyReply, UploadPictureError> {
        std::future::pending().await
    }
}

impl BeginOperator for App {
    async fn begin_operator(
        &self,
        _: &Cx,
        _: BeginOperatorInput,
    ) -> Result<BeginsSession<Operator>, BeginOperatorError> {
        std::future::pending().await
    }
}

impl EndOperator for App {
    async fn end_operator(&self, _: &Cx, _: EndOperatorInput) -> Result<Operator, EndOperatorError> {
        Err(EndOperatorError::SessionInvalid)
    }
}

impl SeeOperator for App {
    async fn see_operator(&self, _: &Cx, _: SeeOperatorInput) -> Result<Operator, SeeOperatorError> {
        Err(SeeOperatorError::SessionInvalid)
    }
}

impl ClearOperator for App {
    async fn clear_operator(&self, _: &Cx, _: ClearOperatorInput) -> Result<Operator, ClearOperatorError> {
        Err(ClearOperatorError::SessionInvalid)
    }
}

fn start(config: RouterConfig) {
    let _ = tollgate_tests::generated::router(Arc::new(App), config);
}

fn main() {}
