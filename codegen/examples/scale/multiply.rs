//! A spec many times over: its operations, their types and their examples, under other names and paths.
//!
//! What it makes is sound where its original is, examples included: whoever is asked for more is given more to do, and not
//! less to check. What there can be one of alone (machines, errors, fixtures, what an example says of all operations that
//! declare a code) stays alone, and is of the copies too.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A file: its path and its text.
pub(crate) type File = (String, String);

/// The spec and `factor - 1` copies of it. Where operations are named, it is the spec of these alone: all others are planned,
/// and in no copy.
pub(crate) fn multiplied(files: Vec<File>, factor: usize, only: &[&str]) -> Result<Vec<File>, String> {
    let names = Names::of(&files, only)?;
    let mut made = Vec::with_capacity(files.len() * factor);
    for copy in 1..factor {
        for (path, text) in &files {
            let text = match kind(text) {
                Kind::Entries => entries(text, copy, &names),
                Kind::Examples => examples(text, copy, &names),
                Kind::Alone => continue,
            };
            made.extend(text.map(|text| (path.replace(".yaml", &format!("_c{copy}.yaml")), text)));
        }
    }
    let own = files.into_iter().map(|(path, text)| {
        let text = match kind(&text) {
            Kind::Examples => excepting_copies(&text, factor, &names),
            Kind::Entries | Kind::Alone => with_planned(&text, &names),
        };
        (path, text)
    });
    made.extend(own);
    Ok(made)
}

/// What is named again in each copy.
struct Names<'n> {
    /// The operations that the spec is to be of; all, where there are none.
    only: &'n [&'n str],
    /// The operations that are in the copies.
    copied: BTreeSet<String>,
    /// The types that they take and give, and what is inside them.
    types: BTreeSet<String>,
}

impl<'n> Names<'n> {
    fn of(files: &[File], only: &'n [&'n str]) -> Result<Self, String> {
        let all = |section: &str, is_copied: bool| -> BTreeMap<String, String> {
            let texts = files.iter().map(|(_, text)| text).filter(|text| !is_copied || kind(text) == Kind::Entries);
            let blocks = texts.flat_map(|text| blocks(text)).filter(|block| block.section == section);
            blocks.filter_map(|block| Some((block.key()?.to_owned(), block.lines.join("\n")))).collect()
        };
        let known = all("operations:", false);
        let listed = files.iter().flat_map(|(_, text)| blocks(text)).filter(Block::is_example);
        let listed: Vec<&str> = listed.flat_map(|block| LISTS.iter().flat_map(move |key| block.list(key))).collect();
        if let Some(unknown) = only.iter().chain(&listed).find(|name| !known.contains_key(**name)) {
            return Err(format!("{unknown} is no operation"));
        }
        let (operations, types) = (all("operations:", true), all("types:", true));
        let mut names = Self { only, copied: BTreeSet::new(), types: BTreeSet::new() };
        names.copied = operations.keys().filter(|name| !names.is_planned(name)).cloned().collect();
        let mut open: Vec<&str> = names.copied.iter().map(|name| operations[name].as_str()).collect();
        while let Some(text) = open.pop() {
            for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
                if let Some((name, inside)) = types.get_key_value(word)
                    && names.types.insert(name.clone())
                {
                    open.push(inside);
                }
            }
        }
        Ok(names)
    }

    /// Whether an operation is not to be routed, whatever the spec says.
    fn is_planned(&self, operation: &str) -> bool {
        !self.only.is_empty() && !self.only.contains(&operation)
    }

    /// Whether copies have that entry of a file of operations and types.
    fn has(&self, block: &Block<'_>) -> bool {
        match (block.section, block.key()) {
            ("operations:", Some(key)) => self.copied.contains(key),
            ("types:", Some(key)) => self.types.contains(key),
            _ => true,
        }
    }
}

#[derive(PartialEq)]
enum Kind {
    /// Operations or types.
    Entries,
    /// Examples, or reasons for having none.
    Examples,
    /// All else.
    Alone,
}

