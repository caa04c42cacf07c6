"""The official client of format O beside turns: embeddings, verdicts, texts that go on."""

import asyncio

import openai
from suite import FORMATS, KEY, POOR_KEY, URL, Suite, raised, same

suite = Suite(f"openai {openai.__version__}")
client = openai.OpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0)
EMBEDDING = ["chat", "generate", "responses"]


def numbers(text):
    return [float(len(text.encode())), -0.5, 1.25]


def embedding(reply):
    return [item.embedding for item in reply.data]


def embeddings(model):
    """Without a wish, the client asks for base64 and reads it itself."""
    reply = client.embeddings.create(model=model, input=["straße", "b"])
    same(embedding(reply), [numbers("straße"), numbers("b")])
    same([item.index for item in reply.data], [0, 1])
    assert reply.usage.prompt_tokens > 0
    same(embedding(client.embeddings.create(model=model, input="one")), [numbers("one")])


def embeddings_as_numbers(model):
    reply = client.embeddings.create(model=model, input="one", encoding_format="float", dimensions=2)
    same(embedding(reply), [numbers("one")[:2]])


def embeddings_as_base64(model):
    reply = client.embeddings.create(model=model, input="one", encoding_format="base64")
    same(embedding(reply), ["AABAQAAAAL8AAKA/"])


def completion(model):
    reply = client.completions.create(model=model, prompt="hello", max_tokens=4000)
    same((reply.choices[0].text, reply.choices[0].finish_reason), ("You said: hello", "stop"))
    same(reply.usage.completion_tokens, 7)


def moderation():
    reply = client.moderations.create(model="via-chat", input=["peace", "violence"])
    same([result.flagged for result in reply.results], [False, True])
    same(reply.results[1].category_scores.violence, 0.75)


def no_embeddings_there():
    error = raised(openai.BadRequestError, lambda: client.embeddings.create(model="via-messages", input="a"))
    same((error.code, error.param), ("not_convertible", "model"))


def unknown_model():
    for act in [client.embeddings.create, client.moderations.create]:
        same(raised(openai.NotFoundError, lambda: act(model="nothing", input="a")).code, "model_not_found")


def out_of_credit():
    poor = client.with_options(api_key=POOR_KEY, max_retries=2)
    error = raised(openai.APIStatusError, lambda: poor.embeddings.create(model="via-chat", input="a"))
    same((error.status_code, error.code), (402, "insufficient_credit"))


def wrong_key():
    wrong = client.with_options(api_key="sk-wrong")
    same(raised(openai.AuthenticationError, lambda: wrong.embeddings.create(model="via-chat", input="a")).status_code, 401)


def asynchronous():
    async def run():
        async with openai.AsyncOpenAI(base_url=URL + "/v1", api_key=KEY, max_retries=0) as other:
            one = lambda text: other.embeddings.create(model="via-generate", input=text)
            return await asyncio.gather(*(one("x" * number) for number in range(1, 4)))

    same([embedding(reply) for reply in asyncio.run(run())], [[numbers("x" * number)] for number in range(1, 4)])


for upstream in EMBEDDING:
    for check in [embeddings, embeddings_as_numbers, embeddings_as_base64]:
        suite.case(f"{check.__name__}, via {upstream}", check, f"via-{upstream}")
for upstream in FORMATS:
    suite.case(f"completion, via {upstream}", completion, f"via-{upstream}")
for check in [moderation, no_embeddings_there, unknown_model, out_of_credit, wrong_key, asynchronous]:
    suite.case(check.__name__, check)
suite.end()
