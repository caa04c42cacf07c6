//! Adds lines to a section of a file, leaving all else as it is.

use tollgate_spec_language::check::schema_line::right_line;

/// Adds an entry at the end of a section, making the file and the section where there is none. Gives the line that
/// the entry begins on; `None` where the section is written in braces.
pub(super) fn add(texts: &mut Vec<(String, String)>, path: &str, section: &str, entry: &str) -> Option<usize> {
    let index = texts.iter().position(|(other, _)| other == path).unwrap_or_else(|| {
        texts.push((path.to_owned(), format!("{}\n", right_line(path))));
        texts.len() - 1
    });
    let text = &mut texts[index].1;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let head = format!("{section}:");
    let mut at = 0;
    let mut end = None;
    for line in text.split_inclusive('\n') {
        let top = !line.starts_with([' ', '#', '\n']);
        if line.starts_with(&head) {
            let rest = line[head.len()..].trim();
            if !rest.is_empty() && !rest.starts_with('#') {
                return None;
            }
            end = Some(at + line.len());
        } else if end.is_some() && top {
            break;
        } else if end.is_some() && !line.trim().is_empty() && line.starts_with(' ') {
            end = Some(at + line.len());
        }
        at += line.len();
    }
    let (place, lines) = match end {
        // A blank line between entries, as long as there is one before.
        Some(end) if text[..end].ends_with(&format!("{head}\n")) => (end, entry.to_owned()),
        Some(end) => (end, format!("\n{entry}")),
        None => (text.len(), format!("\n{head}\n{entry}")),
    };
    text.insert_str(place, &lines);
    let begins = place + lines.find(entry)?;
    Some(text[..begins].matches('\n').count() + 1)
}

/// Adds a line to the mapping `tags` of `service`, before the first key that follows it in the alphabet. `None` where there is no
/// such mapping, or one in braces.
pub(super) fn add_tag(text: &mut String, name: &str) -> Option<()> {
    let head = text.find("\n  tags:\n")? + "\n  tags:\n".len();
    let mut end = head;
    for line in text[head..].split_inclusive('\n') {
        let inside = line.strip_prefix("    ")?;
        if !inside.starts_with([' ', '#']) && inside > name {
            break;
        }
        end += line.len();
        let rest = &text[end..];
        if !rest.starts_with("    ") {
            break;
        }
    }
    text.insert_str(end, &format!("    {name}: What its operations are about.\n"));
    Some(())
}

/// Year, month and day of a number of days since 1970, in the Gregorian calendar.
pub(super) fn civil(days: u64) -> (u64, u64, u64) {
    // Counted from the first of March of the year 0, so that the leap day is the last of its year.
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march + 2) / 5 + 1;
    let month = if march < 10 { march + 3 } else { march - 9 };
    (year + era * 400 + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(before: &str, entry: &str) -> (String, Option<usize>) {
        let mut texts = vec![("spec/a.yaml".to_owned(), before.to_owned())];
        let line = add(&mut texts, "spec/a.yaml", "facts", entry);
        (texts.remove(0).1, line)
    }

    #[test]
    fn an_entry_goes_to_the_end_of_its_section() {
        let (text, line) = added("facts:\n  a: {}\n\n# next\ntypes:\n  B: {}\n", "  c: {}\n");
        assert_eq!(text, "facts:\n  a: {}\n\n  c: {}\n\n# next\ntypes:\n  B: {}\n");
        assert_eq!(line, Some(4));
    }

    #[test]
    fn a_section_is_made_where_there_is_none() {
        assert_eq!(added("types: {}\n", "  c: {}\n").0, "types: {}\n\nfacts:\n  c: {}\n");
        assert_eq!(added("facts: {}\n", "  c: {}\n").1, None);
    }

    #[test]
    fn a_text_of_a_group_goes_where_the_alphabet_has_it() {
        let text = |name| {
            let mut text = "service:\n  name: a\n  tags:\n    b: >-\n      Long.\n    d: D.\n  doc: A.\n".to_owned();
            add_tag(&mut text, name).map(|()| text)
        };
        let whole = |lines: &str| Some(format!("service:\n  name: a\n  tags:\n{lines}  doc: A.\n"));
        let [a, c, e] = ["a", "c", "e"].map(|name| format!("    {name}: What its operations are about.\n"));
        let [b, d] = ["    b: >-\n      Long.\n", "    d: D.\n"];
        assert_eq!(text("a"), whole(&[a.as_str(), b, d].concat()));
        assert_eq!(text("c"), whole(&[b, c.as_str(), d].concat()));
        assert_eq!(text("e"), whole(&[b, d, e.as_str()].concat()));
        assert_eq!(add_tag(&mut "service: {name: a, tags: {b: B.}}\n".to_owned(), "c"), None);
    }

    #[test]
    fn days_are_dated() {
        assert_eq!(civil(0), (1970, 1, 1));
        assert_eq!(civil(19_782), (2024, 2, 29));
        assert_eq!(civil(20_778), (2026, 11, 21));
    }
}
