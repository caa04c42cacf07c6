//! What a case says of itself, in a comment above it:
//!
//! ```text
//! // suite: long processor 90s
//! #[test]
//! fn everything_is_tried() {
//! ```
//!
//! `// suite of this file: …` marks every case of a file, and those of the files in the folder of the same name.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// The marks of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Marks {
    /// Runs with `--long` alone.
    pub(crate) long: bool,
    /// Runs with `--quick` too, as a part of the first user's path.
    pub(crate) quick: bool,
    /// Keeps a core busy: compiles, or has a program in another language do much.
    pub(crate) processor: bool,
    /// Builds packages with cargo in the folder that all such cases share.
    pub(crate) builds: bool,
    /// Has a browser.
    pub(crate) browser: bool,
    /// Writes so much to the disk that another of its kind beside it would only wait.
    pub(crate) disk: bool,
    /// Waits most of its time.
    pub(crate) waiting: bool,
    /// About how long it takes, so that it starts early.
    pub(crate) about: Duration,
}

impl Marks {
    /// Reads the words of a mark.
    ///
    /// # Errors
    /// A sentence that names the word at fault.
    pub(crate) fn parse(words: &str) -> Result<Self, String> {
        let mut marks = Self::default();
        for word in words.split_whitespace() {
            match word {
                "long" => marks.long = true,
                "quick" => marks.quick = true,
                "processor" => marks.processor = true,
                "builds" => marks.builds = true,
                "browser" => marks.browser = true,
                "disk" => marks.disk = true,
                "waiting" => marks.waiting = true,
                _ => {
                    let seconds = word.strip_suffix('s').and_then(|seconds| seconds.parse().ok());
                    marks.about = Duration::from_secs(seconds.ok_or_else(|| format!("unknown mark `{word}`"))?);
                }
            }
        }
        Ok(marks)
    }

    fn and(self, other: Self) -> Self {
        Self {
            long: self.long || other.long,
            quick: self.quick || other.quick,
            processor: self.processor || other.processor,
            builds: self.builds || other.builds,
            browser: self.browser || other.browser,
            disk: self.disk || other.disk,
            waiting: self.waiting || other.waiting,
            about: self.about.max(other.about),
        }
    }

    /// The words, as they would be written.
    pub(crate) fn words(&self) -> String {
        let words = [
            ("long", self.long),
            ("quick", self.quick),
            ("processor", self.processor),
            ("builds", self.builds),
            ("browser", self.browser),
            ("disk", self.disk),
            ("waiting", self.waiting),
        ];
        words.iter().filter(|(_, set)| *set).map(|(word, _)| *word).collect::<Vec<_>>().join(" ")
    }
}

const OF_A_CASE: &str = "// suite: ";
const OF_A_FILE: &str = "// suite of this file: ";

/// The marks in the sources of a test binary.
#[derive(Debug, Default)]
pub(crate) struct SourceMarks {
    /// By module path and name of the function.
    cases: BTreeMap<(String, String), Marks>,
    /// By module path.
    files: BTreeMap<String, Marks>,
}

impl SourceMarks {
    /// Reads all files of the folder that a binary's sources lie in.
    ///
    /// # Errors
    /// When a file cannot be read, or a mark is wrong: its place and what is wrong with it.
    pub(crate) fn read(folder: &Path) -> Result<Self, String> {
        let mut marks = Self::default();
        marks.walk(folder, "").map_err(|error| format!("{}: {error}", folder.display()))??;
        Ok(marks)
    }

    /// The marks of a test by its name in the binary, `module::function`.
    pub(crate) fn of(&self, test: &str) -> Marks {
        let (module, function) = test.rsplit_once("::").unwrap_or(("", test));
        // A module inside a file is looked for under the file's own path too.
        let mut paths = std::iter::successors(Some(module), |path| {
            (!path.is_empty()).then(|| path.rsplit_once("::").map_or("", |(outer, _)| outer))
        });
        let own = paths.clone().find_map(|path| self.cases.get(&(path.to_owned(), function.to_owned())));
        let file = paths.find_map(|path| self.files.get(path));
        own.copied().unwrap_or_default().and(file.copied().unwrap_or_default())
    }

