"""The official client of format O, chat completions, over providers of all formats."""

import asyncio
import base64
import json

import openai
from pydantic import BaseModel
from suite import KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER, Suite, arguments, raised, same

client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0)
suite = Suite("openai " + openai.__version__)
TOOLS = [{"type": "function", "function": {"name": "weather", "description": "Tells it", "parameters": WEATHER}}]


def user(text):
    return {"role": "user", "content": text}


def ask(model, text, **more):
    return client.chat.completions.create(model=model, messages=[user(text)], max_completion_tokens=4000, **more)


def join(stream):
    """A stream as the client itself puts it together."""
    chunks = list(stream)
    same({chunk.id for chunk in chunks}, {chunks[0].id})
    same(len([1 for chunk in chunks for choice in chunk.choices if choice.finish_reason]), 1)
    return chunks


def streamed(model, text, **more):
    with client.chat.completions.stream(
        model=model, messages=[user(text)], max_completion_tokens=4000, stream_options={"include_usage": True}, **more
    ) as stream:
        return stream.get_final_completion()


def check_usage(usage):
    same((usage.prompt_tokens, usage.prompt_tokens_details.cached_tokens), (20, 5))
    same((usage.completion_tokens, usage.total_tokens), (7, 27))


def chat(model, _):
    reply = ask(model, SPOKEN)
    same(reply.choices[0].message.content, "You said: " + SPOKEN)
    same((reply.choices[0].finish_reason, reply.choices[0].message.tool_calls), ("stop", None))
    same((reply.object, reply.choices[0].message.role), ("chat.completion", "assistant"))
    check_usage(reply.usage)
    assert reply._request_id.startswith("req_")


def stream_of_text(model, _):
    chunks = join(ask(model, SPOKEN, stream=True))
    same("".join(chunk.choices[0].delta.content or "" for chunk in chunks), "You said: " + SPOKEN)
    same(chunks[0].choices[0].delta.role, "assistant")
    assert all(chunk.usage is None for chunk in chunks), "usage was not asked for"


def stream_helper(model, _):
    reply = streamed(model, SPOKEN)
    same(reply.choices[0].message.content, "You said: " + SPOKEN)
    same(reply.choices[0].finish_reason, "stop")
    check_usage(reply.usage)


def system(model, _):
    messages = [{"role": "system", "content": "Be kind."}, {"role": "developer", "content": "Be short."}]
    reply = client.chat.completions.create(
        model=model, messages=[*messages, user("system")], max_completion_tokens=4000
    )
    assert "Be kind." in reply.choices[0].message.content and "Be short." in reply.choices[0].message.content


def settings(model, upstream):
    more = {} if upstream == "responses" else {"stop": ["END", "HALT"]}
    text = ask(model, "settings", temperature=0.5, **more).choices[0].message.content
    words = text.split()
    assert "temperature=0.5" in words and "max=4000" in words, text
    if more:
        assert "stop=END" in words and "stop=HALT" in words, text


def turns(model, _):
    messages = [user("a"), user("b"), {"role": "assistant", "content": "c"}, user("turns")]
    reply = client.chat.completions.create(model=model, messages=messages, max_completion_tokens=4000)
    same(reply.choices[0].message.content, "user,assistant,user")


def length(model, _):
    same(ask(model, "long").choices[0].finish_reason, "length")


def length_streamed(model, _):
    same(streamed_reason(model, "long"), "length")


def streamed_reason(model, text):
    chunks = join(ask(model, text, stream=True))
    return [choice.finish_reason for chunk in chunks for choice in chunk.choices if choice.finish_reason][0]


def refusal(model, _):
    choice = ask(model, "refuse").choices[0]
    assert choice.finish_reason == "content_filter" or choice.message.refusal, choice


def check_call(call, city):
    same((call.type, call.function.name, json.loads(call.function.arguments)), ("function", "weather", arguments(city)))


def call_and_answer(model, cities, ask_first):
    """Calls, answers in the other order, and what the model heard."""
    said = user(("tool: " if len(cities) == 1 else "tools: ") + ", ".join(cities))
    choice = ask_first(model, said["content"], tools=TOOLS).choices[0]
    same(choice.finish_reason, "tool_calls")
    calls = choice.message.tool_calls
    same(len(calls), len(cities))
    for call, city in zip(calls, cities):
        check_call(call, city)
    same(len({call.id for call in calls}), len(calls))
    turn = {
        "role": "assistant",
        "tool_calls": [
            {"id": call.id, "type": "function", "function": {"name": call.function.name, "arguments": call.function.arguments}}
            for call in calls
        ],
    }
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": f"sunny in {city}"} for call, city in zip(calls, cities)
    ]
    reply = client.chat.completions.create(
        model=model, messages=[said, turn, *answers], tools=TOOLS, max_completion_tokens=4000
    )
    heard = " | ".join(f"{city}=sunny in {city}" for city in cities)
    # A provider of format G signs its calls, and wants its signatures back though this client knows none.
    remembered = "; remembered: 1" if model == "via-generate" else ""
    same(reply.choices[0].message.content, f"results: {heard}{remembered}")


def tool(model, _):
    call_and_answer(model, ["Oslo"], ask)


def tool_streamed(model, _):
    call_and_answer(model, ["Oslo"], streamed)


