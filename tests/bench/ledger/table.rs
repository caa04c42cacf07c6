//! The table, and what of it was to be reached.

use std::time::Duration;

use super::house::On;
use crate::load::percentile;

/// The accounts that ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Load {
    /// So many clients on many accounts.
    Many(usize),
    /// So many on one.
    Hot(usize),
}

/// The load that was carried.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Took {
    pub(crate) per_second: u64,
    pub(crate) cpu_micros: u64,
}

/// The goals of a store with 64 clients.
#[derive(Debug)]
struct Goals {
    per_second: u64,
    /// Against the reference, in hundredths.
    ratio: u64,
    /// One hot account against many, in hundredths.
    hot: u64,
    cpu_micros: u64,
    p50_micros: u64,
    p99_micros: u64,
}

impl Goals {
    const fn of(on: On) -> Self {
        match on {
            On::Sqlite => {
                Self { per_second: 12_000, ratio: 600, hot: 80, cpu_micros: 60, p50_micros: 1_000, p99_micros: 5_000 }
            }
            On::Postgres => {
                Self { per_second: 8_000, ratio: 250, hot: 80, cpu_micros: 110, p50_micros: 1_500, p99_micros: 6_000 }
            }
        }
    }
}

/// All that was taken, round after round.
#[derive(Debug, Default)]
pub(crate) struct Table {
    ours: Vec<(On, Load, Took)>,
    reference: Vec<(On, Load, Took)>,
    our_waits: Vec<(On, Vec<Duration>)>,
    reference_waits: Vec<(On, Vec<Duration>)>,
}

impl Table {
    pub(crate) fn ours(&mut self, on: On, load: Load, took: Took) {
        self.ours.push((on, load, took));
    }

    pub(crate) fn reference(&mut self, on: On, load: Load, took: Took) {
        self.reference.push((on, load, took));
    }

    pub(crate) fn our_waits(&mut self, on: On, waited: Vec<Duration>) {
        self.our_waits.push((on, waited));
    }

    pub(crate) fn reference_waits(&mut self, on: On, waited: Vec<Duration>) {
        self.reference_waits.push((on, waited));
    }

    /// Medians of all rounds; then what was to be reached, and whether it was.
    pub(crate) fn print(&self) {
        println!("| store | clients | accounts | pairs/s | reference | ratio | CPU us/pair | reference |");
        println!("| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
        let mut rows: Vec<(On, Load)> = Vec::new();
        for &(on, load, _) in &self.ours {
            if !rows.contains(&(on, load)) {
                rows.push((on, load));
            }
        }
        for (on, load) in rows {
            let (ours, reference) = (median(&self.ours, on, load), median(&self.reference, on, load));
            let (clients, accounts) = match load {
                Load::Many(clients) => (clients, "many"),
                Load::Hot(clients) => (clients, "one"),
            };
            println!(
                "| {} | {clients} | {accounts} | {} | {} | {} | {} | {} |",
                on.name(),
                ours.per_second,
                reference.per_second,
                decimal(hundredths(ours.per_second, reference.per_second)),
                ours.cpu_micros,
                reference.cpu_micros
            );
        }
        println!("\n| store | with 64 clients | is | goal | |\n| --- | --- | ---: | ---: | --- |");
        for on in On::ALL.into_iter().filter(|on| self.ours.iter().any(|taken| taken.0 == *on)) {
            self.print_goals(on);
        }
    }

    fn print_goals(&self, on: On) {
        let (name, goals) = (on.name(), Goals::of(on));
        let (many, hot) = (median(&self.ours, on, Load::Many(64)), median(&self.ours, on, Load::Hot(64)));
        let reference = median(&self.reference, on, Load::Many(64));
        let least = |what: &str, is: u64, goal: u64, shown: fn(u64) -> String| {
            println!("| {name} | {what} | {} | >= {} | {} |", shown(is), shown(goal), verdict(is >= goal));
        };
        least("pairs/s", many.per_second, goals.per_second, |value| value.to_string());
        least("times the reference", hundredths(many.per_second, reference.per_second), goals.ratio, decimal);
        least("one account against many", hundredths(hot.per_second, many.per_second), goals.hot, decimal);
        let most = |what: &str, is: u64, goal: u64| {
            println!("| {name} | {what} | {is} | <= {goal} | {} |", verdict(is <= goal));
        };
        most("CPU us/pair", many.cpu_micros, goals.cpu_micros);
        let all = |waits: &[(On, Vec<Duration>)]| {
            let mut all: Vec<Duration> =
                waits.iter().filter(|taken| taken.0 == on).flat_map(|taken| taken.1.clone()).collect();
            all.sort_unstable();
            [50, 99].map(|percent| u64::try_from(percentile(&all, percent).as_micros()).unwrap_or(u64::MAX))
        };
        let ([p50, p99], [reference_p50, reference_p99]) = (all(&self.our_waits), all(&self.reference_waits));
        most("hold at 500/s, p50 us", p50, goals.p50_micros);
        most("hold at 500/s, p99 us", p99, goals.p99_micros);
        println!("| {name} | the reference's holds at 500/s, p50 and p99 us | {reference_p50} | {reference_p99} | |");
    }
}

/// Of each figure on its own.
fn median(taken: &[(On, Load, Took)], on: On, load: Load) -> Took {
    let of = |figure: fn(&Took) -> u64| {
        let rows = taken.iter().filter(|row| (row.0, row.1) == (on, load));
        let mut values: Vec<u64> = rows.map(|row| figure(&row.2)).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    Took { per_second: of(|took| took.per_second), cpu_micros: of(|took| took.cpu_micros) }
}

fn hundredths(of: u64, against: u64) -> u64 {
    of * 100 / against.max(1)
}

fn decimal(hundredths: u64) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "MISSED" }
}
