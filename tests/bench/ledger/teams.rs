//! The cost of pooled budgets: holds and settlements of the thousand keys of one account, which are in fifty teams with budgets of
//! an organisation that has some, beside those of as many keys that are in none.

use std::time::Duration;

use super::house::{House, On};
use super::{Plan, carried};
use crate::Failed;

const KEYS: usize = 1000;
const TEAMS: usize = 50;
const CLIENTS: [usize; 3] = [16, 64, 256];
/// The most that teams may add to the CPU time of a pair, in hundredths.
const GOAL: u64 = 110;

/// Of so many clients on a store: microseconds of CPU a pair without teams and with them.
type Row = (On, usize, Vec<[u64; 2]>);

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let mut rows: Vec<Row> = Vec::new();
    for round in 0..plan.rounds {
        for on in On::ALL.into_iter().filter(|on| on.name().starts_with(&plan.only)) {
            eprintln!("round {} of {}: {}", round + 1, plan.rounds, on.name());
            let house = House::open(on, 2).await?;
            measure(&house, plan.lasts, &mut rows).await?;
            house.close().await?;
        }
    }
    println!(
        "| store | clients | CPU us/pair | with teams | ratio | goal | |\n| --- | ---: | ---: | ---: | ---: | ---: | --- |"
    );
    for (on, clients, taken) in rows {
        let [without, with] = [0, 1].map(|which| median(taken.iter().map(|pair| pair[which]).collect()));
        let ratio = with * 100 / without.max(1);
        let met = if ratio <= GOAL { "met" } else { "missed" };
        println!(
            "| {} | {clients} | {without} | {with} | {}.{:02} | <= 1.10 | {met} |",
            on.name(),
            ratio / 100,
            ratio % 100
        );
    }
    Ok(())
}

/// Each right after the other, so that a machine whose speed drifts drifts for both.
async fn measure(house: &House, lasts: Duration, rows: &mut Vec<Row>) -> Result<(), Failed> {
    let (alone, teamed) = (house.keys(0, KEYS, 0).await?, house.keys(1, KEYS, TEAMS).await?);
    let ours = house.ours();
    for clients in CLIENTS {
        let without = carried(house, &ours, &alone, clients, lasts).await?.cpu_micros;
        let with = carried(house, &ours, &teamed, clients, lasts).await?.cpu_micros;
        let is_same = |row: &&mut Row| (row.0, row.1) == (house.on, clients);
        match rows.iter_mut().find(is_same) {
            Some(row) => row.2.push([without, with]),
            None => rows.push((house.on, clients, vec![[without, with]])),
        }
    }
    Ok(())
}

fn median(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}
