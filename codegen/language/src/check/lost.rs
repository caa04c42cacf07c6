//! The parts that could not be read, so that nothing is reported twice.
//!
//! A reference to an entry that is there but broken is not unknown, and an entry that a broken one may have used is
//! not unused.

use crate::{
    map::HashSet,
    model::SpecSection,
    parse::{SourceFile, YamlNode},
};

/// The names and words in the parts that could not be read.
#[derive(Debug, Default)]
pub(super) struct LostParts {
    /// Entries that have keys twice, and may be two entries in one.
    merged: HashSet<(SpecSection, String)>,
    /// Entries that were read without some part.
    hurt: HashSet<(SpecSection, String)>,
    /// Words that stand in what was lost, and may have been references.
    words: HashSet<String>,
    /// Keys whose values were lost, and may have been names of entries.
    names: HashSet<String>,
    /// Keys that must be there and are not: nobody knows what they would have referred to.
    missing: HashSet<String>,
}

impl LostParts {
    /// Adds the losses of another file.
    pub(super) fn add(&mut self, other: Self) {
        let Self { merged, hurt, words, names, missing } = other;
        self.merged.extend(merged);
        self.hurt.extend(hurt);
        self.words.extend(words);
        self.names.extend(names);
        self.missing.extend(missing);
    }

    /// Remembers the words of a value that is left out from now on.
    pub(super) fn lose(&mut self, node: &YamlNode<'_>) {
        node.each_text(&mut |text| self.mention(text));
    }

    /// Remembers the rest of a file that is not YAML.
    pub(super) fn lose_rest(&mut self, file: &SourceFile, from: usize) {
        // The line at fault may have begun an entry, and the one that it stands in is cut short.
        let rest = file.text.get(from..).unwrap_or_default();
        let line = file.text.get(..from).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1);
        for line in file.text.get(line..).unwrap_or(rest).lines() {
            self.mention(line);
            for piece in line.split([' ', '{', ',', '"', '\'']) {
                if let Some(name) = piece.strip_suffix(':') {
                    self.names.insert(name.to_owned());
                }
            }
        }
    }

    /// Remembers that a word may have been a reference.
    pub(super) fn mention(&mut self, text: &str) {
        let inner = |letter: char| letter.is_alphanumeric() || "_$./-".contains(letter);
        for word in text.split(|letter| !inner(letter)).filter(|word| !word.is_empty()) {
            self.words.insert(word.to_owned());
            for part in word.split('.').filter(|part| part.len() < word.len()) {
                self.words.insert(part.to_owned());
            }
        }
    }

    /// Remembers that the value of a key is left out from now on.
    pub(super) fn lose_name(&mut self, name: &str) {
        self.names.insert(name.to_owned());
    }

    /// True if a name is or may be there, though its entry could not be read.
    pub(super) fn lost_name(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Remembers that a key is not there.
    pub(super) fn miss(&mut self, key: &str) {
        self.missing.insert(key.to_owned());
    }

    /// True if some entry lacks a key that it must have.
    pub(super) fn misses(&self, key: &str) -> bool {
        self.missing.contains(key)
    }

    /// Remembers that an entry could not be read at all.
    pub(super) fn break_entry(&mut self, name: &str) {
        // In any section: with the line that begins a section gone, its entries stand broken in the one before.
        self.names.insert(name.to_owned());
    }

    /// Remembers that an entry may be two in one.
    pub(super) fn merge_entry(&mut self, section: SpecSection, name: &str) {
        self.merged.insert((section, name.to_owned()));
    }

    /// Remembers that an entry was read without some part of it.
    pub(super) fn hurt_entry(&mut self, section: SpecSection, name: &str) {
        self.hurt.insert((section, name.to_owned()));
    }

    /// True if something that could not be read may refer to this name.
    pub(super) fn may_be_used(&self, name: &str) -> bool {
        self.words.contains(name)
    }

    /// True if an entry lost the value of one of these keys, so that not having it is no further mistake.
    pub(super) fn lacks(&self, section: SpecSection, name: &str, keys: &[&str]) -> bool {
        let lost = self.is_hurt(section, name) && keys.iter().any(|key| self.names.contains(*key));
        lost || self.merged.contains(&(section, name.to_owned()))
    }

    /// True if anything could not be read.
    pub(super) fn is_any(&self) -> bool {
        let sets = [&self.words, &self.names, &self.missing];
        sets.into_iter().any(|set| !set.is_empty()) || !self.hurt.is_empty() || !self.merged.is_empty()
    }

    /// True if any part of an entry is missing.
    pub(super) fn is_hurt(&self, section: SpecSection, name: &str) -> bool {
        self.hurt.contains(&(section, name.to_owned()))
    }
}
