//! How long it takes to make everything anew that is made of the spec, once, 10 and 100 times as large, beside two
//! generators that others use, on the same operations, in the same run: each a process of its own, from start to end, that
//! writes what it makes into a folder where nothing is. What is multiplied is written before, examples included, and is held
//! to be what was asked for: sound, and so many operations.
//!
//! It is asked for two services: the operations that the source lists (part 4), for which the goals were set, and all that are
//! routed. The spec of those listed is the whole one with all others planned: these are read, checked and listed with it, once;
//! copies are of those listed alone.
//!
//! Copies fail as what they are copied from does, so the answers that are errors, which stand once in OpenAPI, do not grow with
//! them.
//!
//! The other generators make less, and are asked for it once, not 10 or 100 times: TypeSpec the OpenAPI alone, of a source
//! that its own converter makes of our OpenAPI, where answers that operations share are written out for each;
//! openapi-typescript the types of a client in one language. What the converter cannot say in TypeSpec is left out
//! before: bounds of values, and what narrows an error to the codes of one operation.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tollgate_tests::node;

use crate::Failed;

const FACTORS: [usize; 3] = [1, 10, 100];
/// The longest time for everything that is made of the operations of the source, for each factor.
const GOALS: [Duration; 3] = [Duration::from_millis(50), Duration::from_millis(350), Duration::from_secs(4)];
/// How many operations the source lists, and how an operation says that it is one of them.
const OF_SOURCE: usize = 24;
const LISTED: &str = "§4 ";
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const OURS: &str = "ours";
const TYPES: &str = "openapi-typescript";
/// Words that the converter puts where TypeSpec takes it for a mistake.
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

/// A spec, once and many times over.
struct Service {
    /// Its operations; all that are routed, where none is named.
    only: Vec<String>,
    /// How many that are.
    operations: usize,
    goals: [Option<Duration>; 3],
}

/// One that makes something.
struct Subject {
    name: &'static str,
    operations: usize,
    makes: &'static str,
    goal: Option<Duration>,
    /// How what it says begins where it did what it was asked.
    says: String,
    command: Command,
    /// The folder that it writes to.
    into: PathBuf,
    took: Vec<Duration>,
    /// Its last output.
    told: String,
}

/// Takes everything and prints the table.
pub(crate) fn run(plan: &Plan) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let scale = built()?;
    let resolved: Value = serde_json::from_slice(&std::fs::read(Path::new(ROOT).join("spec/dist/resolved.json"))?)?;
    let operations = resolved["operations"].as_object().ok_or("resolved.json has operations")?;
    let routed = operations.values().filter(|operation| operation["planned"] != true).count();
    let is_listed = |operation: &Value| operation["from"].as_str().is_some_and(|from| from.starts_with(LISTED));
    let listed: Vec<String> =
        operations.iter().filter(|(_, operation)| is_listed(operation)).map(|(id, _)| id.clone()).collect();
    if listed.len() != OF_SOURCE {
        return Err(
            format!("the source lists {OF_SOURCE} operations, and the spec has {} of them", listed.len()).into()
        );
    }
    let services = [
        Service { only: listed, operations: OF_SOURCE, goals: GOALS.map(Some) },
        Service { only: Vec::new(), operations: routed, goals: [None; 3] },
    ];
    let mut subjects = Vec::new();
    for service in &services {
        let folder = folder.path().join(service.operations.to_string());
        subjects.extend(ours(&scale, service, &folder)?);
        subjects.extend(others(&scale, service, &folder)?);
    }
    for subject in subjects.iter_mut().filter(|subject| subject.name != OURS) {
        // Their packages are read from the disk the first time, which says nothing of what they do.
        subject.take()?;
        subject.took.clear();
    }
    for _ in 0..plan.rounds {
        for subject in &mut subjects {
            subject.take()?;
        }
    }
    subjects.iter_mut().for_each(|subject| subject.took.sort_unstable());
    show(&subjects, plan.rounds);
    let late: Vec<String> = subjects.iter().filter_map(Subject::late).collect();
    if late.is_empty() { Ok(()) } else { Err(late.join("; ").into()) }
}

