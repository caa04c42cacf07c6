// Made by `cargo codegen` from spec/. Hands off: edit spec/ and build.
//! What `spec/` says, in Rust: shapes, operations, error codes, limits, machines, routes.
pub mod auth;
pub mod errors;
pub mod limits;
pub mod machines;
pub mod ops;
mod routes;
pub mod runtime_headers;
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
    (@ ShowThings $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things ShowThings show_things ShowThingsInput [$crate::api::ProxyReply] [$crate::generated::ops::things::ShowThingsError]);
    };
    (@ GetThing $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things GetThing get_thing GetThingInput [$crate::generated::types::Thing] [$crate::generated::ops::things::GetThingError]);
    };
    (@ TellThing $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things TellThing tell_thing TellThingInput [$crate::generated::types::Thing] [$crate::generated::ops::things::TellThingError]);
    };
    (@ RelayThing $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room things RelayThing relay_thing RelayThingInput [$crate::api::ProxyReply] [$crate::generated::ops::things::RelayThingError]);
    };
    (@ DrawPicture $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures DrawPicture draw_picture DrawPictureInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::DrawPictureError]);
    };
    (@ WatchPicture $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures WatchPicture watch_picture WatchPictureInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::WatchPictureError]);
    };
    (@ FilePicture $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures FilePicture file_picture FilePictureInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::FilePictureError]);
    };
    (@ UploadPicture $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room pictures UploadPicture upload_picture UploadPictureInput [$crate::api::ProxyReply] [$crate::generated::ops::pictures::UploadPictureError]);
    };
    (@ BeginOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room operators BeginOperator begin_operator BeginOperatorInput [$crate::api::BeginsSession<$crate::generated::types::Operator>] [$crate::generated::ops::operators::BeginOperatorError]);
    };
    (@ EndOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room operators EndOperator end_operator EndOperatorInput [$crate::generated::types::Operator] [$crate::generated::ops::operators::EndOperatorError]);
    };
    (@ SeeOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room operators SeeOperator see_operator SeeOperatorInput [$crate::generated::types::Operator] [$crate::generated::ops::operators::SeeOperatorError]);
    };
    (@ ClearOperator $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room operators ClearOperator clear_operator ClearOperatorInput [$crate::generated::types::Operator] [$crate::generated::ops::operators::ClearOperatorError]);
    };
}
pub use delegate;
