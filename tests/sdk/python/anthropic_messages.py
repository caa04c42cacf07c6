"""The official client of format A over providers of all formats."""

import asyncio
import base64

import anthropic
from suite import KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER, Suite, arguments, raised, same

client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)
suite = Suite("anthropic " + anthropic.__version__)
TOOLS = [{"name": "weather", "description": "Tells it", "input_schema": WEATHER}]
THINKING = {"type": "enabled", "budget_tokens": 1024}


def user(content):
    return {"role": "user", "content": content}


def ask(model, content, **more):
    return converse(model, [user(content)], **more)


def converse(model, messages, **more):
    return client.messages.create(model=model, messages=messages, max_tokens=4000, **more)


def streamed(model, messages, **more):
    with client.messages.stream(model=model, messages=messages, max_tokens=4000, **more) as stream:
        return stream.get_final_message()


def said(message):
    return "".join(block.text for block in message.content if block.type == "text")


def back(message):
    """An answer as the next turn carries it."""
    return {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in message.content]}


def check_usage(usage):
    same((usage.input_tokens, usage.cache_read_input_tokens, usage.output_tokens), (15, 5, 7))


def message(model, _):
    reply = ask(model, SPOKEN)
    same((said(reply), reply.stop_reason, reply.stop_sequence), ("You said: " + SPOKEN, "end_turn", None))
    same((reply.type, reply.role), ("message", "assistant"))
    assert reply.id.startswith("msg_"), reply.id
    assert reply._request_id.startswith("req_")
    check_usage(reply.usage)


def stream_helper(model, _):
    reply = streamed(model, [user(SPOKEN)])
    same((said(reply), reply.stop_reason), ("You said: " + SPOKEN, "end_turn"))
    check_usage(reply.usage)


def stream_events(model, _):
    events = list(ask(model, "hello", stream=True))
    kinds = [event.type for event in events if event.type not in ("ping", "content_block_delta")]
    around = ["message_start", "content_block_start", "content_block_stop", "message_delta", "message_stop"]
    same(kinds, around)
    same("".join(event.delta.text for event in events if event.type == "content_block_delta"), "You said: hello")


def system(model, _):
    blocks = [{"type": "text", "text": "Be kind."}, {"type": "text", "text": "Be short."}]
    heard = said(ask(model, "system", system=blocks))
    assert "Be kind." in heard and "Be short." in heard, heard
    same(said(ask(model, "system", system="Be brief.")), "Be brief.")


def settings(model, upstream):
    more = {} if upstream == "responses" else {"stop_sequences": ["END", "HALT"]}
    words = said(ask(model, "settings", extra_body={"temperature": 0.5}, **more)).split()
    assert "temperature=0.5" in words and "max=4000" in words, words
    if more:
        assert "stop=END" in words and "stop=HALT" in words, words


def turns(model, _):
    messages = [user("a"), user("b"), {"role": "assistant", "content": "c"}, user("turns")]
    same(said(converse(model, messages)), "user,assistant,user")


def length(model, _):
    same(ask(model, "long").stop_reason, "max_tokens")
    same(streamed(model, [user("long")]).stop_reason, "max_tokens")


def refusal(model, _):
    same(ask(model, "refuse").stop_reason, "refusal")


def call_and_answer(model, upstream, cities, how, thinking=False):
    first = ("think " if thinking else "") + ("tool: " if len(cities) == 1 else "tools: ") + ", ".join(cities)
    more = {"tools": TOOLS} | ({"thinking": THINKING} if thinking else {})
    reply = how(model, [user(first)], **more)
    same(reply.stop_reason, "tool_use")
    calls = [block for block in reply.content if block.type == "tool_use"]
    same([(call.name, call.input) for call in calls], [("weather", arguments(city)) for city in cities])
    answers = [
        {"type": "tool_result", "tool_use_id": call.id, "content": f"sunny in {city}"}
        for call, city in zip(calls, cities)
    ]
    # In the other order: which answers which is told by the ids.
    told = said(converse(model, [user(first), back(reply), user(answers[::-1])], **more))
    for city in cities:
        assert f"{city}=sunny in {city}" in told, told
    remembers = thinking or upstream == "generate"
    same("remembered: 1" in told, remembers)


def tool(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], converse)


def tool_streamed(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], streamed)


def tools(model, upstream):
    call_and_answer(model, upstream, ["Oslo", "Rome"], converse)


def tools_streamed(model, upstream):
    call_and_answer(model, upstream, ["Oslo", "Rome"], streamed)


def thought_before_tool(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], converse, thinking=True)


def thought_before_tool_streamed(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], streamed, thinking=True)


