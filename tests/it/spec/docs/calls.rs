//! The calls that the pages show, as a reader would copy them: they fit the packages that are made of the same spec.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tollgate_spec_build::DOCS_FILES;
use tollgate_spec_generator::client_model::{ApiDocument, CaseBody, ExampleCase, Request, cases, read, samples};
use tollgate_tests::clients::{Downstream, clean};
use tollgate_tests::{node, python};

/// The code of all pages in one language, as a reader copies it.
fn shown(language: &str) -> Vec<String> {
    let mark = format!("<figure class=\"code\" data-lang=\"{language}\">");
    let mut all = Vec::new();
    for page in DOCS_FILES {
        let page = std::str::from_utf8(page.bytes).expect("text");
        all.extend(page.split(mark.as_str()).skip(1).map(|rest| text(rest.split("</figure>").next().unwrap_or(rest))));
    }
    all.sort_unstable();
    all.dedup();
    assert!(all.len() > 60, "{} of them", all.len());
    all
}

/// What stands between the tags of the code.
fn text(figure: &str) -> String {
    let code = figure.split_once("<code>").and_then(|(_, rest)| rest.split_once("</code>")).expect("code").0;
    let mut text = String::new();
    for part in code.split('<') {
        text.push_str(if text.is_empty() && !code.starts_with('<') {
            part
        } else {
            part.split_once('>').map_or("", |(_, words)| words)
        });
    }
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

const TSCONFIG: &str = r#"{
  "extends": "../client/tsconfig.json",
  "compilerOptions": {
    "rootDir": "..", "noEmit": true, "declaration": false, "noUnusedLocals": false,
    "paths": {"tollgate-client": ["../client/src/index.ts"]}
  },
  "include": ["*.ts"]
}"#;

