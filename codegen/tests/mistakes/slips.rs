//! Every word of the base spec with two letters swapped, and every line of it gone, one at a time: few words about each,
//! and the right ones.

use std::collections::BTreeMap;

use tollgate_spec_language::{CheckedSpec, load};

use crate::base;

/// Shorter words are left alone: two letters swapped are half of them.
const LETTERS_MIN: usize = 4;

#[test]
fn a_misspelt_word_is_one_complaint_with_the_right_suggestion() {
    let files = base::files();
    let (mut told, mut suggested, mut wrong) = (0, 0, Vec::new());
    for (path, text) in &files {
        for (start, word) in words(text) {
            let slip = format!("{}{}{}", &word[..1], &word[2..3], &word[1..2]) + &word[3..];
            let found = changed(&files, path, &format!("{}{slip}{}", &text[..start], &text[start + word.len()..]));
            if found.diagnostics.is_empty() {
                // A word of a sentence, or a name that nothing refers to.
                continue;
            }
            told += 1;
            let suggestions = found.diagnostics.iter().filter_map(|found| found.suggestion.as_ref());
            // Where a name was misspelt as it is declared, the complaint is about its use, and the slip is suggested.
            let right =
                suggestions.map(|suggestion| &suggestion.text).all(|text| text.contains(word) || text.contains(&slip));
            let there = found.diagnostics.iter().any(|found| found.suggestion.is_some());
            suggested += usize::from(right && there);
            if found.diagnostics.len() > 1 || !(right && there) {
                let line = text[..start].matches('\n').count() + 1;
                let about = found.diagnostics.iter().map(|found| format!("{:?} {}", found.code, found.message));
                wrong.push(format!("{path}:{line} {slip}: {}", about.collect::<Vec<_>>().join("; ")));
            }
        }
    }
    println!("{told} misspelt words told, {suggested} with the right suggestion; odd:\n{}", wrong.join("\n"));
    assert!(suggested * 100 >= told * 95, "the right word is suggested for {suggested} of {told}");
    assert!(wrong.len() * 100 <= told * 5, "{} of {told} are odd", wrong.len());
}

#[test]
fn a_line_that_is_gone_is_few_complaints() {
    let files = base::files();
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for (path, text) in &files {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for gone in 0..lines.len() {
            let rest: String = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line).collect();
            *counts.entry(changed(&files, path, &rest).diagnostics.len()).or_default() += 1;
        }
    }
    println!("lines gone, by complaints: {counts:?}");
    let all: usize = counts.values().sum();
    let few: usize = counts.range(..=3).map(|(_, lines)| lines).sum();
    assert!(few * 100 >= all * 95, "{counts:?}");
}

/// The words of a text outside comments, by their place.
fn words(text: &str) -> Vec<(usize, &str)> {
    let mut words = Vec::new();
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#')) {
        for word in line.split(|letter: char| !letter.is_ascii_alphabetic()) {
            let bytes = word.as_bytes();
            if word.len() >= LETTERS_MIN && bytes[1] != bytes[2] {
                words.push((word.as_ptr() as usize - text.as_ptr() as usize, word));
            }
        }
    }
    words
}

fn changed(files: &BTreeMap<String, String>, path: &str, text: &str) -> CheckedSpec {
    let mut files = files.clone();
    files.insert(path.to_owned(), text.to_owned());
    load(&base::sources(&files))
}
