//! What makes the files a package.

use super::super::lines::quoted;
use super::super::model::{ClientPackage, lower_camel};
use super::names::{class, group_member, method};
use super::source::head;
use crate::naming;

pub(super) const TSCONFIG: &str = r#"{
  "compilerOptions": {
    "target": "ES2022",
    "module": "NodeNext",
    "moduleResolution": "NodeNext",
    "lib": ["ES2022", "DOM", "DOM.Iterable"],
    "types": [],
    "rootDir": "src",
    "outDir": "dist",
    "declaration": true,
    "sourceMap": true,
    "strict": true,
    "exactOptionalPropertyTypes": true,
    "noUncheckedIndexedAccess": true,
    "noImplicitOverride": true,
    "noUnusedLocals": true,
    "noUnusedParameters": true,
    "verbatimModuleSyntax": true
  },
  "include": ["src"]
}
"#;

pub(super) fn client(package: &ClientPackage<'_>) -> String {
    let mut lines = head();
    for group in &package.groups {
        lines.line(format!("import {{ {} }} from \"./calls/{}.js\";", class(package, group.name), group.name));
    }
    lines.line("import { Transport, type ClientOptions } from \"./runtime.js\";");
    lines.line("");
    lines.star_doc(package.document.service.doc.as_deref().unwrap_or(&package.document.service.title));
    lines.line(format!("export class {} {{", package.client()));
    lines.within(|lines| {
        for group in &package.groups {
            lines.line(format!("readonly {}: {};", group_member(group.name), class(package, group.name)));
        }
        lines.line("");
        lines.line("constructor(options: ClientOptions) {");
        lines.within(|lines| {
            lines.line("const transport = new Transport(options);");
            for group in &package.groups {
                lines.line(format!(
                    "this.{} = new {}(transport);",
                    group_member(group.name),
                    class(package, group.name)
                ));
            }
        });
        lines.line("}");
    });
    lines.line("}");
    lines.done()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = head();
    lines.line(format!("export {{ {} }} from \"./client.js\";", package.client()));
    lines.line("export { ApiError, ConnectionError, EventStream, WholeReplyError } from \"./runtime.js\";");
    let types = "CallOptions, ClientOptions, OnceOptions, ResponseHead, Unlisted, Upload";
    lines.line(format!("export type {{ {types} }} from \"./runtime.js\";"));
    for group in &package.groups {
        lines.line(format!("export * as {}Calls from \"./calls/{}.js\";", lower_camel(group.name), group.name));
    }
    lines.line("export type * as types from \"./types/index.js\";");
    lines.done()
}

pub(super) fn manifest(package: &ClientPackage<'_>) -> String {
    let listing = &package.listing;
    let mut manifest = serde_json::json!({
        "name": package.name(),
        "version": listing.version,
        "description": format!("Client of: {}", package.document.service.title),
        "type": "module",
        "main": "./dist/index.js",
        "types": "./dist/index.d.ts",
        "exports": {".": {"types": "./dist/index.d.ts", "default": "./dist/index.js"}},
        "files": ["dist", "src"],
        "sideEffects": false,
        "engines": {"node": ">=18"},
        "scripts": {"build": "tsc", "prepack": "tsc"},
        "devDependencies": {"typescript": "^5.4"},
    });
    if let Some(license) = &listing.license {
        manifest["license"] = license.as_str().into();
    }
    if let Some(url) = &listing.repository {
        manifest["repository"] = serde_json::json!({"type": "git", "url": url});
    }
    format!("{manifest:#}\n")
}

pub(super) fn readme(package: &ClientPackage<'_>) -> String {
    let (name, client) = (package.name(), package.client());
    let sample = super::super::first_call::first(package);
    let call = sample.as_ref().map_or_else(String::new, |sample| {
        let (group, verb) = (group_member(sample.group), method(lower_camel(&sample.verb)));
        let body = format!("{:#}", sample.body);
        let error = naming::upper_camel(&sample.name);
        format!(
            "\nconst body = {body};\nconst reply = await client.{group}.{verb}(body);\n\n\
             // The same as a stream of events, and what may be refused.\n\
             try {{\n  for await (const event of await client.{group}.{verb}({{ ...body, {field}: true }})) {{\n    \
             console.log(event);\n  }}\n}} catch (error) {{\n  \
             if ({group}Calls.is{error}Error(error)) console.error(error.code, error.requestId);\n  else throw error;\n}}\n",
            field = sample.switch,
        )
    });
    let import = sample.as_ref().map(|sample| format!(", {}Calls", lower_camel(sample.group))).unwrap_or_default();
    format!(
        "# {name}\n\nClient of: {title}. It has no dependencies; it needs `fetch`, as in browsers, Node 18, Deno and Bun.\n\n\
         ```ts\nimport {{ {client}{import} }} from {quoted};\n\n\
         const client = new {client}({{ baseUrl: \"https://…\", apiKey: \"…\" }});\n{call}```\n\n{NOTES}",
        title = package.document.service.title,
        quoted = quoted(&name),
    )
}

const NOTES: &str = "\
- Each call takes what stands in the path, then the body, then its other parameters, then options.
- A refusal is an `ApiError`. Each call has a type of its own for it, in which `code` is one of a closed set and `details`
  goes by the code; `is…Error` tells whether an error is of that type. No answer, or none to its end, is a `ConnectionError`;
  a whole answer to a call for a stream is a `WholeReplyError`, which has it.
- What is sent again by itself: requests that do no more when they come twice, and those with an `idempotencyKey`, which
  the calls take that the service carries out once for each key.
- A list that comes in pages has a second call, `…All`, which goes through all of them.
- A form with files is a call of its own, `…Form`, where the same may be sent as JSON. A file is a `Blob` or `File`, or
  `{ data, name, type }`; a `FormData` of your own will do too.
- Fields that are not listed are kept; so are words and kinds that were not known when this package was made.
- Amounts of money are numbers with at most nine places: exact up to fifteen digits.
";
