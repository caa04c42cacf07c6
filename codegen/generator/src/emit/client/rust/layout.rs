//! Rust as rustfmt lays it out by the `rustfmt.toml` of the package, as far as a client has it. To parse and print it instead
//! takes as long as all the rest of a client.

use super::super::lines::IndentedLines;

/// The layout of the package: the project's own configuration, which the templates follow, as they stand in it as they are.
pub(super) const CONFIG: &str = include_str!("../../../../../../.rustfmt.toml");
/// Columns of a line, as [`CONFIG`] says.
pub(super) const WIDTH: usize = 120;
/// Columns that rustfmt lets a reply have more than [`WIDTH`] before it breaks it.
const REPLY_OVER: usize = 2;
/// Columns that rustfmt wants free after a reply for the brace to follow it.
const REPLY_BRACE: usize = 6;
/// Columns of a level of depth.
pub(super) const STEP: usize = 4;

/// A text in quotes. JSON has escapes that Rust has not.
pub(super) fn quoted(text: &str) -> String {
    format!("{text:?}")
}

/// The attribute of what should not be used any more, with a note in quotes.
pub(super) fn deprecated(lines: &mut IndentedLines, note: &str) {
    let one = format!("#[deprecated(note = {note})]");
    if lines.fits(&one, WIDTH) {
        lines.line(one);
        return;
    }
    lines.line("#[deprecated(");
    lines.within(|lines| lines.line(format!("note = {note}")));
    lines.line(")]");
}

/// The head of a function that takes so much, up to its body.
pub(super) fn function(lines: &mut IndentedLines, head: &str, arguments: &[String], reply: &[&str]) {
    let whole = format!("Result<{}>", reply.join(", "));
    let one = format!("{head}({}) -> {whole} {{", arguments.join(", "));
    if lines.fits(&one, WIDTH) {
        lines.line(one);
        return;
    }
    self::arguments(lines, head, arguments);
    let last = format!(") -> {whole}");
    if lines.fits(&last, WIDTH + REPLY_OVER) {
        if lines.fits(&last, WIDTH - REPLY_BRACE) {
            lines.line(last + " {");
        } else {
            lines.line(last);
            lines.line("{");
        }
        return;
    }
    lines.line(") -> Result<");
    lines.within(|lines| reply.iter().for_each(|part| generic(lines, part)));
    lines.line("> {");
}

/// A type that a comma follows, with what it is given in lines of their own where it is too long for one.
fn generic(lines: &mut IndentedLines, ty: &str) {
    let one = format!("{ty},");
    let inner = ty.split_once('<').and_then(|(head, rest)| Some((head, rest.strip_suffix('>')?)));
    match inner.filter(|_| !lines.fits(&one, WIDTH)) {
        Some((head, given)) => {
            lines.line(format!("{head}<"));
            lines.within(|lines| parts(given).into_iter().for_each(|part| generic(lines, part)));
            lines.line(">,");
        }
        None => lines.line(one),
    }
}

/// The arguments of a generic type, one by one.
fn parts(given: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let outside = given.split(|letter| {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    });
    outside.map(str::trim_start).collect()
}

/// The name of a function and what it takes, each in a line.
pub(super) fn arguments(lines: &mut IndentedLines, head: &str, arguments: &[String]) {
    lines.line(format!("{head}("));
    lines.within(|lines| arguments.iter().for_each(|argument| lines.line(format!("{argument},"))));
}

/// A chain of calls between what begins the line and what ends it.
pub(super) fn chain(lines: &mut IndentedLines, begins: &str, first: &str, calls: &[String], ends: &str) {
    let one = format!("{first}{}{ends}", calls.concat());
    let line = format!("{begins}{one}");
    if calls.is_empty() || lines.fits(&line, WIDTH) {
        lines.line(line);
        return;
    }
    if !begins.is_empty() && lines.fits(&one, WIDTH - STEP) {
        lines.line(begins.trim_end());
        lines.within(|lines| lines.line(one));
        return;
    }
    lines.line(format!("{begins}{first}"));
    lines.within(|lines| {
        if let Some((last, calls)) = calls.split_last() {
            calls.iter().for_each(|call| lines.line(call));
            lines.line(format!("{last}{ends}"));
        }
    });
}

