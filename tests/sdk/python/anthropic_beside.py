"""The official client of format A, tokens that are counted, over providers of all formats."""

import anthropic
from suite import KEY, URL, Suite

suite = Suite(f"anthropic {anthropic.__version__}")
client = anthropic.Anthropic(base_url=URL, api_key=KEY, max_retries=0)
TOOL = {"name": "weather", "description": "Tells it", "input_schema": {"type": "object", "properties": {}}}


def count(model, upstream):
    raw = client.messages.with_raw_response.count_tokens(
        model=model, messages=[{"role": "user", "content": "a text of some length"}], system="be kind", tools=[TOOL]
    )
    tokens = raw.parse().input_tokens
    # Providers that count say 20; where none does, the size of the text is told as what it is.
    if upstream in ("messages", "generate", "responses"):
        assert tokens == 20, tokens
    else:
        assert tokens > 0 and raw.headers["x-tollgate-estimated"] == "true", (tokens, raw.headers)


suite.over_all_formats("count", count)
suite.end()
