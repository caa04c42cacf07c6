//! What makes the files a package.

use super::super::model::ClientPackage;
use super::names::{class, method, module, module_name};
use super::source::head;
use crate::naming;

pub(super) fn client(package: &ClientPackage<'_>) -> String {
    let mut lines = head("The client.");
    lines.line("from collections.abc import Mapping");
    lines.line("");
    lines.line("from ._runtime import AsyncTransport, Transport");
    for group in &package.groups {
        let class = class(package, group.name);
        lines.line(format!("from .calls.{} import Async{class}, {class}", module(group.name)));
    }
    for (mark, further, made) in [
        ("", "", "Transport(base_url, api_key, headers, max_retries, timeout_seconds)"),
        (
            "Async",
            "        max_concurrency: int = 64,\n",
            "AsyncTransport(Transport(base_url, api_key, headers, max_retries, timeout_seconds), max_concurrency)",
        ),
    ] {
        lines.line("");
        lines.line("");
        lines.line(format!("class {mark}{}:", package.client()));
        lines.within(|lines| {
            lines.quoted_doc(package.document.service.doc.as_deref().unwrap_or(&package.document.service.title));
            lines.line("");
            lines.line("def __init__(");
            lines.within(|lines| {
                lines.line("self,");
                lines.line("base_url: str,");
                lines.line("api_key: str | None = None,");
                lines.line("*,");
                lines.line("headers: Mapping[str, str] | None = None,");
                lines.line("max_retries: int = 2,");
                lines.line("timeout_seconds: float = 600,");
                if !further.is_empty() {
                    lines.line(further.trim());
                }
            });
            lines.line(") -> None:");
            lines.within(|lines| {
                lines.line(format!("transport = {made}"));
                for group in &package.groups {
                    lines.line(format!(
                        "self.{} = {mark}{}(transport)",
                        module(group.name),
                        class(package, group.name)
                    ));
                }
            });
        });
    }
    lines.done()
}

pub(super) fn index(package: &ClientPackage<'_>) -> String {
    let mut lines = head(package.document.service.doc.as_deref().unwrap_or(&package.document.service.title));
    let client = package.client();
    lines.line("from . import calls, types");
    lines.line(format!("from ._client import Async{client}, {client}"));
    let runtime = [
        "ApiError",
        "AsyncEventStream",
        "CallOptions",
        "ClientError",
        "ConnectionError",
        "EventStream",
        "OnceOptions",
        "ResponseHead",
        "Upload",
        "WholeReplyError",
    ];
    lines.line("from ._runtime import (");
    lines.within(|lines| runtime.iter().for_each(|name| lines.line(format!("{name},"))));
    lines.line(")");
    lines.line("");
    let mut all: Vec<String> = runtime.iter().map(|name| (*name).to_owned()).collect();
    all.extend([client.clone(), format!("Async{client}"), "calls".to_owned(), "types".to_owned()]);
    all.sort_unstable();
    lines.line("__all__ = [");
    lines.within(|lines| all.iter().for_each(|name| lines.line(format!("\"{name}\","))));
    lines.line("]");
    lines.done()
}

pub(super) fn manifest(package: &ClientPackage<'_>) -> String {
    let listing = &package.listing;
    let license = listing.license.as_ref().map(|license| format!("license = {license:?}\n")).unwrap_or_default();
    let urls = listing.repository.as_ref().map(|url| format!("\n[project.urls]\nRepository = {url:?}\n"));
    format!(
        "[build-system]\nrequires = [\"setuptools>=77\"]\nbuild-backend = \"setuptools.build_meta\"\n\n\
         [project]\nname = \"{name}\"\nversion = \"{version}\"\ndescription = {about:?}\nreadme = \"README.md\"\n\
         requires-python = \">=3.11\"\n{license}dependencies = []\nclassifiers = [\"Typing :: Typed\"]\n{urls}\n\
         [tool.setuptools.packages.find]\nwhere = [\"src\"]\n\n[tool.setuptools.package-data]\n{module} = [\"py.typed\"]\n",
        name = package.name(),
        version = listing.version,
        urls = urls.unwrap_or_default(),
        about = format!("Client of: {}", package.document.service.title),
        module = module_name(package),
    )
}

pub(super) fn readme(package: &ClientPackage<'_>) -> String {
    let (name, client, package_module) = (package.name(), package.client(), module_name(package));
    let call = super::super::first_call::first(package).map_or_else(String::new, |sample| {
        let (group, verb) = (module(sample.group), method(naming::snake(&sample.verb)));
        let error = format!("{}Error", naming::upper_camel(&sample.name));
        format!(
            "\nreply = client.{group}.{verb}({body})\n\n\
             # The same as a stream of events, and what may be refused.\n\
             try:\n    for event in client.{group}.{verb}({body}, stream=True):\n        print(event)\n\
             except calls.{group}.{error} as error:\n    print(error.code, error.request_id)\n",
            body = sample.body,
        )
    });
    format!(
        "# {name}\n\nClient of: {title}. It has no dependencies; it needs Python 3.11 or newer.\n\n\
         ```python\nfrom {package_module} import {client}, calls\n\n\
         client = {client}(\"https://…\", \"sk-…\")\n{call}```\n\n\
         `Async{client}` has the same calls for programs on an event loop.\n\n{NOTES}",
        title = package.document.service.title,
    )
}

const NOTES: &str = "\
- Each call takes what stands in the path, then the body; its other parameters, and `options`, by name.
- A refusal is an `ApiError`. Each call has a class of its own for it, in which `code` is one of a closed set. No answer, or
  none to its end, is a `ConnectionError`; a whole answer to a call with `stream=True` is a `WholeReplyError`, which has it.
  All are `ClientError`.
- What is sent again by itself: requests that do no more when they come twice, and those with `OnceOptions(idempotency_key=…)`,
  which is for the calls that the service carries out once for each key.
- A list that comes in pages has a second call, `…_all`, which goes through all of them.
- A form with files is a call of its own, `…_form`, where the same may be sent as JSON. A file is bytes, an open file, or an
  `Upload` with a name and a type.
- Replies are dictionaries as they came: fields, words and kinds that were not known when this package was made are kept.
  `CallOptions(extra_body=…)` sends members that the types do not list.
- Amounts of money are numbers with at most nine places, exact up to fifteen digits: `Decimal(repr(amount))`.
";
