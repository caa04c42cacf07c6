//! A ledger is of one mode: payments that are for trying out never count as money.

use std::path::{Path, PathBuf};

use tollgate_tests::binary::{Served, run, run_json, serve_in};
use tollgate_tests::postgres::Postgres;

/// A configuration with models of its own, so that both modes have their ledger in the same place.
fn config(folder: &Path, database: &str, mode: &str) -> PathBuf {
    let path = folder.join(format!("{mode}.toml"));
    let text = format!(
        "mode = {mode:?}\ndata_dir = {:?}\n{database}[upstreams.main]\nbase_url = \"http://127.0.0.1:9/v1\"\n[models.small]\n\
         context_tokens = 10\nmax_output_tokens = 5\nprice = {{ prompt = \"1\", completion = \"2\" }}\n\
         candidates = [{{ upstream = \"main\" }}]\n",
        folder.join("data")
    );
    std::fs::write(&path, text).expect("a file of ours");
    path
}

/// Serves once in the one mode, and is refused in the other from then on, by the server, the check and the commands alike.
fn is_of_its_first_mode(database: &str, first: &str, other: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let [first_config, other_config] =
        [first, other].map(|mode| config(folder.path(), database, mode).display().to_string());
    assert!(run_json(&["--config", &other_config, "check"]).0, "nobody has opened it yet");
    assert!(run_json(&["--config", &other_config, "account", "create", "early"]).0, "a command makes it of no mode");
    assert!(Served::start(&["--config", &first_config]).terminate());
    assert!(!serve_in(("TOLLGATE_LOG__FILTER", "off"), &["--config", &other_config]).success());
    for command in [&["check"][..], &["account", "create", "one"], &["audit"]] {
        let output = run(&[&["--config", &other_config], command].concat());
        let told = String::from_utf8(output.stderr).expect("text");
        let says = |word: &str| told.contains(word);
        let place = if database.is_empty() { "data/tollgate.db" } else { "schema tollgate" };
        assert!(!output.status.success() && says(place), "{command:?}: {told}");
        assert!(says(&format!("write mode = \"{first}\"")) && says("another place"), "{command:?}: {told}");
    }
    let (good, told) = run_json(&["--config", &first_config, "check"]);
    assert!(good && told["stranded"] == serde_json::json!([]), "{told}");
    assert!(run_json(&["--config", &first_config, "account", "create", "one"]).0);
    assert!(Served::start(&["--config", &first_config]).terminate());
}

#[test]
fn a_file_is_of_its_first_mode() {
    is_of_its_first_mode("", "sandbox", "production");
    is_of_its_first_mode("", "production", "sandbox");
}

#[test]
fn a_schema_on_a_server_is_of_its_first_mode() {
    for (first, other) in [("sandbox", "production"), ("production", "sandbox")] {
        is_of_its_first_mode(&format!("[database]\nurl = {:?}\n", Postgres::shared().database()), first, other);
    }
}
