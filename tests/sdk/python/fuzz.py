"""Every operation as OpenAPI says it may be asked, and as it says that it may not: the examples of the document, then the bounds
of each value from both sides. Whatever is sent, no answer is a failure of the server, and each has a status, a type, headers
and a shape that the document declares.

Told by the environment: GATEWAY_URL, whose `/openapi.json` is believed; HEADERS, a JSON object, by which the caller is known;
OPERATIONS, the ids of those that are asked; MODELS, a JSON object, the model that there is for a group of
operations, and by the empty name for all others. What is sent follows from the document alone, and is the same in every run. Prints
`ok ID` for each operation that answered, then how.
"""

import collections
import json
import os
import sys
import tempfile
import urllib.request

import schemathesis
from schemathesis import cli

URL = os.environ["GATEWAY_URL"]
HEADERS = json.loads(os.environ["HEADERS"])
OPERATIONS = os.environ["OPERATIONS"].split(" ")
MODELS = json.loads(os.environ["MODELS"])

with urllib.request.urlopen(f"{URL}/openapi.json") as served:
    DOCUMENT = json.load(served)
CHECKS = [
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "code_conformance",
]

# By operation: how often it answered with which status.
answered = collections.defaultdict(collections.Counter)


def event_with(schema):
    """An event of a stream as the tool reads it, whose text is JSON of that schema, or the word after the last."""
    text = {"contentMediaType": "application/json", "contentSchema": schema}
    return {"type": "object", "required": ["data"], "properties": {"data": {"anyOf": [{"const": "[DONE]"}, text]}}}


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """What the document says of the text of an event, the tool takes for the event with its name."""
    if isinstance(raw_schema, dict):
        stream = raw_schema.get("text/event-stream")
        if stream and "schema" in stream:
            stream["schema"] = event_with(stream["schema"])
    for inner in raw_schema.values() if isinstance(raw_schema, dict) else raw_schema:
        if isinstance(inner, (dict, list)):
            before_load_schema(context, inner)


def words(value):
    """All texts in a JSON value."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return {word for inner in value for word in words(inner)}
    return {value} if isinstance(value, str) else set()


@schemathesis.check
def code_conformance(ctx, response, case):
    """A refusal has one of the codes that the document lists for its status."""
    declared = case.operation.definition.raw["responses"].get(str(response.status_code), {})
    if "$ref" in declared:
        declared = DOCUMENT["components"]["responses"][declared["$ref"].rpartition("/")[2]]
    codes = declared.get("x-error-codes", [])
    if codes and response.status_code >= 400 and not words(response.json()) & set(codes):
        raise AssertionError(f"none of the codes {codes} is in {response.text}")


@schemathesis.hook
def before_call(context, case, kwargs):
    """What would succeed if there were such a model asks for one that there is."""
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    group = case.operation.definition.raw["operationId"].partition(".")[0]
    model = MODELS.get(group, MODELS[""])
    if isinstance(case.body, dict) and isinstance(case.body.get("model"), str):
        case.body["model"] = model
    if "model" in (case.path_parameters or {}):
        case.path_parameters["model"] = model


@schemathesis.hook
def after_call(context, case, response):
    if case.method.upper() == case.operation.method.upper():
        answered[case.operation.definition.raw["operationId"]][response.status_code] += 1


def arguments():
    yield from ["run", f"{URL}/openapi.json", "--no-color", "--continue-on-failure", "--seed=1", "--no-shrink"]
    yield from ["--phases=examples,coverage", "--generation-deterministic"]
    yield from [f"--checks={','.join(CHECKS)}", "--warnings=off", "--request-timeout=60", "--suppress-health-check=all"]
    # Who is known would be somebody else by credentials that were made up.
    yield f"--generation-with-security-parameters={'false' if HEADERS else 'true'}"
    for name, value in HEADERS.items():
        yield f"--header={name}: {value}"
    for operation in OPERATIONS:
        yield f"--include-operation-id={operation}"


def main():
    # What the tool leaves behind is left there.
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            ended = cli.schemathesis(list(arguments()), standalone_mode=False)
        except SystemExit as end:
            ended = end.code
        os.chdir("/")
    for operation, statuses in sorted(answered.items()):
        print("ok", operation, json.dumps(dict(sorted(statuses.items()))))
    every = sum(answered.values(), collections.Counter())
    succeeded = sum(any(status < 300 for status in statuses) for statuses in answered.values())
    print(f"ok-summary: {len(answered)} operations, {succeeded} of them with success, {every.total()} requests")
    if ended:
        print("not ok: it ended with", ended)
    sys.exit(1 if ended else 0)


main()