fn show(subjects: &[Subject], rounds: usize) {
    println!("| generator | operations | makes | ms, median of {rounds} | at most |");
    println!("| --- | ---: | --- | ---: | ---: |");
    for subject in subjects {
        let goal = subject.goal.map_or("-".to_owned(), |goal| goal.as_millis().to_string());
        let Subject { name, operations, makes, .. } = subject;
        println!("| {name} | {operations} | {makes} | {} | {goal} |", subject.median().as_millis());
    }
    subjects.iter().filter(|subject| subject.name == OURS).for_each(|subject| println!("{}", subject.told.trim()));
}

impl Subject {
    fn new(name: &'static str, operations: usize, makes: &'static str, command: Command, into: PathBuf) -> Self {
        let says = String::new();
        Self { name, operations, makes, goal: None, says, command, into, took: Vec::new(), told: String::new() }
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

    /// A complaint where it takes longer than its goal.
    fn late(&self) -> Option<String> {
        let (took, goal) = (self.median(), self.goal?);
        (took > goal).then(|| format!("{} operations took {took:.1?}, and may take {goal:.1?}", self.operations))
    }
}

/// The program that writes a spec many times over, and makes everything of one.
fn built() -> Result<PathBuf, Failed> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--release", "--package", "tollgate-codegen", "--example", "scale"]);
    if !cargo.current_dir(ROOT).status()?.success() {
        return Err("the generator does not build".into());
    }
    let bench = std::env::current_exe()?;
    Ok(bench.ancestors().nth(3).ok_or("a bench lies three folders deep")?.join("release/examples/scale"))
}

/// Our own, which is held to its word.
fn ours(scale: &Path, service: &Service, folder: &Path) -> Result<Vec<Subject>, Failed> {
    let mut subjects = Vec::new();
    for (factor, goal) in FACTORS.into_iter().zip(service.goals) {
        let root = folder.join(format!("{factor}x"));
        let mut write = Command::new(scale);
        let written = write.arg(ROOT).arg(factor.to_string()).arg(&root).args(&service.only).output()?;
        if !written.status.success() {
            return Err(format!("{factor} times: {}", String::from_utf8_lossy(&written.stderr)).into());
        }
        let mut command = Command::new(scale);
        let into = folder.join(format!("ours-{factor}"));
        command.arg(&root).arg(&into);
        let operations = factor * service.operations;
        let makes = "Rust, SQL, OpenAPI, JSON Schema, documents, pages, clients in three languages";
        let subject = Subject::new(OURS, operations, makes, command, into);
        subjects.push(Subject { goal, says: format!("{operations} operations: "), ..subject });
    }
    Ok(subjects)
}

/// The others, on the service once.
fn others(scale: &Path, service: &Service, folder: &Path) -> Result<Vec<Subject>, Failed> {
    let made = folder.join("made");
    let told = Command::new(scale).arg(folder.join("1x")).arg(&made).output()?;
    if !told.status.success() {
        return Err(String::from_utf8_lossy(&told.stderr).into_owned().into());
    }
    let document = made.join("spec/dist/openapi.json");
    let packages = node::generators();
    let tool = |name: &str| Command::new(packages.join("node_modules/.bin").join(name));
    let (types_in, openapi_in) = (folder.join(TYPES), folder.join("typespec"));
    let mut types = tool(TYPES);
    types.arg(&document).arg("--output").arg(types_in.join("types.ts"));
    let main = typespec(&document, &packages, service, folder)?;
    let mut compile = tool("tsp");
    compile.arg("compile").arg(main).args(["--emit", "@typespec/openapi3", "--output-dir"]).arg(&openapi_in);
    compile.current_dir(&packages);
    Ok(vec![
        Subject::new(TYPES, service.operations, "types in TypeScript", types, types_in),
        Subject::new("TypeSpec", service.operations, "OpenAPI", compile, openapi_in),
    ])
}

/// The service in TypeSpec, beside the packages that it imports.
fn typespec(document: &Path, packages: &Path, service: &Service, folder: &Path) -> Result<PathBuf, Failed> {
    let mut openapi: Value = serde_json::from_slice(&std::fs::read(document)?)?;
    openapi = plain(openapi, false);
    for tag in openapi["tags"].as_array_mut().into_iter().flatten() {
        tag["description"] = tag["name"].clone();
    }
    let read = folder.join("plain.json");
    std::fs::write(&read, openapi.to_string())?;
    let place = packages.join(format!("converted-{}", service.operations));
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
