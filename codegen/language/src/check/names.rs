//! The form of names, and names that become one in Rust.

use super::{context::Context, forms::Form};
use crate::{
    diagnostics::{Diagnostic, codes::names},
    map::HashMap,
    model::{Entries, Fields, Place, Section, Shape, Variant},
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
        let mut seen: HashMap<String, (&str, Place)> = HashMap::default();
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