/// An attribute with what is said in it.
pub(super) fn attribute(lines: &mut IndentedLines, name: &str, words: &[String]) {
    let one = format!("#[{name}({})]", words.join(", "));
    if lines.fits(&one, WIDTH) {
        lines.line(one);
        return;
    }
    lines.line(format!("#[{name}("));
    lines.within(|lines| {
        if let Some((last, words)) = words.split_last() {
            words.iter().for_each(|word| lines.line(format!("{word},")));
            lines.line(last);
        }
    });
    lines.line(")]");
}

/// A list of words as a reference, which a comma follows.
pub(super) fn words(lines: &mut IndentedLines, words: &[String]) {
    let one = format!("&[{}],", words.join(", "));
    if lines.fits(&one, WIDTH) {
        lines.line(one);
        return;
    }
    lines.line("&[");
    lines.within(|lines| words.iter().for_each(|word| lines.line(format!("{word},"))));
    lines.line("],");
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::process::{Command, Stdio};

    use super::*;

    /// Lengths at which one layout becomes another: for each there are functions, chains, attributes and lists.
    fn everything() -> String {
        let mut lines = IndentedLines::new(STEP);
        for length in 0..60 {
            let name = "N".repeat(length);
            lines.gap();
            attribute(&mut lines, "serde", &[format!("rename = \"{name}{name}\""), "default".to_owned()]);
            lines.line(format!("struct S{length};"));
            lines.gap();
            lines.line(format!("impl S{length} {{"));
            lines.within(|lines| {
                let arguments = ["&self".to_owned(), format!("value: &{name}Value")];
                let stream = format!("crate::EventStream<crate::types::{name}Event, {name}Code>");
                function(lines, "pub async fn call", &arguments, &[&stream, "Error<CallCode>"]);
                lines.within(|lines| {
                    let calls = [".path(\"name\", &name)".to_owned(), format!(".query(\"{name}\", &params.name)")];
                    chain(lines, "let input = ", "Input::default()", &calls, ";");
                    chain(lines, "", "formatter", &calls, "");
                });
                lines.line("}");
            });
            lines.line("}");
            lines.gap();
            lines.line(format!("static LISTED_{length}: Listed = Listed {{"));
            lines.within(|lines| {
                let all = [format!("\"{name}\""), format!("\"{name}\"")];
                lines.line(format!("id: \"{}\",", "a".repeat(WIDTH - 20)));
                let one = format!("stream: Some((true, &[{}])),", all.join(", "));
                if lines.fits(&one, WIDTH) {
                    lines.line(one);
                } else {
                    lines.line("stream: Some((");
                    lines.within(|lines| {
                        lines.line("true,");
                        words(lines, &all);
                    });
                    lines.line(")),");
                }
            });
            lines.line("};");
        }
        lines.done()
    }

    /// Any line of it that rustfmt would lay out otherwise fails, with both ways.
    #[test]
    fn rustfmt_has_nothing_to_say() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("rustfmt.toml"), CONFIG).expect("it is ours");
        let mut rustfmt = Command::new("rustfmt")
            .args(["--check", "--config-path"])
            .arg(folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rustfmt, which the suite has checked its own files with");
        let text = everything();
        rustfmt.stdin.take().expect("it is piped").write_all(text.as_bytes()).expect("it reads");
        let told = rustfmt.wait_with_output().expect("it ends");
        let told = [told.stdout, told.stderr].concat();
        assert!(told.is_empty(), "{}", String::from_utf8_lossy(&told));
        assert!(CONFIG.contains(&format!("max_width = {WIDTH}\n")));
    }
}
