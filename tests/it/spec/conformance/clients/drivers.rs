//! A program that uses a client: it is told what to ask in a line, and tells what came of it in one.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;
use tollgate_spec_generator::client_model::CallGroup;
use tollgate_tests::clients::{Downstream, cargo, clean};
use tollgate_tests::{node, python};

use super::{Way, calls};

pub(super) struct Driver {
    child: Child,
    asks: Option<ChildStdin>,
    tells: BufReader<ChildStdout>,
}

fn typescript() -> Driver {
    let downstream = Downstream::kept("examples-typescript", "typescript", "driver.mjs");
    clean(node::tool("tsc").arg("-p").arg(downstream.path("client")));
    let mut command = Command::new("node");
    command.arg(downstream.path("suite/driver.mjs")).env("CLIENT", downstream.path("client/dist/index.js"));
    Driver::of(&mut command)
}

fn python(name: &str) -> Driver {
    let downstream = Downstream::kept(name, "python", "driver.py");
    let mut command = python::tool("python");
    command.arg(downstream.path("suite/driver.py")).env("PYTHONPATH", downstream.path("client/src"));
    Driver::of(&mut command)
}

fn rust(calls: &str) -> Driver {
    let downstream = Downstream::in_rust();
    downstream.write("driver/calls.rs", calls);
    downstream.program_in_rust("driver");
    let folder = downstream.path("driver");
    clean(&mut cargo(&folder, &["build", "--quiet"]));
    Driver::of(&mut cargo(&folder, &["run", "--quiet"]))
}

impl Driver {
    /// Makes the client and starts the program.
    pub(super) fn start(way: Way, groups: &[CallGroup<'_>]) -> Self {
        match way {
            Way::Typescript => typescript(),
            Way::Python => python("examples-python"),
            Way::AsyncPython => python("examples-python-on-a-loop"),
            Way::Rust => rust(&calls::module(groups)),
        }
    }

    fn of(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let tells = BufReader::new(child.stdout.take().expect("it is piped"));
        Self { asks: child.stdin.take(), child, tells }
    }

    /// What comes of a call.
    pub(super) fn ask(&mut self, ask: &Value) -> Value {
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
