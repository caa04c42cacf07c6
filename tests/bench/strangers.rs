//! The waits of requests while strangers ask what everybody may ask: five hundred times a second, each from an address of its own.
//!
//! They try the name of an account that is there with a wrong password, open accounts, ask for texts that a wallet signs, or begin
//! sign-ins by a provider. The gateway has a core to itself; load, providers and database server share the other.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

use tollgate_tests::binary;
use tollgate_tests::oidc::OidcProvider;
use tollgate_tests::postgres::Postgres;

use crate::connection::{Kind, Target};
use crate::gateway::Gateway;
use crate::load::{self, percentile};
use crate::money::{Plan, Store};
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;
use crate::{Failed, body};

const ASKS_PER_SECOND: u32 = 500;
const REQUESTS_PER_SECOND: u32 = 200;
const CONNECTIONS: usize = 256;
const WARM_UP: Duration = Duration::from_secs(1);
/// The wait beside strangers against that without them, in hundredths, at the most.
const GOAL: u64 = 150;

/// The requests of strangers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Strangers {
    SignIn,
    Register,
    AskForText,
    BeginSignIn,
}

impl Strangers {
    const ALL: [Self; 4] = [Self::SignIn, Self::Register, Self::AskForText, Self::BeginSignIn];

    fn name(self) -> &'static str {
        match self {
            Self::SignIn => "wrong passwords",
            Self::Register => "registrations",
            Self::AskForText => "texts to sign",
            Self::BeginSignIn => "sign-ins by a provider",
        }
    }

    fn target(self, address: String) -> Target {
        let (path, body) = match self {
            Self::SignIn => ("/api/user/login", r#"{"email":"bench","password":"not its password"}"#),
            Self::Register => {
                ("/api/user/register", r#"{"email":"personNUMBER@example.org","password":"correct horse battery"}"#)
            }
            Self::AskForText => (
                "/api/user/login/wallet/challenge",
                r#"{"chain":"evm","address":"0x000000000000000000000000000000000000dEaD"}"#,
            ),
            Self::BeginSignIn => ("/api/user/login/oidc/begin", r#"{"provider":"company"}"#),
        };
        let body = bytes::Bytes::from_static(body.as_bytes());
        Target { address, keys: [].into(), path: path.to_owned(), version: false, kind: Kind::Stranger, body }
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    let company = OidcProvider::start();
    let mut taken: Vec<(Store, Option<Strangers>, [u64; 2])> = Vec::new();
    for round in 0..plan.rounds {
        for store in [Store::Sqlite, Store::Postgres] {
            for strangers in [None].into_iter().chain(Strangers::ALL.map(Some)) {
                let name = strangers.map_or("alone", Strangers::name);
                eprintln!("round {} of {}: {store:?}, {name}", round + 1, plan.rounds);
                taken.push((store, strangers, measure(store, strangers, &company, plan.lasts).await?));
            }
        }
    }
    println!(
        "| beside {ASKS_PER_SECOND} a second | store | {REQUESTS_PER_SECOND} requests/s wait, us | beside | alone | ratio | goal | |"
    );
    println!("| --- | --- | --- | ---: | ---: | ---: | ---: | --- |");
    let median = |store: Store, strangers: Option<Strangers>, index: usize| {
        let rows = taken.iter().filter(|row| (row.0, row.1) == (store, strangers));
        let mut values: Vec<u64> = rows.map(|row| row.2[index]).collect();
        values.sort_unstable();
        values.get(values.len() / 2).copied().unwrap_or_default()
    };
    for strangers in Strangers::ALL {
        for store in [Store::Sqlite, Store::Postgres] {
            for (index, name) in ["p50", "p99"].into_iter().enumerate() {
                let (beside, alone) = (median(store, Some(strangers), index), median(store, None, index));
                let ratio = beside * 100 / alone.max(1);
                let (goal, verdict) = match name {
                    "p99" => (format!("<= {GOAL} %"), if ratio <= GOAL { "met" } else { "MISSED" }),
                    _ => (String::new(), ""),
                };
                let asked = strangers.name();
                println!("| {asked} | {store:?} | {name} | {beside} | {alone} | {ratio} % | {goal} | {verdict} |");
            }
        }
    }
    Ok(())
}

/// The longest wait of half of the requests and of all but a hundredth of them, in microseconds.
async fn measure(
    store: Store,
    strangers: Option<Strangers>,
    company: &OidcProvider,
    lasts: Duration,
) -> Result<[u64; 2], Failed> {
    // Its server is started by this process, and stays on this process's core.
    let server = (store == Store::Postgres).then(|| Postgres::with(&[]));
    let database = server.as_ref().map(Postgres::database).unwrap_or_default();
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let gateway = Gateway { build: binary::path(), database: &database };
    let config = gateway.write_config(folder.path(), &provider.greeting)?;
    // Whoever only begins a sign-in needs no secret of the client.
    let company = &company.url;
    writeln!(
        OpenOptions::new().append(true).open(&config)?,
        "[accounts]\nregistration = true\n[[oidc]]\nname = \"company\"\nissuer = \"{company}\"\nclient_id = \"tollgate: local\""
    )?;
    let key = gateway.account(&config, "bench")?;
    let (_gateway, address) = gateway.serve(folder.path())?;
    let asked = Target {
        address: address.clone(),
        keys: [key].into(),
        path: "/v1/chat/completions".to_owned(),
        version: false,
        kind: Kind::Plain,
        body: body::small(),
    };
    let asks = async {
        if let Some(strangers) = strangers {
            load::open(&strangers.target(address), ASKS_PER_SECOND, CONNECTIONS, WARM_UP + lasts).await?;
        }
        Ok::<_, Failed>(())
    };
    let waits = async {
        tokio::time::sleep(WARM_UP).await;
        load::open(&asked, REQUESTS_PER_SECOND, CONNECTIONS, lasts).await
    };
    let ((), waited) = tokio::try_join!(asks, waits)?;
    let micros = |percent| u64::try_from(percentile(&waited.first, percent).as_micros());
    Ok([micros(50)?, micros(99)?])
}
