//! Thousands of specs that somebody's cat has walked over: no panic, no hang, and each is accepted or complained about
//! with a place. Whatever is made of those that are accepted is made.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    thread,
    time::{Duration, Instant},
};

use tollgate_spec_generator::{
    client_model::ApiDocument,
    emit::{
        self, OutputPart,
        client::{self, ClientLanguage, PackageListing},
    },
    resolve::resolve,
};
use tollgate_spec_language::{CheckedSpec, diagnostics::DiagnosticPrinter, load, model::Spec, parse::SpecSources};

use crate::base;

/// The number of mutants in every run.
pub(crate) const MUTANTS: u64 = 2_000;
/// The number of mutants in a long run.
pub(crate) const MUTANTS_LONG: u64 = 50_000;
/// In every run, one of so many accepted mutants is generated from: generating takes a hundred times as long as checking.
const GENERATED_OF: u64 = 16;
/// What means something to YAML.
const SIGNS: &[u8] = b"{}[]:,&*!|>'\"%@`#- \n\t~?";
/// The longest that one may take.
const PATIENCE: Duration = Duration::from_secs(1);

// suite: processor 20s
#[test]
fn mutants_are_accepted_or_complained_about() {
    mutants_are_sound(MUTANTS, GENERATED_OF);
}

// suite: long processor 600s
#[test]
fn many_mutants_are_accepted_or_complained_about() {
    mutants_are_sound(MUTANTS_LONG, 1);
}

/// Checks `count` mutants, and generates from one of `generated_of` that are accepted.
fn mutants_are_sound(count: u64, generated_of: u64) {
    let files = base::whole();
    let (accepted, generated, slowest) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let check = |seed: u64| {
        let sources = mutant(&files, seed);
        let (loaded, mut took) = timed(&sources);
        if took > PATIENCE / 10 {
            // Another process may have had the processor meanwhile; the mutant is slow if it is slow again.
            took = timed(&sources).1.min(took);
        }
        assert!(took < PATIENCE, "mutant {seed} took {took:?}");
        slowest.fetch_max(u64::try_from(took.as_micros()).unwrap_or(u64::MAX), Relaxed);
        every_complaint_has_a_place(seed, &sources, &loaded);
        if !loaded.has_errors() && accepted.fetch_add(1, Relaxed).is_multiple_of(generated_of) {
            generated.fetch_add(u64::from(generates(&loaded.spec)), Relaxed);
        }
    };
    each(count, |seed| assert!(catch_unwind(AssertUnwindSafe(|| check(seed))).is_ok(), "mutant {seed} fails"));
    let [accepted, generated] = [accepted, generated].map(AtomicU64::into_inner);
    let slowest = Duration::from_micros(slowest.into_inner());
    println!(
        "{count} mutants: {accepted} accepted, {generated} generated from, {} complained about, slowest {slowest:?}",
        count - accepted
    );
    assert!(generated > 0, "nothing is generated");
}

/// Makes everything that is made of a spec; false where the generator refuses it.
fn generates(spec: &Spec) -> bool {
    let Ok(resolved) = resolve(spec) else { return false };
    let clients = |interface: &ApiDocument| {
        let listing = PackageListing::of("1.0.0");
        let languages = [ClientLanguage::Typescript, ClientLanguage::Python, ClientLanguage::Rust];
        let files: usize =
            languages.into_iter().map(|language| client::generate(interface, language, &listing).len()).sum();
        files + emit::openapi_30(interface).len() + emit::pages(&resolved, interface).len()
    };
    let (files, others) = emit::generate_beside(&resolved, OutputPart::All, clients);
    !files.is_empty() && others > 0
}

fn every_complaint_has_a_place(seed: u64, sources: &SpecSources, loaded: &CheckedSpec) {
    let printer = DiagnosticPrinter::new(sources, false);
    for diagnostic in &loaded.diagnostics {
        let place = diagnostic.primary.place;
        let file = sources.file(place.file).expect("a complaint is about a file");
        assert!(place.line >= 1 && place.column >= 1, "mutant {seed}: {} has no place", diagnostic.message);
        assert!(place.start <= place.end && place.end as usize <= file.text.len(), "mutant {seed}: {place:?}");
        assert_eq!(file.place_of(place.file, place.start as usize).line, place.line, "mutant {seed}: {place:?}");
        assert!(printer.render(diagnostic).contains(&file.path), "mutant {seed}");
    }
}

/// Calls `check` with every seed below `count`, on all processors.
pub(crate) fn each(count: u64, check: impl Fn(u64) + Sync) {
    let next = AtomicU64::new(0);
    let take = || Some(next.fetch_add(1, Relaxed)).filter(|seed| *seed < count);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| std::iter::from_fn(take).for_each(&check));
        }
    });
}

fn timed(sources: &SpecSources) -> (CheckedSpec, Duration) {
    let started = Instant::now();
    let loaded = load(sources);
    (loaded, started.elapsed())
}

#[test]
fn the_same_spec_gets_the_same_complaints() {
    let files = base::whole();
    each(MUTANTS / 10, |seed| {
        let sources = mutant(&files, seed);
        assert_eq!(base::rendered(&sources), base::rendered(&sources), "mutant {seed}");
    });
}

/// A spec with one to three changes that follow from the seed alone.
pub(crate) fn mutant(files: &BTreeMap<String, String>, seed: u64) -> SpecSources {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut bytes: BTreeMap<&str, Vec<u8>> =
        files.iter().map(|(path, text)| (path.as_str(), text.clone().into_bytes())).collect();
    let paths: Vec<&str> = bytes.keys().copied().collect();
    for _ in 0..=dice.below(3) {
        let path = paths[dice.below(paths.len())];
        let text = bytes.get_mut(path).expect("a file of the base");
        *text = change(std::mem::take(text), &mut dice);
    }
    SpecSources::new(bytes.into_iter().map(|(path, text)| (format!("spec/{path}"), text)))
}

/// One change to a text.
fn change(mut text: Vec<u8>, dice: &mut Dice) -> Vec<u8> {
    if text.is_empty() {
        return text;
    }
    match dice.below(8) {
        0 => {
            let at = dice.below(text.len());
            text[at] ^= 1 << dice.below(8);
            text
        }
        1 => {
            let at = dice.below(text.len());
            text[at] = SIGNS[dice.below(SIGNS.len())];
            text
        }
        2 => {
            text.truncate(dice.below(text.len()));
            text
        }
        3 => {
            let at = dice.below(text.len());
            text.remove(at);
            text
        }
        4..=6 => {
            let mut lines: Vec<&[u8]> = text.split_inclusive(|byte| *byte == b'\n').collect();
            let (one, other) = (dice.below(lines.len()), dice.below(lines.len()));
            match dice.below(3) {
                0 => drop(lines.remove(one)),
                1 => lines.insert(other, lines[one]),
                _ => lines.swap(one, other),
            }
            lines.concat()
        }
        _ => swap_words(&text, dice),
    }
}

/// Two words of a text in each other's place.
fn swap_words(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut pieces: Vec<&[u8]> = text.chunk_by(|a, b| is_word(*a) == is_word(*b)).collect();
    let words: Vec<usize> = (0..pieces.len()).filter(|at| is_word(pieces[*at][0])).collect();
    if !words.is_empty() {
        pieces.swap(words[dice.below(words.len())], words[dice.below(words.len())]);
    }
    pieces.concat()
}

/// A generator of numbers that is the same everywhere.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 11).unwrap_or(usize::MAX) % bound
    }
}
