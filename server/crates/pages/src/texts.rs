//! The list of the texts of pages.

/// Declares the texts of pages as a type, and their first language as a value of it, in one list: `texts! { Words ENGLISH; yes: "Yes", }`.
/// Another language is another value of the type.
#[macro_export]
macro_rules! texts {
    ($type:ident $language:ident; $($name:ident: $text:literal,)*) => {
        /// Every text of the pages. `{name}` stands for a field of the form that it is shown with.
        #[derive(Debug)]
        pub(super) struct $type {
            $(pub(super) $name: &'static str,)*
        }

        /// In English.
        pub(super) static $language: $type = $type { $($name: $text,)* };
    };
}
