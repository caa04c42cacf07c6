//! The suite behind `tests/run`: builds and lints the workspace once, runs every test case as a process of its own, and
//! tells where the time went.
//!
//! Start reading at [`run`]. What cases say of themselves is in `marks`, how many run side by side in `pool`. Nothing in
//! here knows what a case tests.

mod arguments;
mod build;
mod case;
mod environment;
mod machine;
mod marks;
mod pool;
mod process;
mod report;
mod stages;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::io;
use std::num::NonZero;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

use arguments::{Arguments, USAGE};
use build::{build, cases};
use case::{Case, Chosen, chosen, unknown_names};
use environment::Environment;
use machine::Machine;
use pool::{Capacity, Pool};
use report::{Report, last_seconds};
use stages::Stages;

fn main() -> ExitCode {
    let arguments = match Arguments::parse(env::args().skip(1)) {
        Ok(arguments) if arguments.help => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        Ok(arguments) => arguments,
        Err(error) => {
            eprintln!("error: {error}\n\n{USAGE}");
            return ExitCode::from(2);
        }
    };
    match run(&arguments) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Does what was asked for; whether all was well.
fn run(arguments: &Arguments) -> io::Result<bool> {
    let mut environment = Environment::prepare()?;
    let mut machine = Machine::at_first(&environment.target());
    let mut stages = Stages::default();
    // As the server's build takes it, which writes stale files anew where it is not.
    let is_ci = env::var("CI").is_ok_and(|ci| !matches!(ci.as_str(), "" | "0" | "false"));
    if arguments.is_whole() {
        stages.command("formatting", Command::new("cargo").args(["fmt", "--all", "--check"]))?;
        // Before anything else is built, because a build would write anew what is stale. In continuous integration it fails
        // instead, and nothing waits for the generator.
        let can_build =
            is_ci || (generator_is_built(&mut stages, &environment)? && outputs_are_fresh(&mut stages, &environment)?);
        if !can_build {
            return Ok(stages.print_stop());
        }
    }
    for name in unknown_names(&arguments.names, &last_seconds(&environment.times())) {
        println!(
            "no case of earlier runs has `{name}` in its name: unless it is new, stop here and see `tests/run --list`"
        );
    }
    let built = stages.run("build and lints", || {
        build(&environment, arguments.timings, &mut machine)
            .map(|built| (built.succeeded && built.warnings == 0, built))
    })?;
    if !built.succeeded {
        return Ok(stages.print_stop());
    }
    if arguments.is_whole() {
        if is_ci {
            outputs_are_fresh(&mut stages, &environment)?;
        }
        compare_with_release(&mut stages, &environment, is_ci)?;
    }
    machine.sample();
    let mut all = cases(&built, &environment).map_err(io::Error::other)?;
    all.push(Case::doc_tests());
    let ids = all.iter().map(|case| case.id.clone()).collect();
    let Chosen { cases: chosen, left_out } = chosen(all, arguments).map_err(io::Error::other)?;
    if arguments.list {
        list(&chosen, &last_seconds(&environment.times()));
        return Ok(true);
    }
    let report = run_cases(&chosen, ids, arguments, &mut environment, &mut stages, &mut machine)?;
    report.print_slowest();
    stages.print();
    println!("{}", machine.summary());
    for name in stages.failed().filter(|name| *name != "cases") {
        println!("failed: {name}");
    }
    report.print_end(left_out);
    report.write()?;
    Ok(stages.failed().next().is_none())
}

fn generator_is_built(stages: &mut Stages, environment: &Environment) -> io::Result<bool> {
    let mut build = environment.cargo("build");
    // Of the whole workspace, so that it is built with the features that everything else has it with.
    stages.command("build of the generator", build.args(["--workspace", "--bin", "codegen"]))
}

fn outputs_are_fresh(stages: &mut Stages, environment: &Environment) -> io::Result<bool> {
    stages.command("generated files", Command::new(environment.binary("codegen")).args(["gen", "--check"]))
}

/// What breaks clients or rows against the last release is accepted in `spec/changes.yaml` with a reason, or refused.
fn compare_with_release(stages: &mut Stages, environment: &Environment, is_ci: bool) -> io::Result<bool> {
    let mut diff = Command::new(environment.binary("codegen"));
    diff.arg("diff");
    // A clone without history would pass whatever breaks: continuous integration has to have it.
    if is_ci {
        diff.arg("--must-compare");
    }
    stages.command("changes of the spec", &mut diff)
}

/// Runs cases as often as they were asked for. `ids` are those of all cases that there are.
fn run_cases(
    chosen: &[Case],
    ids: BTreeSet<String>,
    arguments: &Arguments,
    environment: &mut Environment,
    stages: &mut Stages,
    machine: &mut Machine,
) -> io::Result<Report> {
    let _busy = BusyLoops::start(arguments.busy)?;
    let services = Services::start(environment)?;
    if arguments.newest {
        environment.variables.push(("TOLLGATE_NEWEST_SDKS".to_owned(), "1".to_owned()));
    }
    if arguments.on_server {
        environment.variables.push(("TOLLGATE_TEST_ON_SERVER".to_owned(), "1".to_owned()));
    }
    if arguments.long {
        environment.variables.push(("TOLLGATE_TEST_LONG".to_owned(), "1".to_owned()));
    }
    let repeated: Vec<Case> = chosen.iter().flat_map(|case| vec![case.clone(); arguments.repeat]).collect();
    let mut report = Report::new(repeated.len(), environment.times(), ids);
    let own = thread::available_parallelism().map_or(1, NonZero::get);
    let capacity = match arguments.jobs {
        Some(cores) => Capacity::exactly(cores),
        None => Capacity::of(own),
    };
    stages.run("cases", || {
        let seconds = last_seconds(&environment.times());
        Pool::new(repeated, capacity, &seconds, environment).run(&mut report, machine)?;
        Ok((report.failures() == 0, ()))
    })?;
    drop(services);
    Ok(report)
}

fn list(cases: &[Case], seconds: &BTreeMap<String, f64>) {
    for case in cases {
        let seconds = seconds.get(&case.id).map_or_else(|| "-".to_owned(), |seconds| format!("{seconds:.1}"));
        println!("{seconds:>8}  {:<18} {}", case.marks.words(), case.id);
    }
}

/// Programs that many cases share: they end when nobody holds their input any more.
#[derive(Debug)]
struct Services(Child);

impl Services {
    fn start(environment: &mut Environment) -> io::Result<Self> {
        let mut command = Command::new(environment.binary("services"));
        command.env("TMPDIR", &environment.temporary).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut services = Self(command.spawn()?);
        let out = services.0.stdout.take().map(io::BufReader::new).into_iter().flat_map(io::BufRead::lines);
        // A variable each, `NAME=value`, and an empty line at the end.
        for line in out {
            let line = line?;
            match line.split_once('=') {
                Some((name, value)) => environment.variables.push((name.to_owned(), value.to_owned())),
                None => return Ok(services),
            }
        }
        Err(io::Error::other("what the cases share did not start; its complaint stands above"))
    }
}

impl Drop for Services {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

/// Loops that keep a core busy each, to see which cases expect a fast machine.
#[derive(Debug)]
struct BusyLoops(Vec<Child>);

impl BusyLoops {
    fn start(count: usize) -> io::Result<Self> {
        // Each ends by itself where the suite was ended by force.
        let script = "while kill -0 \"$PPID\"; do i=0; while [ $i -lt 200000 ]; do i=$((i + 1)); done; done";
        let start = |_| Command::new("sh").args(["-c", script]).stderr(Stdio::null()).spawn();
        (0..count).map(start).collect::<io::Result<_>>().map(Self)
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}
