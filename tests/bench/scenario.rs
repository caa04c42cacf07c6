//! The order in which the rows are taken, and where the table goes.

use std::path::PathBuf;
use std::time::Duration;

use tollgate_tests::binary;

use crate::fresh::Fresh;
use crate::machine::Machine;
use crate::process::{Server, stay_on};
use crate::report::{Figure, Report};
use crate::subject::Subject;
use crate::{Failed, picture};

/// The server under test.
pub(crate) const SERVER_CORE: usize = 0;
/// Provider and load.
pub(crate) const OTHER_CORE: usize = 1;

/// The lengths of the windows, the rounds, and the rows that are asked for.
#[derive(Debug)]
pub(crate) struct Plan {
    lasts: Duration,
    /// Of the open loop with 1,000 requests a second; as the others where it is not told.
    open: Option<Duration>,
    rounds: usize,
    /// Another build of the gateway, measured in the same run.
    against: Option<PathBuf>,
    /// The beginning of the names of rows or of their groups.
    only: String,
    /// The folder that the table is written to, beside what is printed.
    out: Option<PathBuf>,
}

impl Plan {
    /// Reads `--seconds N --open-seconds N --rounds N --against PATH --only PREFIX --out FOLDER`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        let lasts = Duration::from_secs(4);
        let mut plan = Self { lasts, open: None, rounds: 3, against: None, only: String::new(), out: None };
        for pair in words.chunks(2) {
            match pair {
                ["--seconds", number] => plan.lasts = Duration::try_from_secs_f64(number.parse()?)?,
                ["--open-seconds", number] => plan.open = Some(Duration::try_from_secs_f64(number.parse()?)?),
                ["--rounds", number] => plan.rounds = number.parse()?,
                ["--against", path] => plan.against = Some(path.into()),
                ["--only", group] => plan.only = (*group).to_owned(),
                ["--out", folder] => plan.out = Some(folder.into()),
                other => {
                    let known = "--seconds, --open-seconds, --rounds, --against, --only and --out";
                    return Err(format!("{other:?}: known are {known}").into());
                }
            }
        }
        Ok(plan)
    }
}

/// Takes everything, prints the table, and writes it down where that is asked for.
pub(crate) async fn run(plan: &Plan) -> Result<(), Failed> {
    let machine = Machine::read()?;
    if machine.cores() < 2 {
        return Err("two cores are needed: one for the server, one for provider and load".into());
    }
    let subjects = Subject::all(binary::path(), plan.against.as_deref());
    stay_on(OTHER_CORE)?;
    let mut taken: Vec<(&str, Vec<Figure>)> = subjects.iter().map(|subject| (subject.name(), Vec::new())).collect();
    for round in 0..plan.rounds {
        // There and back by turns: what comes later in a round finds another machine.
        let mut order: Vec<usize> = (0..subjects.len()).collect();
        if round % 2 == 1 {
            order.reverse();
        }
        for place in order {
            let (name, taken) = &mut taken[place];
            eprintln!("round {} of {}: {name}", round + 1, plan.rounds);
            measure(subjects[place], plan, taken).await?;
        }
    }
    let report = Report::new(machine, plan.rounds, &taken, plan.against.is_some());
    print!("{}", report.markdown());
    if let Some(folder) = &plan.out {
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join("bench.md"), report.markdown())?;
        std::fs::write(folder.join("bench.svg"), picture::draw(&report))?;
    }
    Ok(())
}

async fn measure(subject: Subject<'_>, plan: &Plan, taken: &mut Vec<Figure>) -> Result<(), Failed> {
    let provider = Server::start(OTHER_CORE, &std::env::current_exe()?, &["provider"])?;
    let (lasts, provider) = (plan.lasts, &*provider.greeting);
    let running = subject.prepare(provider, 1).await?.start()?;
    let mut measured = running.measured(lasts, taken);
    measured.all(&plan.only, plan.open.unwrap_or(lasts)).await?;
    if subject.build().is_some() {
        measured.formats(&plan.only).await?;
    }
    drop(running);
    Fresh { subject, provider, lasts, taken }.all(&plan.only).await
}
