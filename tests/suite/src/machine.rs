//! The memory and the disk that a run takes at the most, and the processor time that its cases leave idle.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Between two samples of the disk.
const SAMPLE_DISK_EVERY: Duration = Duration::from_secs(5);

/// Beyond it, a target folder holds mostly what nobody needs any more: old incremental files.
const TARGET_KIB_MAX: u64 = 12 << 20;

/// The machine as it was at the start, and the most that was taken of it since.
#[derive(Debug)]
pub(crate) struct Machine {
    memory_at_first_kib: u64,
    memory_most_kib: u64,
    disk: PathBuf,
    /// What the target folder held before.
    target_at_first_kib: u64,
    disk_at_first_kib: u64,
    disk_most_kib: u64,
    sampled_disk_at: Instant,
    /// Processor time of all cores since the machine started, and that of it in which they were idle, in ticks of the kernel.
    ticks: (u64, u64),
    /// The same as the cases begin.
    ticks_at_first: (u64, u64),
    /// Per cent of idle processor time between the last two samples.
    idle: u64,
}

impl Machine {
    /// Samples it for the first time. `target` is the folder that everything is built in.
    pub(crate) fn at_first(target: &Path) -> Self {
        let (memory, disk, ticks) = (memory_free_kib(), disk_used_kib(target), ticks());
        Self {
            memory_at_first_kib: memory,
            memory_most_kib: 0,
            disk: target.to_owned(),
            target_at_first_kib: folder_kib(target),
            disk_at_first_kib: disk,
            disk_most_kib: disk,
            sampled_disk_at: Instant::now(),
            ticks,
            ticks_at_first: ticks,
            idle: 0,
        }
    }

    /// Begins to count the processor time of cases.
    pub(crate) fn begin_cases(&mut self) {
        self.ticks = ticks();
        self.ticks_at_first = self.ticks;
    }

    /// Per cent of idle processor time between the last two samples.
    pub(crate) fn idle(&self) -> u64 {
        self.idle
    }

    /// Samples it again.
    pub(crate) fn sample(&mut self) {
        let now = ticks();
        self.idle = idle_between(self.ticks, now);
        self.ticks = now;
        self.memory_most_kib = self.memory_most_kib.max(self.memory_at_first_kib.saturating_sub(memory_free_kib()));
        if self.sampled_disk_at.elapsed() > SAMPLE_DISK_EVERY {
            self.sampled_disk_at = Instant::now();
            self.disk_most_kib = self.disk_most_kib.max(disk_used_kib(&self.disk));
        }
    }

    /// A line for people.
    pub(crate) fn summary(&self) -> String {
        let disk = self.target_at_first_kib + self.disk_most_kib.saturating_sub(self.disk_at_first_kib);
        let advice = if disk > TARGET_KIB_MAX { "; `cargo clean` makes the target folder small again" } else { "" };
        let (memory_mib, disk_mib) = (self.memory_most_kib / 1024, disk / 1024);
        let idle = idle_between(self.ticks_at_first, self.ticks);
        format!(
            "memory: {memory_mib} MiB at the most; disk: {disk_mib} MiB at the most{advice}; processor: {idle} % idle in cases"
        )
    }
}

/// Per cent of idle processor time between two counts of ticks.
fn idle_between(before: (u64, u64), after: (u64, u64)) -> u64 {
    let (all, idle) = (after.0.saturating_sub(before.0), after.1.saturating_sub(before.1));
    idle * 100 / all.max(1)
}

/// Ticks of the cores that this process may use: all of them, and the idle ones.
fn ticks() -> (u64, u64) {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    let own = own_cores();
    let mut sums = (0, 0);
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let core = words.next().and_then(|word| word.strip_prefix("cpu")).and_then(|core| core.parse::<usize>().ok());
        if core.is_some_and(|core| own.iter().any(|range| range.contains(&core))) {
            let ticks: Vec<u64> = words.filter_map(|ticks| ticks.parse().ok()).collect();
            // Idle are the fourth and, waiting for a disk, the fifth. Guests, after the eighth, are counted as users already.
            sums.0 += ticks.iter().take(8).sum::<u64>();
            sums.1 += ticks.iter().skip(3).take(2).sum::<u64>();
        }
    }
    sums
}

/// The numbers of the cores that this process may use.
fn own_cores() -> Vec<RangeInclusive<usize>> {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:")).unwrap_or_default();
    cores(list)
}

/// Reads `0-3,8`.
fn cores(list: &str) -> Vec<RangeInclusive<usize>> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.parse().ok()?..=last.parse().ok()?)
    };
    list.trim().split(',').filter_map(range).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cores_are_read() {
        assert_eq!(cores("\t0-3,8\n"), [0..=3, 8..=8]);
        assert_eq!(cores(""), []);
        assert!(!own_cores().is_empty());
    }
}
