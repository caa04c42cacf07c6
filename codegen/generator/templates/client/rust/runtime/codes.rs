//! The words that calls may be refused with.

use std::fmt;

/// The words that a call may be refused with.
pub trait Code: fmt::Debug + Send + Sync + Sized + 'static {
    /// The code of a word.
    fn of(word: &str) -> Option<Self>;
    /// The word.
    fn as_str(&self) -> &str;
}

impl Code for String {
    fn of(word: &str) -> Option<Self> {
        Some(word.to_owned())
    }

    fn as_str(&self) -> &str {
        self
    }
}

/// The codes of a call.
macro_rules! codes {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $word:literal),+ $(,)? } $($other:ident)?) => {
        $(#[$about])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash)]
        pub enum $name {
            $(
                #[doc = concat!("`", $word, "`")]
                $variant,
            )+
            $(
                #[doc = "A code that was not known when this package was made."]
                $other(String),
            )?
        }

        impl crate::runtime::Code for $name {
            fn of(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$variant),)+
                    $("" => None, other => Some(Self::$other(other.to_owned())),)?
                    #[allow(unreachable_patterns, reason = "an open set has taken all words")]
                    _ => None,
                }
            }

            fn as_str(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    $(Self::$other(word) => word,)?
                }
            }
        }
    };
}

pub(crate) use codes;
