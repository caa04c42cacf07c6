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
pub struct MultipartForm {
    /// The text between the parts.
    pub boundary: String,
    /// The parts, as they came.
    pub parts: Vec<FormPart>,
}

/// One part of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormPart {
    /// Its name.
    pub name: String,
    /// The name of its file; a part without one is a text.
    pub file_name: Option<String>,
    /// The bytes of its content inside the body.
    pub span: Range<usize>,
}

impl MultipartForm {
    /// The parts of that name, in order.
    pub fn named<'f>(&'f self, name: &'f str) -> impl Iterator<Item = &'f FormPart> {
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
        // A reader that is content with other line ends would see further parts there, which nobody has looked at.
        if memmem::find_iter(body, opening).count() > parts.len() + 1 {
            return Err("with its boundary inside of a part");
        }
        Ok(Self { boundary: boundary.to_owned(), parts })
    }
}

/// The beginning of the line after a boundary; only blanks may stand behind the boundary.
fn line_end(body: &[u8], from: usize) -> Option<usize> {
    let blanks = body[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let end = from + blanks;
    body[end..].starts_with(b"\r\n").then_some(end + 2)
}

/// A part whose headers begin at `head` and whose content ends at `end`.
///
/// What could be read in two ways is refused: the provider must see the names that we see, and the price goes by them.
fn part(body: &[u8], head: usize, end: usize) -> Result<FormPart, &'static str> {
    // Headers end at an empty line, which may be the first.
    let whole = body.get(head..end.max(head)).unwrap_or_default();
    let headers = memmem::find(whole, b"\r\n\r\n").ok_or("with a part that has no name")?;
    let text = std::str::from_utf8(&whole[..headers]).map_err(|_| "with a header that is no text")?;
    let mut dispositions = Vec::new();
    for line in text.split("\r\n") {
        if line.contains(['\r', '\n']) || line.starts_with([' ', '\t']) {
            return Err("with a broken line in a header");
        }
        let header = line.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("content-disposition"));
        dispositions.extend(header.map(|(_, value)| value));
    }
    let [disposition] = dispositions[..] else { return Err("with a part that has no name, or two") };
    // Some readers go by the other spelling of a name.
    if parameter(disposition, "name*")?.is_some() {
        return Err("with a part that has no name, or two");
    }
    let name = parameter(disposition, "name")?.ok_or("with a part that has no name")?;
    let file_name = parameter(disposition, "filename")?;
    // The other spelling of a file's name makes it no less of a file.
    let file_name = file_name.map_or_else(|| parameter(disposition, "filename*"), |name| Ok(Some(name)))?;
    Ok(FormPart { name, file_name, span: head + headers + 4..end })
}

/// The boundary that a `Content-Type` names, if it is that of a form. RFC 2046 lets none end in a blank, and some readers
/// strip blanks: they would find other parts than we do, so that one with a blank at either end is none.
pub(super) fn boundary(content_type: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(content_type).ok().filter(|_| is_form(content_type))?;
    let boundary = parameter(text, "boundary").ok()??;
    let fits = (1..=BOUNDARY_LEN_MAX).contains(&boundary.len())
        && boundary.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        && boundary.trim_ascii() == boundary;
    fits.then_some(boundary)
}

/// True if a `Content-Type` is that of a form.
pub(super) fn is_form(content_type: &[u8]) -> bool {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"multipart/form-data")
}

/// A parameter of a header, out of its quotes; the error is one that stands there twice. Clients write a quote inside a
/// name as `\"` or as `%22`; only the former has to be understood to find the end.
fn parameter(header: &str, wanted: &str) -> Result<Option<String>, &'static str> {
    let mut found = None;
    let mut rest = header.split_once(';').map(|(_, rest)| rest);
    while let Some((name, value)) = rest.and_then(|rest| rest.split_once('=')) {
        let Some((value, after)) = value_of(value.trim_start()) else { return Ok(None) };
        if name.trim().eq_ignore_ascii_case(wanted) && found.replace(value).is_some() {
            return Err("with a header that names one thing twice");
        }
        rest = after.split_once(';').map(|(_, rest)| rest);
    }
    Ok(found)
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
