//! Error codes as types: the tables of them, and the proof that an operation declares one.

use super::{CodeInfo, Failure, OperationError};

/// The marker type of an error code; its fields are the code's `with` values.
pub trait Code: Sized {
    /// The entry of the spec for the code.
    const INFO: &'static CodeInfo;

    /// The code with its values, ready to be rendered.
    fn failure(self) -> Failure;
}

/// An operation's error enum that has a variant for code `C`. Implemented by `#[derive(OpError)]`.
#[diagnostic::on_unimplemented(
    message = "operation error `{Self}` does not declare error code `{C}`",
    label = "this code is not in the operation's `errors:` list",
    note = "either return a declared code, or add it to the operation's `errors:` in spec/operations/ and build"
)]
pub trait Declares<C: Code>: OperationError {
    /// The variant for the code.
    fn declare(code: C) -> Self;
}

/// Turns a code into the error of any operation that declares it, so that functions shared between operations need no
/// error enum of their own.
pub fn raise<C: Code, E: Declares<C>>(code: C) -> E {
    E::declare(code)
}

/// Error codes as a table: for each a marker type with its values, and a [`CodeInfo`] of the code's own name.
#[doc(hidden)]
#[macro_export]
macro_rules! __codes {
    ($(
        $marker:ident = $info:ident { $($field:ident $(as $wire:literal)?: $type:ty),* } $kind:ident
        $http:literal $(| $also:literal)*
        [$($style:literal $status:literal),*] [$($in:literal $name:literal),*] $retry:ident:
        $say:literal, $remedy:literal;
    )*) => {$(
        #[doc = $say]
        #[derive(Debug, Clone, PartialEq)]
        pub struct $marker {
            $(
                #[doc = concat!("`", stringify!($field), "` of the code.")]
                pub $field: $type,
            )*
        }

        #[doc = $say]
        pub static $info: $crate::CodeInfo = $crate::CodeInfo {
            code: stringify!($info),
            kind: &super::kinds::$kind,
            http: $http,
            http_also: &[$($also),*],
            http_in: &[$(($style, $status)),*],
            names: &[$(($in, $name)),*],
            say: $say,
            remedy: $remedy,
            with: &[$($crate::__wire_name!($field $($wire)?)),*],
            retry: $crate::Retry::$retry,
        };

        impl $crate::Code for $marker {
            const INFO: &'static $crate::CodeInfo = &$info;

            fn failure(self) -> $crate::Failure {
                $crate::Failure::new(&$info)$(.with($crate::__wire_name!($field $($wire)?), self.$field))*
            }
        }
    )*};
}

/// The name of a value on the wire: that of its field, unless it has one of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! __wire_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $wire:literal) => {
        $wire
    };
}

/// Kinds of errors as a table: for each a [`Kind`](crate::Kind) with its name in each style.
#[doc(hidden)]
#[macro_export]
macro_rules! __kinds {
    ($($kind:ident = $name:literal [$($style:literal $in_style:literal),*];)*) => {$(
        #[doc = concat!("`", $name, "`")]
        pub static $kind: $crate::Kind = $crate::Kind { name: $name, names: &[$(($style, $in_style)),*] };
    )*};
}
