//! Programs that use the clients, one for each language: each is told what to ask in a line, and tells what came of it in one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

use serde_json::Value;
use tollgate_codegen::interface::Group;
use tollgate_tests::clients::{Downstream, cargo, clean};
use tollgate_tests::{node, python};

use super::{Way, calls};

pub(super) struct Drivers {
    typescript: Driver,
    python: Driver,
    rust: Driver,
}

struct Driver {
    child: Child,
    asks: Option<ChildStdin>,
    tells: BufReader<ChildStdout>,
}

impl Drivers {
    /// Makes the clients and starts the programs.
    pub(super) fn start(groups: &[Group<'_>]) -> Self {
        let calls = calls::module(groups);
        thread::scope(|scope| {
            let typescript = scope.spawn(typescript);
            let python = scope.spawn(python);
            let rust = rust(&calls);
            let made = |thread: thread::ScopedJoinHandle<'_, Driver>| thread.join().expect("its client is made");
            Self { typescript: made(typescript), python: made(python), rust }
        })
    }

    /// What comes of a call.
    pub(super) fn ask(&mut self, way: Way, ask: &Value) -> Value {
        let driver = match way {
            Way::Typescript => &mut self.typescript,
            Way::Python | Way::AsyncPython => &mut self.python,
            Way::Rust => &mut self.rust,
        };
        driver.ask(ask)
    }
}

fn typescript() -> Driver {
    let downstream = Downstream::kept("examples-typescript", "typescript", "driver.mjs");
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    let mut command = Command::new("node");
    command.arg(downstream.path("suite/driver.mjs")).env("CLIENT", downstream.path("client/dist/index.js"));
    Driver::start(&mut command)
}

fn python() -> Driver {
    let downstream = Downstream::kept("examples-python", "python", "driver.py");
    let mut command = python::tool("python");
    command.arg(downstream.path("suite/driver.py")).env("PYTHONPATH", downstream.path("client/src"));
    Driver::start(&mut command)
}

fn rust(calls: &str) -> Driver {
    let downstream = Downstream::kept("examples-rust", "rust", "driver.rs");
    downstream.write("suite/calls.rs", calls);
    downstream.package("driver");
    let suite = downstream.path("suite");
    clean(&mut cargo(&suite, &["build", "--quiet"]));
    Driver::start(&mut cargo(&suite, &["run", "--quiet"]))
}

impl Driver {
    fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let tells = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { asks: child.stdin.take(), child, tells }
    }

    fn ask(&mut self, ask: &Value) -> Value {
        let asks = self.asks.as_mut().expect("it is open");
        writeln!(asks, "{ask}").expect("it reads");
        asks.flush().expect("it reads");
        let mut told = String::new();
        self.tells.read_line(&mut told).expect("it tells");
        serde_json::from_str(&told).unwrap_or_else(|error| panic!("{error}: {told:?} was told of {ask}"))
    }
}

impl Drop for Driver {
    /// It ends when nothing is asked any more.
    fn drop(&mut self) {
        drop(self.asks.take());
        let _ = self.child.wait();
    }
}
