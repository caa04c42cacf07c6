//! What a run takes of the machine: memory and disk, at the most.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Between two samples of the disk.
const SAMPLE_DISK_EVERY: Duration = Duration::from_secs(5);

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
    sampled_disk_at: Instant,
    /// Processor time of all cores since the machine started, and that of it in which they were idle, in ticks of the kernel.
    ticks: (u64, u64),
    /// Per cent of idle processor time between the last two samples.
    idle: u64,
}

impl Machine {
    /// Samples it for the first time. `target` is the folder that everything is built in.
    pub(crate) fn at_first(target: &Path) -> Self {
        let (memory, disk) = (memory_free_kib(), disk_used_kib(target));
        Self {
            memory_at_first: memory,
            memory_most: 0,
            disk: target.to_owned(),
            target_at_first: folder_kib(target),
            disk_at_first: disk,
            disk_most: disk,
            sampled_disk_at: Instant::now(),
            ticks: ticks(),
            idle: 0,
        }
    }

    /// Per cent of idle processor time between the last two samples.
    pub(crate) fn idle(&self) -> u64 {
        self.idle
    }

    /// Samples it again.
    pub(crate) fn sample(&mut self) {
        let now = ticks();
        let (all, idle) = (now.0.saturating_sub(self.ticks.0), now.1.saturating_sub(self.ticks.1));
        self.ticks = now;
        self.idle = idle * 100 / all.max(1);
        self.memory_most = self.memory_most.max(self.memory_at_first.saturating_sub(memory_free_kib()));
        if self.sampled_disk_at.elapsed() > SAMPLE_DISK_EVERY {
            self.sampled_disk_at = Instant::now();
            self.disk_most = self.disk_most.max(disk_used_kib(&self.disk));
        }
    }

    /// A line for people.
    pub(crate) fn summary(&self) -> String {
        let disk = self.target_at_first + self.disk_most.saturating_sub(self.disk_at_first);
        format!("memory: {} MiB at the most; disk: {} MiB at the most", self.memory_most / 1024, disk / 1024)
    }
}

/// Ticks of all cores: all of them, and the idle ones.
fn ticks() -> (u64, u64) {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let cores = text.lines().next().unwrap_or_default();
    let ticks: Vec<u64> = cores.split_whitespace().skip(1).filter_map(|ticks| ticks.parse().ok()).collect();
    // Idle is the fourth. Guests, after the eighth, are counted as users already.
    (ticks.iter().take(8).sum(), ticks.get(3).copied().unwrap_or_default())
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
