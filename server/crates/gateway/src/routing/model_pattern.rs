//! Models that are on offer under every name of a pattern: `gemini-*`.
//!
//! A name that no provider knows may be asked for by anyone, so what is kept of names is bounded, and a breaker is one
//! name's: a client that asks for models that are none closes none to others.

use std::sync::{Arc, Mutex, PoisonError};

use indexmap::IndexMap;

use crate::config::{ModelConfig, PatternConfig};

use super::model::CatalogModel;

/// The longest name that a pattern stands for, in bytes.
const NAME_BYTES_MAX: usize = 128;
/// Names of one pattern that are remembered, with the health of their candidates.
const NAMES_MAX: usize = 256;

/// A name with one `*`, which stands for at least one letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NamePattern<'a> {
    before: &'a str,
    after: &'a str,
}

impl<'a> NamePattern<'a> {
    /// The pattern that is written so; `None` where there is no `*`, or more than one.
    #[must_use]
    pub fn of(text: &'a str) -> Option<Self> {
        let (before, after) = text.split_once('*')?;
        (!after.contains('*')).then_some(Self { before, after })
    }

    /// The letters that the `*` stands for in a name; `None` where the name does not fit.
    #[must_use]
    pub fn star<'n>(&self, name: &'n str) -> Option<&'n str> {
        name.strip_prefix(self.before)?.strip_suffix(self.after).filter(|star| !star.is_empty())
    }

    /// The name in which the `*` stands for `star`.
    #[must_use]
    pub fn with(&self, star: &str) -> String {
        [self.before, star, self.after].concat()
    }

    /// The letters beside the `*`: of two patterns that fit a name, that with more of them counts.
    #[must_use]
    pub const fn letters(&self) -> usize {
        self.before.len() + self.after.len()
    }
}

/// A pattern on offer.
#[derive(Debug)]
pub struct ModelPattern {
    /// The pattern, as it is configured.
    name: String,
    /// The model that is offered under each name; absent where a price list names the models one by one.
    config: Option<Box<ModelConfig>>,
    /// The models by their names, the one that was used longest ago first.
    models: Mutex<IndexMap<String, Arc<CatalogModel>>>,
}

impl ModelPattern {
    /// A pattern as it is configured.
    #[must_use]
    pub fn new(name: &str, config: &PatternConfig) -> Self {
        let config = match config {
            PatternConfig::Any(config) => Some(config.clone()),
            PatternConfig::Listed => None,
        };
        Self { name: name.to_owned(), config, models: Mutex::default() }
    }

    /// The pattern, as it is configured.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True if the pattern fits a name.
    #[must_use]
    pub fn fits(&self, name: &str) -> bool {
        NamePattern::of(&self.name).is_some_and(|pattern| pattern.star(name).is_some())
    }

    /// The letters of the pattern beside the `*`.
    #[must_use]
    pub fn letters(&self) -> usize {
        NamePattern::of(&self.name).map_or(0, |pattern| pattern.letters())
    }

    /// The model of a name; made by `make` the first time, and once more when it was forgotten.
    pub fn model(&self, name: &str, make: impl FnOnce(&ModelConfig) -> Arc<CatalogModel>) -> Option<Arc<CatalogModel>> {
        let config = self.config_of(name)?;
        let mut models = self.models.lock().unwrap_or_else(PoisonError::into_inner);
        // The one that was used last stands last, so that names that nobody asks for again go first.
        if let Some(model) = models.shift_remove(name) {
            models.insert(name.to_owned(), model.clone());
            return Some(model);
        }
        if models.len() >= NAMES_MAX {
            models.shift_remove_index(0);
        }
        let model = make(&config);
        models.insert(name.to_owned(), model.clone());
        Some(model)
    }

    /// The name on offer that a provider calls `theirs`.
    #[must_use]
    pub fn name_of(&self, upstream: &str, theirs: &str) -> Option<String> {
        let candidates = self.config.as_deref()?.candidates.iter().filter(|candidate| candidate.upstream == upstream);
        // Some providers tell a folder before the name that they were asked by.
        let names = [theirs, theirs.rsplit('/').next()?];
        let mut patterns = candidates.filter_map(|candidate| NamePattern::of(&candidate.model));
        let star = patterns.find_map(|pattern| names.iter().find_map(|name| pattern.star(name)))?;
        Some(NamePattern::of(&self.name)?.with(star))
    }

    /// The models of the names that are remembered.
    #[must_use]
    pub fn remembered(&self) -> Vec<Arc<CatalogModel>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// The model of a name, with its names at the providers.
    fn config_of(&self, name: &str) -> Option<ModelConfig> {
        let pattern = NamePattern::of(&self.name)?;
        let star = pattern.star(name).filter(|star| is_plain(name, star))?;
        let mut config = ModelConfig::clone(self.config.as_deref()?);
        for candidate in &mut config.candidates {
            for theirs in std::iter::once(&mut candidate.model).chain(&mut candidate.answers_as) {
                if let Some(pattern) = NamePattern::of(theirs) {
                    *theirs = pattern.with(star);
                }
            }
        }
        if config.display_name == self.name {
            name.clone_into(&mut config.display_name);
        }
        config.pattern = Some(self.name.clone());
        Some(config)
    }
}

/// True if a name may stand in addresses, logs and lists as it is.
///
/// It is short, of letters, digits and a few signs, and no path that leads elsewhere. What the `*` stands for is the
/// client's choice, and has no `:` and no `@`: behind these, providers take what else to do at a price of its own, or
/// settings that are kept there.
fn is_plain(name: &str, star: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'+');
    let parts = |part: &str| !part.is_empty() && !part.bytes().all(|byte| byte == b'.');
    name.len() <= NAME_BYTES_MAX && star.bytes().all(allowed) && name.split('/').all(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_has_one_star_that_stands_for_something() {
        for (pattern, name, star) in [
            ("gemini-*", "gemini-3-pro", Some("3-pro")),
            ("gemini-*", "gemini-", None),
            ("gemini-*", "gpt", None),
            ("*-mini", "gpt-mini", Some("gpt")),
            ("a*a", "a", None),
            ("a*a", "aa", None),
            ("a*a", "aba", Some("b")),
            ("*", "x", Some("x")),
        ] {
            let found = NamePattern::of(pattern).expect("a pattern").star(name);
            assert_eq!(found, star, "{pattern} {name}");
            assert!(found.is_none_or(|star| NamePattern::of(pattern).expect("a pattern").with(star) == name));
        }
        assert_eq!((NamePattern::of("plain"), NamePattern::of("a*b*")), (None, None));
    }

    #[test]
    fn names_that_lead_elsewhere_are_none() {
        for (star, plain) in [
            ("a", true),
            ("org/model-1.5_x+b", true),
            ("model:online", false),
            ("model@preset/x", false),
            ("a/../b", false),
            ("a/./b", false),
            ("a//b", false),
            ("/a", false),
            ("a?x", false),
            ("a%2Fb", false),
            ("a#b", false),
            ("a b", false),
            ("a\nb", false),
            ("a\\b", false),
            ("\u{e4}", false),
        ] {
            let name = NamePattern::of("org/*:v@1").expect("a pattern").with(star);
            assert_eq!(is_plain(&name, star), plain, "{star}");
        }
        let long = |letters: usize| "a".repeat(letters);
        assert!(is_plain(&long(NAME_BYTES_MAX), "a") && !is_plain(&long(NAME_BYTES_MAX + 1), "a"));
    }
}
