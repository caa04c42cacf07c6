//! The time that each page of the operator's console takes, and each list as CSV, over a ledger with months of receipts on a file; and
//! the same of the customer's console, where as many receipts are of one account.
//!
//! Pages are read from the spec; those that filter and sort are asked as dearly as they can be too.

pub(crate) mod customer;
mod fill;
mod visit;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use tollgate_base::{Clock, rfc3339};
use tollgate_spec_generator::client_model::{ApiDocument, ApiOperation, read};
use tollgate_tests::{binary, client};

use crate::Failed;
use crate::gateway::Gateway;
use crate::load::percentile;
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;

/// A page should be there within this time.
const GOAL: Duration = Duration::from_millis(100);

/// Filters that find little or nothing, and orders that are not those of an index.
const DEAR: [&str; 18] = [
    "/admin/ledger?account={account_id}",
    "/admin/ledger?account={account_id}&model=no-such",
    "/api/admin/usage?format=csv&group_by=account,model",
    "/admin/accounts?search=no-such-name",
    "/admin/accounts?search=account%20999",
    "/admin/accounts?sort=newest",
    "/admin/accounts?sort=richest",
    "/admin/accounts?state=frozen",
    "/admin/accounts?group=default&sort=richest",
    "/admin/changes?actor=nobody",
    "/admin/changes?action=no.such",
    "/admin/changes?subject=no-such",
    "/admin/changes?from=2020-01-01&to=2020-01-02",
    "/admin/payments?rail=x402",
    "/admin/payments?status=settling",
    "/admin/payments?account=1",
    "/api/admin/accounts/{account_id}/usage?format=csv&from={from}",
    "/api/admin/accounts/{account_id}/usage?format=csv&group_by=model&from={from}",
];
/// Days before today from which usage is summed.
const USAGE_DAYS: i64 = 300;

/// How much, and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    receipts: u64,
    accounts: usize,
    times: usize,
}

impl Plan {
    /// Reads `--receipts N --accounts N --times N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { receipts: 1_000_000, accounts: 1000, times: 20 };
        for pair in words.chunks(2) {
            match pair {
                ["--receipts", number] => plan.receipts = number.parse()?,
                ["--accounts", number] => plan.accounts = number.parse()?,
                ["--times", number] => plan.times = number.parse()?,
                other => return Err(format!("{other:?}: known are --receipts, --accounts and --times").into()),
            }
        }
        Ok(plan)
    }
}

/// Takes everything and prints a table for each of the consoles.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    operators(plan).await?;
    println!();
    customer::run(plan).await
}

async fn operators(plan: &Plan) -> Result<(), Failed> {
    let began = Instant::now();
    let mut filled = fill::ledger(plan.receipts, plan.accounts).await?;
    eprintln!("{} receipts in {} s", plan.receipts, began.elapsed().as_secs());
    stay_on(OTHER_CORE)?;
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let gateway = Gateway::of(binary::path());
    let config = gateway.write_config(filled.folder.path(), &provider.greeting)?;
    let (operator, invitation) = visit::invited(&config)?;
    filled.values.insert("operator_id", operator);
    let (_server, address) = gateway.serve(filled.folder.path())?;
    let session = visit::sign_in(&address, &invitation).await?;
    visit::add_price(&address, &session).await?;
    let document = read(&std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/resolved.json"))?)?;
    println!("{} receipts, {} accounts, each page {} times:\n", plan.receipts, plan.accounts, plan.times);
    let paths = paths(&document, &filled.values)?.into_iter().chain(dear(&DEAR, &filled.values));
    table(&address, paths, &session, plan.times).await
}

/// Prints the rows of pages that are asked so often.
async fn table(address: &str, paths: impl Iterator<Item = String>, session: &str, times: usize) -> Result<(), Failed> {
    println!("| page | p50, ms | max, ms | KiB | goal | |");
    println!("| --- | ---: | ---: | ---: | ---: | --- |");
    for path in paths {
        println!("{}", row(&format!("http://{address}"), &path, session, times).await?);
    }
    Ok(())
}

/// The row of a page that is asked so often.
async fn row(base: &str, path: &str, session: &str, times: usize) -> Result<String, Failed> {
    let mut waits = Vec::with_capacity(times);
    let mut bytes = 0;
    for _ in 0..times {
        let began = Instant::now();
        let reply = client().get(format!("{base}{path}")).header("cookie", session).send().await?;
        let status = reply.status();
        bytes = reply.bytes().await?.len();
        waits.push(began.elapsed());
        if status != 200 {
            return Err(format!("{path}: {status}").into());
        }
    }
    waits.sort_unstable();
    let (half, longest) = (percentile(&waits, 50), percentile(&waits, 100));
    let verdict = if longest <= GOAL { "met" } else { "MISSED" };
    let ms = |wait: Duration| format!("{}.{}", wait.as_millis(), wait.as_micros() % 1000 / 100);
    let (half, longest, kib, goal) = (ms(half), ms(longest), bytes >> 10, GOAL.as_millis());
    Ok(format!("| `{path}` | {half} | {longest} | {kib} | <= {goal} | {verdict} |"))
}

/// The pages that are asked dearly, about what is there.
fn dear<'a>(
    asked: &'a [&'static str],
    values: &'a BTreeMap<&'static str, String>,
) -> impl Iterator<Item = String> + use<'a> {
    let from = rfc3339(Clock::system().now_ms() - USAGE_DAYS * 86_400_000);
    let day = from.split('T').next().unwrap_or_default().to_owned();
    asked.iter().map(move |path| {
        let path = path.replace("{from}", &day);
        values.iter().fold(path, |path, (name, value)| path.replace(&format!("{{{name}}}"), value))
    })
}

/// The pages of the console, and its lists as CSV.
fn paths(document: &ApiDocument, values: &BTreeMap<&'static str, String>) -> Result<Vec<String>, Failed> {
    let mut paths = Vec::new();
    for (id, operation) in &document.operations {
        let is_page = id.starts_with("admin_console.");
        let is_list = id.starts_with("admin_") && operation.csv.is_some();
        // Neither a file nor events are a page.
        let is_other = id == "admin_console.file" || id == "admin_console.live";
        if is_other || !(is_page || is_list) {
            continue;
        }
        let path = path(id, operation, values)?;
        paths.push(if is_page { path } else { format!("{path}?format=csv") });
    }
    Ok(paths)
}

/// The address of an operation, with what its parameters may be.
fn path(id: &str, operation: &ApiOperation, values: &BTreeMap<&'static str, String>) -> Result<String, Failed> {
    let mut path = operation.routes[0].path.clone();
    for name in operation.path.keys() {
        // What has a name is told apart by the page.
        let of_page = format!("{} {name}", id.trim_start_matches("admin_console."));
        let value = values.iter().find(|(key, _)| **key == of_page || **key == name.as_str());
        let value = value.ok_or_else(|| format!("{id}: say what {name} is there"))?.1;
        path = path.replace(&format!("{{{name}}}"), value);
    }
    Ok(path)
}