#[test]
fn in_typescript() {
    let downstream = Downstream::with_client("typescript", "suite.ts");
    std::fs::remove_file(downstream.path("suite/suite.ts")).expect("it was put there");
    for (index, call) in shown("typescript").iter().enumerate() {
        let given = if call.contains("[bytes]") { "declare const bytes: Uint8Array<ArrayBuffer>;\n" } else { "" };
        downstream.write(&format!("suite/call_{index}.ts"), &format!("{given}{call}"));
    }
    downstream.write("suite/tsconfig.json", TSCONFIG);
    downstream.write("suite/package.json", r#"{"type": "module"}"#);
    clean(node::tool("tsc").arg("-p").arg(downstream.path("suite")));
}

#[test]
fn in_python() {
    let downstream = Downstream::with_client("python", "suite.py");
    std::fs::remove_file(downstream.path("suite/suite.py")).expect("it was put there");
    for (index, call) in shown("python").iter().enumerate() {
        let given = if call.contains("Upload(content,") { "content = b\"\"\n" } else { "" };
        downstream.write(&format!("suite/call_{index}.py"), &format!("{given}{call}"));
    }
    clean(
        python::tool("mypy")
            .args(["--strict", "--cache-dir"])
            .arg(downstream.path("cache"))
            .arg(downstream.path("suite"))
            .env("MYPYPATH", downstream.path("client/src")),
    );
}

/// Where the examples say that the service is.
const BASE: &str = "http://localhost:8080";

/// What curl was given.
#[derive(Debug, Default)]
struct Asked {
    method: String,
    address: String,
    headers: BTreeMap<String, String>,
    cookie: Option<String>,
    form: Vec<String>,
    body: Option<Value>,
}

impl Asked {
    /// What a shell makes of a text: one in which no word may be taken for the names of files, as `zsh` has it.
    fn by(text: &str, curl: &Path) -> Self {
        let folder = curl.parent().expect("it is in a folder").display();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("bash");
        shell.args(["-O", "failglob", "-c", text]).env("PATH", path);
        let output = shell.env("TOLLGATE_API_KEY", "sk-own").env("SESSION", "own").output().expect("a shell");
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{text}\n{told}");
        let words = String::from_utf8(output.stdout).expect("text");
        let words: Vec<&str> = words.strip_suffix('\0').expect("curl was called").split('\0').collect();
        assert_eq!(words.iter().filter(|word| **word == "curl").count(), 0, "{text}");
        Self::of(&words)
    }

    fn of(words: &[&str]) -> Self {
        let (mut asked, mut method) = (Self::default(), None);
        let mut words = words.iter();
        let mut addresses = Vec::new();
        while let Some(word) = words.next() {
            let mut value = || (*words.next().expect("an option has a value")).to_owned();
            match *word {
                "-N" => {}
                "-X" => method = Some(value()),
                "-b" => asked.cookie = Some(value()),
                "-F" => asked.form.push(value()),
                "-d" => asked.body = Some(serde_json::from_str(&value()).expect("JSON")),
                "-H" => {
                    let header = value();
                    let (name, value) = header.split_once(": ").expect("a header");
                    asked.headers.insert(name.to_lowercase(), value.to_owned());
                }
                option if option.starts_with('-') => panic!("{option}"),
                address => addresses.push(address),
            }
        }
        let [address] = addresses[..] else { panic!("{addresses:?}") };
        // It would take these for a list of addresses.
        assert!(!address.contains(['[', ']', '{', '}']), "{address}");
        let sends = asked.body.is_some() || !asked.form.is_empty();
        asked.method = method.unwrap_or_else(|| if sends { "POST" } else { "GET" }.to_owned());
        asked.address = address.strip_prefix(BASE).expect("an address of the service").to_owned();
        asked
    }

    /// Whether it is what an example sends. Bodies of somebody else's form are shown by their least.
    fn is(&self, case: &ExampleCase<'_>, request: &Request, caller: Option<&str>) -> bool {
        let elsewhere = ["content-type", "cookie", "authorization", "x-api-key", "x-g-api-key"];
        let mut headers = request.headers.iter().filter(|(name, _)| !elsewhere.contains(&name.as_str()));
        let body = match &request.body {
            Some(CaseBody::Json(body)) if case.operation.body.as_ref().is_some_and(|body| body.raw.is_none()) => {
                self.body.as_ref() == Some(body)
            }
            Some(_) => self.body.is_some(),
            None => self.body.is_none(),
        };
        let calls = self.headers.values().any(|value| value.ends_with("sk-own")) || self.cookie.is_some();
        (self.method.as_str(), self.address.as_str()) == (request.method.as_str(), request.target.as_str())
            && headers.all(|(name, value)| self.headers.get(name) == Some(value))
            && body
            && calls == caller.is_some()
    }
}

/// Every example of a success is shown as a call of curl that sends what it says, once a shell has read it.
#[test]
fn in_curl() {
    let resolved = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/dist/resolved.json");
    let document: ApiDocument = read(&std::fs::read(resolved).expect("it is committed")).expect("a document");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let curl = folder.path().join("curl");
    std::fs::write(&curl, "#!/bin/sh\nprintf '%s\\0' \"$@\"\n").expect("the folder is ours");
    std::fs::set_permissions(&curl, std::fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let asked: Vec<Asked> = shown("curl").iter().map(|text| Asked::by(text, &curl)).collect();
    let values = samples(&document);
    let mut held = 0;
    let all = cases(&document);
    for case in all.iter().filter(|case| case.expect.code.is_none()) {
        let whole = |other: &ExampleCase<'_>| {
            other.id == case.id && other.expect.code.is_none() && other.expect.stream.is_none()
        };
        // The same as a stream is shown by its events, beside the answer that is whole.
        if case.expect.stream.is_some() && all.iter().any(whole) {
            continue;
        }
        let request = case.request(&values);
        assert!(
            asked.iter().any(|asked| asked.is(case, &request, case.caller)),
            "{} of {} is not shown as {request:?}: {asked:#?}",
            case.name,
            case.id
        );
        held += 1;
    }
    assert!(held > 60, "{held} of them");
}
