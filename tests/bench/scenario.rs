//! The measurements, and the order in which they are taken.

use std::path::{Path, PathBuf};
use std::time::Duration;

use tollgate_tests::binary;

use crate::Failed;
use crate::formats;
use crate::gateway::Gateway;
use crate::measure::Measured;
use crate::process::{Server, stay_on};
use crate::report::{self, Figure};

/// The server under test.
pub(crate) const SERVER_CORE: usize = 0;
/// Provider and load.
pub(crate) const OTHER_CORE: usize = 1;

/// How long and how often.
#[derive(Debug)]
pub(crate) struct Plan {
    lasts: Duration,
    rounds: usize,
    /// Another build of the gateway, measured in the same run.
    against: Option<PathBuf>,
    /// What the names of the rows begin with.
    only: String,
}

impl Plan {
    /// Reads `--seconds N --rounds N --against PATH --only PREFIX`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let mut plan = Self { lasts: Duration::from_secs(4), rounds: 3, against: None, only: String::new() };
        for pair in words.chunks(2) {
            match pair {
                ["--seconds", number] => plan.lasts = Duration::try_from_secs_f64(number.parse()?)?,
                ["--rounds", number] => plan.rounds = number.parse()?,
                ["--against", path] => plan.against = Some(path.into()),
                ["--only", group] => plan.only = (*group).to_owned(),
                other => {
                    return Err(format!("{other:?}: known are --seconds, --rounds, --against and --only").into());
                }
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
    OtherGateway,
}

impl Subject {
    const ALL: [Self; 4] = [Self::Provider, Self::Proxy, Self::Gateway, Self::OtherGateway];

    const fn name(self) -> &'static str {
        match self {
            Self::Provider => "provider itself",
            Self::Proxy => "bare proxy",
            Self::Gateway => "gateway, money on",
            Self::OtherGateway => "other build",
        }
    }
}

/// Takes everything and prints the table.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    if std::thread::available_parallelism()?.get() < 2 {
        return Err("two cores are needed: one for the server, one for provider and load".into());
    }
    let gateway = binary::path();
    stay_on(OTHER_CORE)?;
    let subjects =
        Subject::ALL.into_iter().filter(|subject| plan.against.is_some() || *subject != Subject::OtherGateway);
    let mut figures: Vec<(Subject, Vec<Figure>)> = subjects.map(|subject| (subject, Vec::new())).collect();
    for round in 0..plan.rounds {
        for (subject, taken) in &mut figures {
            eprintln!("round {} of {}: {}", round + 1, plan.rounds, subject.name());
            measure(*subject, plan, gateway, taken).await?;
        }
    }
    let rows: Vec<(&str, Vec<Figure>)> = figures.into_iter().map(|(subject, taken)| (subject.name(), taken)).collect();
    report::print(&rows);
    Ok(())
}

async fn measure(subject: Subject, plan: &Plan, gateway: &Path, taken: &mut Vec<Figure>) -> Result<(), Failed> {
    let bench = std::env::current_exe()?;
    // The provider is on the load's core, but where it is itself the subject.
    let core = if subject == Subject::Provider { SERVER_CORE } else { OTHER_CORE };
    let provider = Server::start(core, &bench, &["provider"])?;
    let folder = tempfile::tempdir()?;
    let none = "none".to_owned();
    let (server, address, key) = match subject {
        Subject::Provider => (None, provider.greeting.clone(), none),
        Subject::Proxy => {
            let server = Server::start(SERVER_CORE, &bench, &["proxy", &provider.greeting])?;
            let address = server.greeting.clone();
            (Some(server), address, none)
        }
        Subject::Gateway => Gateway::of(gateway).start(folder.path(), &provider.greeting)?,
        Subject::OtherGateway => {
            let other = plan.against.as_deref().ok_or("no other build")?;
            Gateway::of(other).start(folder.path(), &provider.greeting)?
        }
    };
    let server = server.as_ref().unwrap_or(&provider);
    let mut measured = Measured { server, address, key, lasts: plan.lasts, taken };
    measured.all(&plan.only).await?;
    let build = match subject {
        Subject::Provider | Subject::Proxy => return Ok(()),
        Subject::Gateway => Some(gateway),
        Subject::OtherGateway => plan.against.as_deref(),
    };
    measured.formats(&plan.only).await?;
    streamed(plan, build.ok_or("no other build")?, &provider.greeting, taken).await
}

/// Streams of each format, each of a gateway that has done nothing else.
async fn streamed(plan: &Plan, gateway: &Path, provider: &str, taken: &mut Vec<Figure>) -> Result<(), Failed> {
    for (format, name) in formats::streamed().filter(|(_, name)| name.starts_with(&plan.only)) {
        let folder = tempfile::tempdir()?;
        let (server, address, key) = Gateway::of(gateway).start(folder.path(), provider)?;
        let server = server.as_ref().ok_or("no server")?;
        Measured { server, address, key, lasts: plan.lasts, taken }.streams_of(format, &name).await?;
    }
    Ok(())
}