def tools(model, _):
    call_and_answer(model, ["Oslo", "Rome"], ask)


def tools_streamed(model, _):
    call_and_answer(model, ["Oslo", "Rome"], streamed)


def tool_choice(model, _):
    named = {"type": "function", "function": {"name": "weather"}}
    check_call(ask(model, "go: Oslo", tools=TOOLS, tool_choice=named).choices[0].message.tool_calls[0], "Oslo")
    check_call(ask(model, "go: Oslo", tools=TOOLS, tool_choice="required").choices[0].message.tool_calls[0], "Oslo")
    same(ask(model, "tool: Oslo", tools=TOOLS, tool_choice="none").choices[0].message.content, "no calls allowed")


def thoughts(model, upstream):
    """This format has no word to ask for the telling of thoughts: providers that want one keep them to themselves."""
    expected = "Let me think: it over" if upstream in ("chat", "messages") else ""
    message = ask(model, "think: it over", reasoning_effort="low").choices[0].message
    same(message.content, "thought about it over")
    same(getattr(message, "reasoning_content", None) or "", expected)
    chunks = join(ask(model, "think: it over", reasoning_effort="low", stream=True))
    told = [getattr(chunk.choices[0].delta, "reasoning_content", None) or "" for chunk in chunks]
    same("".join(told), expected)


def image(model, _):
    url = "data:image/png;base64," + base64.b64encode(PICTURE).decode()
    content = [{"type": "text", "text": "image"}, {"type": "image_url", "image_url": {"url": url}}]
    reply = client.chat.completions.create(
        model=model, messages=[{"role": "user", "content": content}], max_completion_tokens=4000
    )
    same(reply.choices[0].message.content, PICTURE_TOLD)


def structured(model, _):
    schema = {"name": "report", "schema": REPORT, "strict": True}
    reply = ask(model, "json: Oslo", response_format={"type": "json_schema", "json_schema": schema})
    same(json.loads(reply.choices[0].message.content), {"city": "Oslo", "mood": "calm"})


class Report(BaseModel):
    city: str
    calm: bool


def parsed(model, _):
    messages = [user("json: Oslo")]
    reply = client.chat.completions.parse(
        model=model, messages=messages, max_completion_tokens=4000, response_format=Report
    )
    same(reply.choices[0].message.parsed, Report(city="Oslo", calm=True))


def refused_request(model, _):
    error = raised(openai.BadRequestError, lambda: ask(model, "error: 400"))
    assert "scripted failure 400" in error.message, error.message
    assert error.request_id.startswith("req_")


def refused_stream(model, _):
    raised(openai.BadRequestError, lambda: ask(model, "error: 400", stream=True))


def rate_limit(_, upstream):
    error = raised(openai.RateLimitError, lambda: ask(f"limited-openai-{upstream}", "error: 429"))
    same(error.response.headers["retry-after"], "7")


def asynchronous(model, _):
    async def run():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as other:
            async def one(text):
                stream = await other.chat.completions.create(
                    model=model, messages=[user(text)], max_completion_tokens=4000, stream=True
                )
                return "".join([chunk.choices[0].delta.content or "" async for chunk in stream])

            return await asyncio.gather(*(one(f"number {number}") for number in range(4)))

    same(asyncio.run(run()), [f"You said: number {number}" for number in range(4)])


def models():
    listed = [model.id for model in client.models.list()]
    assert "via-chat" in listed and "via-generate" in listed, listed
    same(client.models.retrieve("via-chat").id, "via-chat")


def unknown_model():
    same(raised(openai.NotFoundError, lambda: ask("nothing", "a")).code, "model_not_found")
    same(raised(openai.NotFoundError, lambda: client.models.retrieve("nothing")).code, "model_not_found")


def wrong_key():
    wrong = client.with_options(api_key="sk-wrong")
    error = raised(openai.AuthenticationError, lambda: wrong.models.list())
    same((error.status_code, error.code), (401, "invalid_api_key"))


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    error = raised(openai.APIStatusError, lambda: poor.chat.completions.create(model="via-chat", messages=[user("a")]))
    same((error.status_code, error.code), (402, "insufficient_credit"))
    same(error.response.headers["x-should-retry"], "false")


def raw_headers():
    raw = client.chat.completions.with_raw_response.create(model="via-messages", messages=[user("a")])
    assert raw.headers["x-request-id"] == raw.headers["request-id"]
    same(raw.parse().choices[0].message.content, "You said: a")


def raw_stream_headers():
    with client.chat.completions.with_streaming_response.create(
        model="via-generate", messages=[user("a")], stream=True
    ) as raw:
        same(raw.headers["content-type"].split(";")[0], "text/event-stream")
        assert raw.headers["x-request-id"].startswith("req_")
        same(list(raw.iter_lines())[-2:], ["data: [DONE]", ""])


for check in [
    chat, stream_of_text, stream_helper, system, settings, turns, length, length_streamed, refusal, tool,
    tool_streamed, tools, tools_streamed, tool_choice, thoughts, image, structured, parsed, refused_request, refused_stream,
    rate_limit, asynchronous,
]:  # fmt: skip
    suite.over_all_formats(check.__name__, check)
for check in [models, unknown_model, wrong_key, out_of_credit, raw_headers, raw_stream_headers]:
    suite.case(check.__name__, check)
suite.end()
