//! The story of a team downstream: from the resolved spec alone, in a folder of their own, they make a client, write a program
//! that their language checks as strictly as it can, and run it.

// suite of this file: processor 15s

use std::process::{Command, Output};

use tollgate_tests::chain::NETWORK;
use tollgate_tests::clients::{Downstream, clean};
use tollgate_tests::formats::TEXT;
use tollgate_tests::gateway::Options;
use tollgate_tests::{TestGateway, node, python};

use crate::spec::answers;

/// All that a program may be mistaken in, beside what the client's own configuration asks for.
const STRICT: [&str; 9] = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noUncheckedIndexedAccess",
    "--target",
    "es2022",
    "--module",
    "nodenext",
    "--moduleResolution",
    "nodenext",
];

/// What both programs print: a fourth order is refused, and whoever asks is told how many wait.
fn told() -> String {
    format!(
        "said: {TEXT}\n\
         order of 5 USD, pending: 5000000 on {NETWORK}\n\
         order of 2.5 USD, pending: 2500000 on {NETWORK}\n\
         order of 1 USD, pending: 1000000 on {NETWORK}\n\
         no order: 3 wait already (HTTP 200, asked as string)\n"
    )
}

/// Runs a program that uses a gateway of its own.
async fn runs(mut program: Command) {
    let gateway: TestGateway = answers::gateway(Options::default()).await;
    let told_how = [("GATEWAY_URL", gateway.url("")), ("GATEWAY_KEY", gateway.key.clone())];
    program.envs(told_how).env("GATEWAY_MODEL", "small");
    let output = tokio::task::spawn_blocking(move || program.output()).await.expect("it is waited for");
    let Output { status, stdout, stderr } = output.expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&stdout), told(), "{}", String::from_utf8_lossy(&stderr));
    assert!(status.success());
    gateway.assert_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_team_writes_its_program_in_typescript() {
    let downstream = Downstream::with_client("typescript", "story.ts");
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    downstream.write("suite/package.json", r#"{"type": "module"}"#);
    let story = downstream.path("suite/story.ts");
    clean(node::tool("tsc").args(STRICT).arg(&story).current_dir(downstream.path("suite")));
    let mut program = Command::new("node");
    program.arg(story.with_extension("js"));
    runs(program).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_team_writes_its_program_in_python() {
    let downstream = Downstream::with_client("python", "story.py");
    let (source, story) = (downstream.path("client/src"), downstream.path("suite/story.py"));
    let mut mypy = python::tool("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(downstream.path("cache")).arg(&story).env("MYPYPATH", &source);
    clean(&mut mypy);
    let mut program = python::tool("python");
    program.arg(story).env("PYTHONPATH", source).env("PYTHONDONTWRITEBYTECODE", "1");
    runs(program).await;
}
