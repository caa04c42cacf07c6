//! How long it takes to make everything anew that is made of the spec, once, 10 and 100 times as large, beside two
//! generators that others use, on the same operations, in the same run: each a process of its own, from start to end, that
//! writes what it makes into a folder where nothing is. What is multiplied is written before, examples included, and is held
//! to be what was asked for: sound, and so many operations.
//!
//! They make less of it: TypeSpec the OpenAPI alone, of a source that its own converter makes of our OpenAPI;
//! openapi-typescript the types of a client in one language. What the converter cannot say in TypeSpec is left out
//! before: bounds of values, and what narrows an error to the codes of one operation.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tollgate_tests::node;

use crate::Failed;

const FACTORS: [usize; 3] = [1, 10, 100];
/// What everything may take, for each factor.
const GOALS: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(350), Duration::from_secs(4)];
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// What the converter puts where TypeSpec takes it for a mistake.
const BOUNDS: [&str; 5] = ["pattern", "minLength", "maxLength", "minItems", "maxItems"];

/// How often.
#[derive(Debug)]
pub(crate) struct Plan {
    rounds: usize,
}

impl Plan {
    /// Reads `--rounds N`.
    pub(crate) fn read(words: &[&str]) -> Result<Self, Failed> {
        match words {
            [] => Ok(Self { rounds: 5 }),
            ["--rounds", number] => Ok(Self { rounds: number.parse::<usize>()?.max(1) }),
            other => Err(format!("{other:?}: known is --rounds").into()),
        }
    }
}

/// One that makes something.
struct Subject {
    name: String,
    makes: &'static str,
    goal: Option<Duration>,
    /// How what it says begins where it did what it was asked.
    says: String,
    command: Command,
    /// Where what it makes is written.
    into: PathBuf,
    took: Vec<Duration>,
    /// What it said last.
    told: String,
}

/// Takes everything and prints the table.
pub(crate) fn run(plan: &Plan) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut subjects = ours(folder.path())?;
    subjects.extend(others(folder.path())?);
    for _ in 0..plan.rounds {
        for subject in &mut subjects {
            subject.take()?;
        }
    }
    println!("| generator | makes | ms, median of {} | at most |", plan.rounds);
    println!("| --- | --- | ---: | ---: |");
    for subject in &mut subjects {
        subject.took.sort_unstable();
        let goal = subject.goal.map_or("-".to_owned(), |goal| goal.as_millis().to_string());
        println!("| {} | {} | {} | {goal} |", subject.name, subject.makes, subject.median().as_millis());
    }
    subjects.iter().filter(|subject| subject.goal.is_some()).for_each(|subject| println!("{}", subject.told.trim()));
    let late = subjects.iter().find(|subject| subject.goal.is_some_and(|goal| subject.median() > goal));
    late.map_or(Ok(()), |late| Err(format!("{} took longer than it may", late.name).into()))
}

impl Subject {
    fn new(name: String, makes: &'static str, command: Command, into: PathBuf) -> Self {
        Self { name, makes, goal: None, says: String::new(), command, into, took: Vec::new(), told: String::new() }
    }

    fn take(&mut self) -> Result<(), Failed> {
        if self.into.exists() {
            // Removed later: a disk on which many files went a moment ago is slow to make new ones.
            std::fs::rename(&self.into, self.into.with_extension(self.took.len().to_string()))?;
        }
        std::fs::create_dir(&self.into)?;
        let began = Instant::now();
        let output = self.command.output()?;
        self.took.push(began.elapsed());
        self.told = String::from_utf8_lossy(&output.stdout).into_owned();
        let is_made = self.told.starts_with(&self.says) && self.into.read_dir()?.next().is_some();
        if output.status.success() && is_made {
            return Ok(());
        }
        Err(format!("{}: {}: {}{}", self.name, output.status, self.told, String::from_utf8_lossy(&output.stderr))
            .into())
    }

    fn median(&self) -> Duration {
        self.took[self.took.len() / 2]
    }
}