fn kind(text: &str) -> Kind {
    let has = |name: &str| text.lines().any(|line| line == name);
    let alone = ["machines:", "errors:", "fixtures:"].into_iter().any(has);
    match (has("operations:") || has("types:"), has("examples:") || has("untold:")) {
        _ if alone => Kind::Alone,
        (true, false) => Kind::Entries,
        (false, true) => Kind::Examples,
        _ => Kind::Alone,
    }
}

/// The key of a line that begins an entry of a section.
fn entry(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("  ").filter(|rest| !rest.starts_with([' ', '#']))?;
    rest.split_once(':').map(|(key, _)| key)
}

/// A file of operations and types as a copy has it, where it has any of it. Moves of machines are of the originals alone.
fn entries(text: &str, copy: usize, names: &Names<'_>) -> Option<String> {
    let mut out = Written::default();
    for block in blocks(text).iter().filter(|block| names.has(block)) {
        let lines = block.lines.iter().filter(|line| !line.trim_start().starts_with("moves:"));
        let lines = lines.map(|line| {
            let begun = line.trim_start();
            match entry(line) {
                Some(key) if block.section == "operations:" => line.replacen(key, &copied(key, copy), 1),
                _ if begun.starts_with("route:") || begun.starts_with("also:") => {
                    line.replace(" /", &format!(" /c{copy}/"))
                }
                _ if begun.starts_with("name: {rust:") => line.replace('}', &format!("C{copy}}}")),
                _ => with_types(line, copy, names),
            }
        });
        out.block(block, lines);
    }
    out.ended()
}

/// The same as the original has it: what is not to be routed is planned.
fn with_planned(text: &str, names: &Names<'_>) -> String {
    let mut out = String::with_capacity(text.len());
    for block in blocks(text) {
        let is_planned = block.lines.iter().any(|line| line.starts_with("    stage:"));
        for line in &block.lines {
            out.extend([line, "\n"]);
            if let Some(key) = entry(line).filter(|_| block.section == "operations:" && !is_planned)
                && names.is_planned(key)
            {
                out.push_str("    stage: planned\n");
            }
        }
    }
    out
}

/// A file of examples as a copy has it, where it has any: those that say which operations they are of. All others are of
/// the copies already.
fn examples(text: &str, copy: usize, names: &Names<'_>) -> Option<String> {
    let own = |name: &str| names.copied.contains(name).then(|| copied(name, copy)).into_iter().collect();
    let mut out = Written::default();
    for block in blocks(text) {
        let Some(key) = block.key() else {
            out.block(&block, block.lines.iter());
            continue;
        };
        if let Some(mut lines) = block.with_list(OF, own).filter(|_| block.says_of()) {
            lines[0] = format!("  {key}-c{copy}:");
            out.block(&block, lines.into_iter());
        }
    }
    out.ended()
}

/// A file of examples as the original has it: what is no example of an operation is none of its copies, and nobody says why
/// something that is planned has none.
fn excepting_copies(text: &str, factor: usize, names: &Names<'_>) -> String {
    let all = |name: &str| {
        let copies = if names.copied.contains(name) { 1..factor } else { 0..0 };
        [name.to_owned()].into_iter().chain(copies.map(|copy| copied(name, copy))).collect()
    };
    let own = |name: &str| if names.is_planned(name) { Vec::new() } else { vec![name.to_owned()] };
    let mut out = Written::default();
    for block in blocks(text) {
        let lines = match block.section {
            "untold:" if block.says_of() => block.with_list(OF, own),
            _ => block.with_list(EXCEPT, all),
        };
        if let Some(lines) = lines {
            out.block(&block, lines.into_iter());
        }
    }
    out.ended().unwrap_or_default()
}

/// A file as it is written: the heading of a section stands there when an entry of it does.
#[derive(Default)]
struct Written {
    text: String,
    heading: String,
    has_entries: bool,
}

impl Written {
    fn block(&mut self, block: &Block<'_>, lines: impl Iterator<Item: AsRef<str>>) {
        let is_heading = block.key().is_none() && block.section.ends_with(':');
        let heading = std::mem::take(&mut self.heading);
        let into = if is_heading { &mut self.heading } else { &mut self.text };
        if block.key().is_some() {
            into.push_str(&heading);
            self.has_entries = true;
        }
        lines.for_each(|line| into.extend([line.as_ref(), "\n"]));
    }

