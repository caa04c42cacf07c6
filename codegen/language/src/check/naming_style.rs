//! Naming styles, by what is named.

use crate::{
    model::{SpecSection, is_upper_camel},
    naming,
};

/// The style of a name.
#[derive(Debug, Clone, Copy)]
pub(super) enum NamingStyle {
    /// `group.verb`
    Operation,
    /// `ChatRequest`
    UpperCamel,
    /// `KEY_MISSING`
    UpperSnake,
    /// `$auth`
    Group,
    /// `topup_order`
    Snake,
    /// `pay-error-field` or `chat_body`, with dots where it is a limit
    SnakeOrKebab,
    /// `x-api-key`, or a prefix of a path
    Header,
}

impl NamingStyle {
    pub(super) fn of(section: SpecSection, name: &str) -> Option<Self> {
        Some(match section {
            SpecSection::Operations => Self::Operation,
            SpecSection::Types => Self::UpperCamel,
            SpecSection::Errors => Self::UpperSnake,
            SpecSection::Groups => Self::Group,
            SpecSection::WireNames if name.starts_with('/') => return None,
            SpecSection::WireNames => Self::Header,
            SpecSection::Machines
            | SpecSection::Auth
            | SpecSection::Roles
            | SpecSection::MemberRoles
            | SpecSection::Proofs
            | SpecSection::Rails
            | SpecSection::Actors => Self::Snake,
            SpecSection::Envelopes | SpecSection::Kinds | SpecSection::Fixtures => Self::Snake,
            SpecSection::Limits
            | SpecSection::RequestObjects
            | SpecSection::Facts
            | SpecSection::Examples
            | SpecSection::Untold => Self::SnakeOrKebab,
            // Checked by their own rules.
            SpecSection::Families
            | SpecSection::Parameters
            | SpecSection::Framework
            | SpecSection::RuntimeLimits
            | SpecSection::RuntimeHeaders
            | SpecSection::Changes => return None,
        })
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Operation => "`group.verb` in snake case",
            Self::UpperCamel => "UpperCamel",
            Self::UpperSnake => "UPPER_SNAKE",
            Self::Group => "`$` and a word in snake case",
            Self::Snake => "snake_case",
            Self::SnakeOrKebab => "snake_case or kebab-case",
            Self::Header => "a header's name in lower case",
        }
    }

    pub(super) fn fits(self, name: &str) -> bool {
        match self {
            Self::Operation => name.split_once('.').is_some_and(|(group, verb)| is_snake(group) && is_snake(verb)),
            Self::UpperCamel => is_upper_camel(name),
            Self::UpperSnake => name.to_ascii_uppercase() == name && is_snake(&name.to_ascii_lowercase()),
            Self::Group => name.strip_prefix('$').is_some_and(is_snake),
            Self::Snake => is_snake(name),
            Self::SnakeOrKebab => name.split('.').all(|part| is_snake(&part.replace('-', "_"))),
            Self::Header => {
                let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-_".contains(&byte);
                !name.is_empty() && name.bytes().all(inner)
            }
        }
    }

    /// The name in the right style, as far as it can be guessed.
    pub(super) fn mend(self, name: &str) -> Option<String> {
        let snake = naming::words(name).join("_");
        match self {
            Self::Operation => {
                let (group, verb) = name.split_once(['.', '/', ':'])?;
                Some(format!("{}.{}", naming::words(group).join("_"), naming::words(verb).join("_")))
            }
            Self::UpperCamel => Some(naming::upper_camel(name)),
            Self::UpperSnake => Some(snake.to_ascii_uppercase()),
            Self::Group => Some(format!("${snake}")),
            Self::Snake | Self::SnakeOrKebab => Some(snake),
            Self::Header => Some(name.to_ascii_lowercase().replace([' ', '.'], "-")),
        }
    }
}

/// True if an operation may have this name.
pub fn is_operation_name(name: &str) -> bool {
    NamingStyle::Operation.fits(name)
}

/// Lower-case letters, digits and single `_`, a letter or digit at both ends.
fn is_snake(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    !name.is_empty()
        && name.bytes().all(inner)
        && !name.starts_with('_')
        && !name.ends_with('_')
        && !name.contains("__")
}