/// Our own, which is held to its word.
fn ours(folder: &Path) -> Result<Vec<Subject>, Failed> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--release", "--package", "tollgate-codegen", "--example", "scale"]);
    if !cargo.current_dir(ROOT).status()?.success() {
        return Err("the generator does not build".into());
    }
    let bench = std::env::current_exe()?;
    let scale = bench.ancestors().nth(3).ok_or("a bench lies three folders deep")?.join("release/examples/scale");
    let resolved: Value = serde_json::from_slice(&std::fs::read(Path::new(ROOT).join("spec/dist/resolved.json"))?)?;
    let operations = resolved["operations"].as_object().ok_or("resolved.json has operations")?.len();
    let mut subjects = Vec::new();
    for (factor, goal) in FACTORS.into_iter().zip(GOALS) {
        let root = folder.join(format!("{factor}x"));
        let written = Command::new(&scale).arg(ROOT).arg(factor.to_string()).arg(&root).output()?;
        if !written.status.success() {
            return Err(format!("{factor} times: {}", String::from_utf8_lossy(&written.stderr)).into());
        }
        let mut command = Command::new(&scale);
        let into = folder.join(format!("ours-{factor}"));
        command.arg(&root).arg(&into);
        let makes = "Rust, SQL, OpenAPI, JSON Schema, documents, pages, clients in three languages";
        let subject = Subject::new(format!("ours, {factor} times the spec"), makes, command, into);
        subjects.push(Subject { goal: Some(goal), says: format!("{} operations: ", factor * operations), ..subject });
    }
    Ok(subjects)
}

/// The others, on the spec as it is.
fn others(folder: &Path) -> Result<Vec<Subject>, Failed> {
    let document = Path::new(ROOT).join("spec/dist/openapi.json");
    let packages = node::generators();
    let tool = |name: &str| Command::new(packages.join("node_modules/.bin").join(name));
    let (types_in, openapi_in) = (folder.join("openapi-typescript"), folder.join("typespec"));
    let mut types = tool("openapi-typescript");
    types.arg(&document).arg("--output").arg(types_in.join("types.ts"));
    let main = typespec(&document, &packages, folder)?;
    let mut compile = tool("tsp");
    compile.arg("compile").arg(main).args(["--emit", "@typespec/openapi3", "--output-dir"]).arg(&openapi_in);
    compile.current_dir(&packages);
    Ok(vec![
        Subject::new("openapi-typescript".to_owned(), "types in TypeScript", types, types_in),
        Subject::new("TypeSpec".to_owned(), "OpenAPI", compile, openapi_in),
    ])
}

/// The service in TypeSpec, beside the packages that it imports.
fn typespec(document: &Path, packages: &Path, folder: &Path) -> Result<PathBuf, Failed> {
    let mut openapi: Value = serde_json::from_slice(&std::fs::read(document)?)?;
    openapi = plain(openapi, false);
    for tag in openapi["tags"].as_array_mut().into_iter().flatten() {
        tag["description"] = tag["name"].clone();
    }
    let read = folder.join("plain.json");
    std::fs::write(&read, openapi.to_string())?;
    let place = packages.join("converted");
    let mut convert = Command::new(packages.join("node_modules/.bin/tsp-openapi3"));
    let output = convert.arg(&read).arg("--output-dir").arg(&place).output()?;
    if !output.status.success() {
        return Err(format!("it is not converted: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(place.join("main.tsp"))
}

/// A document without what the converter cannot say. Members of `properties` are names, whatever they are called.
fn plain(value: Value, names: bool) -> Value {
    match value {
        Value::Object(members) => {
            let whole = members.get("allOf").and_then(Value::as_array).into_iter().flatten();
            if let Some(whole) = whole.clone().find(|part| part.get("$ref").is_some()) {
                return whole.clone();
            }
            let kept = members.into_iter().filter(|(name, _)| names || !BOUNDS.contains(&name.as_str()));
            let kept = kept.map(|(name, member)| (name.clone(), plain(member, name == "properties")));
            kept.collect::<Map<_, _>>().into()
        }
        Value::Array(items) => items.into_iter().map(|item| plain(item, false)).collect(),
        other => other,
    }
}
