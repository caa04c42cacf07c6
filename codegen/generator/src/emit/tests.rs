//! The writer, and what holds for all outputs.

use std::fs;
use std::path::{Path, PathBuf};

use super::{OutputFiles, OutputPart, WriteMode, apply, generate, generate_beside, pages};
use crate::client_model;
use crate::parse::SpecSources;
use crate::resolve::resolve;

/// A folder that goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tollgate-emit-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn outputs(files: &[(&str, &str)]) -> OutputFiles {
    let files = files.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
    super::manifest::listed(super::manifest::SERVER, files)
}

#[test]
fn only_what_differs_is_written_and_what_is_gone_is_removed() {
    let folder = Folder::new("write");
    let (kept, gone) = ("server/crates/api/src/generated/kept.rs", "server/crates/api/src/generated/ops/gone.rs");
    let first = outputs(&[(kept, "1"), (gone, "2")]);
    let report = apply(&folder.0, &first, WriteMode::Write).expect("writes");
    assert_eq!(report.changed.len(), 3);
    assert!(apply(&folder.0, &first, WriteMode::Write).expect("writes").is_clean());

    let modified = || fs::metadata(folder.0.join(kept)).and_then(|file| file.modified()).expect("a file");
    let before = modified();
    let second = outputs(&[(kept, "1")]);
    let report = apply(&folder.0, &second, WriteMode::Check).expect("compares");
    assert_eq!(report.orphaned, [gone]);
    assert!(report.diff.contains("-2") && report.diff.contains("cargo codegen"), "{}", report.diff);
    assert!(folder.0.join(gone).exists(), "a check changes nothing");

    let report = apply(&folder.0, &second, WriteMode::Write).expect("writes");
    assert_eq!((report.orphaned.as_slice(), report.changed.len()), ([gone.to_owned()].as_slice(), 1));
    assert!(!folder.0.join("server/crates/api/src/generated/ops").exists());
    assert_eq!(modified(), before, "what is right is not touched");
}

#[cfg(unix)]
#[test]
fn what_stands_in_the_place_of_a_file() {
    let folder = Folder::new("place");
    let path = "server/crates/api/src/generated/kept.rs";
    let (file, elsewhere) = (folder.0.join(path), folder.0.join("elsewhere"));
    let wanted = outputs(&[(path, "1")]);
    fs::create_dir_all(file.parent().unwrap_or(Path::new("."))).expect("a folder");
    // A link that leads nowhere, and one to somebody's file, which stays as it is.
    for there in [None, Some("mine")] {
        std::os::unix::fs::symlink(&elsewhere, &file).expect("a link");
        if let Some(text) = there {
            fs::write(&elsewhere, text).expect("writes");
        }
        assert!(apply(&folder.0, &wanted, WriteMode::Write).expect("writes").changed.contains(&path.to_owned()));
        assert!(fs::symlink_metadata(&file).expect("it is there").is_file());
        assert_eq!(fs::read_to_string(&file).expect("it is there"), "1");
        assert_eq!(fs::read_to_string(&elsewhere).ok().as_deref(), there);
        fs::remove_file(&file).expect("it is there");
    }
    fs::create_dir(&file).expect("a folder");
    apply(&folder.0, &wanted, WriteMode::Write).expect_err("a folder is no file");
}

#[test]
fn two_that_write_the_same_at_once() {
    let files: Vec<(String, String)> =
        (0..200).map(|of| (format!("spec/dist/{of}/{of}.md"), "text ".repeat(of))).collect();
    let wanted: OutputFiles = files.iter().map(|(path, text)| (path.clone(), text.clone().into_bytes())).collect();
    let folder = Folder::new("twice");
    std::thread::scope(|scope| {
        let writers = [(); 2].map(|()| scope.spawn(|| apply(&folder.0, &wanted, WriteMode::Write)));
        writers.into_iter().for_each(|writer| drop(writer.join().expect("it ends").expect("it writes")));
    });
    for (path, text) in files {
        assert_eq!(fs::read_to_string(folder.0.join(path)).expect("it is there"), text);
    }
}

