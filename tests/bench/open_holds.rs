//! How large the table of open holds becomes under load that lasts: two gateways share a database server, which vacuums it by
//! itself.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, PgConnection, Row};
use tollgate_tests::postgres::Postgres;

use crate::Failed;
use crate::gateway::Gateways;
use crate::load;
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;

const CONNECTIONS: usize = 256;
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// Its indexes and what is to be vacuumed included, in MiB.
const GOAL_MIB: i64 = 64;
const SIZE: &str = "SELECT pg_total_relation_size(oid), \
    coalesce((SELECT n_dead_tup FROM pg_stat_user_tables s WHERE s.relid = c.oid), 0) FROM pg_class c WHERE relname = 'holds'";

/// How long, and how many requests to each of the two.
#[derive(Debug)]
pub(crate) struct Plan {
    minutes: u32,
    per_second: u32,
}

impl Plan {
    /// Reads `--minutes N --per-second N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { minutes: 60, per_second: 500 };
        for pair in words.chunks(2) {
            match pair {
                ["--minutes", number] => plan.minutes = number.parse()?,
                ["--per-second", number] => plan.per_second = number.parse()?,
                other => return Err(format!("{other:?}: known are --minutes and --per-second").into()),
            }
        }
        Ok(plan)
    }
}

/// Takes it, tells each minute, and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    let server = Postgres::with(&[]);
    let database = server.database();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let gateways = Gateways::open(&database, &provider.greeting)?;
    let mut asking = database.parse::<PgConnectOptions>()?.connect().await?;
    let (mut requests, mut largest) = (0, 0);
    for minute in 1..=plan.minutes {
        let lasts = Duration::from_secs(60);
        let targets = [0, 1].map(|place| gateways.target(place, &gateways.key, false));
        let load = async {
            tokio::try_join!(
                load::open(&targets[0], plan.per_second, CONNECTIONS, lasts),
                load::open(&targets[1], plan.per_second, CONNECTIONS, lasts)
            )
        };
        tokio::pin!(load);
        let (mut bytes, mut dead) = (0, 0);
        let (one, two) = loop {
            tokio::select! {
                done = &mut load => break done?,
                () = tokio::time::sleep(LOOK_EVERY) => {
                    (bytes, dead) = size(&mut asking).await?;
                    largest = largest.max(bytes);
                }
            }
        };
        requests += one.first.len() + two.first.len();
        eprintln!("minute {minute} of {}: {requests} requests, {} KiB, {dead} dead rows", plan.minutes, bytes >> 10);
    }
    let verdict = if largest >> 20 < GOAL_MIB { "met" } else { "MISSED" };
    println!("| minutes | requests | open holds at the largest | goal | |");
    println!("| ---: | ---: | ---: | ---: | --- |");
    println!("| {} | {requests} | {} KiB | < {GOAL_MIB} MiB | {verdict} |", plan.minutes, largest >> 10);
    Ok(())
}

/// The bytes of the table and its indexes, and its dead rows.
async fn size(asking: &mut PgConnection) -> Result<(i64, i64), Failed> {
    let row = sqlx::query(SIZE).fetch_one(asking).await?;
    Ok((row.try_get(0)?, row.try_get(1)?))
}
