//! The types of the language.

macro_rules! primitives {
    ($($(#[doc = $doc:literal])+ $variant:ident = $word:literal),+ $(,)?) => {
        /// The types of the language.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Primitive {
            $($(#[doc = $doc])+ $variant),+
        }

        impl Primitive {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word for it in the spec.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

primitives! {
    /// Text.
    String = "string",
    /// A whole number.
    Int = "int",
    /// Any number, kept as written.
    Number = "number",
    /// True or false.
    Bool = "bool",
    /// Any JSON, kept as written.
    Json = "json",
    /// An amount of US dollars, exact.
    Usd = "usd",
    /// An amount of US dollars as the client wrote it: what of it is exact, the operation says.
    WrittenUsd = "written_usd",
    /// A time, in seconds since 1970.
    UnixSeconds = "unix_seconds",
    /// An address on the web.
    Url = "url",
    /// Bytes: in JSON as base64, as a whole reply as they are, of whatever type the answer says.
    Bytes = "bytes",
    /// A day of the calendar in UTC, `2026-11-21`.
    Date = "date",
    /// A time as RFC 3339 text.
    DateTime = "date_time",
}
