//! `codegen explain`

use crate::diagnostics::{Code, closest};

/// Prints what a code means; whether there is one.
pub(super) fn explain(code: Option<&str>) -> bool {
    let Some(wanted) = code else {
        list();
        return true;
    };
    let Some(code) = Code::all().find(|code| code.as_str().eq_ignore_ascii_case(wanted)) else {
        eprintln!("error: there is no code `{wanted}`");
        if let Some(meant) = closest(wanted, Code::all().map(Code::as_str)) {
            eprintln!("help: did you mean `{meant}`?");
        }
        eprintln!();
        list();
        return false;
    };
    let info = code.info();
    println!("{}: {}\n", info.code, info.title);
    println!("{}\n", wrapped(info.explanation));
    println!("For example:\n");
    info.example.lines().for_each(|line| println!("    {line}"));
    true
}

fn list() {
    for code in Code::all() {
        println!("{}  {}", code.as_str(), code.info().title);
    }
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
