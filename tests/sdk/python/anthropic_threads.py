"""The official client of format A, conversations that it would leave to the provider, over providers of all formats."""

import anthropic
from anthropic import beta_tool
from suite import KEY, URL, Suite, raised, same

client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)
suite = Suite("anthropic " + anthropic.__version__)


@beta_tool
def weather(city: str, days: int) -> str:
    """Tells it."""
    assert days > 2**53, days
    return f"sunny in {city}"


def user(content):
    return {"role": "user", "content": content}


def said(message):
    return "".join(block.text for block in message.content if block.type == "text")


def run(model, **more):
    asked = [user("tool: Oslo")]
    return client.beta.messages.tool_runner(model=model, max_tokens=4000, messages=asked, tools=[weather], **more)


def runner(model, _):
    told = said(run(model).until_done())
    assert "Oslo=sunny in Oslo" in told, told


def runner_streamed(model, _):
    messages = [stream.get_final_message() for stream in run(model, stream=True)]
    same(len(messages), 2)
    assert "Oslo=sunny in Oslo" in said(messages[-1]), messages


def thread(model, _):
    thread = client.beta.messages.thread(model=model, max_tokens=4000)
    error = raised(anthropic.BadRequestError, lambda: thread.send(user("hello")))
    same(error.body["error"]["details"]["error_code"], "thread_unsupported_request")


def thread_goes_on_by_itself(model, _):
    thread = client.beta.messages.thread(
        model=model, max_tokens=4000, system="Be kind.", unsupported_request_behavior="continue_unthreaded"
    )
    same(said(thread.send(user("hello"))), "You said: hello")
    # The system text is sent again.
    told = said(thread.send(user("system")))
    assert "Be kind." in told, told
    same([message["role"] for message in thread.messages], ["user", "assistant"] * 2)


for check in [runner, runner_streamed, thread, thread_goes_on_by_itself]:
    suite.over_all_formats(check.__name__, check)
suite.end()
