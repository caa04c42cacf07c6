//! The cost of an Idempotency-Key on every request: the same gateways with keys and without, one right after the other; and the
//! wait of another account beside a flood of either kind.
//!
//! On a file one gateway, on a database server two that share it. Gateways have a core to themselves; load, provider and
//! database server share the other.

use std::cell::Cell;
use std::time::Duration;

use tollgate_tests::postgres::Postgres;

use crate::Failed;
use crate::gateway::Gateways;
use crate::load::{self, percentile};
use crate::money::{Plan, Store};
use crate::process::{Server, family_cpu_micros, stay_on};
use crate::scenario::OTHER_CORE;

const CONNECTIONS: u32 = 64;
const WARM_UP: Duration = Duration::from_secs(1);
/// Of the other account.
const PER_SECOND: u32 = 50;
/// Requests with keys against those without, in hundredths, at the least.
const GOAL_RATE: u64 = 85;
/// The wait beside a flood with keys against that beside one without, in hundredths, at the most.
const GOAL_WAIT: u64 = 200;

/// The part of the flood that was carried, and the wait of the other.
#[derive(Debug, Clone, Copy)]
struct Took {
    per_second: u64,
    cpu_micros: u64,
    /// Of the database server, for a request; nothing on a file.
    database_cpu_micros: u64,
    p99_micros: u64,
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    let mut taken: Vec<(Store, bool, Took)> = Vec::new();
    for round in 0..plan.rounds {
        for store in [Store::Sqlite, Store::Postgres] {
            for keyed in [false, true] {
                eprintln!("round {} of {}: {store:?}, with keys: {keyed}", round + 1, plan.rounds);
                taken.push((store, keyed, measure(store, keyed, plan.lasts).await?));
            }
        }
    }
    println!("| {CONNECTIONS} connections | figure | with keys | without | ratio | goal | |");
    println!("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    for store in [Store::Sqlite, Store::Postgres] {
        let both = |figure: fn(&Took) -> u64| [true, false].map(|keyed| median(&taken, (store, keyed), figure));
        let [with, without] = both(|took| took.per_second);
        let ratio = with * 100 / without.max(1);
        let verdict = if ratio >= GOAL_RATE { "met" } else { "MISSED" };
        println!("| {store:?} | requests/s | {with} | {without} | {ratio} % | >= {GOAL_RATE} % | {verdict} |");
        let [with, without] = both(|took| took.cpu_micros);
        println!(
            "| {store:?} | gateways' CPU us/request | {with} | {without} | {} % | | |",
            with * 100 / without.max(1)
        );
        if store == Store::Postgres {
            let [with, without] = both(|took| took.database_cpu_micros);
            let ratio = with * 100 / without.max(1);
            println!("| {store:?} | database server's CPU us/request | {with} | {without} | {ratio} % | | |");
        }
        let [with, without] = both(|took| took.p99_micros);
        let ratio = with * 100 / without.max(1);
        let verdict = if ratio <= GOAL_WAIT { "met" } else { "MISSED" };
        println!("| {store:?} | another's p99, us | {with} | {without} | {ratio} % | <= {GOAL_WAIT} % | {verdict} |");
    }
    Ok(())
}

async fn measure(store: Store, keyed: bool, lasts: Duration) -> Result<Took, Failed> {
    // Its server is started by this process, and stays on this process's core.
    let server = (store == Store::Postgres).then(|| Postgres::with(&[]));
    let database = server.as_ref().map(Postgres::database).unwrap_or_default();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let gateways = Gateways::open(&database, &provider.greeting)?;
    let flood = |place: usize| {
        (gateways.target(place, &gateways.key, keyed), CONNECTIONS / u32::try_from(gateways.count()).unwrap_or(1))
    };
    let others = gateways.target(0, &gateways.other, true);
    let waits = async {
        tokio::time::sleep(WARM_UP).await;
        load::open(&others, PER_SECOND, 256, lasts).await
    };
    let (first, connections) = flood(0);
    let database_spent = Cell::new((0, 0));
    let one = load::closed(&first, connections, WARM_UP, lasts, || {
        // Read at the begin of the window and at its end.
        let spent = server.as_ref().map_or(Ok(0), |server| family_cpu_micros(server.id()))?;
        database_spent.set((database_spent.get().1, spent));
        gateways.cpu_micros()
    });
    let (carried, spent, waited) = if gateways.count() > 1 {
        let (second, connections) = flood(1);
        // The CPU time of both is counted once.
        let two = load::closed(&second, connections, WARM_UP, lasts, || Ok(0));
        let (one, two, waited) = tokio::try_join!(one, two, waits)?;
        (one.answers + two.answers, one.spent(), waited)
    } else {
        let (one, waited) = tokio::try_join!(one, waits)?;
        (one.answers, one.spent(), waited)
    };
    let per_second = carried * 1000 / u64::try_from(lasts.as_millis())?.max(1);
    let p99_micros = u64::try_from(percentile(&waited.first, 99).as_micros())?;
    let (before, after) = database_spent.get();
    let database_cpu_micros = (after - before) / carried.max(1);
    Ok(Took { per_second, cpu_micros: spent / carried.max(1), database_cpu_micros, p99_micros })
}

fn median(taken: &[(Store, bool, Took)], of: (Store, bool), figure: fn(&Took) -> u64) -> u64 {
    let rows = taken.iter().filter(|row| (row.0, row.1) == of);
    let mut values: Vec<u64> = rows.map(|row| figure(&row.2)).collect();
    values.sort_unstable();
    values.get(values.len() / 2).copied().unwrap_or_default()
}
