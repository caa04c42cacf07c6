//! What a run takes of the machine: memory and disk, at the most.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Between two looks at the disk.
const LOOK_AT_DISK: Duration = Duration::from_secs(5);

/// The machine as it was at the start, and the most that was taken of it since.
#[derive(Debug)]
pub(crate) struct Machine {
    memory_at_first: u64,
    memory_most: u64,
    disk: PathBuf,
    /// What the target folder held before.
    target_at_first: u64,
    disk_at_first: u64,
    disk_most: u64,
    looked: Instant,
}

impl Machine {
    /// Looks at it for the first time. `target` is the folder that everything is built in.
    pub(crate) fn at_first(target: &Path) -> Self {
        let (memory, disk) = (memory_free_kib(), disk_used_kib(target));
        Self {
            memory_at_first: memory,
            memory_most: 0,
            disk: target.to_owned(),
            target_at_first: folder_kib(target),
            disk_at_first: disk,
            disk_most: disk,
            looked: Instant::now(),
        }
    }

    /// Looks again.
    pub(crate) fn look(&mut self) {
        self.memory_most = self.memory_most.max(self.memory_at_first.saturating_sub(memory_free_kib()));
        if self.looked.elapsed() > LOOK_AT_DISK {
            self.looked = Instant::now();
            self.disk_most = self.disk_most.max(disk_used_kib(&self.disk));
        }
    }

    /// A line for people.
    pub(crate) fn told(&self) -> String {
        let disk = self.target_at_first + self.disk_most.saturating_sub(self.disk_at_first);
        format!("memory: {} MiB at the most; disk: {} MiB at the most", self.memory_most / 1024, disk / 1024)
    }
}

fn memory_free_kib() -> u64 {
    let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok()).unwrap_or_default()
}

/// What is taken of the disk that a folder is on.
fn disk_used_kib(folder: &Path) -> u64 {
    last_number(Command::new("df").args(["--output=used", "-k"]).arg(folder))
}

fn folder_kib(folder: &Path) -> u64 {
    let output = Command::new("du").arg("-sk").arg(folder).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or_default()
}

fn last_number(command: &mut Command) -> u64 {
    let text = command.output().map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    text.split_whitespace().last().and_then(|number| number.parse().ok()).unwrap_or_default()
}
