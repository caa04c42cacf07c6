//! Which tool is called next, and with what.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::offered::Offered;
use super::{COPY, FILE};

/// Names of tools that run a command of the shell.
const SHELLS: [&str; 6] = ["exec_command", "shell", "shell_command", "Bash", "bash", "run_shell_command"];
/// Names of tools that read a file.
const READERS: [&str; 3] = ["read_file", "Read", "read"];
/// Names of tools that put one text in the place of another in a file.
const EDITORS: [&str; 3] = ["Edit", "edit", "replace"];
/// A tool that takes a patch as free text.
const PATCHER: &str = "apply_patch";
/// A tool that takes a program in JavaScript as free text, with the other tools in it.
const PROGRAM: &str = "exec";

/// A call of a tool.
#[derive(Debug, Clone)]
pub struct Call {
    pub tool: Offered,
    pub input: Input,
    /// Unique in the conversation.
    pub id: String,
}

/// What a tool is called with.
#[derive(Debug, Clone)]
pub enum Input {
    Arguments(Value),
    /// Where it takes free text, or a function stands for such a tool.
    Text(String),
}

/// The next call after so many results; none when the work is done, or nothing can be called.
pub fn next_call(offered: &[Offered], results: usize, folder: &Path) -> Option<Call> {
    let file = folder.join(FILE).display().to_string();
    let path = || json!(file);
    let call = match results {
        0 => with_arguments(offered, &READERS, &[(PATHS, path())]).or_else(|| shell(offered, &format!("cat {FILE}"))),
        1 => with_arguments(
            offered,
            &EDITORS,
            &[
                (PATHS, path()),
                (&["old_string", "oldString"], json!("before")),
                (&["new_string", "newString"], json!("after")),
            ],
        )
        .or_else(|| patch(offered))
        .or_else(|| shell(offered, &format!("sed -i s/before/after/ {FILE}"))),
        2 => shell(offered, &format!("cp {FILE} {COPY}")),
        _ => None,
    };
    call.map(|call| Call { id: format!("call_{results}"), ..call })
}

impl Call {
    fn new(tool: Offered, input: Input) -> Self {
        Self { tool, input, id: String::new() }
    }
}

const PATHS: &[&str] = &["file_path", "absolute_path", "filePath", "path"];

fn named<'o>(offered: &'o [Offered], names: &[&str]) -> Option<&'o Offered> {
    offered.iter().find(|tool| names.contains(&tool.own_name()))
}

fn with_arguments(offered: &[Offered], names: &[&str], wanted: &[(&[&str], Value)]) -> Option<Call> {
    let tool = named(offered, names)?.clone();
    let input = Input::Arguments(arguments(&tool.schema, wanted));
    Some(Call::new(tool, input))
}

fn shell(offered: &[Offered], command: &str) -> Option<Call> {
    let Some(tool) = named(offered, &SHELLS) else {
        return program(offered, &format!("text(await tools.exec_command({{cmd: {}}}))", json!(command)));
    };
    let list = ["command", "cmd"].iter().any(|name| tool.schema["properties"][name]["type"] == "array");
    let command = if list { json!(["bash", "-lc", command]) } else { json!(command) };
    let input = Input::Arguments(arguments(&tool.schema, &[(&["command", "cmd"], command)]));
    Some(Call::new(tool.clone(), input))
}

fn patch(offered: &[Offered]) -> Option<Call> {
    let patch = format!(
        "*** Begin Patch\n*** Update File: {FILE}\n@@\n-the word is before\n+the word is after\n*** End Patch\n"
    );
    match named(offered, &[PATCHER]) {
        Some(tool) => Some(Call::new(tool.clone(), Input::Text(patch))),
        None => program(offered, &format!("text(await tools.apply_patch({}))", json!(patch))),
    }
}

fn program(offered: &[Offered], source: &str) -> Option<Call> {
    let tool = named(offered, &[PROGRAM])?.clone();
    Some(Call::new(tool, Input::Text(source.to_owned())))
}

/// The wanted values by the names that the schema has for them, and something for whatever else it requires.
fn arguments(schema: &Value, wanted: &[(&[&str], Value)]) -> Value {
    let known = |name: &str| schema["properties"].get(name).is_some();
    let mut arguments = Map::new();
    for (names, value) in wanted {
        if let Some(name) = names.iter().find(|name| known(name)) {
            arguments.insert((*name).to_owned(), value.clone());
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let kind = schema["properties"][name]["type"].as_str().unwrap_or("string").to_ascii_lowercase();
        arguments.entry(name).or_insert_with(|| match kind.as_str() {
            "boolean" => json!(false),
            "integer" | "number" => json!(1),
            "array" => json!([]),
            "object" => json!({}),
            _ => json!("It does what was asked for."),
        });
    }
    Value::Object(arguments)
}
