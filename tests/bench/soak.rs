//! A soak in miniature: a mixed load at a fixed rate, with memory and CPU time a request by the minute. What leaks or slows down
//! shows as a last third that is above the first.
//!
//! The gateway has a core to itself; load and provider share the other.

use std::time::Duration;

use tollgate_tests::binary;

use crate::connection::{Kind, Target};
use crate::format::{Format, model};
use crate::gateway::Gateway;
use crate::load;
use crate::process::{Server, stay_on};
use crate::scenario::OTHER_CORE;
use crate::{Failed, body};

/// Connections for each stream that is due in a second, of which each lasts for two. Other requests have one connection each. So
/// there are more than are ever under way, and each is used again before the gateway closes it as idle.
const STREAM_CONNECTIONS: u32 = 4;
/// Of a hundred requests that are due, those for responses that are stored, and those for streams.
const STORED_PERCENT: u32 = 10;
const STREAMS_PERCENT: u32 = 5;
/// The growth from the first third to the last, in hundredths, at the most.
const GROWTH_MAX: u64 = 110;
/// Parts of the run that are not judged, at its begin: caches and pools fill.
const WARM_UP_PART: usize = 10;

/// The length, the step, and the rate.
#[derive(Debug)]
pub(crate) struct Plan {
    steps: usize,
    step: Duration,
    per_second: u32,
}

impl Plan {
    /// Reads `--minutes N --step-seconds N --per-second N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let (mut minutes, mut step_seconds, mut per_second) = (10_u64, 60_u64, 500);
        for pair in words.chunks(2) {
            match pair {
                ["--minutes", number] => minutes = number.parse()?,
                ["--step-seconds", number] => step_seconds = number.parse()?,
                ["--per-second", number] => per_second = number.parse()?,
                other => {
                    return Err(format!("{other:?}: known are --minutes, --step-seconds and --per-second").into());
                }
            }
        }
        let steps = usize::try_from((minutes * 60).checked_div(step_seconds).unwrap_or_default())?;
        if steps < 4 || per_second * STREAMS_PERCENT < 100 {
            return Err("at least four steps and a stream a second are needed to say anything".into());
        }
        Ok(Self { steps, step: Duration::from_secs(step_seconds), per_second })
    }
}

/// Figures of a step.
#[derive(Debug, Clone, Copy)]
struct Step {
    memory_kib: u64,
    cpu_nanos: u64,
}

/// Takes it, prints each step, and fails where the gateway has grown.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let build = binary::path();
    stay_on(OTHER_CORE)?;
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let (server, address, key) = Gateway::of(build).start(folder.path(), &provider.greeting)?;
    let target = |path: String, body| {
        let keys = [key.clone()].into();
        Target { address: address.clone(), keys, path, version: false, kind: Kind::Plain, body }
    };
    let model = model(Format::Responses);
    let chat = target(Format::Chat.path("m", false), body::small());
    let stored = target(Format::Responses.path(&model, false), Format::stored_body(&model));
    let streamed = target(Format::Chat.path("m", true), body::stream());
    let (stored_rate, stream_rate) = (plan.per_second * STORED_PERCENT / 100, plan.per_second * STREAMS_PERCENT / 100);
    let chat_rate = plan.per_second - stored_rate - stream_rate;
    let [chat_places, stored_places, stream_places] =
        [chat_rate, stored_rate, stream_rate * STREAM_CONNECTIONS].map(|places| usize::try_from(places).unwrap_or(1));
    println!("| seconds | requests | CPU ns/request | memory KiB |");
    println!("| ---: | ---: | ---: | ---: |");
    let mut steps = Vec::new();
    for number in 1..=plan.steps {
        let before = server.cpu_micros()?;
        let (chat, stored, streamed) = tokio::try_join!(
            load::open(&chat, chat_rate, chat_places, plan.step),
            load::open(&stored, stored_rate, stored_places, plan.step),
            load::open(&streamed, stream_rate, stream_places, plan.step),
        )?;
        let requests = chat.first.len() + stored.first.len() + streamed.first.len();
        let cpu_nanos = (server.cpu_micros()? - before) * 1000 / u64::try_from(requests)?.max(1);
        let step = Step { memory_kib: server.memory_kib()?, cpu_nanos };
        let seconds = plan.step.as_secs() * u64::try_from(number)?;
        println!("| {seconds} | {requests} | {} | {} |", step.cpu_nanos, step.memory_kib);
        steps.push(step);
    }
    judge(&steps)
}

/// Compares the last third with the first, after the warm-up.
fn judge(steps: &[Step]) -> Result<(), Failed> {
    let judged = &steps[steps.len().div_ceil(WARM_UP_PART)..];
    let third = judged.len() / 3;
    let mut grown = Vec::new();
    for (name, unit, figure) in [
        ("memory", "KiB", (|step| step.memory_kib) as fn(&Step) -> u64),
        ("CPU time", "ns/request", |step| step.cpu_nanos),
    ] {
        let mean = |steps: &[Step]| steps.iter().map(figure).sum::<u64>() / u64::try_from(steps.len()).unwrap_or(1);
        let (first, last) = (mean(&judged[..third]), mean(&judged[judged.len() - third..]));
        let percent = last * 100 / first.max(1);
        println!("{name}: {first} {unit} in the first third, {last} in the last: {percent} %");
        if percent > GROWTH_MAX {
            grown.push(format!("{name} came to {percent} % of the first third, and may come to {GROWTH_MAX} %"));
        }
    }
    if grown.is_empty() { Ok(()) } else { Err(grown.join("; ").into()) }
}
