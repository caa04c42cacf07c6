//! Names of types that have none of their own in the spec.

use std::collections::{BTreeMap, BTreeSet};

use super::api_type::ApiShape;
use super::document::ApiDocument;
use crate::naming;

/// The names of the variants of unions in some language: no two types have one name.
#[derive(Debug, Default)]
pub(crate) struct UnionVariantNames {
    variants: BTreeMap<String, BTreeMap<String, String>>,
    unknown: BTreeMap<String, String>,
}

impl UnionVariantNames {
    /// The names for a document, where `own` gives the name of a type of the spec.
    ///
    /// The tag follows the name of its union: `ContentBlock` and `tool_use` are `ContentBlockToolUse`. A variant is often called
    /// like the type that it is made of; the word `Variant` follows then.
    pub(crate) fn of(document: &ApiDocument, own: impl Fn(&str) -> String) -> Self {
        let mut taken: BTreeSet<String> = document.types.keys().map(|name| own(name)).collect();
        let mut free = |mut name: String| {
            while !taken.insert(name.clone()) {
                name.push_str("Variant");
            }
            name
        };
        // A name that only its mark makes safe is safe without it where more follows.
        let plain = |union: &str| own(union).trim_end_matches('_').to_owned();
        let mut names = Self::default();
        for (union, def) in &document.types {
            let ApiShape::Union { open, of, .. } = &def.shape else { continue };
            let variant = |tag: &String| (tag.clone(), free(format!("{}{}", plain(union), naming::upper_camel(tag))));
            names.variants.insert(union.clone(), of.keys().map(variant).collect());
            if *open {
                names.unknown.insert(union.clone(), free(format!("{}Unknown", plain(union))));
            }
        }
        names
    }

    /// The type of a variant of a union of the spec.
    ///
    /// # Panics
    /// When there is none.
    pub(crate) fn variant(&self, union: &str, tag: &str) -> &str {
        &self.variants[union][tag]
    }

    /// The type of what an open union of the spec may have beside its variants.
    ///
    /// # Panics
    /// When it is none.
    pub(crate) fn unknown(&self, union: &str) -> &str {
        &self.unknown[union]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::client_model::read;

    /// The union `Part` of the small service, whose variant `thing` is of the type `PartThing`, after a change of its text.
    fn part(union: &str, change: impl Fn(&str) -> String) -> Vec<String> {
        let text = include_str!("../../../../tests/golden/mini/spec/dist/resolved.json");
        let document = read(change(text).as_bytes()).expect("it is whole");
        let names = UnionVariantNames::of(&document, naming::upper_camel);
        let variants = names.variants[union].values().cloned();
        variants.chain([names.unknown(union).to_owned()]).collect()
    }

    #[test]
    fn no_two_types_have_one_name() {
        assert_eq!(part("Part", str::to_owned), ["PartText", "PartThingVariant", "PartUnknown"]);
        // What differs in the spec may be the same in a language.
        let acronym = |text: &str| text.replace("\"Part", "\"LLMPart");
        assert_eq!(part("LLMPart", acronym), ["LlmPartText", "LlmPartThingVariant", "LlmPartUnknown"]);
        let unknown = |text: &str| text.replace("\"text\": {", "\"unknown\": {");
        assert_eq!(part("Part", unknown), ["PartThingVariant", "PartUnknown", "PartUnknownVariant"]);
    }
}
