//! What the gateway costs, money on, beside a bare reverse proxy and the provider itself, in one run.
//!
//! `cargo bench -p tollgate-tests --bench gateway [-- --seconds 2 --rounds 3 --only closed --against PATH]`
//!
//! `--only` takes the rows whose names begin so: of the groups closed, large, open and streams, of format O; of `formats`,
//! each client format over its own (`formats/messages/whole`, `formats/generate/streams`); and of `conversions`, each
//! over each (`conversions/chat/messages/streamed`). All of it with `--seconds 2 --rounds 3` takes twelve minutes.
//! `--against` measures another build of the gateway beside this one: two runs on a shared machine do not compare, two
//! columns do.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- ledger [--seconds 1.5 --rounds 2 --only sqlite]` measures the ledger alone,
//! on each store beside a transaction for each operation; two minutes a round.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- years [--receipts 5000000 --seconds 3 --rounds 5 --only postgres]` measures
//! the ledger with a year of receipts behind it beside one without; ten minutes.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- money [--seconds 2 --rounds 3]` measures the gateway on each store beside
//! itself without a ledger; a minute.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- keyed [--seconds 2 --rounds 3]` measures what an Idempotency-Key on every
//! request costs, on a file and on two gateways that share a database server; two minutes.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- strangers [--seconds 2 --rounds 3]` measures what requests wait while strangers
//! try to sign in, on each store; a minute.
//!
//! `cargo bench -p tollgate-tests --bench gateway -- open_holds [--minutes 60 --per-second 500]` measures how large the table of open
//! holds becomes on a database server that two gateways share; as long as it is told.
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

mod answer;
mod body;
mod format;
mod formats;
mod gateway;
mod keyed;
mod ledger;
mod load;
mod measure;
mod money;
mod notices;
mod open_holds;
mod process;
mod provider;
mod proxy;
mod regenerate;
mod report;
mod scenario;
mod strangers;

use std::error::Error;

/// Anything that a measurement can fail with.
pub(crate) type Failed = Box<dyn Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    // Load and provider share a core; the ledger has what a server has.
    let threads = if matches!(words.first(), Some(&("ledger" | "years"))) {
        std::thread::available_parallelism()?.get()
    } else {
        1
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?;
    runtime.block_on(async {
        match words[..] {
            ["provider"] => provider::serve().await,
            ["proxy", target] => proxy::serve(target).await,
            ["money", ref rest @ ..] => money::run(&money::Plan::read(rest)?).await,
            ["keyed", ref rest @ ..] => keyed::run(&money::Plan::read(rest)?).await,
            ["strangers", ref rest @ ..] => strangers::run(&money::Plan::read(rest)?).await,
            ["open_holds", ref rest @ ..] => open_holds::run(&open_holds::Plan::read(rest)?).await,
            ["notices", ref rest @ ..] => notices::run(&notices::Plan::read(rest)?).await,
            ["regenerate", ref rest @ ..] => regenerate::run(&regenerate::Plan::read(rest)?),
            ["years", ref rest @ ..] => ledger::years::run(&ledger::years::Plan::read(rest)?).await,
            ["ledger", ref rest @ ..] => ledger::run(&ledger::Plan::read(rest)?).await,
            _ => scenario::run(&scenario::Plan::read(&words)?).await,
        }
    })
}
