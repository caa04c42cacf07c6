"""The requests of the compliance test of OpenResponses, whole and as streams: answers and events are of its published types.

Told by the environment: GATEWAYS, a JSON list of gateways, each over a provider of one format: {format, url, key}. The model
there calls the first tool that it is offered, and says hello where there is none.
"""

import base64
import inspect
import json
import os
import sys
import traceback
import urllib.request

import openresponses_types as types

MODEL = "gpt-4o"
# One grey dot.
PICTURE = base64.b64encode(
    base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="
    )
).decode()
WEATHER = {
    "type": "function",
    "name": "get_weather",
    "description": "Tells the weather at a place",
    "parameters": {"type": "object", "properties": {"location": {"type": "string"}}, "required": ["location"]},
}


def message(role, content):
    return {"type": "message", "role": role, "content": content}


WEATHER_ASKED = {"input": [message("user", "How is the weather in Lisbon?")], "tools": [WEATHER]}
REQUESTS = {
    "a text": {"input": [message("user", "Say hello in three words.")]},
    "a count": {"input": [message("user", "Count to five.")]},
    "a system message": {"input": [message("system", "You are a pirate."), message("user", "Say hello.")]},
    "a tool": WEATHER_ASKED,
    "a tool with more said": {**WEATHER_ASKED, "presence_penalty": 0.5, "frequency_penalty": -0.5, "tool_choice": "auto"},
    "a picture": {
        "input": [
            message(
                "user",
                [
                    {"type": "input_text", "text": "What is this?"},
                    {"type": "input_image", "image_url": f"data:image/png;base64,{PICTURE}"},
                ],
            )
        ]
    },
    "a conversation": {
        "input": [
            message("user", "My name is Alice."),
            message("assistant", "Hello Alice!"),
            message("user", "What is my name?"),
        ]
    },
}
# The types of events, by the word that each has.
EVENTS = {
    next(iter(event.model_fields["type"].annotation)).value: event
    for name, event in inspect.getmembers(types, inspect.isclass)
    if name.endswith("StreamingEvent")
}


def ask(gateway, request, stream):
    asked = urllib.request.Request(
        f"{gateway['url']}/v1/responses",
        json.dumps({"model": MODEL, "stream": stream, **request}).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {gateway['key']}"},
    )
    with urllib.request.urlopen(asked) as answer:
        return answer.read().decode()


def events_of(text):
    for event in text.split("\n\n"):
        data = [line.removeprefix("data: ") for line in event.splitlines() if line.startswith("data: ")]
        if data and data != ["[DONE]"]:
            yield json.loads("\n".join(data))


def check(gateway, request, stream):
    text = ask(gateway, request, stream)
    kinds = []
    if stream:
        for event in events_of(text):
            kinds.append(event["type"])
            EVENTS[event["type"]].model_validate(event)
            answer = event.get("response")
        assert kinds[0] == "response.created" and kinds[-1] == "response.completed", kinds
    else:
        answer = json.loads(text)
    response = types.ResponseResource.model_validate(answer)
    assert response.status == "completed" and response.output, answer
    for name in ["presence_penalty", "frequency_penalty"]:
        assert answer[name] == request.get(name, 0), answer
    if "tools" in request:
        assert response.output[-1].type == "function_call", answer
        told = [
            "response.output_item.added",
            "response.function_call_arguments.delta",
            "response.function_call_arguments.done",
            "response.output_item.done",
        ]
        assert not stream or all(kind in kinds for kind in told), kinds
    else:
        assert response.output[-1].type == "message", answer


failed = False
for gateway in json.loads(os.environ["GATEWAYS"]):
    for name, request in REQUESTS.items():
        for stream in [False, True]:
            case = f"openresponses: {name} {'streamed' if stream else 'whole'} over {gateway['format']}"
            try:
                check(gateway, request, stream)
                print(f"ok {case}")
            except Exception:
                failed = True
                print(f"not ok {case}\n{traceback.format_exc()}")
sys.exit(1 if failed else 0)
