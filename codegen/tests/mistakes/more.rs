//! Mistakes of every kind in the spec that has every construct: each is told, at its place, with the right suggestion,
//! and with one complaint at most that only follows from it.

use std::{collections::BTreeMap, fs};

use tollgate_spec_generator::resolve::resolve;
use tollgate_spec_language::{load, model::SourceSpan, parse::SpecSources};

use crate::base;

/// The most complaints that may follow from a mistake.
const FOLLOW_UPS_MAX: usize = 1;

/// One planted mistake.
struct PlantedMistake {
    code: String,
    title: String,
    suggests: Option<String>,
    files: BTreeMap<String, String>,
    /// The file with the mark, and the bytes that are marked.
    marked: (String, usize, usize),
}

/// The complaints about a mistake.
#[derive(Default)]
struct MistakeReport {
    reported: bool,
    there: bool,
    suggested: bool,
    follow_ups: usize,
    report: String,
}

/// A complaint of the check, or a refusal of the generator.
struct ReportedComplaint {
    code: String,
    place: SourceSpan,
    suggests: Option<String>,
    message: String,
}

#[test]
fn every_kind_of_mistake_is_told() {
    let mistakes = mistakes();
    let wanted = mistakes.iter().filter(|mistake| mistake.suggests.is_some()).count();
    let (mut reported, mut there, mut suggested, mut following, mut odd) = (0, 0, 0, 0, String::new());
    for mistake in &mistakes {
        let told = mistake.told();
        reported += usize::from(told.reported);
        there += usize::from(told.there);
        suggested += usize::from(told.suggested && mistake.suggests.is_some());
        following += usize::from(told.follow_ups > FOLLOW_UPS_MAX);
        if !(told.reported && told.there && told.suggested && told.follow_ups <= FOLLOW_UPS_MAX) {
            odd += &format!("=== {} {}\n{}", mistake.code, mistake.title, told.report);
        }
    }
    let all = mistakes.len();
    println!(
        "{all} mistakes: {reported} told, {there} at the exact place, {suggested} of {wanted} with the right suggestion, \
         {following} with more than {FOLLOW_UPS_MAX} complaint that follows; odd:\n{odd}"
    );
    assert!(all >= 120, "{all} mistakes are not 120");
    assert!(
        reported == all && there * 100 >= all * 98 && suggested * 100 >= wanted * 90 && following == 0,
        "see above"
    );
}

impl PlantedMistake {
    fn told(&self) -> MistakeReport {
        let sources = base::sources(&self.files);
        let complaints = complaints(&sources);
        let (path, start, end) = &self.marked;
        let is_there = |place: SourceSpan| {
            let file = sources.file(place.file).expect("a file of the spec");
            file.path == format!("spec/{path}") && (place.start as usize, place.end as usize) == (*start, *end)
        };
        let mut told = MistakeReport {
            follow_ups: complaints.len().saturating_sub(1),
            suggested: self.suggests.is_none(),
            ..MistakeReport::default()
        };
        for found in complaints.iter().filter(|found| found.code == self.code) {
            told.reported = true;
            told.there |= is_there(found.place);
            told.suggested |= found.suggests == self.suggests;
        }
        for found in complaints {
            let file = sources.file(found.place.file).expect("a file of the spec");
            let place = found.place;
            let text = &file.text[place.start as usize..place.end as usize];
            told.report += &format!(
                "{}:{}:{} {} {} | {:.60} | {}\n",
                file.path,
                place.line,
                place.column,
                found.code,
                found.message,
                text.replace('\n', " "),
                found.suggests.unwrap_or_default()
            );
        }
        told
    }
}

/// The complaints of the check about a spec, and those of the generator where the check accepts it.
fn complaints(sources: &SpecSources) -> Vec<ReportedComplaint> {
    let loaded = load(sources);
    let refused = if loaded.has_errors() { None } else { resolve(&loaded.spec).err() };
    let refusals = refused.into_iter().flatten().map(|refusal| ReportedComplaint {
        code: "O017".to_owned(),
        place: refusal.place,
        suggests: None,
        message: refusal.message,
    });
    let diagnostics = loaded.diagnostics.iter().map(|found| ReportedComplaint {
        code: found.code.as_str().to_owned(),
        place: found.primary.place,
        suggests: found.suggestion.as_ref().map(|suggestion| suggestion.text.clone()),
        message: found.message.clone(),
    });
    diagnostics.chain(refusals).collect()
}

/// The codes of the mistakes.
pub(crate) fn codes() -> impl Iterator<Item = String> {
    mistakes().into_iter().map(|mistake| mistake.code)
}

fn mistakes() -> Vec<PlantedMistake> {
    let whole = base::whole();
    let of_file = |name: &str| {
        let text = fs::read_to_string(base::folder().join("more").join(name)).expect("the mistakes");
        text.split("=== ").filter(|case| !case.trim().is_empty()).map(|case| read(case, &whole)).collect::<Vec<_>>()
    };
    ["misspelt.cases", "meaning.cases", "operators.cases", "members.cases"].into_iter().flat_map(of_file).collect()
}

/// Reads one mistake, see the README beside the cases, and plants it.
fn read(case: &str, whole: &BTreeMap<String, String>) -> PlantedMistake {
    let mut lines = case.lines();
    let (code, title) = lines.next().and_then(|head| head.split_once(' ')).expect("a code and a title");
    let (title, suggests) =
        title.split_once(" -> ").map_or((title, None), |(title, suggests)| (title, Some(suggests.to_owned())));
    let mut files = whole.clone();
    let mut marked = None;
    for line in lines.filter(|line| !line.trim().is_empty()) {
        let (path, edit) = line.split_once(": ").expect("a file");
        let (was, now) = edit.split_once(" =>").expect("a text, and what stands there instead");
        let [was, now] = [was, now.strip_prefix(' ').unwrap_or(now)].map(|text| text.replace("\\n", "\n"));
        let text = files.get_mut(path).expect("a file of the whole spec");
        assert_eq!(text.matches(&was).count(), 1, "{title}: `{was}` is there once");
        *text = text.replace(&was, &now);
    }
    for (path, text) in &mut files {
        if let (Some(start), Some(end)) = (text.find('«'), text.find('»')) {
            *text = text.replace(['«', '»'], "");
            marked = Some((path.clone(), start, end - '«'.len_utf8()));
        }
    }
    let marked = marked.expect("a mistake has its place marked");
    PlantedMistake { code: code.to_owned(), title: title.to_owned(), suggests, files, marked }
}
