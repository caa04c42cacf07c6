//! The form of names, and names that become one in Rust.

use super::{context::CheckContext, naming_style::NamingStyle};
use crate::{
    diagnostics::{Diagnostic, codes::names},
    map::HashMap,
    model::{
        DeclaredFields, DeclaredShape, DeclaredVariant, EntryMap, RoleHolder, SourceSpan, SpecSection, TargetNames,
    },
    naming,
};

impl<'a> CheckContext<'a> {
    /// Checks the form of every name.
    pub(super) fn name_forms(&mut self) {
        for section in SpecSection::ALL {
            for (name, place) in self.spec.names(section) {
                let Some(form) = NamingStyle::of(section, name) else { continue };
                if !self.form(form, section.entry(), name, place) {
                    // Under this name nothing may be able to refer to it.
                    self.mark_used(section, name);
                }
            }
        }
        for machine in self.spec.machines.values() {
            self.forms(NamingStyle::Snake, "state", machine.states.names());
            self.forms(NamingStyle::Snake, "move", places(&machine.moves));
            self.forms(NamingStyle::Snake, "guard", places(&machine.guards));
            self.forms(NamingStyle::Snake, "effect", places(&machine.effects));
        }
        for code in self.spec.errors.values() {
            self.forms(NamingStyle::Snake, "value", places(&code.with));
        }
        for operation in self.spec.operations.values() {
            self.forms(NamingStyle::Header, "header", places(&operation.headers));
        }
    }

    fn forms<'n>(&mut self, form: NamingStyle, what: &str, names: impl Iterator<Item = (&'n str, SourceSpan)>) {
        for (name, place) in names {
            self.form(form, what, name, place);
        }
    }

    pub(super) fn form(&mut self, form: NamingStyle, what: &str, name: &str, place: SourceSpan) -> bool {
        let fits = form.fits(name);
        if !fits {
            let message = format!("the {what} `{name}` is not {}", form.name());
            let suggestion = form.mend(name).filter(|mended| form.fits(mended));
            self.complain(Diagnostic::error(names::NAME_FORM, place, message).suggest(suggestion));
        }
        fits
    }

    /// A name that is said for a language is a name there, or a keyword, which is made safe.
    fn target_names(&mut self, names: &TargetNames) {
        for (name, language) in [(&names.rust, "Rust"), (&names.ts, "TypeScript"), (&names.py, "Python")] {
            let Some(name) = name else { continue };
            let inner = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            let first = name.value.as_bytes().first();
            if !name.value.bytes().all(inner) || first.is_none_or(u8::is_ascii_digit) {
                let message = format!("`{}` is no name in {language}", name.value);
                self.complain(Diagnostic::error(names::NAME_FORM, name.place, message));
            }
        }
    }

    /// Complains about names that are different in the spec and the same in Rust.
    pub(super) fn rust_names(&mut self) {
        let spec = self.spec;
        spec.operations.values().for_each(|entry| self.target_names(&entry.name));
        spec.types.values().for_each(|entry| self.target_names(&entry.name));
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
        let headers = spec.operations.values().flat_map(|operation| operation.headers.iter());
        self.clash(
            "header",
            headers.map(|(name, entry)| (name.as_str(), entry.place, naming::snake(name).to_ascii_uppercase())),
        );
        for holder in RoleHolder::ALL {
            let roles = places(spec.roles_for(holder));
            self.clash("role", roles.map(|(name, place)| (name, place, naming::upper_camel(name))));
        }
        for machine in spec.machines.values() {
            self.clash("state", machine.states.names().map(|(name, place)| (name, place, naming::upper_camel(name))));
            let moves = machine.moves.iter();
            self.clash("move", moves.map(|(name, entry)| (name.as_str(), entry.place, naming::upper_camel(name))));
        }
        for named in spec.types.values() {
            match named.shape() {
                Some(DeclaredShape::Struct { fields, .. }) => self.field_names(fields),
                Some(DeclaredShape::Enum { .. }) if named.states_of.is_some() || named.has_roles() => {}
                Some(DeclaredShape::Enum { words, .. }) => {
                    self.clash("variant", words.all().map(|(word, place, _)| (word, place, naming::upper_camel(word))));
                }
                Some(DeclaredShape::Union { of, .. }) => {
                    let variants = of.iter();
                    self.clash(
                        "variant",
                        variants.map(|(tag, entry)| (tag.as_str(), entry.place, naming::upper_camel(tag))),
                    );
                    for variant in of.values() {
                        if let DeclaredVariant::Inline(fields) = &variant.value {
                            self.field_names(fields);
                        }
                    }
                }
                Some(DeclaredShape::Newtype { .. }) | None => {}
            }
        }
    }

    fn field_names(&mut self, fields: &'a DeclaredFields) {
        fields.values().for_each(|field| self.target_names(&field.name));
        let names = fields.iter().map(|(name, entry)| {
            let rust = entry.name.rust.as_ref().map_or_else(|| naming::snake(name), |rust| rust.value.clone());
            (name.as_str(), entry.place, rust)
        });
        self.clash("field", names);
    }

    fn clash<'n>(&mut self, what: &str, names: impl Iterator<Item = (&'n str, SourceSpan, String)>) {
        let mut seen: HashMap<String, (&str, SourceSpan)> = HashMap::default();
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

fn places<T>(entries: &EntryMap<T>) -> impl Iterator<Item = (&str, SourceSpan)> {
    entries.iter().map(|(name, entry)| (name.as_str(), entry.place))
}
