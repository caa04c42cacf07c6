"""instructor: each step of the loop is an answer in a form, sent back as the call that it was, with its result."""

import json

import instructor
from openai import OpenAI
from pydantic import BaseModel

from cells import AGAIN, AGAIN_TOTAL, MODEL, QUESTION, TOTAL, Total, called, is_total, lookup_price, multiply, run


class LookupPrice(BaseModel):
    """Looks up the price of one box of an item."""

    item: str


class Multiply(BaseModel):
    """Multiplies a price by a count."""

    price: int
    count: int


def client(gateway, mode):
    return instructor.from_openai(OpenAI(base_url=gateway.v1, api_key=gateway.key, max_retries=0), mode=mode)


def tools(gateway):
    asked = client(gateway, instructor.Mode.TOOLS)
    history = []

    def step(form, act):
        value, completion = asked.chat.completions.create_with_completion(
            model=MODEL, messages=history, response_model=form, max_retries=0
        )
        message = completion.choices[0].message
        history.append({"content": None, **message.model_dump(exclude_none=True)})
        result = act(**value.model_dump())
        history.extend({"role": "tool", "tool_call_id": call.id, "content": result} for call in message.tool_calls)
        return value

    for question, count, total in [(QUESTION, 6, TOTAL), (AGAIN, 10, AGAIN_TOTAL)]:
        history.append({"role": "user", "content": question})
        step(LookupPrice, lookup_price)
        step(Multiply, multiply)
        called(count)
        is_total(step(Total, lambda **told: json.dumps(told)), total)


def schemas(gateway):
    for mode in [instructor.Mode.JSON_SCHEMA, instructor.Mode.JSON, instructor.Mode.TOOLS_STRICT]:
        messages = [{"role": "user", "content": f"Tea, with a total of {TOTAL}"}]
        asked = client(gateway, mode).chat.completions
        is_total(asked.create(model=MODEL, messages=messages, response_model=Total, max_retries=0), TOTAL)


def responses(gateway):
    asked = client(gateway, instructor.Mode.RESPONSES_TOOLS)
    is_total(asked.responses.create(model=MODEL, input=f"Tea, with a total of {TOTAL}", response_model=Total), TOTAL)


def streamed(gateway):
    messages = [{"role": "user", "content": f"Tea, with a total of {TOTAL}"}]
    parts = client(gateway, instructor.Mode.TOOLS).chat.completions.create_partial(
        model=MODEL, messages=messages, response_model=Total, max_retries=0
    )
    *_, last = parts
    assert (last.item, last.total) == ("tea", int(TOTAL)), last


run("instructor", tools, schemas, responses, streamed)
