//! The machine that the figures are of.

use std::fmt;

use crate::Failed;

/// Its processor and its kernel. Nothing else of it is told.
#[derive(Debug)]
pub(crate) struct Machine {
    cores: usize,
    processor: String,
    kernel: String,
}

impl Machine {
    /// Read while this process may still use all cores.
    pub(crate) fn read() -> Result<Self, Failed> {
        let cores = std::thread::available_parallelism()?.get();
        let processors = std::fs::read_to_string("/proc/cpuinfo")?;
        // Other architectures than x86 leave the name out.
        let name = processors.lines().find(|line| line.starts_with("model name"));
        let name = name.and_then(|line| line.split_once(':')).map_or(std::env::consts::ARCH, |(_, name)| name.trim());
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease")?.trim().to_owned();
        Ok(Self { cores, processor: name.to_owned(), kernel })
    }

    pub(crate) const fn cores(&self) -> usize {
        self.cores
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cores, processor, kernel } = self;
        write!(out, "{cores} cores of {processor}, Linux {kernel}")
    }
}
