"""The official client of format R over providers of all formats."""

import asyncio

import openai
from suite import KEY, POOR_KEY, URL, Suite, raised, same

suite = Suite(f"openai {openai.__version__}")
client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0)


def ask(model, text, **more):
    return client.responses.create(model=model, input=text, max_output_tokens=4000, **more)


def whole(model, _):
    reply = ask(model, "hello", instructions="be kind")
    same((reply.output_text, reply.status, reply.object), ("You said: hello", "completed", "response"))
    same(reply.usage.output_tokens, 7)


def stream(model, _):
    events = list(ask(model, "hello", stream=True))
    same("".join(event.delta for event in events if event.type == "response.output_text.delta"), "You said: hello")
    same((events[0].type, events[-1].type), ("response.created", "response.completed"))
    same(events[-1].response.output_text, "You said: hello")
    same([event.sequence_number for event in events], list(range(len(events))))


def several_turns(model, _):
    first = ask(model, "hello")
    second = ask(model, "turns", previous_response_id=first.id)
    same(second.output_text, "user,assistant,user")
    same((first.previous_response_id, second.previous_response_id), (None, first.id))
    same(client.responses.retrieve(second.id).previous_response_id, first.id)
    third = ask(model, "turns", previous_response_id=second.id)
    same(third.output_text, "user,assistant,user,assistant,user")
    events = list(ask(model, "turns", previous_response_id=third.id, stream=True))
    told = [event.response.previous_response_id for event in events if hasattr(event, "response")]
    assert len(told) > 1
    same(told, [third.id] * len(told))


def kept(model, _):
    reply = ask(model, "hello")
    same(client.responses.retrieve(reply.id).output_text, "You said: hello")
    items = list(client.responses.input_items.list(reply.id))
    same([item.content[0].text for item in items], ["hello"])
    client.responses.delete(reply.id)
    raised(openai.NotFoundError, lambda: client.responses.retrieve(reply.id))


def not_kept(model, _):
    reply = ask(model, "hello", store=False)
    raised(openai.NotFoundError, lambda: client.responses.retrieve(reply.id))


def refused_request(model, _):
    error = raised(openai.BadRequestError, lambda: ask(model, "error: 400"))
    assert "scripted failure 400" in error.message, error.message


def counted(model, _):
    count = client.responses.input_tokens.count(model=model, input="a text of some length")
    same(count.object, "response.input_tokens")
    assert count.input_tokens > 0


def compacted(model, _):
    """What was made short is sent back unchanged, with something new behind it."""
    turns = [{"role": "user", "content": "My name is Ada."}, {"role": "assistant", "content": "Hello Ada."}]
    short = client.responses.compact(model=model, input=turns)
    same(short.object, "response.compaction")
    same(short.output[-1].type, "compaction")
    items = [item.model_dump(exclude_none=True) for item in short.output]
    reply = ask(model, items + [{"role": "user", "content": "hello"}])
    assert reply.output_text.endswith("hello"), reply.output_text


def asynchronous():
    async def run():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as other:
            one = lambda text: other.responses.create(model="via-messages", input=text, max_output_tokens=4000)
            return await asyncio.gather(*(one(f"number {number}") for number in range(4)))

    same([reply.output_text for reply in asyncio.run(run())], [f"You said: number {number}" for number in range(4)])


def raw_headers():
    raw = client.responses.with_raw_response.create(model="via-generate", input="a")
    assert raw.headers["x-request-id"].startswith("req_")
    same(raw.parse().output_text, "You said: a")


def unknown_model():
    same(raised(openai.NotFoundError, lambda: ask("nothing", "a")).code, "model_not_found")


def wrong_key():
    wrong = client.with_options(api_key="sk-wrong")
    raised(openai.AuthenticationError, lambda: wrong.responses.create(model="via-chat", input="a"))


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    error = raised(openai.APIStatusError, lambda: poor.responses.create(model="via-chat", input="a"))
    same((error.status_code, error.code), (402, "insufficient_credit"))


checks = [whole, stream, several_turns, kept, not_kept, refused_request]
# Clients of the generation before have no word for these.
checks += [counted, compacted] if hasattr(client.responses, "compact") else []
for check in checks:
    suite.over_all_formats(check.__name__, check)
for check in [asynchronous, raw_headers, unknown_model, wrong_key, out_of_credit]:
    suite.case(check.__name__, check)
suite.end()
