//! Texts that a `#` cuts short: what follows it is a comment to YAML, and was mostly meant as text.

use crate::{
    diagnostics::{Diagnostic, codes::structure, codes::syntax},
    parse::{SourceFile, SourceSpan, YamlKind, YamlNode},
};

/// Keys whose values are sentences for people.
const PROSE: [&str; 9] = ["doc", "say", "do", "because", "choice", "title", "open", "instead_of", "errors_open"];
/// Keys of mappings from a name to a sentence.
const OF_PROSE: [&str; 2] = ["actors", "enum"];
/// Keys of mappings whose keys are names, whatever word of the language they are.
const OF_NAMES: [&str; 5] = ["fields", "path", "query", "headers", "with"];
/// Keys of values that are examples of something.
const VALUES: [&str; 4] = ["body", "stream", "gives", "default"];

/// The kind of the keys of a mapping.
#[derive(Clone, Copy)]
enum MappingKeys {
    /// Sections of a file.
    Sections,
    Language,
    /// Words of the section `service`, of which one has sentences by names.
    Service,
    /// Classes of changes, with sentences by what changed.
    Classes,
    Names,
    /// Names of mappings from names.
    Variants,
    /// Names of sentences.
    Prose,
}

/// Adds a complaint for every sentence in a file that a `#` after one space ends.
pub(super) fn cut_texts(file: &SourceFile, root: &YamlNode<'_>, diagnostics: &mut Vec<Diagnostic>) {
    CutTexts { text: &file.text, diagnostics }.value(root, false, MappingKeys::Sections);
}

struct CutTexts<'a> {
    text: &'a str,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl CutTexts<'_> {
    fn value(&mut self, node: &YamlNode<'_>, prose: bool, keys: MappingKeys) {
        match &node.kind {
            YamlKind::Word(word) if prose => self.word(word, node.place),
            YamlKind::List(items) => items.iter().for_each(|item| self.value(item, prose, MappingKeys::Language)),
            YamlKind::Mapping(mapping) => {
                for pair in &mapping.pairs {
                    let key = pair.key.text.as_ref();
                    let (prose, inner) = match keys {
                        MappingKeys::Sections if key == "service" => (false, MappingKeys::Service),
                        MappingKeys::Sections if key == "changes" => (false, MappingKeys::Classes),
                        MappingKeys::Service if key == "tags" => (false, MappingKeys::Prose),
                        // A release is no sentence.
                        MappingKeys::Classes => (false, MappingKeys::Prose),
                        MappingKeys::Language if VALUES.contains(&key) => continue,
                        MappingKeys::Sections | MappingKeys::Language if OF_PROSE.contains(&key) => {
                            (false, MappingKeys::Prose)
                        }
                        MappingKeys::Language if OF_NAMES.contains(&key) => (false, MappingKeys::Names),
                        MappingKeys::Language if key == "of" => (false, MappingKeys::Variants),
                        MappingKeys::Sections | MappingKeys::Service | MappingKeys::Language => {
                            (PROSE.contains(&key), MappingKeys::Language)
                        }
                        MappingKeys::Names => (false, MappingKeys::Language),
                        MappingKeys::Variants => (false, MappingKeys::Names),
                        MappingKeys::Prose => (true, MappingKeys::Language),
                    };
                    self.value(&pair.value, prose, inner);
                }
            }
            _ => {}
        }
    }

    fn word(&mut self, word: &str, place: SourceSpan) {
        if word.trim().is_empty() {
            let complaint = Diagnostic::error(structure::EMPTY_SENTENCE, place, "a sentence without words");
            self.diagnostics.push(complaint.label("say it, or leave the key out"));
            return;
        }
        let (start, end) = (place.start as usize, place.end as usize);
        let (Some(text), Some(rest)) = (self.text.get(start..), self.text.get(end..)) else { return };
        if text.starts_with(['"', '\'', '|', '>']) || !rest.starts_with(" #") {
            return;
        }
        let line = rest.split('\n').next().unwrap_or_default();
        let end = place.end + u32::try_from(line.trim_end().len()).unwrap_or_default();
        let whole = format!("{word}{}", line.trim_end());
        let quoted = if whole.contains(['"', '\\']) {
            format!("'{}'", whole.replace('\'', "''"))
        } else {
            format!("\"{whole}\"")
        };
        let message = "the text ends before the `#`, which begins a comment";
        let complaint = Diagnostic::error(syntax::CUT_BY_COMMENT, SourceSpan { end, ..place }, message);
        self.diagnostics.push(complaint.label("a comment stands on its own line").suggest(Some(quoted)));
    }
}
