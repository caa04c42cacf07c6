//! The quick pass against the parser.

use serde::de::IgnoredAny;

use super::super::depth::too_deep;
use super::super::scan;
use super::*;

const NAMES: &[&str] = &["a", "model"];
const DEPTH: usize = 4;
const OBJECTS: [&str; 8] = [
    "{}",
    " {\"a\" : -0.5e+10 ,\r\n\"b\":[true,false,null,[ ],{ }], \"model\":{\"x\":[[0]]}}\t",
    r#"{"a":"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00","b":"\u00Ff","model":"longer than two words and a block, and then some more, so that each end counts: é😀"}"#,
    r#"{"a":1,"a":2,"b":1,"b":2,"model":[],"model":{}}"#,
    r#"{"a":10.25E-3,"b":0,"c":-1e5,"d":[0.0,120,[{}]],"model":""}"#,
    r#"{"":{"a":{"a":1}},"model":[[[]]]}"#,
    r#"{"aa":"1234567","model":"12345678","a":"123456789\\"}"#,
    "{\"a\":\"\u{7f}\u{80}\u{7ff}\u{800}\u{ffff}\u{10000}\"}",
];
const BYTES: &[u8] = b"{}[]:,\"\\ \n\x00\x1f0127-+.eEtfnulase/";

fn slow(text: &str) -> Option<FoundMembers<'_>> {
    scan::members(text, NAMES).ok().filter(|_| too_deep(text.as_bytes(), DEPTH).is_none())
}

#[test]
fn objects_are_taken_and_read_as_the_parser_reads_them() {
    for text in OBJECTS {
        let found = members(text, NAMES, DEPTH);
        assert!(found.is_some(), "{text}");
        assert_eq!(found, slow(text), "{text}");
    }
}

/// Looks into each object and list; `None` where the text is not JSON and nothing else.
fn walk(json: &mut FastScanner<'_>) -> Option<()> {
    fn value(json: &mut FastScanner<'_>) -> Option<()> {
        match json.first()? {
            b'{' => json.members(|_, json| value(json)),
            b'[' => json.elements(value),
            _ => json.text().map(drop),
        }
    }
    value(json)?;
    json.is_over().then_some(())
}

#[test]
fn lists_of_numbers_are_taken_by_their_bytes() {
    for (text, rest) in [("[]", ""), (" [ -1.5e+3,\n0 ]", ""), ("[1],2", ",2"), ("[1,,2]]", "]")] {
        let mut json = FastScanner::checking(text);
        let taken = text.len() - rest.len();
        assert_eq!((json.numbers(), json.at), (Some(text[..taken].trim_start()), taken), "{text}");
    }
    for text in ["", "1", "[1", "[NaN]", "[-Infinity]", "[null]", "[\"a\"]", "[[1]]", "[{}]", "[1/2]", "{\"a\":[1]}"] {
        let mut json = FastScanner::checking(text);
        assert_eq!((json.numbers(), json.at), (None, 0), "{text}");
    }
}

#[test]
fn a_sound_text_is_passed_over_to_its_end() {
    let lists = [
        "[]",
        "[ -1.5e3 ,2 ]",
        "[[1,2],[3]]",
        "[true,{}]",
        "[{\"a\":\"]\"}]",
        "[\"]\",[\"\\\"]\"]]",
        "{\"a\":[1],\"b\":[[]]}",
    ];
    for text in OBJECTS.into_iter().chain(lists) {
        for mut json in [FastScanner::trusting(text), FastScanner::checking(text)] {
            assert_eq!((json.text(), json.is_over()), (Some(text.trim()), true), "{text}");
        }
        for mut json in [FastScanner::trusting(text), FastScanner::checking(text)] {
            assert_eq!(walk(&mut json), Some(()), "{text}");
        }
    }
    for cut in ["[", "[1", "[1}", "[[1]", "[\"]"] {
        assert_eq!(FastScanner::trusting(cut).text(), None, "{cut}");
    }
}

/// Every object with one byte left out, added or changed: what is taken is what the parser takes.
#[test]
fn nothing_is_taken_that_the_parser_refuses() {
    let check = |bytes: &[&[u8]]| {
        let bytes = bytes.concat();
        let Ok(text) = std::str::from_utf8(&bytes) else { return };
        let found = members(text, NAMES, DEPTH);
        // What is not sound is read as something or nothing, and to an end.
        let _ = (walk(&mut FastScanner::trusting(text)), FastScanner::trusting(text).pass());
        let checked =
            (walk(&mut FastScanner::checking(text)).is_some(), serde_json::from_str::<IgnoredAny>(text).is_ok());
        assert!(checked.0 <= checked.1, "{text}");
        // An escape in a name is left to the parser.
        assert!(found == slow(text) || (found.is_none() && text.contains('\\')), "{text}");
    };
    for text in OBJECTS {
        for at in 0..text.len() {
            let (before, after) = text.as_bytes().split_at(at);
            check(&[before]);
            check(&[before, &after[1..]]);
            for byte in BYTES {
                check(&[before, &[*byte], after]);
                check(&[before, &[*byte], &after[1..]]);
            }
        }
    }
}

#[test]
fn a_name_in_other_letters_is_noted() {
    for (text, alike) in [
        (r#"{"Model":1}"#, Some(1)),
        (r#"{"model":1,"MODEL":2}"#, Some(1)),
        (r#"{"A":1}"#, Some(0)),
        (r#"{"models":1,"mode":2,"mod\u0065l":3}"#, None),
        (r#"{"x":{"Model":1}}"#, None),
    ] {
        assert_eq!(slow(text).expect("an object").alike, alike, "{text}");
        assert!(members(text, NAMES, DEPTH).is_none_or(|found| found.alike == alike), "{text}");
    }
    let folded = "{\"\u{17f}tream\":true}";
    assert_eq!(members(folded, &["stream"], DEPTH).expect("an object").alike, Some(0));
}

#[test]
fn a_name_in_escapes_is_the_parsers() {
    assert_eq!(members(r#"{"\u0061":1}"#, NAMES, DEPTH), None);
}
