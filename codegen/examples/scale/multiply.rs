//! A spec many times over: its operations, their types and their examples, under other names and paths.
//!
//! What it makes is sound where its original is, examples included: whoever is asked for more is given more to do, and not
//! less to check. What there can be one of alone (machines, errors, fixtures, what an example says of all operations that
//! declare a code) stays alone, and is of the copies too.

use std::collections::BTreeSet;

/// A file: its path and its text.
pub(crate) type File = (String, String);

/// The spec and `factor - 1` copies of it.
pub(crate) fn multiplied(files: Vec<File>, factor: usize) -> Vec<File> {
    let names = Names::of(&files);
    let mut made = Vec::with_capacity(files.len() * factor);
    for copy in 1..factor {
        for (path, text) in &files {
            let text = match kind(text) {
                Kind::Entries => entries(text, copy, &names),
                Kind::Examples => examples(text, copy, &names),
                Kind::Alone => continue,
            };
            made.push((path.replace(".yaml", &format!("_c{copy}.yaml")), text));
        }
    }
    let own = files.into_iter().map(|(path, text)| {
        let text = if kind(&text) == Kind::Examples { excepting_copies(&text, factor, &names) } else { text };
        (path, text)
    });
    made.extend(own);
    made
}

/// What is named again in each copy.
struct Names {
    operations: BTreeSet<String>,
    types: BTreeSet<String>,
}

impl Names {
    fn of(files: &[File]) -> Self {
        let copied = || files.iter().filter(|(_, text)| kind(text) == Kind::Entries);
        let all = |section: &'static str| copied().flat_map(move |(_, text)| keys(text, section)).map(str::to_owned);
        Self { operations: all("operations:").collect(), types: all("types:").collect() }
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

/// The keys of a section.
fn keys<'t>(text: &'t str, section: &'static str) -> impl Iterator<Item = &'t str> {
    let inside = text.lines().skip_while(move |line| *line != section).skip(1);
    inside.take_while(|line| line.is_empty() || line.starts_with([' ', '#'])).filter_map(entry)
}

/// The key of a line that begins an entry of a section.
fn entry(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("  ").filter(|rest| !rest.starts_with([' ', '#']))?;
    rest.split_once(':').map(|(key, _)| key)
}

/// A file of operations and types as a copy has it. Moves of machines are of the originals alone.
fn entries(text: &str, copy: usize, names: &Names) -> String {
    let mut out = String::with_capacity(text.len() * 2);
    let mut in_operations = false;
    for line in text.lines().filter(|line| !line.trim_start().starts_with("moves:")) {
        if !line.is_empty() && !line.starts_with([' ', '#']) {
            in_operations = line == "operations:";
        }
        let begun = line.trim_start();
        let line = if in_operations && entry(line).is_some() {
            with_operations(line, names, |name| copied(name, copy))
        } else if begun.starts_with("route:") || begun.starts_with("also:") {
            line.replace(" /", &format!(" /c{copy}/"))
        } else if begun.starts_with("name: {rust:") {
            line.replace('}', &format!("C{copy}}}"))
        } else {
            with_types(line, copy, names)
        };
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// A file of examples as a copy has it: those that say which operations they are of. All others are of the copies
/// already.
fn examples(text: &str, copy: usize, names: &Names) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    for block in blocks(text) {
        let Some(key) = entry(block[0]) else {
            block.iter().for_each(|line| out.extend([line, "\n"]));
            continue;
        };
        if !says_of(&block) {
            continue;
        }
        out.extend(["  ", key, "-c", &copy.to_string(), ":\n"]);
        naming(&block[1..], &mut out, |line| with_operations(line, names, |name| copied(name, copy)));
    }
    out
}

/// A file of examples as the original has it: what is no example of an operation is none of its copies.
fn excepting_copies(text: &str, factor: usize, names: &Names) -> String {
    let all = |name: &str| {
        let copies = (1..factor).map(|copy| copied(name, copy));
        [name.to_owned()].into_iter().chain(copies).collect::<Vec<_>>().join(", ")
    };
    let mut out = String::with_capacity(text.len());
    for block in blocks(text) {
        if says_of(&block) {
            block.iter().for_each(|line| out.extend([line, "\n"]));
        } else {
            naming(&block, &mut out, |line| with_operations(line, names, all));
        }
    }
    out
}

/// The text as what stands before the first entry, and then entry by entry.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for line in text.lines() {
        match blocks.last_mut() {
            Some(block) if entry(line).is_none() => block.push(line),
            _ => blocks.push(vec![line]),
        }
    }
    blocks
}

fn says_of(block: &[&str]) -> bool {
    block.iter().any(|line| line.starts_with("    of:"))
}

/// Adds lines, changing those that name operations.
fn naming(lines: &[&str], out: &mut String, change: impl Fn(&str) -> String) {
    let mut named = false;
    for line in lines {
        let continued = line.starts_with("     ");
        named = line.starts_with("    of:") || line.starts_with("    except:") || named && continued;
        let line = if named { change(line) } else { (*line).to_owned() };
        out.extend([&line, "\n"]);
    }
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
    replaced(line, letter, |word| names.operations.contains(word).then(|| change(word)))
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
