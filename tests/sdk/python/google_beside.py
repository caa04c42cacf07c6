"""The official client of format G beside turns: tokens that are counted, embeddings."""

import google.genai
from google import genai
from google.genai import errors, types
from suite import KEY, URL, Suite, raised, same

suite = Suite(f"google-genai {google.genai.__version__}")
client = genai.Client(api_key=KEY, http_options=types.HttpOptions(base_url=URL))


def count(model, upstream):
    tokens = client.models.count_tokens(model=model, contents="a text of some length").total_tokens
    assert tokens == 20 if upstream in ("messages", "generate") else tokens > 0, tokens


def embeddings(model, upstream):
    act = lambda: client.models.embed_content(model=model, contents=["straße", "b"])
    if upstream == "messages":
        same(raised(errors.ClientError, act).code, 400)
    else:
        same([item.values for item in act().embeddings], [[7.0, -0.5, 1.25], [1.0, -0.5, 1.25]])


for check in [count, embeddings]:
    suite.over_all_formats(check.__name__, check)
suite.end()
