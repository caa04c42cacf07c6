//! The generator, held to its word: what it makes of a small spec, byte for byte, and that nothing but the spec decides.

use std::path::{Path, PathBuf};

use tollgate_spec_generator::emit::{OutputFiles, OutputPart, WriteMode, apply, generate};
use tollgate_spec_generator::resolve::resolve;
use tollgate_spec_language::parse::SpecSources;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn mini() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("golden/mini")
}

fn outputs(sources: &SpecSources) -> OutputFiles {
    let loaded = tollgate_spec_language::load(sources);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    let lowered = resolve(&loaded.spec).unwrap_or_else(|refusals| panic!("{refusals:?}"));
    generate(&lowered, OutputPart::All)
}

/// The files of a spec, changed by `change` and given in another order.
fn changed(root: &Path, change: impl Fn(&str) -> String) -> SpecSources {
    let read = SpecSources::read(root).expect("a spec");
    let files: Vec<(String, String)> = read.files().map(|(_, file)| (file.path.clone(), change(&file.text))).collect();
    SpecSources::new(files.into_iter().rev()).with_guides(read.guides())
}

/// What is made of the small spec stands beside it. `UPDATE_GOLDEN=1` writes it anew, for a person to look at.
#[test]
fn the_small_spec_gives_what_stands_beside_it() {
    let mode = if std::env::var_os("UPDATE_GOLDEN").is_some() { WriteMode::Write } else { WriteMode::Check };
    let report =
        apply(&mini(), &outputs(&SpecSources::read(&mini()).expect("a spec")), mode).expect("the files are ours");
    assert!(report.diff.is_empty(), "{}", report.diff);
}

#[test]
fn order_of_files_and_line_ends_decide_nothing() {
    for root in [root(), mini()] {
        let expected = outputs(&SpecSources::read(&root).expect("a spec"));
        assert_eq!(outputs(&changed(&root, str::to_owned)), expected);
        assert_eq!(outputs(&changed(&root, |text| text.replace('\n', "\r\n"))), expected);
        assert_eq!(outputs(&changed(&root, |text| format!("\u{feff}{text}"))), expected);
    }
}

#[test]
fn locale_time_zone_and_home_decide_nothing() {
    for env in [[("LC_ALL", "C"), ("TZ", "UTC")], [("LC_ALL", "tr_TR.UTF-8"), ("TZ", "Asia/Kathmandu")]] {
        let mut codegen = std::process::Command::new(tollgate_tests::binary::path().with_file_name("codegen"));
        codegen.args(["gen", "--check"]).current_dir(root()).env_clear().envs(env);
        let output = codegen.output().expect("the generator runs");
        assert!(output.status.success(), "{env:?}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

/// From nothing, the same bytes; then nothing is touched, and what is no longer made is removed.
#[test]
fn a_tree_is_made_from_nothing_and_left_alone_when_it_is_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let expected = outputs(&SpecSources::read(&root()).expect("a spec"));
    let report = apply(folder.path(), &expected, WriteMode::Write).expect("written");
    assert_eq!(report.changed.len(), expected.len());
    for (path, bytes) in &expected {
        assert_eq!(&std::fs::read(root().join(path)).expect("it is committed"), bytes, "{path}");
        assert_eq!(&std::fs::read(folder.path().join(path)).expect("it was written"), bytes, "{path}");
    }
    let modified =
        |path: &str| std::fs::metadata(folder.path().join(path)).expect("it is there").modified().expect("a time");
    let before: Vec<_> = expected.keys().map(|path| modified(path)).collect();
    assert!(apply(folder.path(), &expected, WriteMode::Write).expect("written").is_clean());
    assert_eq!(expected.keys().map(|path| modified(path)).collect::<Vec<_>>(), before);
    let fewer = outputs(&SpecSources::read(&mini()).expect("a spec"));
    let report = apply(folder.path(), &fewer, WriteMode::Write).expect("written");
    assert!(report.orphaned.iter().any(|path| path.ends_with("ops/chat.rs")), "{:?}", report.orphaned);
    assert!(!folder.path().join("server/crates/api/src/generated/ops/chat.rs").exists());
}