/// Clients are made of the interface that a reader of `resolved.json` has.
#[test]
fn others_are_made_of_the_same_interface() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the project");
    let sources = SpecSources::read(root).expect("the spec");
    let loaded = crate::load(&sources);
    let lowered = resolve(&loaded.spec).expect("the spec lowers");
    let client = |document: &client_model::ApiDocument| {
        super::client::generate(
            document,
            super::client::ClientLanguage::Typescript,
            &super::client::PackageListing::of("1.0.0"),
        )
    };
    let (outputs, beside) = generate_beside(&lowered, OutputPart::All, client);
    assert!(outputs == generate(&lowered, OutputPart::All));
    assert!(beside == client(&client_model::read(&outputs["spec/dist/resolved.json"]).expect("a document")));
}

#[test]
fn a_manifest_leads_nowhere_else() {
    let folder = Folder::new("manifest");
    fs::write(folder.0.join("mine.txt"), "mine").expect("writes");
    let manifest = r#"{"about": "", "files": ["mine.txt", "server/crates/api/src/generated/../../../mine.txt"]}"#;
    let path = folder.0.join(super::manifest::SERVER);
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).expect("a folder");
    fs::write(path, manifest).expect("writes");
    let report = apply(&folder.0, &outputs(&[]), WriteMode::Write).expect("writes");
    assert!(report.orphaned.is_empty());
    assert!(folder.0.join("mine.txt").exists());
}

#[test]
fn the_same_spec_gives_the_same_bytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the project");
    let sources = SpecSources::read(root).expect("the spec");
    let mut texts: Vec<(String, String)> =
        sources.files().map(|(_, file)| (file.path.clone(), file.text.replace('\n', "\r\n"))).collect();
    texts.reverse();
    let other = SpecSources::new(texts).with_guides(sources.guides());
    let [one, two] = [&sources, &other].map(|sources| {
        let loaded = crate::load(sources);
        let lowered = resolve(&loaded.spec).expect("the spec lowers");
        let (mut outputs, pages) = generate_beside(&lowered, OutputPart::All, |document| pages(&lowered, document));
        outputs.extend(pages);
        outputs
    });
    assert_eq!(one.keys().collect::<Vec<_>>(), two.keys().collect::<Vec<_>>());
    assert!(one == two, "line ends and the order of files do not show");
    let marked = one.iter().filter(|(path, _)| !path.ends_with(".json"));
    for (path, bytes) in marked {
        // A page has to say first what kind it is.
        let mut lines = bytes.split(|byte| *byte == b'\n').filter(|line| *line != b"<!doctype html>");
        let first = lines.next().unwrap_or_default();
        assert!(String::from_utf8_lossy(first).contains("Made by `cargo codegen`"), "{path}");
    }
}

/// The schemas that others read are schemas, and hold for what is written.
#[test]
fn schemas_are_sound_and_hold() {
    let read = |path: &str| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let text = fs::read(root.join("spec/dist").join(path)).expect("it is committed");
        serde_json::from_slice::<serde_json::Value>(&text).expect("JSON")
    };
    for name in ["spec.schema.json", "resolved.schema.json", "types.schema.json"] {
        let schema = read(name);
        if let Err(wrong) = jsonschema::meta::validate(&schema) {
            panic!("{name}: {wrong}");
        }
    }
    let resolved = read("resolved.json");
    let whole = jsonschema::validator_for(&read("resolved.schema.json")).expect("a schema");
    let wrong: Vec<String> =
        whole.iter_errors(&resolved).map(|wrong| format!("{}: {wrong}", wrong.instance_path())).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Every type can be looked up, and holds for the replies that examples show.
    let types = read("types.schema.json");
    let document = client_model::read(resolved.to_string().as_bytes()).expect("a document");
    let values = client_model::samples(&document);
    let validator = |name: &str| {
        let mut schema = types.clone();
        schema["$ref"] = format!("#/$defs/{name}").into();
        jsonschema::validator_for(&schema).unwrap_or_else(|wrong| panic!("{name}: {wrong}"))
    };
    document.types.keys().for_each(|name| drop(validator(name)));
    let mut held = 0;
    for case in client_model::cases(&document).iter().filter(|case| case.expect.code.is_none()) {
        let (
            client_model::ApiReply::Json(client_model::ApiField { ty: client_model::ApiType::Ref(name), .. }),
            Some(body),
        ) = (case.expect.reply, case.expect.body)
        else {
            continue;
        };
        let body = client_model::filled(body, &values);
        let wrong: Vec<String> = validator(name).iter_errors(&body).map(|wrong| wrong.to_string()).collect();
        assert!(wrong.is_empty(), "{}: {body} is no {name}: {}", case.at, wrong.join("\n"));
        held += 1;
    }
    assert!(held >= 15, "{held}");
}
