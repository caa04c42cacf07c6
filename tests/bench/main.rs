//! The gateway, money on, beside a bare reverse proxy, a proxy that checks a key and reads the model, nginx where it is
//! installed, and the provider itself, in one run.
//!
//! `cargo bench -p tollgate-tests --bench gateway [-- --seconds 2 --open-seconds 30 --rounds 3 --only closed --against PATH
//! --out FOLDER]`
//!
//! `--only` takes the rows whose names begin so, or those of a group: of format O `closed` (1 to 1,000 connections), `large`
//! (bodies of 100 KB), `open` (at 500 and 1,000 requests a second; `--open-seconds` is the window of the latter) and `streams`;
//! `responses` (`responses/stored`, `responses/unstored`, `responses/conversation` over `previous_response_id`);
//! `embeddings/256`; each of a server of its own `start`, `cold`, `memory` and `accounts` (`accounts/1`, `accounts/1000`); and
//! of a gateway alone `formats`, each client format over its own (`formats/messages/whole`, `formats/generate/streams`), and
//! `conversions`, each over each (`conversions/chat/messages/streamed`). All of it with `--seconds 2 --rounds 3` takes half an
//! hour. `--against` measures another build of the gateway beside this one: two runs on a shared machine do not compare, two
//! columns do. `--out` writes the table to `bench.md`, and the ratios of CPU time to the bare proxy to `bench.svg`.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- soak [--minutes 10 --step-seconds 60 --per-second 500]` holds a mixed load and
//! tells memory and CPU time a request by the minute; it fails where the last third is more than a tenth above the first.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- ledger [--seconds 1.5 --rounds 2 --only sqlite]` measures the ledger alone,
//! on each store beside a transaction for each operation; two minutes a round.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- teams [--seconds 1.5 --rounds 2 --only sqlite]` measures what budgets of teams and
//! of an organisation add to the CPU time of a hold and its settlement, on each store; a minute.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- years [--receipts 5000000 --seconds 3 --rounds 5 --only postgres]` measures
//! the ledger with a year of receipts behind it beside one without; ten minutes.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- money [--seconds 2 --rounds 3]` measures the gateway on each store beside
//! the proxy that checks a key, reads the model and charges nothing; a minute.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- keyed [--seconds 2 --rounds 3]` measures the cost of an
//! Idempotency-Key on every request, on a file and on two gateways that share a database server; two minutes.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- strangers [--seconds 2 --rounds 3]` measures the waits of requests while
//! strangers try to sign in, open accounts, ask for texts to sign or begin sign-ins by a provider, on each store; three minutes.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- open_holds [--minutes 60 --per-second 500]` measures how large the table of open
//! holds becomes on a database server that two gateways share; as long as it is told.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- console [--receipts 1000000 --accounts 1000 --times 20]` measures each page of
//! the operator's console and each of its lists as CSV, over a ledger with months of receipts on a file, and then the same of the
//! customer's console with as many receipts of one account; four minutes. `-- customer` with the same words measures the latter alone.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- notices [--notices 1000]` measures how soon money that a payment provider
//! reports is there, on each store; half a minute.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- regenerate [--rounds 5]` measures the generator beside others on the same
//! operations; two minutes.
//!
//! The server under test has one core to itself; provider and load share the other. Each row is taken in turn in each
//! round, and medians are shown, so that a machine whose speed drifts drifts for all. CPU is the exact run time of the
//! server's threads over the measured window: the figure that lasts on a shared machine. Latency is taken in an open
//! loop, from the moment a request was due, so that waiting in line counts.

mod accounts;
mod answer;
mod body;
mod connection;
mod console;
mod conversation;
mod format;
mod formats;
mod fresh;
mod gateway;
mod key_proxy;
mod keyed;
mod ledger;
mod load;
mod machine;
mod measure;
mod money;
mod nginx;
mod notices;
mod open_holds;
mod picture;
mod process;
mod provider;
mod proxy;
mod regenerate;
mod report;
mod responses;
mod scenario;
mod soak;
mod strangers;
mod subject;

use std::error::Error;

/// Anything that a measurement can fail with.
pub(crate) type Failed = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    // Load and provider share a core; the ledger has what a server has.
    let threads = if matches!(words.first(), Some(&("ledger" | "teams" | "years" | "console" | "customer"))) {
        std::thread::available_parallelism()?.get()
    } else {
        1
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(async {
        match words[..] {
            ["provider"] => provider::serve().await,
            ["proxy", target] => proxy::serve(target).await,
            ["key_proxy", target, accounts] => key_proxy::serve(target, accounts.parse()?).await,
            ["soak", ref rest @ ..] => soak::run(&soak::Plan::read(rest)?).await,
            ["money", ref rest @ ..] => money::run(&money::Plan::read(rest)?).await,
            ["keyed", ref rest @ ..] => keyed::run(&money::Plan::read(rest)?).await,
            ["strangers", ref rest @ ..] => strangers::run(&money::Plan::read(rest)?).await,
            ["open_holds", ref rest @ ..] => open_holds::run(&open_holds::Plan::read(rest)?).await,
            ["console", ref rest @ ..] => console::run(&console::Plan::read(rest)?).await,
            ["customer", ref rest @ ..] => console::customer::run(&console::Plan::read(rest)?).await,
            ["notices", ref rest @ ..] => notices::run(&notices::Plan::read(rest)?).await,
            ["regenerate", ref rest @ ..] => regenerate::run(&regenerate::Plan::read(rest)?),
            ["years", ref rest @ ..] => ledger::years::run(&ledger::years::Plan::read(rest)?).await,
            ["teams", ref rest @ ..] => ledger::teams::run(&ledger::Plan::read(rest)?).await,
            ["ledger", ref rest @ ..] => ledger::run(&ledger::Plan::read(rest)?).await,
            _ => scenario::run(&scenario::Plan::read(&words)?).await,
        }
    })
}
