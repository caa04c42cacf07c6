//! Servers as processes: started on a core, asked for their CPU time and memory, killed at the end.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::Failed;

/// The longest wait for a server that prints nothing.
const LISTENS_WITHIN: Duration = Duration::from_secs(5);

/// A server process on one core; killed when it is dropped.
pub(crate) struct Server {
    process: Child,
    /// The first line that it printed.
    pub(crate) greeting: String,
}

impl Server {
    /// Starts a program on a core and waits for the first line it prints.
    pub(crate) fn start(core: usize, program: &Path, args: &[&str]) -> Result<Self, Failed> {
        let mut process = on_core(core, program, args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut greeting = String::new();
        BufReader::new(process.stdout.take().ok_or("no output")?).read_line(&mut greeting)?;
        Ok(Self { process, greeting: greeting.trim().to_owned() })
    }

    /// Starts a program that prints nothing, and waits until it listens.
    pub(crate) fn start_silent(core: usize, program: &Path, args: &[&str], address: &str) -> Result<Self, Failed> {
        let process = on_core(core, program, args).stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        let mut server = Self { process, greeting: String::new() };
        let began = Instant::now();
        while TcpStream::connect(address).is_err() {
            if began.elapsed() > LISTENS_WITHIN {
                return Err(format!("{} does not listen: {:?}", program.display(), server.process.try_wait()?).into());
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        // Another program may have the port.
        match server.process.try_wait()? {
            None => Ok(server),
            Some(status) => Err(format!("{} ended: {status}", program.display()).into()),
        }
    }

    /// CPU time of its threads of this name so far, in microseconds.
    pub(crate) fn thread_cpu_micros(&self, name: &str) -> Result<u64, Failed> {
        threads_cpu_micros(self.process.id(), |thread| thread == name)
    }

    /// CPU time of all its threads so far, user and system, in microseconds.
    pub(crate) fn cpu_micros(&self) -> Result<u64, Failed> {
        cpu_micros(self.process.id())
    }

    /// Memory that it occupies now, in KiB.
    pub(crate) fn memory_kib(&self) -> Result<u64, Failed> {
        self.status_kib("VmRSS:")
    }

    /// The most memory that it has occupied so far, in KiB.
    pub(crate) fn memory_peak_kib(&self) -> Result<u64, Failed> {
        self.status_kib("VmHWM:")
    }

    fn status_kib(&self, name: &str) -> Result<u64, Failed> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id()))?;
        let line = status.lines().find(|line| line.starts_with(name)).ok_or_else(|| format!("no {name}"))?;
        Ok(line.split_whitespace().nth(1).ok_or("no figure")?.parse()?)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails when it has ended already, which is as good.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn on_core(core: usize, program: &Path, args: &[&str]) -> Command {
    let mut command = Command::new("taskset");
    command.arg("-c").arg(core.to_string()).arg(program).args(args);
    command
}

/// CPU time of all threads that a process has now, user and system, in microseconds.
pub(crate) fn cpu_micros(process: u32) -> Result<u64, Failed> {
    threads_cpu_micros(process, |_| true)
}

fn threads_cpu_micros(process: u32, is_counted: impl Fn(&str) -> bool) -> Result<u64, Failed> {
    let mut nanos = 0;
    for thread in std::fs::read_dir(format!("/proc/{process}/task"))? {
        let folder = thread?.path();
        if is_counted(std::fs::read_to_string(folder.join("comm"))?.trim_end()) {
            let line = std::fs::read_to_string(folder.join("schedstat"))?;
            nanos += line.split(' ').next().ok_or("an empty schedstat")?.parse::<u64>()?;
        }
    }
    Ok(nanos / 1000)
}

/// The same of a process and all its children, those that have ended included: to a hundredth of a second.
pub(crate) fn family_cpu_micros(parent: u32) -> Result<u64, Failed> {
    const TICK_MICROS: u64 = 10_000;
    let mut ticks = 0;
    for process in std::fs::read_dir("/proc")? {
        // One that ends while we look is in its parent's sum.
        let Ok(line) = std::fs::read_to_string(process?.path().join("stat")) else { continue };
        let (head, rest) = line.rsplit_once(") ").ok_or("no name in a stat")?;
        let fields: Vec<&str> = rest.split(' ').collect();
        let [of_its_own, of_ended] =
            [11, 13].map(|at| fields[at..at + 2].iter().filter_map(|field| field.parse::<u64>().ok()).sum::<u64>());
        if head.split(' ').next() == Some(&parent.to_string()) {
            ticks += of_its_own + of_ended;
        } else if fields[1] == parent.to_string() {
            ticks += of_its_own;
        }
    }
    Ok(ticks * TICK_MICROS)
}

/// Puts this process, and what it starts without asking for another core, on one core.
pub(crate) fn stay_on(core: usize) -> Result<(), Failed> {
    let id = std::process::id().to_string();
    let moved = Command::new("taskset").args(["-acp", &core.to_string(), &id]).stdout(Stdio::null()).status()?;
    if moved.success() { Ok(()) } else { Err("taskset could not move the load client".into()) }
}
