//! The measurements, and the order in which they are taken.

use std::path::PathBuf;
use std::time::Duration;

use bytes::Bytes;
use tollgate_tests::binary;

use crate::Failed;
use crate::load::{self, Target, percentile};
use crate::process::{Server, stay_on};
use crate::report::{self, Figure};

/// The server under test.
const SERVER_CORE: usize = 0;
/// Provider and load.
const OTHER_CORE: usize = 1;

/// How long and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    seconds: u64,
    rounds: usize,
}

impl Plan {
    /// Reads `--seconds N --rounds N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { seconds: 4, rounds: 3 };
        for pair in words.chunks(2) {
            match pair {
                ["--seconds", number] => plan.seconds = number.parse()?,
                ["--rounds", number] => plan.rounds = number.parse()?,
                other => return Err(format!("{other:?}: known are --seconds N and --rounds N").into()),
            }
        }
        Ok(plan)
    }
}

/// Who is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    Provider,
    Proxy,
    Gateway,
}

impl Subject {
    const ALL: [Self; 3] = [Self::Provider, Self::Proxy, Self::Gateway];

    const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider itself",
            Self::Proxy => "bare proxy",
            Self::Gateway => "gateway, money on",
        }
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    if std::thread::available_parallelism()?.get() < 2 {
        return Err("two cores are needed: one for the server, one for provider and load".into());
    }
    let gateway = release_binary()?;
    stay_on(OTHER_CORE)?;
    let mut figures: Vec<(Subject, Vec<Figure>)> = Subject::ALL.map(|subject| (subject, Vec::new())).into();
    for round in 0..plan.rounds {
        for (subject, taken) in &mut figures {
            eprintln!("round {} of {}: {}", round + 1, plan.rounds, subject.name());
            measure(*subject, plan, &gateway, taken).await?;
        }
    }
    let rows: Vec<(&str, Vec<Figure>)> = figures.into_iter().map(|(subject, taken)| (subject.name(), taken)).collect();
    report::print(&rows);
    Ok(())
}

/// The gateway is measured as it is shipped.
fn release_binary() -> Result<PathBuf, Failed> {
    Ok(binary::path().to_owned())
}

async fn measure(
    subject: Subject,
    plan: &Plan,
    gateway: &std::path::Path,
    taken: &mut Vec<Figure>,
) -> Result<(), Failed> {
    let bench = std::env::current_exe()?;
    // The provider is on the load's core, but where it is itself the subject.
    let core = if subject == Subject::Provider { SERVER_CORE } else { OTHER_CORE };
    let provider = Server::start(core, &bench, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let (server, address, key) = match subject {
        Subject::Provider => (None, provider.greeting.clone(), "none".to_owned()),
        Subject::Proxy => {
            let server = Server::start(SERVER_CORE, &bench, &["proxy", &provider.greeting])?;
            let address = server.greeting.clone();
            (Some(server), address, "none".to_owned())
        }
        Subject::Gateway => start_gateway(gateway, folder.path(), &provider.greeting)?,
    };
    let server = server.as_ref().unwrap_or(&provider);
    let target = |body: Bytes| Target { address: address.clone(), key: key.clone(), body };
    let lasts = Duration::from_secs(plan.seconds);
    let warm_up = Duration::from_secs(1);
    let mut add = |name, unit, value: u64| taken.push(Figure { name, unit, value });
    add("memory idle", "KiB", server.memory_kib()?);

    for (connections, cpu, rate) in
        [(1, "CPU, 1 connection", "rate, 1"), (64, "CPU, 64", "rate, 64"), (256, "CPU, 256", "rate, 256")]
    {
        let (count, spent) =
            load::closed(&target(small_body()), connections, warm_up, lasts, || server.cpu_micros()).await?;
        add(cpu, "us/request", spent / count.max(1));
        add(rate, "requests/s", count / plan.seconds);
    }
    let (count, spent) = load::closed(&target(large_body()), 16, warm_up, lasts, || server.cpu_micros()).await?;
    add("CPU, 16 x 100 KB", "us/request", spent / count.max(1));

    let times = load::open(&target(small_body()), 1000, lasts).await?;
    add("1,000/s p50", "us", micros(percentile(&times, 50)));
    add("1,000/s p99", "us", micros(percentile(&times, 99)));

    for (streams, cpu) in [(200, "CPU, 200 streams"), (1000, "CPU, 1,000 streams")] {
        let memory = server.memory_kib()?;
        let lasts = lasts.max(Duration::from_secs(4));
        let (count, spent) =
            load::closed(&target(stream_body()), streams, Duration::from_millis(2500), lasts, || server.cpu_micros())
                .await?;
        add(cpu, "us/stream", spent / count.max(1));
        if streams == 1000 {
            add("memory, each of 1,000 streams", "KiB", server.memory_kib()?.saturating_sub(memory) / 1000);
        }
    }
    let times = load::open(&target(stream_body()), 50, lasts).await?;
    add("first streamed byte p50", "us", micros(percentile(&times, 50)));
    add("first streamed byte p99", "us", micros(percentile(&times, 99)));
    add("memory at the end", "KiB", server.memory_kib()?);
    Ok(())
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// The gateway with a ledger on disk, an account with credit, and the provider behind it.
fn start_gateway(
    gateway: &std::path::Path,
    folder: &std::path::Path,
    provider: &str,
) -> Result<(Option<Server>, String, String), Failed> {
    let config = folder.join("tollgate.toml");
    let text = format!(
        "data_dir = {folder:?}\nlisten = \"127.0.0.1:0\"\n[log]\nfilter = \"warn\"\n\
         [upstreams.bench]\nbase_url = \"http://{provider}/v1\"\nhttp = \"http1\"\n\
         [models.m]\ncontext_tokens = 128000\nmax_output_tokens = 1000\n\
         price = {{ prompt = \"0.15\", completion = \"0.6\" }}\ncandidates = [{{ upstream = \"bench\" }}]\n"
    );
    std::fs::write(&config, text)?;
    let config = config.to_str().ok_or("a path in UTF-8")?;
    let _ = binary::run_json(&["--config", config, "account", "create", "bench"]);
    let _ = binary::run_json(&["--config", config, "credit", "grant", "--account", "bench", "--usd", "100000"]);
    let (_, key) = binary::run_json(&["--config", config, "key", "create", "--account", "bench"]);
    let key = key["key"].as_str().ok_or("no key")?.to_owned();
    let server = Server::start(SERVER_CORE, gateway, &["--config", config, "--json", "serve"])?;
    let greeting: serde_json::Value = serde_json::from_str(&server.greeting)?;
    let url = greeting["listening"].as_str().ok_or("no address")?;
    let address = url.trim_start_matches("http://").to_owned();
    Ok((Some(server), address, key))
}

fn small_body() -> Bytes {
    Bytes::from(format!(
        "{{\"model\":\"m\",\"max_tokens\":200,\"messages\":[{{\"role\":\"user\",\"content\":\"{}\"}}]}}",
        "word ".repeat(180)
    ))
}

fn large_body() -> Bytes {
    let turn = format!("{{\"role\":\"user\",\"content\":\"{}\"}}", "word \\n ".repeat(120));
    let turns = vec![turn; 100].join(",");
    Bytes::from(format!("{{\"model\":\"m\",\"max_tokens\":200,\"messages\":[{turns}]}}"))
}

fn stream_body() -> Bytes {
    Bytes::from_static(
        b"{\"model\":\"m\",\"stream\":true,\"max_tokens\":200,\"messages\":[{\"role\":\"user\",\"content\":\"Hello\"}]}",
    )
}
