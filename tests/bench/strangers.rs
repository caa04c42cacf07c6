//! The waits of requests while strangers try to sign in: five hundred wrong passwords a second, each from an address of its own.
//!
//! They try the name of an account that is there. The gateway has a core to itself; load, provider and database server share the
//! other.

use std::time::Duration;

use tollgate_tests::binary;
use tollgate_tests::postgres::Postgres;

use crate::connection::{Kind, Target};
use crate::gateway::Gateway;
use crate::load::{self, percentile};
use crate::money::{Plan, Store};
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;
use crate::{Failed, body};

const TRIES_PER_SECOND: u32 = 500;
const REQUESTS_PER_SECOND: u32 = 200;
const CONNECTIONS: usize = 256;
const WARM_UP: Duration = Duration::from_secs(1);
/// The wait beside strangers against that without them, in hundredths, at the most.
const GOAL: u64 = 150;

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    let mut taken: Vec<(Store, bool, [u64; 2])> = Vec::new();
    for round in 0..plan.rounds {
        for store in [Store::Sqlite, Store::Postgres] {
            for strangers in [false, true] {
                eprintln!("round {} of {}: {store:?}, strangers: {strangers}", round + 1, plan.rounds);
                taken.push((store, strangers, measure(store, strangers, plan.lasts).await?));
            }
        }
    }
    println!(
        "| {REQUESTS_PER_SECOND} requests/s | waits, us | beside {TRIES_PER_SECOND} tries/s | alone | ratio | goal | |"
    );
    println!("| --- | --- | ---: | ---: | ---: | ---: | --- |");
    for store in [Store::Sqlite, Store::Postgres] {
        for (index, name) in ["p50", "p99"].into_iter().enumerate() {
            let [beside, alone] = [true, false].map(|strangers| {
                let rows = taken.iter().filter(|row| (row.0, row.1) == (store, strangers));
                let mut values: Vec<u64> = rows.map(|row| row.2[index]).collect();
                values.sort_unstable();
                values.get(values.len() / 2).copied().unwrap_or_default()
            });
            let ratio = beside * 100 / alone.max(1);
            let (goal, verdict) = match name {
                "p99" => (format!("<= {GOAL} %"), if ratio <= GOAL { "met" } else { "MISSED" }),
                _ => (String::new(), ""),
            };
            println!("| {store:?} | {name} | {beside} | {alone} | {ratio} % | {goal} | {verdict} |");
        }
    }
    Ok(())
}

/// The longest wait of half of the requests and of all but a hundredth of them, in microseconds.
async fn measure(store: Store, strangers: bool, lasts: Duration) -> Result<[u64; 2], Failed> {
    // Its server is started by this process, and stays on this process's core.
    let server = (store == Store::Postgres).then(|| Postgres::with(&[]));
    let database = server.as_ref().map(Postgres::database).unwrap_or_default();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let gateway = Gateway { build: binary::path(), database: &database };
    let (_gateway, address, key) = gateway.start(folder.path(), &provider.greeting)?;
    let asked = Target {
        address: address.clone(),
        keys: [key].into(),
        path: "/v1/chat/completions".to_owned(),
        version: false,
        kind: Kind::Plain,
        body: body::small(),
    };
    let tried = Target {
        address,
        keys: [].into(),
        path: "/api/user/login".to_owned(),
        version: false,
        kind: Kind::Stranger,
        body: bytes::Bytes::from_static(br#"{"email":"bench","password":"not its password"}"#),
    };
    let tries = async {
        if strangers {
            load::open(&tried, TRIES_PER_SECOND, CONNECTIONS, WARM_UP + lasts).await?;
        }
        Ok::<_, Failed>(())
    };
    let waits = async {
        tokio::time::sleep(WARM_UP).await;
        load::open(&asked, REQUESTS_PER_SECOND, CONNECTIONS, lasts).await
    };
    let ((), waited) = tokio::try_join!(tries, waits)?;
    let micros = |percent| u64::try_from(percentile(&waited.first, percent).as_micros());
    Ok([micros(50)?, micros(99)?])
}
