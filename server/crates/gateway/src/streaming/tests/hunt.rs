//! A guided search for streams that break a [`law`](super::law): what shows something new is kept and changed further.
//!
//! The suite looks at a few of each format. By hand, in release, it goes on for `FUZZ_SECONDS` with the format that
//! `FUZZ_FORMAT` names (`chat`, `completions`, `responses`, `messages` or `generate`) and tells on stderr how far it is.
//! Each such run starts elsewhere; `FUZZ_SEED` repeats one. A stream that breaks a law is saved among temporary files.

use std::collections::HashSet;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tollgate_formats::Format;
use tollgate_formats::testing::dice::Dice;
use tollgate_formats::testing::golden;

use super::law;

/// Of each format in the suite.
const INPUTS: u64 = 800;
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
/// A stream that grew beyond this shows nothing that a smaller one cannot.
const STREAM_BYTES_MAX: usize = 16 << 10;
const KEPT_MAX: usize = 4096;
/// After so many a search is over: most of them will be one.
const FINDINGS_MAX: usize = 10;
const TOLD_EVERY: Duration = Duration::from_secs(10);
/// No input takes so long, on any machine.
const INPUT_MAX: Duration = Duration::from_secs(20);

const NAMES: [(&str, Format); 5] = [
    ("chat", Format::Chat),
    ("completions", Format::Completions),
    ("responses", Format::Responses),
    ("messages", Format::Messages),
    ("generate", Format::Generate),
];

/// The search over the streams of one format.
struct Hunt {
    name: &'static str,
    format: Format,
    dice: Dice,
    seed: u64,
    /// The fixtures, and what was found to show something new.
    kept: Vec<Vec<u8>>,
    known: HashSet<u64>,
    inputs: u64,
    longest: Duration,
    findings: usize,
}

impl Hunt {
    fn new(name: &'static str, format: Format, seed: u64) -> Self {
        let kept = golden::fixtures(&format!("streams/{name}"), ".sse").into_iter().map(|(_, stream)| stream).collect();
        let (dice, known) = (Dice(seed), HashSet::new());
        Self { name, format, dice, seed, kept, known, inputs: 0, longest: Duration::ZERO, findings: 0 }
    }

    /// Makes a stream of those that are kept, and looks at it.
    fn step(&mut self) {
        let stream = self.made();
        let began = Instant::now();
        let news = catch_unwind(AssertUnwindSafe(|| law::keep(self.format, &stream, &mut self.dice)));
        let took = began.elapsed();
        self.longest = self.longest.max(took);
        self.inputs += 1;
        match news {
            Ok(_) if took > INPUT_MAX => self.report(&stream, "it took too long"),
            Ok(news) if self.known.insert(news) && self.kept.len() < KEPT_MAX => self.kept.push(stream),
            Ok(_) => {}
            Err(_) => self.report(&stream, "it broke a law"),
        }
    }

    fn made(&mut self) -> Vec<u8> {
        let mut stream = self.kept[self.dice.roll(self.kept.len())].clone();
        if self.dice.roll(4) == 0 {
            let other = self.dice.roll(self.kept.len());
            stream = self.crossed(&stream, other);
        }
        for _ in 0..self.dice.roll(5) {
            self.dice.spoil(&mut stream);
        }
        stream.truncate(STREAM_BYTES_MAX);
        stream
    }

    /// The first events of one stream and the last of another.
    fn crossed(&mut self, one: &[u8], other: usize) -> Vec<u8> {
        let ends = |stream: &[u8]| memchr::memmem::find_iter(stream, b"\n\n").map(|at| at + 2).collect::<Vec<_>>();
        let (of_one, of_other) = (ends(one), ends(&self.kept[other]));
        let head = of_one.get(self.dice.roll(of_one.len())).copied().unwrap_or(one.len());
        let tail = of_other.get(self.dice.roll(of_other.len())).copied().unwrap_or(0);
        [&one[..head], &self.kept[other][tail..]].concat()
    }

    fn report(&mut self, stream: &[u8], what: &str) {
        self.findings += 1;
        let file = std::env::temp_dir().join(format!("tollgate-{}-{:x}-{}.sse", self.name, self.seed, self.inputs));
        let saved =
            std::fs::write(&file, stream).map_or_else(|error| error.to_string(), |()| file.display().to_string());
        eprintln!("{}: input {} of seed {}: {what}: {saved}", self.name, self.inputs, self.seed);
        eprintln!("{}", stream.escape_ascii());
    }

    fn tell(&self, elapsed: Duration) {
        let rate = u128::from(self.inputs) * 1000 / elapsed.as_millis().max(1);
        eprintln!(
            "{}: {} s, {} inputs, {rate} a second, longest {} ms, {} kept, {} kinds, {} findings, {} resident",
            self.name,
            elapsed.as_secs(),
            self.inputs,
            self.longest.as_millis(),
            self.kept.len(),
            self.known.len(),
            self.findings,
            resident(),
        );
    }

    fn go_on_for(&mut self, time: Duration) {
        eprintln!("{}: FUZZ_SEED={}", self.name, self.seed);
        let (began, mut told) = (Instant::now(), Duration::ZERO);
        while self.findings < FINDINGS_MAX {
            self.step();
            let elapsed = began.elapsed();
            if elapsed >= told + TOLD_EVERY || elapsed >= time {
                self.tell(elapsed);
                told = elapsed;
            }
            if elapsed >= time {
                return;
            }
        }
    }
}

/// Memory of this process, where the system says it.
fn resident() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.map_or("unknown".to_owned(), |figure| figure.trim().to_owned())
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn no_stream_breaks_a_law() {
    let only = std::env::var("FUZZ_FORMAT").ok();
    let time = number("FUZZ_SECONDS").map(Duration::from_secs);
    let elsewhere = || RandomState::new().build_hasher().finish();
    let seed = number("FUZZ_SEED").unwrap_or_else(|| if time.is_some() { elsewhere() } else { SEED }).max(1);
    let chosen = NAMES.into_iter().filter(|(name, _)| only.as_ref().is_none_or(|only| only == name));
    let mut findings = None;
    for (name, format) in chosen {
        let mut hunt = Hunt::new(name, format, seed);
        match time {
            Some(time) => hunt.go_on_for(time),
            None => (0..INPUTS).for_each(|_| hunt.step()),
        }
        findings = Some(findings.unwrap_or(0) + hunt.findings);
    }
    assert_eq!(findings, Some(0), "streams that break a law, of {only:?}");
}
