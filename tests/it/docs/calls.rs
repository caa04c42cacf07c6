//! The calls that the pages show, as a reader would copy them: they fit the packages that are made of the same spec.

use std::path::Path;

use tollgate_tests::clients::{Downstream, clean};
use tollgate_tests::{node, python};

/// The code of all pages in one language, as a reader copies it.
fn shown(language: &str) -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dist/docs");
    let mark = format!("<figure class=\"code\" data-lang=\"{language}\">");
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).expect("they are committed") {
        let page = std::fs::read_to_string(entry.expect("a file").path()).expect("text");
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
