//! The cost of keys, limits, holds and charges to a gateway on each store, beside a proxy on the same libraries that checks a
//! key, reads the model out of the body and charges nothing, one right after the other.
//!
//! The server cannot be told to charge nothing, so the proxy stands in for it. The gateway has a core to itself. Load, provider
//! and, where there is one, the database server share the other: where that one is full first, the rate says what the machine
//! carries, and the CPU time what the gateway's own core would.

use std::cell::Cell;
use std::path::Path;
use std::time::Duration;

use tollgate_tests::binary;
use tollgate_tests::postgres::Postgres;

use crate::gateway::Gateway;
use crate::load::closed;
use crate::measure::{Measured, WARM_UP};
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;
use crate::subject::Subject;
use crate::{Failed, body};

const CONNECTIONS: u32 = 64;
/// CPU time of the gateway to that of the proxy, in hundredths, at the most: 60 us of a whole request to the 19 us of its parts
/// that the proxy has as well.
const GOAL_CPU: u64 = 315;
/// CPU time for a request of the thread that writes holds and charges to a file, in microseconds, at the most.
const GOAL_LEDGER: u64 = 40;
/// The name of that thread.
const LEDGER: &str = "ledger";

/// The length of a window, and the rounds.
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

impl Store {
    const ALL: [Self; 2] = [Self::Sqlite, Self::Postgres];
}

/// The load that was carried.
#[derive(Debug, Clone, Copy)]
struct Took {
    per_second: u64,
    /// Of the server alone, for a request.
    cpu_micros: u64,
    /// Of its thread for the ledger.
    ledger_micros: u64,
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let gateway = binary::path();
    stay_on(OTHER_CORE)?;
    // The stand-in is taken anew beside each store, so that a machine whose speed drifts drifts for both.
    let mut taken: Vec<(Store, bool, Took)> = Vec::new();
    for round in 0..plan.rounds {
        for store in Store::ALL {
            eprintln!("round {} of {}: {store:?}", round + 1, plan.rounds);
            taken.push((store, false, stand_in(plan.lasts).await?));
            taken.push((store, true, charged(gateway, store, plan.lasts).await?));
        }
    }
    println!("| {CONNECTIONS} connections | figure | gateway | proxy with key and model | ratio | goal | |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    for store in Store::ALL {
        let both = |figure: fn(&Took) -> u64| [true, false].map(|money| median(&taken, store, money, figure));
        let verdict = |is_met: bool| if is_met { "met" } else { "MISSED" };
        let [with, without] = both(|took| took.per_second);
        println!("| {store:?} | requests/s | {with} | {without} | {} % | | |", with * 100 / without.max(1));
        let [with, without] = both(|took| took.cpu_micros);
        let ratio = with * 100 / without.max(1);
        let met = verdict(ratio <= GOAL_CPU);
        println!("| {store:?} | CPU us/request | {with} | {without} | {ratio} % | <= {GOAL_CPU} % | {met} |");
        if store == Store::Sqlite {
            let [ledger, _] = both(|took| took.ledger_micros);
            let met = verdict(ledger <= GOAL_LEDGER);
            println!("| {store:?} | of it the ledger's thread | {ledger} | - | - | <= {GOAL_LEDGER} us | {met} |");
        }
    }
    Ok(())
}

/// The proxy that charges nothing.
async fn stand_in(lasts: Duration) -> Result<Took, Failed> {
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let running = Subject::KeyProxy.prepare(&provider.greeting, 1).await?.start()?;
    carried(&running.measured(lasts, &mut Vec::new())).await
}

async fn charged(build: &Path, store: Store, lasts: Duration) -> Result<Took, Failed> {
    // Its server is started by this process, and stays on this process's core.
    let server = (store == Store::Postgres).then(|| Postgres::with(&[]));
    let database = server.as_ref().map(Postgres::database).unwrap_or_default();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let gateway = Gateway { build, database: &database };
    let (server, address, key) = gateway.start(folder.path(), &provider.greeting)?;
    let keys = [key].into();
    carried(&Measured { server: &server, address, keys, lasts, taken: &mut Vec::new() }).await
}

async fn carried(measured: &Measured<'_>) -> Result<Took, Failed> {
    let ledger = Cell::new((0, 0));
    let target = measured.target(body::small());
    let carried = closed(&target, CONNECTIONS, WARM_UP, measured.lasts, || {
        // Read at the begin of the window and at its end.
        ledger.set((ledger.get().1, measured.server.thread_cpu_micros(LEDGER)?));
        measured.server.cpu_micros()
    })
    .await?;
    let (before, after) = ledger.get();
    let ledger_micros = (after - before) / carried.answers.max(1);
    Ok(Took { per_second: measured.rate(&carried), cpu_micros: carried.each()?, ledger_micros })
}

fn median(taken: &[(Store, bool, Took)], store: Store, money: bool, figure: fn(&Took) -> u64) -> u64 {
    let rows = taken.iter().filter(|row| (row.0, row.1) == (store, money));
    let mut values: Vec<u64> = rows.map(|row| figure(&row.2)).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