    /// The marks that belong to none of these tests, as `module::function`.
    pub(crate) fn stray(&self, tests: &[String]) -> Vec<String> {
        let belongs = |(module, function): &(String, String)| {
            tests.iter().any(|test| {
                let path = test.strip_suffix(&format!("::{function}")).or((test == function).then_some(""));
                path.is_some_and(|path| path == module || path.starts_with(&format!("{module}::")) || module.is_empty())
            })
        };
        let strays = self.cases.keys().filter(|key| !belongs(key));
        strays.map(|(module, function)| format!("{module}::{function}")).collect()
    }

    fn walk(&mut self, folder: &Path, module: &str) -> io::Result<Result<(), String>> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            let inner = match (module, stem) {
                (_, "main" | "lib" | "mod") => module.to_owned(),
                ("", _) => stem.to_owned(),
                _ => format!("{module}::{stem}"),
            };
            let read = if path.is_dir() {
                self.walk(&path, &inner)?
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                self.file(&fs::read_to_string(&path)?, &inner).map_err(|error| format!("{}:{error}", path.display()))
            } else {
                Ok(())
            };
            if read.is_err() {
                return Ok(read);
            }
        }
        Ok(Ok(()))
    }

    /// Reads one file.
    fn file(&mut self, text: &str, module: &str) -> Result<(), String> {
        let mut open: Option<Marks> = None;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start();
            let wrong = |error: String| format!("{}: {error}", number + 1);
            let begins_as_mark = ["//suite", "// suite:", "// suite of"].iter().any(|start| line.starts_with(start));
            if begins_as_mark && !line.starts_with(OF_A_FILE) && !line.starts_with(OF_A_CASE) {
                return Err(wrong(format!("a mark begins with `{OF_A_CASE}` or `{OF_A_FILE}`")));
            }
            if let Some(words) = line.strip_prefix(OF_A_FILE) {
                self.files.insert(module.to_owned(), Marks::parse(words).map_err(wrong)?);
            } else if let Some(words) = line.strip_prefix(OF_A_CASE) {
                open = Some(Marks::parse(words).map_err(wrong)?);
            } else if let (Some(marks), Some(name)) = (open, function(line)) {
                self.cases.insert((module.to_owned(), name.to_owned()), marks);
                open = None;
            } else if open.is_some() && !line.starts_with("#[") && !line.starts_with("//") {
                return Err(wrong("the mark above belongs to no test".to_owned()));
            }
        }
        Ok(())
    }
}

/// The name of the function that begins in this line.
fn function(line: &str) -> Option<&str> {
    let line = line.strip_prefix("async ").unwrap_or(line);
    line.strip_prefix("fn ").and_then(|rest| rest.split('(').next())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(module: &str, text: &str) -> SourceMarks {
        let mut marks = SourceMarks::default();
        marks.file(text, module).unwrap();
        marks
    }

    #[test]
    fn a_mark_is_of_the_next_function() {
        let marks = read("kill", "// suite: long 90s\n#[test]\nfn one() {}\n#[test]\nfn two() {}\n");
        let one = Marks { long: true, about: Duration::from_secs(90), ..Marks::default() };
        assert_eq!((marks.of("kill::one"), marks.of("kill::two")), (one, Marks::default()));
        assert_eq!(marks.of("kill::on_file::one"), one);
        assert_eq!(marks.of("one"), Marks::default());
    }

    #[test]
    fn a_file_marks_all_its_cases_and_those_of_its_folder() {
        let marks = read("docs", "// suite of this file: browser\n// suite: long\nasync fn one() {}\n");
        assert!(marks.of("docs::calls::any").browser);
        assert!(marks.of("docs::one").browser && marks.of("docs::one").long);
        assert!(!marks.of("doc::any").browser);
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        let mut marks = SourceMarks::default();
        assert_eq!(marks.file("\n// suite: slow\n", "a").unwrap_err(), "2: unknown mark `slow`");
        for line in ["// suite of file: long", "//suite: long", "// suite:long"] {
            let wrong = "1: a mark begins with `// suite: ` or `// suite of this file: `";
            assert_eq!(marks.file(line, "a").unwrap_err(), wrong, "{line}");
        }
        assert_eq!(marks.file("// suite: long\nstruct A;\n", "a").unwrap_err(), "2: the mark above belongs to no test");
        let marks = read("kill", "// suite: long\nfn gone() {}\n");
        assert_eq!(marks.stray(&["kill::one".to_owned()]), ["kill::gone"]);
        assert!(marks.stray(&["kill::on_file::gone".to_owned()]).is_empty());
    }
}
