//! Members that the bodies of image and video requests may not have. Most of them are for the provider to check. Not so files
//! stored at the provider, which all our accounts share there, and a model other than the one that is charged.

use crate::error::GatewayError;
use crate::members::MemberRefusal;
use tollgate_api::FastScanner;
use tollgate_formats::MalformedRequest;

/// The member that names a file stored at the provider, at any depth.
const FILE: &str = "file_id";
/// The member that chooses another way to generate, with another model at a price of its own.
const AUTHOR: &str = "svg";

/// Refuses a JSON body that names a file stored at the provider, at any depth, or another model that generates. The body was
/// checked as JSON, and for its depth, before.
///
/// # Errors
/// [`GatewayError::Member`] or [`GatewayError::NotSold`] with the member.
pub fn check_json(body: &[u8]) -> Result<(), GatewayError> {
    // Nearly no body has the words, and one pass for them costs less than reading. A name may be written in escapes.
    let file = memchr::memchr_iter(b'_', body).any(|at| {
        let word = body.get(at.saturating_sub("file".len())..(at + "_id".len()).min(body.len()));
        word.is_some_and(|word| word.eq_ignore_ascii_case(FILE.as_bytes()))
    });
    let may = file || [AUTHOR, "\\u"].iter().any(|word| memchr::memmem::find(body, word.as_bytes()).is_some());
    // What is no JSON is refused where it is read.
    let text = may.then(|| std::str::from_utf8(body).ok()).flatten();
    text.and_then(|text| look(&mut FastScanner::trusting(text), &mut String::new())).unwrap_or(Ok(()))
}

/// Refuses a form with a part that names a file stored at the provider or another model that generates.
/// The part may have brackets, as in `mask[file_id]`. A part name that two parsers could read differently is refused too.
///
/// # Errors
/// The error has the name of the part.
pub fn check_parts<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<(), GatewayError> {
    for name in names {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.[]".contains(&byte);
        if !name.bytes().all(plain) {
            let expected = "letters, digits, -, _, ., [ and ] in the names of parts";
            return Err(GatewayError::Unreadable(MalformedRequest::new("body", expected, name)));
        }
        let lower = name.to_ascii_lowercase();
        if lower.contains(FILE) {
            return Err(kept_at_provider(name.to_owned()));
        }
        if lower.split(['[', '.']).next() == Some(AUTHOR) {
            return Err(GatewayError::NotSold(name.to_owned()));
        }
    }
    Ok(())
}

/// Checks a value at `place`; `None` where it is no JSON.
fn look(json: &mut FastScanner<'_>, place: &mut String) -> Option<Result<(), GatewayError>> {
    let before = place.len();
    let first = json.first()?;
    if !json.takes(b'{') && !json.takes(b'[') {
        return json.pass().map(Ok);
    }
    let (is_object, end) = (first == b'{', if first == b'{' { b'}' } else { b']' });
    let (mut more, mut index) = (!json.takes(end), 0_usize);
    while more {
        if is_object {
            let name = json.name()?;
            let dot = if before == 0 { "" } else { "." };
            place.extend([dot, name.as_ref()]);
            let names_file = name.to_ascii_lowercase().contains(FILE);
            if (names_file || (before == 0 && name == AUTHOR)) && json.first()? != b'n' {
                let place = std::mem::take(place);
                return Some(Err(if names_file { kept_at_provider(place) } else { GatewayError::NotSold(place) }));
            }
        } else {
            place.push_str(&format!("[{index}]"));
        }
        if let refused @ Err(_) = look(json, place)? {
            return Some(refused);
        }
        place.truncate(before);
        index += 1;
        more = json.takes(b',');
        (more || json.takes(end)).then_some(())?;
    }
    Some(Ok(()))
}

fn kept_at_provider(field: String) -> GatewayError {
    GatewayError::Member(MemberRefusal::State { field })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(outcome: Result<(), GatewayError>) -> Option<String> {
        match outcome.err()? {
            GatewayError::Member(MemberRefusal::State { field }) | GatewayError::NotSold(field) => Some(field),
            error => Some(error.to_string()),
        }
    }

    #[test]
    fn a_file_and_another_model_are_found_wherever_they_are_named() {
        for (body, field) in [
            (r#"{"prompt":"svg file_id","images":[{"image_url":"x","file_id":null}],"svg":null}"#, None),
            (r#"{"images":[{"image_url":"x"},{"file_id":"f"}]}"#, Some("images[1].file_id")),
            (r#"{"markup":{"file\u005fid":"f"}}"#, Some("markup.file_id")),
            (r#"{"a":[[{"b":{"File_ID":7}}]]}"#, Some("a[0][0].b.File_ID")),
            (r#"{"input_reference[file_id]":"f"}"#, Some("input_reference[file_id]")),
            (r#"{"svg":{"model":"m"}}"#, Some("svg")),
            (r#"{"style":{"svg":1}}"#, None),
            ("file_id", None),
        ] {
            assert_eq!(refused(check_json(body.as_bytes())).as_deref(), field, "{body}");
        }
    }

    #[test]
    fn parts_of_a_form_are_looked_at_by_their_names() {
        for (name, passes) in [
            ("image[0]", true),
            ("input_reference[image_url]", true),
            ("mask[file_id]", false),
            ("images[][FILE_ID]", false),
            ("svg[model]", false),
            ("svg", false),
            ("svgs", true),
            ("n_variant\\s", false),
            ("n%5Bfile%5D", false),
            ("", true),
        ] {
            assert_eq!(check_parts(["prompt", name]).is_ok(), passes, "{name}");
        }
    }
}
