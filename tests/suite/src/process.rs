//! A case as a process of its own, and what it took: seconds, processor time, and the programs that it had running.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::case::{Case, Program};
use crate::environment::{Environment, make_folder};

/// The kernel counts processor time in hundredths of a second, on every platform that Rust's standard library knows.
const TICKS_A_SECOND: f64 = 100.0;

/// After which a case hangs. A bound, and no expectation of speed.
const HANGS_AFTER: Duration = Duration::from_secs(15 * 60);
/// The same for a long one.
const LONG_HANGS_AFTER: Duration = Duration::from_secs(60 * 60);

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Passed,
    Failed,
    /// Ended by us.
    Hung,
}

/// What a case took.
#[derive(Debug)]
pub(crate) struct Taken {
    pub(crate) outcome: Outcome,
    pub(crate) seconds: f64,
    /// Processor seconds of it and of the programs that it waited for.
    pub(crate) processor: f64,
    /// Programs that were seen running below it.
    pub(crate) programs: BTreeSet<String>,
    /// Where its output is.
    pub(crate) log: PathBuf,
}

/// A case that runs.
#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) case: Case,
    pub(crate) started: Instant,
    child: Child,
    log: PathBuf,
    folder: PathBuf,
    programs: BTreeSet<String>,
    hung: bool,
}

impl Running {
    /// Starts a case. Its output goes to a file, and what it leaves in its temporary folder goes with it.
    ///
    /// # Errors
    /// When it cannot be started.
    pub(crate) fn start(case: Case, number: usize, environment: &Environment) -> io::Result<Self> {
        let folder = environment.temporary.join(number.to_string());
        make_folder(&folder)?;
        let log = environment.logs.join(format!("{}.{number}.log", case.id.replace("::", ".")));
        let out = File::create(&log)?;
        let mut command = command(&case, environment);
        command.env("TMPDIR", &folder).stdin(Stdio::null()).stdout(out.try_clone()?).stderr(out);
        let child = command.spawn()?;
        let programs = BTreeSet::new();
        Ok(Self { case, started: Instant::now(), child, log, folder, programs, hung: false })
    }

    /// What it took, once it has ended.
    ///
    /// # Errors
    /// When it cannot be waited for.
    pub(crate) fn ended(&mut self) -> io::Result<Option<Taken>> {
        // Until it is waited for, the kernel keeps what it took.
        let Some(stat) = Stat::read(self.child.id()) else { return Ok(None) };
        if stat.state != 'Z' {
            let bound = if self.case.marks.long { LONG_HANGS_AFTER } else { HANGS_AFTER };
            if !self.hung && self.started.elapsed() > bound {
                self.hung = true;
                end_tree(self.child.id());
            }
            return Ok(None);
        }
        let status = self.child.wait()?;
        let outcome = match (self.hung, status.success()) {
            (true, _) => Outcome::Hung,
            (false, true) if self.ran() => Outcome::Passed,
            (false, _) => Outcome::Failed,
        };
        end_all_of(&self.folder);
        // What a user of another name owns in it goes with the folder of the run.
        let _ = fs::remove_dir_all(&self.folder);
        let programs = std::mem::take(&mut self.programs);
        let seconds = self.started.elapsed().as_secs_f64();
        Ok(Some(Taken { outcome, seconds, processor: stat.processor, programs, log: self.log.clone() }))
    }

    /// Whether a test ran at all: with a name that it does not know, a test binary does nothing and calls it a success.
    fn ran(&self) -> bool {
        match self.case.program {
            Program::DocTests => true,
            Program::Test(..) => fs::read(&self.log)
                .is_ok_and(|log| String::from_utf8_lossy(&log).contains("test result: ok. 1 passed;")),
        }
    }

    /// Notes which programs run below it.
    pub(crate) fn note_programs(&mut self, tree: &Tree) {
        tree.below(self.child.id(), &mut |stat| {
            if !self.programs.contains(&stat.name) {
                self.programs.insert(stat.name.clone());
            }
        });
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Where the run is broken off; what has ended by itself is not there any more.
        if matches!(self.child.try_wait(), Ok(None)) {
            end_tree(self.child.id());
            let _ = self.child.wait();
        }
    }
}

