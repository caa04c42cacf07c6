//! A spec many times over: its operations, their types and their examples, under other names and paths.
//!
//! What it makes is sound where its original is, examples included: whoever is asked for more is given more to do, and not
//! less to check. What there can be one of alone (machines, errors, fixtures, what an example says of all operations that
//! declare a code) stays alone, and is of the copies too.

use std::collections::{BTreeMap, BTreeSet};

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
struct Names {
    /// The operations that are in the copies.
    routed: BTreeSet<String>,
    /// The types that they take and give, and what is inside them.
    types: BTreeSet<String>,
}

impl Names {
    fn of(files: &[File], only: &[&str]) -> Result<Self, String> {
        let all = |section: &str| -> BTreeMap<String, String> {
            let copied = files.iter().filter(|(_, text)| kind(text) == Kind::Entries);
            let blocks = copied.flat_map(|(_, text)| blocks(text)).filter(|block| block.section == section);
            blocks.filter_map(|block| Some((block.key()?.to_owned(), block.lines.join("\n")))).collect()
        };
        let (operations, types) = (all("operations:"), all("types:"));
        if let Some(unknown) = only.iter().find(|name| !operations.contains_key(**name)) {
            return Err(format!("{unknown} is no operation"));
        }
        let is_routed = |name: &&String| only.is_empty() || only.contains(&name.as_str());
        let routed: BTreeSet<String> = operations.keys().filter(is_routed).cloned().collect();
        let mut open: Vec<&str> = routed.iter().map(|name| operations[name].as_str()).collect();
        let mut reached = BTreeSet::new();
        while let Some(text) = open.pop() {
            for word in text.split(|letter: char| !letter.is_ascii_alphanumeric()) {
                if let Some((name, inside)) = types.get_key_value(word)
                    && reached.insert(name.clone())
                {
                    open.push(inside);
                }
            }
        }
        Ok(Self { routed, types: reached })
    }

    /// Whether copies have that entry of a file of operations and types.
    fn has(&self, block: &Block<'_>) -> bool {
        match (block.section, block.key()) {
            ("operations:", Some(key)) => self.routed.contains(key),
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
fn entries(text: &str, copy: usize, names: &Names) -> Option<String> {
    let mut out = String::with_capacity(text.len() * 2);
    let mut has_entries = false;
    let mut heading = None;
    for block in blocks(text).iter().filter(|block| names.has(block)) {
        if block.key().is_none() && ["operations:", "types:"].contains(&block.section) {
            // Written before the first of its entries that is left.
            heading = Some(block);
            continue;
        }
        let lines = heading.take().into_iter().chain([block]).flat_map(|block| &block.lines);
        for line in lines.filter(|line| !line.trim_start().starts_with("moves:")) {
            let begun = line.trim_start();
            let line = if block.section == "operations:" && entry(line).is_some() {
                with_operations(line, names, |name| copied(name, copy))
            } else if begun.starts_with("route:") || begun.starts_with("also:") {
                line.replace(" /", &format!(" /c{copy}/"))
            } else if begun.starts_with("name: {rust:") {
                line.replace('}', &format!("C{copy}}}"))
            } else {
                with_types(line, copy, names)
            };
            out.extend([&line, "\n"]);
        }
        has_entries |= block.key().is_some();
    }
    has_entries.then_some(out)
}

/// The same as the original has it: what is not to be routed is planned.
fn with_planned(text: &str, names: &Names) -> String {
    let mut out = String::with_capacity(text.len());
    for Block { section, lines } in blocks(text) {
        for line in lines {
            out.extend([line, "\n"]);
            if section == "operations:" && entry(line).is_some_and(|key| !names.routed.contains(key)) {
                out.push_str("    stage: planned\n");
            }
        }
    }
    out
}

/// A file of examples as a copy has it, where it has any: those that say which operations they are of. All others are of
/// the copies already.
fn examples(text: &str, copy: usize, names: &Names) -> Option<String> {
    let own = |name: &str| names.routed.contains(name).then(|| copied(name, copy)).into_iter().collect();
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    let mut has_entries = false;
    for block in blocks(text) {
        let Some(key) = block.key() else {
            block.lines.iter().for_each(|line| out.extend([line, "\n"]));
            continue;
        };
        let Some(lines) = block.with_list("    of:", own).filter(|_| block.says_of()) else { continue };
        out.extend(["  ", key, "-c", &copy.to_string(), ":\n"]);
        lines[1..].iter().for_each(|line| out.extend([line, "\n"]));
        has_entries = true;
    }
    has_entries.then_some(out)
}

/// A file of examples as the original has it: what is no example of an operation is none of its copies, and nobody says why
/// something that is planned has none.
fn excepting_copies(text: &str, factor: usize, names: &Names) -> String {
    let all = |name: &str| {
        let copies = if names.routed.contains(name) { 1..factor } else { 0..0 };
        [name.to_owned()].into_iter().chain(copies.map(|copy| copied(name, copy))).collect()
    };
    let own = |name: &str| names.routed.contains(name).then(|| name.to_owned()).into_iter().collect();
    let mut out = String::with_capacity(text.len());
    for block in blocks(text) {
        let lines = match block.section {
            "untold:" if block.says_of() => block.with_list("    of:", own),
            _ => block.with_list("    except:", all),
        };
        lines.into_iter().flatten().for_each(|line| out.extend([&line, "\n"]));
    }
    out
}

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

    /// Whether it names the operations that it is of.
    fn says_of(&self) -> bool {
        self.lines.iter().any(|line| line.starts_with("    of:"))
    }

    /// Its lines, with others in the place of the operations that follow a key; nothing where none is left.
    fn with_list(&self, key: &str, change: impl Fn(&str) -> Vec<String>) -> Option<Vec<String>> {
        let Some(start) = self.lines.iter().position(|line| line.starts_with(key)) else {
            return Some(self.lines.iter().map(|line| (*line).to_owned()).collect());
        };
        let end = (start + 1..self.lines.len()).find(|&line| !self.lines[line].starts_with("     "));
        let end = end.unwrap_or(self.lines.len());
        let list = self.lines[start..end].concat();
        let list = list[key.len()..].split([' ', ',', '[', ']']).filter(|word| !word.is_empty());
        let list: Vec<String> = list.flat_map(change).collect();
        if list.is_empty() {
            return None;
        }
        let mut lines: Vec<String> = self.lines[..start].iter().map(|line| (*line).to_owned()).collect();
        lines.push(format!("{key} [{}]", list.join(", ")));
        lines.extend(self.lines[end..].iter().map(|line| (*line).to_owned()));
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

/// The line with other names in the place of those of operations.
fn with_operations(line: &str, names: &Names, change: impl Fn(&str) -> String) -> String {
    let letter =
        |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_' || letter == '.';
    replaced(line, letter, |word| names.routed.contains(word).then(|| change(word)))
}

/// The line with every type under the name that it has in the copy; headings of the source stay as they are.
fn with_types(line: &str, copy: usize, names: &Names) -> String {
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
