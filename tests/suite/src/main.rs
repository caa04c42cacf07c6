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

use std::collections::BTreeMap;
use std::env;
use std::io;
use std::num::NonZero;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread;

use arguments::{Arguments, USAGE};
use build::{Build, build, cases};
use case::{Case, chosen};
use environment::Environment;
use machine::Machine;
use pool::Pool;
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
    let is_ci = env::var_os("CI").is_some();
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
    let (chosen, left_out) = listed(&built, &environment, arguments)?;
    if arguments.list {
        list(&chosen, &last_seconds(&environment.times()));
        return Ok(true);
    }
    if chosen.is_empty() {
        return Err(io::Error::other("no case has such a name; see `tests/run --list`"));
    }
    let report = run_cases(&chosen, arguments, &mut environment, &mut stages, &mut machine)?;
    report.print_slowest();
    stages.print();
    println!("{}", machine.summary());
    for name in stages.failed().filter(|name| *name != "cases") {
        println!("failed: {name}");
    }
    report.print_end(left_out);
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

/// Runs cases as often as they were asked for, and writes down what they took.
fn run_cases(
    chosen: &[Case],
    arguments: &Arguments,
    environment: &mut Environment,
    stages: &mut Stages,
    machine: &mut Machine,
) -> io::Result<Report> {
    let _busy = BusyLoops::start(arguments.busy)?;
    let services = Services::start(environment)?;
    let repeated: Vec<Case> = chosen.iter().flat_map(|case| vec![case.clone(); arguments.repeat]).collect();
    let mut report = Report::new(repeated.len());
    let cores = arguments.jobs.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
    stages.run("cases", || {
        let seconds = last_seconds(&environment.times());
        Pool::new(repeated, cores, &seconds, environment).run(&mut report, machine)?;
        Ok((report.failures() == 0, ()))
    })?;
    drop(services);
    report.write(&environment.times())?;
    Ok(report)
}

/// The cases that were asked for, and how many were left out.
fn listed(built: &Build, environment: &Environment, arguments: &Arguments) -> io::Result<(Vec<Case>, usize)> {
    let mut cases = cases(built, environment).map_err(io::Error::other)?;
    cases.push(Case::doc_tests());
    Ok(chosen(cases, arguments))
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
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let out = child.stdout.take().map(io::BufReader::new).into_iter().flat_map(io::BufRead::lines);
        // A variable each, `NAME=value`, and an empty line at the end.
        for line in out {
            let line = line?;
            let Some((name, value)) = line.split_once('=') else { break };
            environment.variables.push((name.to_owned(), value.to_owned()));
        }
        Ok(Self(child))
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
        let start = |_| Command::new("sh").args(["-c", "while :; do :; done"]).spawn();
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
