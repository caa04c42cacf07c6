//! What holds and charges cost a gateway: the same build with them and without, one right after the other, on each store.
//!
//! Without them nothing is written and nobody waits for the ledger; no other build can go so than the workspace's own. The
//! gateway has a core to itself. Load, provider and, where there is one, the database server share the other: where that
//! one is full first, the rate says what the machine carries, and the CPU time what the gateway's own core would.

use std::time::Duration;

use tollgate_tests::binary;
use tollgate_tests::postgres::Postgres;

use crate::gateway::Gateway;
use crate::measure::Measured;
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;
use crate::{Failed, body};

const CONNECTIONS: u32 = 64;
const WARM_UP: Duration = Duration::from_secs(1);
/// With money against without, in hundredths.
const GOALS: [(Store, u64); 2] = [(Store::Sqlite, 85), (Store::Postgres, 80)];

/// How long and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) lasts: Duration,
    pub(crate) rounds: usize,
}

impl Plan {
    /// Reads `--seconds N --rounds N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { lasts: Duration::from_secs(2), rounds: 3 };
        for pair in words.chunks(2) {
            match pair {
                ["--seconds", number] => plan.lasts = Duration::try_from_secs_f64(number.parse()?)?,
                ["--rounds", number] => plan.rounds = number.parse()?,
                other => return Err(format!("{other:?}: known are --seconds and --rounds").into()),
            }
        }
        Ok(plan)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Store {
    Sqlite,
    Postgres,
}

/// What was carried.
#[derive(Debug, Clone, Copy)]
struct Took {
    per_second: u64,
    /// Of the gateway alone, for a request.
    cpu_micros: u64,
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    let mut taken: Vec<(Store, bool, Took)> = Vec::new();
    for round in 0..plan.rounds {
        for (store, _) in GOALS {
            for money in [false, true] {
                eprintln!("round {} of {}: {store:?}, money {}", round + 1, plan.rounds, on_or_off(money));
                taken.push((store, money, measure(store, money, plan.lasts).await?));
            }
        }
    }
    println!("| {CONNECTIONS} connections | figure | money on | money off | ratio | goal | |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    for (store, goal) in GOALS {
        let both = |figure: fn(&Took) -> u64| [true, false].map(|money| median(&taken, store, money, figure));
        let [on, off] = both(|took| took.per_second);
        let ratio = on * 100 / off.max(1);
        let verdict = if ratio >= goal { "met" } else { "MISSED" };
        println!("| {store:?} | requests/s | {on} | {off} | {ratio} % | >= {goal} % | {verdict} |");
        let [on, off] = both(|took| took.cpu_micros);
        println!("| {store:?} | gateway's CPU us/request | {on} | {off} | {} % | | |", off * 100 / on.max(1));
    }
    Ok(())
}

async fn measure(store: Store, money: bool, lasts: Duration) -> Result<Took, Failed> {
    // Its server is started by this process, and stays on this process's core.
    let server = (store == Store::Postgres).then(|| Postgres::with(&[]));
    let database = server.as_ref().map(Postgres::database).unwrap_or_default();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let gateway = Gateway { build: binary::path(), database: &database, money };
    let (gateway, address, key) = gateway.start(folder.path(), &provider.greeting)?;
    let server = gateway.as_ref().ok_or("no server")?;
    let measured = Measured { server, address, key, lasts, taken: &mut Vec::new() };
    let carried = measured.carry(&measured.target(body::small()), CONNECTIONS, WARM_UP).await?;
    let per_second = carried.answers * 1000 / u64::try_from(lasts.as_millis())?.max(1);
    Ok(Took { per_second, cpu_micros: carried.each()? })
}

fn median(taken: &[(Store, bool, Took)], store: Store, money: bool, figure: fn(&Took) -> u64) -> u64 {
    let rows = taken.iter().filter(|row| (row.0, row.1) == (store, money));
    let mut values: Vec<u64> = rows.map(|row| figure(&row.2)).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}

const fn on_or_off(money: bool) -> &'static str {
    if money { "on" } else { "off" }
}