fn command(case: &Case, environment: &Environment) -> Command {
    match &case.program {
        Program::Test(binary, name) => {
            let mut command = Command::new(&binary.executable);
            command.args(["--exact", name, "--nocapture"]).current_dir(&binary.folder);
            // What cargo would tell it.
            command.env("CARGO_MANIFEST_DIR", &binary.folder).env("CARGO_PKG_NAME", &binary.package);
            environment.configure_test(&mut command);
            command
        }
        Program::DocTests => {
            let mut command = environment.cargo("test");
            // Of one package alone, what it stands on would be built with other features.
            command.args(["--workspace", "--doc"]);
            command
        }
    }
}

/// Ends a process and all below it at once.
fn end_tree(id: u32) {
    let mut ids = vec![id.to_string()];
    Tree::read().below(id, &mut |stat| ids.push(stat.id.to_string()));
    let _ = Command::new("kill").arg("-KILL").args(ids).stderr(Stdio::null()).status();
}

/// Ends all processes whose temporary folder this is, whoever is their parent by now.
pub(crate) fn end_all_of(folder: &Path) {
    let variable = format!("TMPDIR={}", folder.display());
    let has_it = |id: &str| {
        let variables = fs::read(Path::new("/proc").join(id).join("environ")).unwrap_or_default();
        variables.split(|byte| *byte == 0).any(|one| one == variable.as_bytes())
    };
    let all = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers =
        all.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name.parse::<u32>().is_ok());
    let ids: Vec<String> = numbers.filter(|id| has_it(id)).collect();
    if !ids.is_empty() {
        let _ = Command::new("kill").arg("-KILL").args(ids).stderr(Stdio::null()).status();
    }
}

/// A process as the kernel shows it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Stat {
    id: u32,
    name: String,
    state: char,
    parent: u32,
    processor: f64,
}

impl Stat {
    fn read(id: u32) -> Option<Self> {
        Self::parse(&fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat")).ok()?)
    }

    /// `id (name) state parent …`, in which the name may hold anything.
    fn parse(line: &str) -> Option<Self> {
        let (id, rest) = line.split_once(" (")?;
        let (name, rest) = rest.rsplit_once(") ")?;
        let fields: Vec<&str> = rest.split_whitespace().collect();
        // User and system time, of its own and of the children that it has waited for.
        let ticks: u32 = fields.get(11..15)?.iter().map(|ticks| ticks.parse::<u32>().unwrap_or(0)).sum();
        #[allow(clippy::float_arithmetic, reason = "a figure for people")]
        let processor = f64::from(ticks) / TICKS_A_SECOND;
        Some(Self {
            id: id.parse().ok()?,
            name: name.to_owned(),
            state: fields.first()?.chars().next()?,
            parent: fields.get(1)?.parse().ok()?,
            processor,
        })
    }
}

/// All processes, by who started them.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    children: BTreeMap<u32, Vec<Stat>>,
}

impl Tree {
    /// As they are now.
    pub(crate) fn read() -> Self {
        let mut tree = Self::default();
        for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
            let id = entry.file_name().to_str().and_then(|name| name.parse().ok());
            if let Some(stat) = id.and_then(Stat::read) {
                tree.children.entry(stat.parent).or_default().push(stat);
            }
        }
        tree
    }

    fn below(&self, id: u32, found: &mut impl FnMut(&Stat)) {
        for stat in self.children.get(&id).into_iter().flatten() {
            found(stat);
            self.below(stat.id, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_may_be_called_anything() {
        let line = "42 (a) b (c) S 7 42 42 0 -1 4194304 100 0 0 0 150 50 25 75 20 0 1 0 100 0 0";
        let stat = Stat { id: 42, name: "a) b (c".to_owned(), state: 'S', parent: 7, processor: 3.0 };
        assert_eq!(Stat::parse(line), Some(stat));
        assert_eq!(Stat::parse("42 (a"), None);
    }

    #[test]
    fn this_process_is_found_below_its_parent() {
        let tree = Tree::read();
        let own = Stat::read(std::process::id()).unwrap();
        let mut found = false;
        tree.below(own.parent, &mut |stat| found |= stat.id == own.id);
        assert!(found);
    }
}
