//! Forms of parts (`multipart/form-data`), taken apart by place: what is passed on stays the client's bytes.
//!
//! Well-kept crates for forms hand out copies of the parts. Here the place of a part counts, because the few that are
//! changed are changed inside the body, and all others must arrive as they were sent. The whole body is in memory by
//! then, within its limit, so that finding the places is a search for the boundary.

use std::ops::Range;

use memchr::memmem;

/// The longest boundary that RFC 2046 allows.
const BOUNDARY_LEN_MAX: usize = 70;

/// A form, as the places of its parts inside the body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The parts, as they came.
    pub parts: Vec<Part>,
}

/// One part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// The name of its file; a part without one is a text.
    pub file_name: Option<String>,
    /// The bytes of its content inside the body.
    pub span: Range<usize>,
}

impl Form {
    /// The parts of that name, in order.
    pub fn named<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f Part> {
        self.parts.iter().filter(move |part| part.name == name)
    }

    /// Takes a body of at most so many parts apart; the error says what is wrong with it.
    pub(super) fn read(body: &[u8], boundary: &str, parts_max: usize) -> Result<Self, &'static str> {
        let delimiter = format!("\r\n--{boundary}");
        // What stands before the first delimiter is for nobody; the first one may open the body.
        let opening = &delimiter.as_bytes()[2..];
        let mut at = if body.starts_with(opening) {
            opening.len()
        } else {
            memmem::find(body, delimiter.as_bytes()).ok_or("without its boundary")? + delimiter.len()
        };
        let finder = memmem::Finder::new(delimiter.as_bytes());
        let mut parts = Vec::new();
        while !body[at..].starts_with(b"--") {
            let head = line_end(body, at).ok_or("whose boundary does not end its line")?;
            let end = finder.find(&body[head - 2..]).ok_or("without its end")? + head - 2;
            if parts.len() == parts_max {
                return Err("of too many parts");
            }
            parts.push(part(body, head, end)?);
            at = end + delimiter.len();
        }
        Ok(Self { parts })
    }
}

/// Where the line after a boundary begins; only blanks may stand behind the boundary.
fn line_end(body: &[u8], from: usize) -> Option<usize> {
    let blanks = body[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let end = from + blanks;
    body[end..].starts_with(b"\r\n").then_some(end + 2)
}

/// A part whose headers begin at `head` and whose content ends at `end`.
fn part(body: &[u8], head: usize, end: usize) -> Result<Part, &'static str> {
    // Headers end at an empty line, which may be the first.
    let whole = body.get(head..end.max(head)).unwrap_or_default();
    let headers = memmem::find(whole, b"\r\n\r\n").ok_or("with a part that has no name")?;
    let disposition = whole[..headers]
        .split(|byte| *byte == b'\n')
        .filter_map(|line| std::str::from_utf8(line).ok()?.split_once(':'))
        .find(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"))
        .map(|(_, value)| value)
        .ok_or("with a part that has no name")?;
    let name = parameter(disposition, "name").ok_or("with a part that has no name")?;
    let file_name = parameter(disposition, "filename");
    Ok(Part { name, file_name, span: head + headers + 4..end })
}

/// The boundary that a `Content-Type` names, if it is that of a form.
pub(super) fn boundary(content_type: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(content_type).ok().filter(|_| is_form(content_type))?;
    let boundary = parameter(text, "boundary")?;
    let fits =
        (1..=BOUNDARY_LEN_MAX).contains(&boundary.len()) && boundary.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    fits.then_some(boundary)
}

/// Whether a `Content-Type` is that of a form.
pub(super) fn is_form(content_type: &[u8]) -> bool {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"multipart/form-data")
}

/// A parameter of a header, out of its quotes. Clients write a quote inside a name as `\"` or as `%22`; only the former
/// has to be understood to find the end.
fn parameter(header: &str, wanted: &str) -> Option<String> {
    let mut rest = header.split_once(';')?.1;
    loop {
        let (name, value) = rest.split_once('=')?;
        let (value, after) = value_of(value.trim_start())?;
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value);
        }
        rest = after.split_once(';')?.1;
    }
}

/// A value and what stands behind it.
fn value_of(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find(';').unwrap_or(text.len());
        return Some((text[..end].trim_end().to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut letters = quoted.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(letters.next()?.1),
            _ => value.push(letter),
        }
    }
    None
}
