//! `codegen explain`

use std::io;

use super::say;
use crate::diagnostics::{Code, closest};

/// Prints what a code means; whether there is one.
pub(super) fn explain(code: Option<&str>) -> io::Result<bool> {
    let Some(wanted) = code else {
        list()?;
        return Ok(true);
    };
    let Some(code) = Code::all().find(|code| code.as_str().eq_ignore_ascii_case(wanted)) else {
        say::err(format_args!("error: there is no code `{wanted}`"))?;
        if let Some(meant) = closest(wanted, Code::all().map(Code::as_str)) {
            say::err(format_args!("help: did you mean `{meant}`?"))?;
        }
        say::err("")?;
        list()?;
        return Ok(false);
    };
    let info = code.info();
    say::out(format_args!("{}: {}\n", info.code, info.title))?;
    say::out(format_args!("{}\n", wrapped(info.explanation)))?;
    say::out("For example:\n")?;
    info.example.lines().try_for_each(|line| say::out(format_args!("    {line}")))?;
    Ok(true)
}

fn list() -> io::Result<()> {
    Code::all().try_for_each(|code| say::out(format_args!("{}  {}", code.as_str(), code.info().title)))
}

/// A paragraph in lines that fit a terminal.
fn wrapped(paragraph: &str) -> String {
    const WIDTH: usize = 80;
    let mut lines = String::new();
    let mut width = 0;
    for word in paragraph.split_whitespace() {
        let length = word.chars().count();
        if width + 1 + length > WIDTH {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}
