//! The structural check and a JSON Schema validator agree on every file: what an editor marks, the check refuses.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use tollgate_spec_language::{
    load,
    parse::{self, YamlTree},
    schema,
};

use crate::{base, mutants};

/// The codes by which the structural check says what a validator says too.
const STRUCTURE: [&str; 9] = ["K001", "K002", "K003", "K004", "K005", "K006", "K009", "K010", "K011"];

/// A key that an effect needs unless its machine is a view, which no schema can say.
const OF_THE_MODEL: &str = "missing key `in`";

// suite: processor 20s
#[test]
fn the_schema_and_the_check_agree() {
    they_agree_on(mutants::MUTANTS);
}

// suite: long processor 600s
#[test]
fn the_schema_and_the_check_agree_on_many() {
    they_agree_on(mutants::MUTANTS_LONG);
}

fn they_agree_on(mutants: u64) {
    let validator = jsonschema::validator_for(schema::language()).expect("the language has a schema");
    let files = base::whole();
    let (compared, refused) = (AtomicU64::new(0), AtomicU64::new(0));
    mutants::each(mutants, |seed| {
        let sources = mutants::mutant(&files, seed);
        let complaints = load(&sources).diagnostics;
        for (file, source) in sources.files() {
            let YamlTree { root, .. } = parse::parse(file, source, &mut Vec::new());
            if files.get(source.path.trim_start_matches("spec/")) == Some(&source.text) {
                // Not touched by this mutant, and sound: the base is.
                continue;
            }
            // What is no plain YAML has no JSON to compare; an empty file is one without sections.
            let there = |codes: &dyn Fn(&str) -> bool| {
                let here = complaints.iter().filter(|found| found.primary.place.file == file);
                here.filter(|found| found.message != OF_THE_MODEL).any(|found| codes(found.code.as_str()))
            };
            let Some(root) = root.as_ref().filter(|_| !there(&|code| code.starts_with('S') && code != "S011")) else {
                continue;
            };
            let json = root.to_json();
            if json.is_null() {
                continue;
            }
            let sound = !there(&|code| STRUCTURE.contains(&code) || code == "S011");
            compared.fetch_add(1, Relaxed);
            refused.fetch_add(u64::from(!sound), Relaxed);
            assert_eq!(validator.is_valid(&json), sound, "mutant {seed}\n{}", base::rendered(&sources));
        }
    });
    println!("{} files compared, {} of them refused by both", compared.into_inner(), refused.into_inner());
}
