//! The form of names, and names that become one in Rust.

use std::collections::HashMap;

use super::context::Context;
use crate::{
    diagnostics::{Diagnostic, codes::names},
    model::{Entries, Fields, Place, Section, Shape, Variant, is_upper_camel},
    naming,
};

impl<'a> Context<'a> {
    /// Checks the form of every name.
    pub(super) fn name_forms(&mut self) {
        for section in Section::ALL {
            for (name, place) in self.spec.names(section) {
                let Some(form) = Form::of(section, name) else { continue };
                if !self.form(form, section.entry(), name, place) {
                    // Under this name nothing may be able to refer to it.
                    self.mark_used(section, name);
                }
            }
        }
        for machine in self.spec.machines.values() {
            self.forms(Form::Snake, "state", machine.states.names());
            self.forms(Form::Snake, "move", places(&machine.moves));
            self.forms(Form::Snake, "guard", places(&machine.guards));
            self.forms(Form::Snake, "effect", places(&machine.effects));
        }
        for code in self.spec.errors.values() {
            self.forms(Form::Snake, "value", places(&code.with));
        }
        for operation in self.spec.operations.values() {
            self.forms(Form::Header, "header", places(&operation.headers));
        }
    }

    fn forms<'n>(&mut self, form: Form, what: &str, names: impl Iterator<Item = (&'n str, Place)>) {
        for (name, place) in names {
            self.form(form, what, name, place);
        }
    }

    fn form(&mut self, form: Form, what: &str, name: &str, place: Place) -> bool {
        let fits = form.fits(name);
        if !fits {
            let message = format!("the {what} `{name}` is not {}", form.name());
            let suggestion = form.mend(name).filter(|mended| form.fits(mended));
            self.complain(Diagnostic::error(names::NAME_FORM, place, message).suggest(suggestion));
        }
        fits
    }

    /// Complains about names that are different in the spec and the same in Rust.
    pub(super) fn rust_names(&mut self) {
        let spec = self.spec;
        let types = spec.types.iter().map(|(name, entry)| {
            let rust = entry.name.rust.as_ref().map_or_else(|| naming::upper_camel(name), |rust| rust.value.clone());
            (name.as_str(), entry.place, rust)
        });
        self.clash("type", types);
        let traits = spec.operations.iter();
        self.clash(
            "trait",
            traits.map(|(name, entry)| (name.as_str(), entry.place, naming::operation_trait(name, entry))),
        );
        let codes = spec.errors.iter();
        self.clash("error code", codes.map(|(name, entry)| (name.as_str(), entry.place, naming::upper_camel(name))));
        let limits = spec.limits.iter();
        self.clash("constant", limits.map(|(name, entry)| (name.as_str(), entry.place, naming::snake(name))));
        for machine in spec.machines.values() {
            self.clash("state", machine.states.names().map(|(name, place)| (name, place, naming::upper_camel(name))));
            let moves = machine.moves.iter();
            self.clash("move", moves.map(|(name, entry)| (name.as_str(), entry.place, naming::upper_camel(name))));
        }
        for named in spec.types.values() {
            match named.shape() {
                Some(Shape::Struct { fields, .. }) => self.field_names(fields),
                Some(Shape::Enum { words, .. }) => {
                    self.clash("variant", words.all().map(|(word, place, _)| (word, place, naming::upper_camel(word))));
                }
                Some(Shape::Union { of, .. }) => {
                    let variants = of.iter();
                    self.clash(
                        "variant",
                        variants.map(|(tag, entry)| (tag.as_str(), entry.place, naming::upper_camel(tag))),
                    );
                    for variant in of.values() {
                        if let Variant::Inline(fields) = &variant.value {
                            self.field_names(fields);
                        }
                    }
                }
                Some(Shape::Newtype { .. }) | None => {}
            }
        }
    }

    fn field_names(&mut self, fields: &'a Fields) {
        let names = fields.iter().map(|(name, entry)| {
            let rust = entry.name.rust.as_ref().map_or_else(|| naming::snake(name), |rust| rust.value.clone());
            (name.as_str(), entry.place, rust)
        });
        self.clash("field", names);
    }

    fn clash<'n>(&mut self, what: &str, names: impl Iterator<Item = (&'n str, Place, String)>) {
        let mut seen: HashMap<String, (&str, Place)> = HashMap::new();
        for (name, place, rust) in names {
            if rust.is_empty() {
                let message = format!("`{name}` has no letter or digit to name a {what} by");
                self.complain(Diagnostic::error(names::NAME_FORM, place, message));
            } else if let Some((first, first_place)) = seen.get(&rust) {
                // Equal names are complained about as such.
                if *first != name {
                    let message = format!("`{name}` and `{first}` are both the {what} `{rust}` in Rust");
                    self.complain(
                        Diagnostic::error(names::RUST_NAME_CLASH, place, message).and(*first_place, "the first one"),
                    );
                }
            } else {
                seen.insert(rust, (name, place));
            }
        }
    }
}

fn places<T>(entries: &Entries<T>) -> impl Iterator<Item = (&str, Place)> {
    entries.iter().map(|(name, entry)| (name.as_str(), entry.place))
}

/// How a name is written.
#[derive(Debug, Clone, Copy)]
enum Form {
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

impl Form {
    fn of(section: Section, name: &str) -> Option<Self> {
        Some(match section {
            Section::Operations => Self::Operation,
            Section::Types => Self::UpperCamel,
            Section::Errors => Self::UpperSnake,
            Section::Groups => Self::Group,
            Section::WireNames if name.starts_with('/') => return None,
            Section::WireNames => Self::Header,
            Section::Machines | Section::Auth | Section::Proofs | Section::Rails | Section::Actors => Self::Snake,
            Section::Envelopes | Section::Kinds => Self::Snake,
            Section::Limits | Section::Facts => Self::SnakeOrKebab,
            // Checked by their own rules.
            Section::Families | Section::Framework => return None,
        })
    }

    const fn name(self) -> &'static str {
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

    fn fits(self, name: &str) -> bool {
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

    /// The name in the right form, as far as it can be guessed.
    fn mend(self, name: &str) -> Option<String> {
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

/// Whether an operation may be called so.
pub(crate) fn is_operation_name(name: &str) -> bool {
    Form::Operation.fits(name)
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
