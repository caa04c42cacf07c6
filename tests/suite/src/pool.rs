//! Runs cases side by side, as many at a time as the machine bears: each has a weight, the longest go first.

use std::collections::BTreeMap;
use std::io;
use std::thread;
use std::time::{Duration, Instant};

use crate::case::Case;
use crate::environment::Environment;
use crate::machine::Machine;
use crate::marks::Marks;
use crate::process::{Running, Taken, Tree};
use crate::report::Report;

/// Weight that one core bears. Most cases wait about as long as they work.
const CORE: usize = 12;
/// Between two polls of the cases that run.
const POLL_EVERY: Duration = Duration::from_millis(10);
/// Between two samples of the machine and of the programs that run.
const SAMPLE_EVERY: Duration = Duration::from_millis(500);
/// Per cent of idle processor time above which more cases are run side by side: what runs waits more than its marks say.
const IDLE: u64 = 15;
/// Per cent of idle processor time below which fewer are.
const BUSY: u64 = 5;
/// The weight by which they become more or fewer at a sample: an ordinary case.
const STEP: usize = CORE / 2;
/// How many times its weight a machine bears whose cores stay idle.
const OVERBOOKED: usize = 3;
/// Browsers at a time, whatever the number of cores: one takes half a gigabyte.
const BROWSERS_MAX: usize = 2;

/// What all cases that run may weigh.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Capacity {
    /// In any case.
    usual: usize,
    /// Where cores stay idle.
    most: usize,
}

impl Capacity {
    /// Of so many cores, and of more where they stay idle.
    pub(crate) const fn of(cores: usize) -> Self {
        Self { usual: CORE * cores, most: CORE * cores * OVERBOOKED }
    }

    /// Of so many cores and no more.
    pub(crate) const fn exactly(cores: usize) -> Self {
        Self { usual: CORE * cores, most: CORE * cores }
    }

    /// The most that cases may weigh from here on, where it was `weight_max`, of which they took `taken`, and so many per cent of
    /// the processor time were idle.
    fn adapted(self, weight_max: usize, taken: usize, idle: u64) -> usize {
        if idle < BUSY {
            return weight_max.saturating_sub(STEP).max(self.usual);
        }
        // The heaviest would not fit.
        let full = taken + CORE > weight_max;
        if idle > IDLE && full { (weight_max + STEP).min(self.most) } else { weight_max }
    }
}

fn weight(case: &Case) -> usize {
    let marks = case.marks;
    if marks.processor || marks.builds || marks.browser {
        CORE
    } else if marks.waiting {
        CORE / 4
    } else {
        CORE / 2
    }
}

/// Cases that wait for their turn, and those that run.
#[derive(Debug)]
pub(crate) struct Pool<'a> {
    environment: &'a Environment,
    /// In the order in which they start.
    waiting: Vec<Case>,
    running: Vec<Running>,
    capacity: Capacity,
    /// The most that running cases may weigh at present: within the bounds of the capacity.
    weight_max: usize,
    started: usize,
}

impl<'a> Pool<'a> {
    /// All cases. `seconds` are those that a case last took.
    pub(crate) fn new(
        cases: Vec<Case>,
        capacity: Capacity,
        seconds: &BTreeMap<String, f64>,
        environment: &'a Environment,
    ) -> Self {
        let mut waiting = cases;
        let expected = |case: &Case| {
            let last = seconds.get(&case.id).copied().unwrap_or_default();
            Duration::from_secs_f64(last).max(case.marks.about)
        };
        waiting.sort_by_key(|case| std::cmp::Reverse(expected(case)));
        Self { environment, waiting, running: Vec::new(), capacity, weight_max: capacity.usual, started: 0 }
    }

    /// Runs them all.
    ///
    /// # Errors
    /// When one cannot be started or waited for.
    pub(crate) fn run(mut self, report: &mut Report, machine: &mut Machine) -> io::Result<()> {
        machine.begin_cases();
        let mut sampled_at = Instant::now();
        while !self.waiting.is_empty() || !self.running.is_empty() {
            while let Some(index) = self.next() {
                self.start(index)?;
            }
            for (case, taken) in self.ended()? {
                report.add(&case, taken);
            }
            if sampled_at.elapsed() > SAMPLE_EVERY {
                sampled_at = Instant::now();
                let tree = Tree::read();
                self.running.iter_mut().for_each(|running| running.note_programs(&tree));
                machine.sample();
                self.weight_max = self.capacity.adapted(self.weight_max, self.taken(), machine.idle());
            }
            report.progress(&self.running, self.waiting.len())?;
            thread::sleep(POLL_EVERY);
        }
        Ok(())
    }

    fn start(&mut self, index: usize) -> io::Result<()> {
        let case = self.waiting.remove(index);
        self.running.push(Running::start(case, self.started, self.environment)?);
        self.started += 1;
        Ok(())
    }

    /// The weight of the running cases.
    fn taken(&self) -> usize {
        self.running.iter().map(|running| weight(&running.case)).sum()
    }

    /// The first of those that wait that may start beside those that run.
    fn next(&self) -> Option<usize> {
        let taken = self.taken();
        let count = |mark: fn(&Case) -> bool| self.running.iter().filter(|running| mark(&running.case)).count();
        let browsers_full = count(|case| case.marks.browser) >= BROWSERS_MAX;
        let (disk_taken, builds_taken) = (count(|case| case.marks.disk) > 0, count(|case| case.marks.builds) > 0);
        self.waiting.iter().position(|case| {
            let Marks { browser, disk, builds, .. } = case.marks;
            let fits = taken + weight(case) <= self.weight_max || self.running.is_empty();
            fits && !(browser && browsers_full) && !(disk && disk_taken) && !(builds && builds_taken)
        })
    }

    fn ended(&mut self) -> io::Result<Vec<(Case, Taken)>> {
        let mut ended = Vec::new();
        let mut index = 0;
        while index < self.running.len() {
            match self.running[index].ended()? {
                Some(taken) => ended.push((self.running.swap_remove(index).case.clone(), taken)),
                None => index += 1,
            }
        }
        Ok(ended)
    }
}

#[cfg(test)]
mod tests {
    use super::{BUSY, CORE, Capacity, IDLE, STEP};

    #[test]
    fn idle_cores_bear_more_and_busy_ones_as_much_as_ever() {
        let capacity = Capacity::of(2);
        let (usual, most) = (2 * CORE, 6 * CORE);
        assert_eq!(capacity.adapted(usual, usual, IDLE + 1), usual + STEP);
        assert_eq!(capacity.adapted(usual, usual - STEP, IDLE + 1), usual + STEP, "a heavy one waits");
        assert_eq!(
            capacity.adapted(usual, usual - CORE, IDLE + 1),
            usual,
            "it was not the bound that held others back"
        );
        assert_eq!(capacity.adapted(usual, usual, IDLE), usual);
        assert_eq!(capacity.adapted(most, most, 100), most);
        assert_eq!(capacity.adapted(most, most, BUSY - 1), most - STEP);
        assert_eq!(capacity.adapted(usual, most, 0), usual);
        let exact = Capacity::exactly(1);
        assert_eq!((exact.adapted(CORE, CORE, 100), exact.adapted(CORE, CORE, 0)), (CORE, CORE));
    }
}