    /// The text, where it has an entry.
    fn ended(self) -> Option<String> {
        self.has_entries.then_some(self.text)
    }
}

/// The key of the operations that an entry of examples is of.
const OF: &str = "    of:";
/// The key of those that it is not of.
const EXCEPT: &str = "    except:";
const LISTS: [&str; 2] = [OF, EXCEPT];

/// An entry, or what stands between entries.
struct Block<'t> {
    /// The last line before it, or at its beginning, that is not indented.
    section: &'t str,
    lines: Vec<&'t str>,
}

impl<'t> Block<'t> {
    fn key(&self) -> Option<&'t str> {
        self.lines.first().and_then(|line| entry(line))
    }

    fn is_example(&self) -> bool {
        ["examples:", "untold:"].contains(&self.section)
    }

    /// Whether it names the operations that it is of.
    fn says_of(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with(OF))
    }

    /// The lines of a key and of the list that follows it.
    fn place(&self, key: &str) -> Range<usize> {
        let Some(start) = self.lines.iter().position(|line| line.starts_with(key)) else { return 0..0 };
        let end = (start + 1..self.lines.len()).find(|&line| !self.lines[line].starts_with("     "));
        start..end.unwrap_or(self.lines.len())
    }

    /// The list that follows a key.
    fn list(&self, key: &str) -> Vec<&'t str> {
        let lines = self.lines[self.place(key)].iter().map(|line| line.strip_prefix(key).unwrap_or(line));
        lines.flat_map(|line| line.split([' ', ',', '[', ']'])).filter(|word| !word.is_empty()).collect()
    }

    /// Its lines, with others in the place of the operations that follow a key; nothing where none is left.
    fn with_list(&self, key: &str, change: impl Fn(&str) -> Vec<String>) -> Option<Vec<String>> {
        let mut lines: Vec<String> = self.lines.iter().map(|line| (*line).to_owned()).collect();
        let place = self.place(key);
        if !place.is_empty() {
            let list: Vec<String> = self.list(key).into_iter().flat_map(change).collect();
            lines.splice(place, (!list.is_empty()).then(|| format!("{key} [{}]", list.join(", "))));
            if list.is_empty() && key == OF {
                return None;
            }
        }
        Some(lines)
    }
}

/// The text entry by entry.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut section = "";
    for line in text.lines() {
        let is_top = !line.is_empty() && !line.starts_with([' ', '#']);
        if is_top {
            section = line;
        }
        match blocks.last_mut() {
            Some(block) if !is_top && entry(line).is_none() => block.lines.push(line),
            _ => blocks.push(Block { section, lines: vec![line] }),
        }
    }
    blocks
}

/// `keys.list` of the third copy is `keys_c3.list`.
fn copied(operation: &str, copy: usize) -> String {
    match operation.split_once('.') {
        Some((group, verb)) => format!("{group}_c{copy}.{verb}"),
        None => format!("{operation}_c{copy}"),
    }
}

/// The line with every type under the name that it has in the copy; headings of the source stay as they are.
fn with_types(line: &str, copy: usize, names: &Names<'_>) -> String {
    let renamed = |part: &str| {
        replaced(
            part,
            |letter| letter.is_ascii_alphanumeric(),
            |word| names.types.contains(word).then(|| format!("{word}C{copy}")),
        )
    };
    let mut out = String::with_capacity(line.len() + 16);
    let mut rest = line;
    while let Some(heading) = rest.find('§') {
        let end = rest[heading..].find('"').map_or(rest.len(), |end| heading + end);
        out.push_str(&renamed(&rest[..heading]));
        out.push_str(&rest[heading..end]);
        rest = &rest[end..];
    }
    out.push_str(&renamed(rest));
    out
}

/// The text with some of its words replaced.
fn replaced(text: &str, letter: impl Fn(char) -> bool, change: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while !rest.is_empty() {
        let word = rest.find(|found| !letter(found)).unwrap_or(rest.len());
        match change(&rest[..word]) {
            Some(other) => out.push_str(&other),
            None => out.push_str(&rest[..word]),
        }
        let between = rest[word..].find(&letter).map_or(rest.len(), |found| word + found);
        out.push_str(&rest[word..between]);
        rest = &rest[between..];
    }
    out
}
