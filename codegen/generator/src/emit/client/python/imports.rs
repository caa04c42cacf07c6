//! The words that a text in Python is written with, for what it has to import.

use crate::map::HashSet;

/// The words of a text, those of comments and texts in it aside; one that is called after a `=` or a `return`, or decorates, stands
/// there with its mark too.
pub(super) fn words(text: &str) -> HashSet<&str> {
    let code = text.split("\"\"\"").step_by(2).flat_map(str::lines);
    let mut words = HashSet::default();
    for line in code.filter(|line| !line.trim_start().starts_with('#')) {
        // No text in a line has a quote in it but at its ends, or what follows it is a text, too.
        let parts: Vec<&str> = line.split('"').collect();
        parts.iter().step_by(2).for_each(|part| words_of(part, &mut words));
        // A member of a dictionary whose names are no names in Python: its type is a text.
        if let ["    " | "        ", _, ": ", ty, ","] = parts[..] {
            words_of(ty, &mut words);
        }
    }
    words
}

/// Adds the words of a part of a line.
fn words_of<'t>(part: &'t str, words: &mut HashSet<&'t str>) {
    // Letters of other scripts are part of no word that is looked for.
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(begins) = bytes[at..].iter().position(is_part).map(|found| at + found) {
        let ends = bytes[begins..].iter().position(|byte| !is_part(byte)).map_or(part.len(), |found| begins + found);
        let before = &part[..begins];
        let is_free = before.ends_with('=') || before.ends_with("return ");
        if bytes.get(ends) == Some(&b'(') && is_free {
            words.insert(&part[begins..=ends]);
        } else if before.ends_with('@') {
            words.insert(&part[begins - 1..ends]);
        } else if !before.ends_with("def ") {
            words.insert(&part[begins..ends]);
        }
        at = ends;
    }
}