def tool_choice(model, _):
    named = {"type": "tool", "name": "weather"}
    for choice in [named, {"type": "any"}, {"type": "any", "disable_parallel_tool_use": True}]:
        blocks = ask(model, "go: Oslo", tools=TOOLS, tool_choice=choice).content
        same([block.input for block in blocks if block.type == "tool_use"], [arguments("Oslo")])
    same(said(ask(model, "tool: Oslo", tools=TOOLS, tool_choice={"type": "none"})), "no calls allowed")


def thoughts(model, upstream):
    for how in [converse, streamed]:
        first = user("think: it over")
        reply = how(model, [first], thinking=THINKING)
        kinds = [block.type for block in reply.content]
        same(kinds[:2], ["thinking", "text"])
        same(reply.content[0].thinking, "Let me think: it over")
        same(said(reply), "thought about it over")
        again = converse(model, [first, back(reply), user("go on")], thinking=THINKING)
        told = "You said: go on" if upstream == "chat" else "You said: go on; remembered: 1"
        assert said(again).startswith(told), said(again)


def image(model, _):
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PICTURE).decode()}
    content = [{"type": "image", "source": source}, {"type": "text", "text": "image"}]
    same(said(ask(model, content)), PICTURE_TOLD)


def image_in_result(model, _):
    first = user("tool: Oslo")
    reply = converse(model, [first], tools=TOOLS)
    source = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PICTURE).decode()}
    content = [{"type": "text", "text": "a map"}, {"type": "image", "source": source}]
    call = [block for block in reply.content if block.type == "tool_use"][0]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": content}
    told = said(converse(model, [first, back(reply), user([result])], tools=TOOLS))
    assert "Oslo=a map" in told and PICTURE_TOLD in told, told


def structured(model, _):
    shape = {"format": {"type": "json_schema", "schema": REPORT}}
    reply = ask(model, "json: Oslo", extra_body={"output_config": shape})
    same(said(reply), '{"city":"Oslo","mood":"calm"}')


def refused_request(model, _):
    error = raised(anthropic.BadRequestError, lambda: ask(model, "error: 400"))
    same((error.body["type"], error.body["error"]["type"]), ("error", "invalid_request_error"))
    assert "scripted failure 400" in error.body["error"]["message"], error.body


def refused_stream(model, _):
    raised(anthropic.BadRequestError, lambda: streamed(model, [user("error: 400")]))


def rate_limit(_, upstream):
    error = raised(anthropic.RateLimitError, lambda: ask(f"limited-anthropic-{upstream}", "error: 429"))
    same((error.body["error"]["type"], error.response.headers["retry-after"]), ("rate_limit_error", "7"))


def asynchronous(model, _):
    async def run():
        async with anthropic.AsyncAnthropic(base_url=URL, api_key=KEY, max_retries=0) as other:
            async def one(text):
                async with other.messages.stream(model=model, messages=[user(text)], max_tokens=4000) as stream:
                    return await stream.get_final_text()

            return await asyncio.gather(*(one(f"number {number}") for number in range(4)))

    same(asyncio.run(run()), [f"You said: number {number}" for number in range(4)])


def models():
    listed = [model.id for model in client.models.list(limit=3)]
    assert "via-chat" in listed and "via-responses" in listed, listed
    same(client.models.retrieve("via-chat").type, "model")


def unknown_model():
    error = raised(anthropic.NotFoundError, lambda: ask("nothing", "a"))
    same(error.body["error"]["type"], "not_found_error")
    raised(anthropic.NotFoundError, lambda: client.models.retrieve("nothing"))


def wrong_key():
    error = raised(anthropic.AuthenticationError, lambda: client.with_options(api_key="sk-wrong").models.list())
    same(error.body["error"]["type"], "authentication_error")


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    again = lambda: poor.messages.create(model="via-chat", messages=[user("a")], max_tokens=9)
    error = raised(anthropic.APIStatusError, again)
    same((error.status_code, error.body["error"]["type"]), (402, "billing_error"))


def raw_headers():
    raw = client.messages.with_raw_response.create(model="via-chat", messages=[user("a")], max_tokens=99)
    assert raw.headers["request-id"] == raw.headers["x-request-id"]
    same(said(raw.parse()), "You said: a")


for check in [
    message, stream_helper, stream_events, system, settings, turns, length, refusal, tool, tool_streamed, tools,
    tools_streamed, thought_before_tool, thought_before_tool_streamed, tool_choice, thoughts, image, image_in_result,
    structured, refused_request, refused_stream, rate_limit, asynchronous,
]:  # fmt: skip
    suite.over_all_formats(check.__name__, check)
for check in [models, unknown_model, wrong_key, out_of_credit, raw_headers]:
    suite.case(check.__name__, check)
suite.end()
