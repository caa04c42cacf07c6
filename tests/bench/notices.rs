//! How soon money that a payment provider reports is there: from the sending of a notice to an answer that shows its order as
//! credited, on each store. The gateway has a core to itself; the notices are signed before the clock runs.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;
use tollgate_base::Clock;
use tollgate_tests::checkout::{Posted, Provider, paid};
use tollgate_tests::postgres::Postgres;
use tollgate_tests::{binary, client};
use tollgate_topup::ewallet::published;

use crate::Failed;
use crate::load::percentile;
use crate::process::{Server, stay_on};
use crate::scenario::{OTHER_CORE, SERVER_CORE};

/// Notices that come at the same time.
const AT_ONCE: [usize; 2] = [1, 16];
/// Of the slowest in a hundred.
const GOAL: Duration = Duration::from_millis(50);

/// How many.
#[derive(Debug)]
pub(crate) struct Plan {
    notices: usize,
}

impl Plan {
    /// Reads `--notices N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        match words {
            [] => Ok(Self { notices: 1_000 }),
            ["--notices", number] => Ok(Self { notices: number.parse()? }),
            other => Err(format!("{other:?}: known is --notices").into()),
        }
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    stay_on(OTHER_CORE)?;
    println!("| notice to visible credit | p50 us | p99 us | goal | |");
    println!("| --- | ---: | ---: | ---: | --- |");
    for on_server in [false, true] {
        let server = on_server.then(|| Postgres::with(&[]));
        let database = server.as_ref().map(|server| format!("[database]\nurl = {:?}\n", server.database()));
        let store = if on_server { "Postgres" } else { "Sqlite" };
        let folder = tempfile::tempdir()?;
        let house = House::open(folder.path(), &database.unwrap_or_default()).await?;
        for at_once in AT_ONCE {
            let mut took = house.measure(plan.notices, at_once).await?;
            took.sort_unstable();
            let [half, most] = [50, 99].map(|percent| percentile(&took, percent));
            let verdict = if most <= GOAL { "met" } else { "MISSED" };
            let (half, most, goal) = (half.as_micros(), most.as_micros(), GOAL.as_micros());
            println!("| {store}, {at_once} at once | {half} | {most} | <= {goal} | {verdict} |");
        }
    }
    Ok(())
}

/// A gateway on its core, with an account, and the provider, which reports nothing by itself.
struct House {
    url: String,
    key: String,
    _server: Server,
    _provider: Provider,
}

impl House {
    async fn open(folder: &Path, database: &str) -> Result<Self, Failed> {
        let provider = Provider::start(Clock::system(), 1);
        provider.faults(&json!({"drop": true})).await;
        let file = |name: &str, text: &str| -> Result<String, Failed> {
            let path = folder.join(name);
            std::fs::write(&path, text)?;
            Ok(path.to_str().ok_or("a path in UTF-8")?.to_owned())
        };
        let merchant = file("merchant", published::MERCHANT_PRIVATE)?;
        let key = file("provider", published::PROVIDER_PUBLIC)?;
        let (base_url, client_id) = (&provider.url, published::CLIENT_ID);
        let config = file(
            "tollgate.toml",
            &format!(
                "listen = \"127.0.0.1:0\"\npublic_url = \"http://127.0.0.1\"\ndata_dir = {folder:?}\n[log]\nfilter = \"warn\"\n\
                 {database}[upstreams.main]\nbase_url = \"http://127.0.0.1:9/v1\"\n[models.m]\ncontext_tokens = 10\n\
                 max_output_tokens = 5\nprice = {{ prompt = \"1\", completion = \"1\" }}\n\
                 candidates = [{{ upstream = \"main\" }}]\n[topup.ewallet]\nbase_url = {base_url:?}\n\
                 client_id = {client_id:?}\nmerchant_key_file = {merchant:?}\nprovider_key_file = {key:?}\n"
            ),
        )?;
        let tell = |more: &[&str]| binary::run_json(&[&["--config", &*config], more].concat()).1;
        tell(&["account", "create", "bench"]);
        let key = tell(&["key", "create", "--account", "bench"])["key"].as_str().ok_or("no key")?.to_owned();
        let server = Server::start(SERVER_CORE, binary::path(), &["--config", &config, "--json", "serve"])?;
        let greeting: Value = serde_json::from_str(&server.greeting)?;
        let url = greeting["listening"].as_str().ok_or("no address")?.to_owned();
        Ok(Self { url, key, _server: server, _provider: provider })
    }

    /// Orders are made and paid in turns of so many.
    async fn measure(&self, notices: usize, at_once: usize) -> Result<Vec<Duration>, Failed> {
        let mut took = Vec::with_capacity(notices);
        while took.len() < notices {
            let mut turn = JoinSet::new();
            for _ in 0..at_once {
                let trade_no = self.order().await?;
                let body = paid(&trade_no, &format!("P{trade_no}"), "500").to_string();
                let notice = Posted::signed(body, Clock::system().now_ms());
                turn.spawn(credited(self.url.clone(), self.key.clone(), trade_no, notice));
            }
            for one in turn.join_all().await {
                took.push(one?);
            }
        }
        Ok(took)
    }

    async fn order(&self) -> Result<String, Failed> {
        let request = client().post(format!("{}/api/user/topup/ewallet/orders", self.url)).bearer_auth(&self.key);
        let made: Value = request.json(&json!({"amount_usd": 5, "wallet": "GCASH"})).send().await?.json().await?;
        Ok(made["data"]["trade_no"].as_str().ok_or_else(|| made.to_string())?.to_owned())
    }
}

/// From the sending of a notice until somebody who asks for the order sees it credited.
async fn credited(url: String, key: String, trade_no: String, notice: Posted) -> Result<Duration, Failed> {
    let (order, request) = (format!("{url}/api/user/topup/order/{trade_no}"), notice.to(&url));
    let sent = Instant::now();
    let answered = request.send().await?;
    if !answered.status().is_success() {
        return Err(answered.text().await?.into());
    }
    loop {
        let told: Value = client().get(&order).bearer_auth(&key).send().await?.json().await?;
        if told["data"]["status"] == "success" {
            return Ok(sent.elapsed());
        }
    }
}
