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

/// Hands each operation to the room that answers it: `delegate!(Service { credit: [GetBalance] })` makes a `Service`
/// with a field `credit` answer `GetBalance` through it.
#[macro_export]
macro_rules! delegate {
    ($service:ident { $($room:ident: [$($operation:ident),* $(,)?]),* $(,)? }) => {
        $($($crate::generated::delegate!(@ $operation $service $room);)*)*
    };
    (@impl $service:ident $room:ident $module:ident $name:ident $method:ident $input:ident [$reply:ty] [$error:ty]) => {
        impl $crate::generated::ops::$module::$name for $service {
            fn $method(
                &self,
                cx: &$crate::api::Cx,
                input: $crate::generated::ops::$module::$input,
            ) -> impl Future<Output = Result<$reply, $error>> + Send {
                $crate::generated::ops::$module::$name::$method(&self.$room, cx, input)
            }
        }
    };
    (@ ListThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things ListThings list_things ListThingsInput [$crate::generated::ops::things::ListThingsReply] [$crate::generated::ops::things::ListThingsError]);
    };
    (@ GetThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things GetThings get_things GetThingsInput [$crate::generated::types::Thing] [$crate::generated::ops::things::GetThingsError]);
    };
    (@ TellThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things TellThings tell_things TellThingsInput [$crate::generated::types::Thing] [$crate::generated::ops::things::TellThingsError]);
    };
    (@ RelayThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things RelayThings relay_things RelayThingsInput [$crate::api::ProxyReply] [$crate::generated::ops::things::RelayThingsError]);
    };
    (@ DrawPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures DrawPictures draw_pictures DrawPicturesInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::DrawPicturesError]);
    };
    (@ WatchPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures WatchPictures watch_pictures WatchPicturesInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::WatchPicturesError]);
    };
    (@ FilePictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures FilePictures file_pictures FilePicturesInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::FilePicturesError]);
    };
    (@ UploadPictures $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures UploadPictures upload_pictures UploadPicturesInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::UploadPicturesError]);
    };
}
pub use delegate;
