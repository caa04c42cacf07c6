//! The load that the ledger carries: pairs of a hold and its settlement, both on the disk before they are answered, through the
//! product's own handle, beside a transaction for each operation on the same store in the same run.
//!
//! Everything is on this machine: clients, ledger and, where it is the store, a PostgreSQL server of the bench's own with
//! its disk settings as they come. CPU is that of this process, clients included, and of the server's. The books are
//! audited after each round.
//!
//! The cost of money to a gateway is in a table of its own, `money`.

mod drive;
pub(crate) mod house;
mod ours;
mod reference;
mod table;
pub(crate) mod teams;
pub(crate) mod years;

use std::time::Duration;

use self::drive::Pairs;
use self::house::{House, On, Payer};
use self::table::{Load, Table, Took};
use crate::Failed;

/// How many accounts "many" are.
const ACCOUNTS: usize = 1000;
const CLIENTS: [usize; 4] = [1, 16, 64, 256];
/// Of the open loop.
const PER_SECOND: u32 = 500;

/// How long and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    lasts: Duration,
    rounds: usize,
    /// The beginning of the name of a store.
    only: String,
}

impl Plan {
    /// Reads `--seconds N --rounds N --only PREFIX`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { lasts: Duration::from_millis(1500), rounds: 2, only: String::new() };
        for pair in words.chunks(2) {
            match pair {
                ["--seconds", number] => plan.lasts = Duration::try_from_secs_f64(number.parse()?)?,
                ["--rounds", number] => plan.rounds = number.parse()?,
                ["--only", store] => plan.only = (*store).to_owned(),
                other => return Err(format!("{other:?}: known are --seconds, --rounds and --only").into()),
            }
        }
        Ok(plan)
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let mut table = Table::default();
    for round in 0..plan.rounds {
        for on in On::ALL.into_iter().filter(|on| on.name().starts_with(&plan.only)) {
            eprintln!("round {} of {}: {}", round + 1, plan.rounds, on.name());
            let house = House::open(on, ACCOUNTS).await?;
            measure(&house, plan, &mut table).await?;
            house.close().await?;
        }
    }
    table.print();
    Ok(())
}

/// Each row of ours right after the same of the reference, so that a machine whose speed drifts drifts for both.
async fn measure(house: &House, plan: &Plan, table: &mut Table) -> Result<(), Failed> {
    let (ours, reference) = (house.ours(), house.reference().await?);
    let hot = &house.payers[..1];
    for clients in CLIENTS {
        for (load, payers) in [(Load::Many(clients), &house.payers[..]), (Load::Hot(clients), hot)] {
            let took = carried(house, &reference, payers, clients, plan.lasts).await?;
            table.reference(house.on, load, took);
            let took = carried(house, &ours, payers, clients, plan.lasts).await?;
            table.ours(house.on, load, took);
        }
    }
    let waited = drive::open(&reference, &house.payers, PER_SECOND, plan.lasts).await?;
    table.reference_waits(house.on, waited);
    let waited = drive::open(&ours, &house.payers, PER_SECOND, plan.lasts).await?;
    table.our_waits(house.on, waited);
    Ok(())
}

async fn carried<P: Pairs>(
    house: &House,
    pairs: &P,
    payers: &[Payer],
    clients: usize,
    lasts: Duration,
) -> Result<Took, Failed> {
    let carried = drive::closed(pairs, payers, clients, lasts, || house.cpu_micros()).await?;
    Ok(Took {
        per_second: carried.pairs * 1000 / u64::try_from(lasts.as_millis())?.max(1),
        cpu_micros: carried.cpu_micros / carried.pairs.max(1),
    })
}
