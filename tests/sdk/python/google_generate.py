"""The official client of format G over providers of all formats."""

import asyncio
import json

from google import genai
from google.genai import errors, types
from suite import KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER, Suite, arguments, raised, same

options = types.HttpOptions(base_url=URL)
client = genai.Client(api_key=KEY, http_options=options)
suite = Suite("google-genai " + genai.__version__)
TOOL = types.Tool(
    function_declarations=[
        types.FunctionDeclaration(name="weather", description="Tells it", parameters_json_schema=WEATHER)
    ]
)


def configured(**more):
    return types.GenerateContentConfig(
        max_output_tokens=4000,
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        **more,
    )


def user(text):
    return types.Content(role="user", parts=[types.Part(text=text)])


def ask(model, contents, **more):
    return client.models.generate_content(model=model, contents=contents, config=configured(**more))


def stream(model, contents, **more):
    return list(client.models.generate_content_stream(model=model, contents=contents, config=configured(**more)))


def streamed(model, contents, **more):
    """A stream put together as an application does: parts in their order."""
    chunks = stream(model, contents, **more)
    last = chunks[-1]
    candidates = [chunk.candidates[0] for chunk in chunks if chunk.candidates]
    parts = [part for candidate in candidates if candidate.content for part in candidate.content.parts or []]
    last.candidates = [
        types.Candidate(
            content=types.Content(role="model", parts=parts), finish_reason=last.candidates[0].finish_reason
        )
    ]
    return last


def said(reply):
    parts = reply.candidates[0].content.parts
    return "".join(part.text for part in parts if part.text and not part.thought)


def reason(reply):
    return reply.candidates[0].finish_reason.value


def check_usage(usage):
    same((usage.prompt_token_count, usage.cached_content_token_count), (20, 5))
    same((usage.candidates_token_count, usage.total_token_count), (7, 27))


def content(model, _):
    reply = ask(model, SPOKEN)
    same((said(reply), reason(reply)), ("You said: " + SPOKEN, "STOP"))
    same(reply.candidates[0].content.role, "model")
    check_usage(reply.usage_metadata)


def content_stream(model, _):
    chunks = stream(model, SPOKEN)
    same("".join(chunk.text or "" for chunk in chunks), "You said: " + SPOKEN)
    same(chunks[-1].candidates[0].finish_reason.value, "STOP")
    check_usage(chunks[-1].usage_metadata)


def system(model, _):
    same(said(ask(model, "system", system_instruction="Be kind.")), "Be kind.")


def settings(model, upstream):
    more = {} if upstream == "responses" else {"stop_sequences": ["END", "HALT"]}
    words = said(ask(model, "settings", temperature=0.5, **more)).split()
    assert "temperature=0.5" in words and "max=4000" in words, words
    if more:
        assert "stop=END" in words and "stop=HALT" in words, words


def turns(model, _):
    answer = types.Content(role="model", parts=[types.Part(text="c")])
    same(said(ask(model, [user("a"), user("b"), answer, user("turns")])), "user,assistant,user")


def chat(model, _):
    talk = client.chats.create(model=model, config=configured())
    same(said(talk.send_message("one")), "You said: one")
    same("".join(chunk.text or "" for chunk in talk.send_message_stream("two")), "You said: two")
    same(said(talk.send_message("turns")), "user,assistant,user,assistant,user")


def length(model, _):
    same(reason(ask(model, "long")), "MAX_TOKENS")
    same(reason(streamed(model, "long")), "MAX_TOKENS")


def refusal(model, _):
    same(reason(ask(model, "refuse")), "SAFETY")


def call_and_answer(model, upstream, cities, how):
    first = user(("tool: " if len(cities) == 1 else "tools: ") + ", ".join(cities))
    reply = how(model, [first], tools=[TOOL])
    same(reason(reply), "STOP")
    calls = [part.function_call for part in reply.candidates[0].content.parts if part.function_call]
    same([(call.name, call.args) for call in calls], [("weather", arguments(city)) for city in cities])
    answers = [
        types.Part(
            function_response=types.FunctionResponse(
                id=call.id, name=call.name, response={"result": f"sunny in {city}"}
            )
        )
        for call, city in zip(calls, cities)
    ]
    turn = types.Content(role="user", parts=answers)
    told = said(ask(model, [first, reply.candidates[0].content, turn], tools=[TOOL]))
    for city in cities:
        assert f"{city}=" in told and f"sunny in {city}" in told, told
    same("remembered: 1" in told, upstream == "generate")


def tool(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], ask)


def tool_streamed(model, upstream):
    call_and_answer(model, upstream, ["Oslo"], streamed)


def tools(model, upstream):
    call_and_answer(model, upstream, ["Oslo", "Rome"], ask)


def tools_streamed(model, upstream):
    call_and_answer(model, upstream, ["Oslo", "Rome"], streamed)


