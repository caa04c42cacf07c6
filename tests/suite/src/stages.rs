//! The parts of a run, one after the other, with the time that each takes.

use std::io;
use std::process::Command;
use std::time::Instant;

/// The stages so far.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    /// Name, seconds and whether it was good.
    done: Vec<(String, f64, bool)>,
}

impl Stages {
    /// Does a stage, which says whether all was well.
    ///
    /// # Errors
    /// Those of the stage.
    pub(crate) fn run<T>(&mut self, name: &str, stage: impl FnOnce() -> io::Result<(bool, T)>) -> io::Result<T> {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let (good, value) = stage()?;
        self.done.push((name.to_owned(), started.elapsed().as_secs_f64(), good));
        Ok(value)
    }

    /// Runs a command as a stage; whether it succeeded.
    ///
    /// # Errors
    /// When it cannot be run.
    pub(crate) fn command(&mut self, name: &str, command: &mut Command) -> io::Result<bool> {
        self.run(name, || command.status().map(|status| (status.success(), status.success())))
    }

    /// Those that were not good.
    pub(crate) fn failed(&self) -> impl Iterator<Item = &str> {
        self.done.iter().filter(|(_, _, good)| !good).map(|(name, _, _)| name.as_str())
    }

    /// Prints them where nothing can follow; false, as not all was well.
    pub(crate) fn print_stop(&self) -> bool {
        self.print();
        false
    }

    /// All of them, as a table.
    pub(crate) fn print(&self) {
        println!("\n seconds  stage");
        for (name, seconds, good) in &self.done {
            println!("{seconds:8.1}  {name}{}", if *good { "" } else { "   FAILED" });
        }
    }
}
