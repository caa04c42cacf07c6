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
    {%- for arm in arms %}
    (@ {{ arm.answers }} $service:ident $room:ident) => {
        $crate::generated::delegate!(@impl $service $room {{ arm.module }} {{ arm.answers }} {{ arm.method }} {{ arm.name }}Input [{{ arm.reply }}] [{{ arm.error }}]);
    };
    {%- endfor %}
}
pub use delegate;
