//! The model that answers: the one that the provider was asked for, or another.

use serde_json::value::RawValue;

/// The longest name that is told, in characters.
const NAME_MAX: usize = 200;
/// The fewest digits of a version behind a name, as in `-001` and `-0613`.
const DIGITS_MIN: usize = 3;

/// The model that an answer names, compared with the one that was asked for.
#[derive(Debug, Default)]
pub struct AnsweringModel {
    /// The name that the provider was asked for; empty where nothing is compared.
    asked: String,
    /// Another name that its answers may have.
    answers_as: Option<String>,
    told: bool,
    other: Option<String>,
}

impl AnsweringModel {
    /// For a provider that was asked for this model, and whose answers may name it otherwise.
    #[must_use]
    pub fn asked(model: &str, answers_as: Option<&str>) -> Self {
        Self { asked: model.to_owned(), answers_as: answers_as.map(str::to_owned), told: false, other: None }
    }

    /// True if the answer has named a model.
    #[must_use]
    pub const fn is_told(&self) -> bool {
        self.told
    }

    /// Reads the name that stands in a piece of the answer.
    pub fn look(&mut self, model: &RawValue) {
        let Ok(name) = serde_json::from_str::<String>(model.get()) else { return };
        if name.is_empty() || self.asked.is_empty() {
            return;
        }
        self.told = true;
        let own = std::iter::once(&self.asked).chain(&self.answers_as).any(|own| is_variant(own, &name));
        if self.other.is_none() && !own {
            self.other = Some(name.chars().take(NAME_MAX).collect());
        }
    }

    /// The name of a model that is neither the one that was asked for nor a version of it.
    #[must_use]
    pub fn other(&self) -> Option<&str> {
        self.other.as_deref()
    }
}

/// True if two names lie in one folder, or one of them has none.
#[must_use]
pub fn in_one_folder(one: &str, other: &str) -> bool {
    let folder = |name: &str| name.rsplit_once('/').map(|(folder, _)| folder.to_ascii_lowercase());
    match (folder(one), folder(other)) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    }
}

/// True if one name is the other, with a date or version behind it, or a folder before it.
///
/// That is `models/m`, `m`, `m-2026-01-01`, `m-20260101`, `m@001`, and `m-latest` for each of them.
#[must_use]
pub fn is_variant(asked: &str, told: &str) -> bool {
    let (asked, told) = (last(asked), last(told));
    let plain = asked.strip_suffix("-latest").unwrap_or(asked);
    let begins = |name: &str, start: &str| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    let is_version = |rest: &str| {
        let digits = rest.bytes().filter(u8::is_ascii_digit).count();
        rest.starts_with(['-', '@'])
            && digits >= DIGITS_MIN
            && rest[1..].bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
    };
    let follows = |name: &str, start: &str| {
        begins(name, start) && (name.len() == start.len() || is_version(&name[start.len()..]))
    };
    follows(told, asked) || follows(told, plain) || follows(plain, told)
}

fn last(name: &str) -> &str {
    name.rsplit('/').next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_a_model_are_the_model() {
        for (asked, told, same) in [
            ("m", "m", true),
            ("m", "models/m", true),
            ("vendor/m", "m-2026-01-01", true),
            ("m", "m-20260101", true),
            ("m", "M-001", true),
            ("m-2026-01-01", "m", true),
            ("m-latest", "m-20260101", true),
            ("m@20260101", "m", true),
            ("m", "m-mini", false),
            ("m", "m-5", false),
            ("m-1", "m-2", false),
            ("m-mini", "m", false),
            ("m", "n", false),
            ("é", "è", false),
        ] {
            assert_eq!(is_variant(asked, told), same, "{asked} {told}");
        }
    }

    #[test]
    fn the_first_other_model_is_told() {
        let mut model = AnsweringModel::asked("m", Some("deployed"));
        let raw = |text: &str| serde_json::value::to_raw_value(text).expect("JSON");
        for name in ["", "m-001", "deployed-2026-01-01"] {
            model.look(&raw(name));
        }
        assert_eq!((model.is_told(), model.other()), (true, None));
        for name in ["n", "o"] {
            model.look(&raw(name));
        }
        assert_eq!(model.other(), Some("n"));
    }
}
