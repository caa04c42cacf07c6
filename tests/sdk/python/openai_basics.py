"""The official client of format O, unchanged, against a running gateway.

Told by the environment: GATEWAY_URL, GATEWAY_KEY. Prints one line for each case that held; any failure ends it.
"""

import os

import openai

URL = os.environ["GATEWAY_URL"] + "/v1"
KEY = os.environ["GATEWAY_KEY"]
client = openai.OpenAI(base_url=URL, api_key=KEY, max_retries=0)
messages = [{"role": "user", "content": "Hello"}]


def case(name):
    print("ok", name)


reply = client.chat.completions.create(model="small", messages=messages, max_tokens=100)
assert reply.choices[0].message.content == "hello there friend", reply
assert reply.choices[0].finish_reason == "stop"
assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (9, 3)
assert reply._request_id.startswith("req_"), reply._request_id
case("chat")

raw = client.chat.completions.with_raw_response.create(model="tiny", messages=messages, max_tokens=100)
assert raw.headers["x-request-id"] == raw.headers["request-id"]
assert raw.parse().model == "tiny"
case("chat by alias, raw headers")

chunks = list(client.chat.completions.create(model="small", messages=messages, max_tokens=100, stream=True))
assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "hello there friend"
assert chunks[-1].choices[0].finish_reason == "stop"
assert all(chunk.usage is None for chunk in chunks), "usage was not asked for"
case("stream without usage")

chunks = list(
    client.chat.completions.create(
        model="small", messages=messages, max_tokens=100, stream=True, stream_options={"include_usage": True}
    )
)
assert chunks[-1].choices == [] and chunks[-1].usage.completion_tokens == 3
case("stream with usage")

models = client.models.list()
assert [model.id for model in models] == ["small"], models
assert client.models.retrieve("small").owned_by == "tollgate"
case("models list and retrieve")

try:
    client.models.retrieve("nothing")
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error.body
    assert error.request_id.startswith("req_")
    case("unknown model")

try:
    client.chat.completions.create(model="nothing", messages=messages)
except openai.NotFoundError as error:
    assert error.code == "model_not_found", error.body
    case("chat with an unknown model")

wrong = openai.OpenAI(base_url=URL, api_key="sk-wrong", max_retries=0)
try:
    wrong.chat.completions.create(model="small", messages=messages)
except openai.AuthenticationError as error:
    assert error.status_code == 401 and error.code == "invalid_api_key", error.body
    case("wrong key")

try:
    client.chat.completions.create(model="small", messages=[], max_tokens=5)
except openai.BadRequestError as error:
    assert error.param == "messages", error.body
    case("bad request names the field")

poor = openai.OpenAI(base_url=URL, api_key=os.environ["GATEWAY_POOR_KEY"], max_retries=2)
try:
    poor.chat.completions.create(model="small", messages=messages)
except openai.APIStatusError as error:
    assert error.status_code == 402 and error.code == "insufficient_credit", error.body
    assert error.response.headers["x-should-retry"] == "false"
    case("out of credit")
