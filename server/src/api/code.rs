//! Error codes: what the spec says about each, and the proof that an operation declares one.

use super::{Failure, OperationError};

/// One error code as `errors:` in the spec declares it.
#[derive(Debug)]
pub struct CodeInfo {
    /// The code's own name: `KEY_INVALID`.
    pub code: &'static str,
    /// Its kind, named per envelope style.
    pub kind: &'static Kind,
    /// The HTTP status where neither style nor operation says otherwise and the handler chose no other.
    pub http: u16,
    /// The other statuses that a handler may choose.
    pub http_also: &'static [u16],
    /// Other statuses, by envelope name or style.
    pub http_in: &'static [(&'static str, u16)],
    /// Other wire names, by envelope name or style.
    pub names: &'static [(&'static str, &'static str)],
    /// The sentence for people, with `{name}` for values of `with`.
    pub say: &'static str,
    /// The act by which the caller can mend it.
    pub remedy: &'static str,
    /// The values that travel with the code, in the order of the spec.
    pub with: &'static [&'static str],
    /// The advice on sending the same again.
    pub retry: Retry,
}

/// The advice to a client on sending the same request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// It will fail again: `x-should-retry: false`.
    Never,
    /// It may succeed at once: `x-should-retry: true`.
    Now,
    /// It may succeed after `Retry-After`: `x-should-retry: true`.
    After,
}

/// A class of failures and its name in each envelope style.
#[derive(Debug)]
pub struct Kind {
    /// The spec's own name, used by the account envelopes.
    pub name: &'static str,
    /// Names by style; a style that is not listed uses `name`.
    pub names: &'static [(&'static str, &'static str)],
}

impl Kind {
    /// The name in envelopes of `style`.
    #[must_use]
    pub fn name_in(&self, style: &str) -> &'static str {
        pick(self.names, style).unwrap_or(self.name)
    }
}

/// The value listed under `key` in a short table of the spec.
pub(super) fn pick<T: Copy>(table: &[(&'static str, T)], key: &str) -> Option<T> {
    table.iter().find(|(name, _)| *name == key).map(|(_, value)| *value)
}

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
        $marker:ident = $info:ident { $($field:ident: $type:ty),* } $kind:ident $http:literal $(| $also:literal)*
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
        pub static $info: $crate::api::CodeInfo = $crate::api::CodeInfo {
            code: stringify!($info),
            kind: &super::kinds::$kind,
            http: $http,
            http_also: &[$($also),*],
            http_in: &[$(($style, $status)),*],
            names: &[$(($in, $name)),*],
            say: $say,
            remedy: $remedy,
            with: &[$(stringify!($field)),*],
            retry: $crate::api::Retry::$retry,
        };

        impl $crate::api::Code for $marker {
            const INFO: &'static $crate::api::CodeInfo = &$info;

            fn failure(self) -> $crate::api::Failure {
                $crate::api::Failure::new(&$info)$(.with(stringify!($field), self.$field))*
            }
        }
    )*};
}

/// Kinds of errors as a table: for each a [`Kind`] with its name in each style.
#[doc(hidden)]
#[macro_export]
macro_rules! __kinds {
    ($($kind:ident = $name:literal [$($style:literal $in_style:literal),*];)*) => {$(
        #[doc = concat!("`", $name, "`")]
        pub static $kind: $crate::api::Kind = $crate::api::Kind { name: $name, names: &[$(($style, $in_style)),*] };
    )*};
}
