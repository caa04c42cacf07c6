// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.
pub mod auth;
pub mod errors;
pub mod limits;
pub mod machines;
pub mod ops;
mod routes;
pub mod types;
pub use routes::{KEYED, router};
/// SHA-256 of the resolved spec that this was made from.
pub const SPEC_DIGEST: &str = "fdcd9c3d049bd3dba4eddee2c771582f6773296d2ba5cf5e0e34867d82482c96";

/// Hands each operation to the room that answers it: `delegate!(Service { credit: [GetBalance] })` makes a `Service`
/// with a field `credit` answer `GetBalance` through it.
macro_rules! delegate {
    ($service:ident { $($room:ident: [$($operation:ident),* $(,)?]),* $(,)? }) => {
        $($($crate::generated::delegate!(@ $operation $service $room);)*)*
    };
    (@impl $service:ident $room:ident $module:ident $name:ident $method:ident $input:ident $error:ident $reply:ty) => {
        impl $crate::generated::ops::$module::$name for $service {
            fn $method(
                &self,
                cx: &$crate::api::Cx,
                input: $crate::generated::ops::$module::$input,
            ) -> impl Future<Output = Result<$reply, $crate::generated::ops::$module::$error>> + Send {
                $crate::generated::ops::$module::$name::$method(&self.$room, cx, input)
            }
        }
    };
    (@ ListThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things ListThings list_things ListThingsInput ListThingsError $crate::generated::ops::things::ListThingsReply);
    };
    (@ GetThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things GetThings get_things GetThingsInput GetThingsError $crate::generated::types::Thing);
    };
    (@ TellThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things TellThings tell_things TellThingsInput TellThingsError $crate::generated::types::Thing);
    };
    (@ RelayThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things RelayThings relay_things RelayThingsInput RelayThingsError $crate::api::ProxyReply);
    };
    (@ DrawPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures DrawPictures draw_pictures DrawPicturesInput DrawPicturesError $crate::api::ProxyReply);
    };
    (@ WatchPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures WatchPictures watch_pictures WatchPicturesInput WatchPicturesError $crate::api::ProxyReply);
    };
    (@ FilePictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures FilePictures file_pictures FilePicturesInput FilePicturesError $crate::api::ProxyReply);
    };
    (@ UploadPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures UploadPictures upload_pictures UploadPicturesInput UploadPicturesError $crate::api::ProxyReply);
    };
}
pub(crate) use delegate;
