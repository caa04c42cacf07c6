//! The story of a team downstream: from the resolved spec alone, in a folder of their own, they make a client, write a program
//! that their language checks as strictly as it can, and run it.

// suite of this file: processor 15s

use std::process::{Command, Output};

use tollgate_accounts::operators::OperatorRole;
use tollgate_tests::chain::NETWORK;
use tollgate_tests::clients::{Downstream, clean};
use tollgate_tests::formats::TEXT;
use tollgate_tests::gateway::Options;
use tollgate_tests::reply::{Reply, completion};
use tollgate_tests::{TestGateway, Upstream, node, python};

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

/// What both programs of an operator print.
const MONTH: &str = "roles: OPERATOR_ROLE
tried: true; without a price: settings.listed_as
quote: 0.0012 USD at quick v1
granted: 10 USD, repeated true; said: hello
prices: quick changed, slow new; quick v2 after 1
twice: CHANGED_MEANWHILE
a late change: CHANGED_MEANWHILE
a group in use: CATALOG_IN_USE
first draining; said: hello by second at quick v2
taken: 4 USD; frozen; gone: KEY_DISABLED
log: provider.create provider.test price.create model.create account.create credit.grant key.create price.change price.create \
group.create account.change provider.create model.change provider.drain credit.take account.change
";

/// Runs the program of an operator on a gateway of its own.
async fn runs_it((_downstream, mut program): (Downstream, Command)) {
    let gateway = TestGateway::start().await;
    let provider = Upstream::start().await;
    provider.on(|_| Reply::json(200, &completion("hello", 9, 3)));
    let root = gateway.service().operators.create_key("root", OperatorRole::Owner, None, "test").await.expect("a key");
    let key = root.secret.reveal().to_owned();
    program.envs([("GATEWAY_URL", gateway.url("")), ("GATEWAY_KEY", key), ("PROVIDER_URL", provider.base_url())]);
    let output = tokio::task::spawn_blocking(move || program.output()).await.expect("it is waited for");
    let Output { status, stdout, stderr } = output.expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&stdout), MONTH, "{}", String::from_utf8_lossy(&stderr));
    assert!(status.success());
    gateway.assert_books().await;
}

/// A program in TypeScript, checked as strictly as it can be.
fn in_typescript(program: &str) -> (Downstream, Command) {
    let downstream = Downstream::with_client("typescript", program);
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    downstream.write("suite/package.json", r#"{"type": "module"}"#);
    let source = downstream.path(&format!("suite/{program}"));
    clean(node::tool("tsc").args(STRICT).arg(&source).current_dir(downstream.path("suite")));
    let mut command = Command::new("node");
    command.arg(source.with_extension("js"));
    (downstream, command)
}

/// A program in Python, checked as strictly as it can be.
fn in_python(program: &str) -> (Downstream, Command) {
    let downstream = Downstream::with_client("python", program);
    let (client, source) = (downstream.path("client/src"), downstream.path(&format!("suite/{program}")));
    let mut mypy = python::tool("mypy");
    mypy.args(["--strict", "--cache-dir"]).arg(downstream.path("cache")).arg(&source).env("MYPYPATH", &client);
    clean(&mut mypy);
    let mut command = python::tool("python");
    command.arg(source).env("PYTHONPATH", client).env("PYTHONDONTWRITEBYTECODE", "1");
    (downstream, command)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_spends_a_month_in_typescript() {
    runs_it(in_typescript("month.ts")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_operator_spends_a_month_in_python() {
    runs_it(in_python("month.py")).await;
}

/// Runs a program that uses a gateway of its own.
async fn runs((_downstream, mut program): (Downstream, Command)) {
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
    runs(in_typescript("story.ts")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_team_writes_its_program_in_python() {
    runs(in_python("story.py")).await;
}