def automatic_calling(model, _):
    """The client calls a Python function by itself and answers with what it returned."""

    def weather(city: str) -> str:
        """Tells the weather."""
        return f"sunny in {city}"

    config = types.GenerateContentConfig(max_output_tokens=4000, tools=[weather])
    told = said(client.models.generate_content(model=model, contents="tool: Oslo", config=config))
    assert "Oslo=" in told and "sunny in Oslo" in told, told


def tool_choice(model, _):
    def choose(**how):
        return types.ToolConfig(function_calling_config=types.FunctionCallingConfig(**how))

    for choice in [choose(mode="ANY"), choose(mode="ANY", allowed_function_names=["weather"])]:
        reply = ask(model, "go: Oslo", tools=[TOOL], tool_config=choice)
        same(reply.function_calls[0].args, arguments("Oslo"))
    same(said(ask(model, "tool: Oslo", tools=[TOOL], tool_config=choose(mode="NONE"))), "no calls allowed")


def thoughts(model, upstream):
    thinking = types.ThinkingConfig(include_thoughts=True, thinking_budget=1024)
    for how in [ask, streamed]:
        first = user("think: it over")
        reply = how(model, [first], thinking_config=thinking)
        told = "".join(part.text or "" for part in reply.candidates[0].content.parts if part.thought)
        same((told, said(reply)), ("Let me think: it over", "thought about it over"))
        same(reply.usage_metadata.candidates_token_count, 7)
        assert reply.usage_metadata.total_token_count == 31, reply.usage_metadata


def thought_comes_back(model, upstream):
    thinking = types.ThinkingConfig(include_thoughts=True, thinking_budget=1024)
    first = user("think: it over")
    reply = ask(model, [first], thinking_config=thinking)
    again = said(ask(model, [first, reply.candidates[0].content, user("go on")], thinking_config=thinking))
    told = "You said: go on" if upstream == "chat" else "You said: go on; remembered: 1"
    assert again.startswith(told), again


def image(model, _):
    picture = types.Part.from_bytes(data=PICTURE, mime_type="image/png")
    same(said(ask(model, [picture, "image"])), PICTURE_TOLD)


def structured(model, _):
    more = {"response_mime_type": "application/json", "response_json_schema": REPORT}
    same(json.loads(said(ask(model, "json: Oslo", **more))), {"city": "Oslo", "mood": "calm"})


def structured_by_own_schema(model, _):
    properties = {"city": types.Schema(type="STRING"), "mood": types.Schema(type="STRING", enum=["calm", "wild"])}
    schema = types.Schema(type="OBJECT", properties=properties, required=["city", "mood"])
    more = {"response_mime_type": "application/json", "response_schema": schema}
    same(json.loads(said(ask(model, "json: Oslo", **more))), {"city": "Oslo", "mood": "calm"})


def refused_request(model, _):
    error = raised(errors.ClientError, lambda: ask(model, "error: 400"))
    same((error.code, error.status), (400, "INVALID_ARGUMENT"))
    assert "scripted failure 400" in error.message, error.message


def refused_stream(model, _):
    same(raised(errors.ClientError, lambda: stream(model, "error: 400")).code, 400)


def rate_limit(_, upstream):
    error = raised(errors.ClientError, lambda: ask(f"limited-google-{upstream}", "error: 429"))
    same((error.code, error.status), (429, "RESOURCE_EXHAUSTED"))


def asynchronous(model, _):
    async def run():
        # A client keeps its connections, and they live as long as the loop.
        other = genai.Client(api_key=KEY, http_options=options).aio

        async def one(text):
            chunks = await other.models.generate_content_stream(model=model, contents=text, config=configured())
            return "".join([chunk.text or "" async for chunk in chunks])

        return await asyncio.gather(*(one(f"number {number}") for number in range(4)))

    same(asyncio.run(run()), [f"You said: number {number}" for number in range(4)])


def unknown_model():
    error = raised(errors.ClientError, lambda: ask("nothing", "a"))
    same((error.code, error.status), (404, "NOT_FOUND"))


def wrong_key():
    wrong = genai.Client(api_key="sk-wrong", http_options=options)
    error = raised(errors.ClientError, lambda: wrong.models.generate_content(model="via-chat", contents="a"))
    same((error.code, error.status), (401, "UNAUTHENTICATED"))


def out_of_credit():
    poor = genai.Client(api_key=POOR_KEY, http_options=options)
    error = raised(errors.ClientError, lambda: poor.models.generate_content(model="via-chat", contents="a"))
    same(error.code, 402)


for check in [
    content, content_stream, system, settings, turns, chat, length, refusal, tool, tool_streamed, tools,
    tools_streamed, automatic_calling, tool_choice, thoughts, thought_comes_back, image, structured,
    structured_by_own_schema, refused_request, refused_stream, rate_limit, asynchronous,
]:  # fmt: skip
    suite.over_all_formats(check.__name__, check)
for check in [unknown_model, wrong_key, out_of_credit]:
    suite.case(check.__name__, check)
suite.end()
