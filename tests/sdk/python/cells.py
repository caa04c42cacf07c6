"""What the cells of all frameworks share: gateways, a question with two tools, and how outcomes are told.

Told by the environment: GATEWAYS, a JSON list of gateways, each over a provider of one format: {format, url, key}. The model
there looks up the price of tea and multiplies it by the last number of the question. Every cell prints one line, `ok NAME`
or `not ok NAME` with its traceback; the script fails when one did.
"""

import asyncio
import inspect
import json
import os
import sys
import traceback

from pydantic import BaseModel

GATEWAYS = json.loads(os.environ["GATEWAYS"])
# By names that frameworks know the abilities of; all are one model.
MODEL, THINKER = "gpt-4o", "gpt-5"
QUESTION, TOTAL = "How much are 6 boxes of tea?", "42"
AGAIN, AGAIN_TOTAL = "And how much are 10?", "70"
CALLED = []


class Total(BaseModel):
    """What was asked for, and what it costs."""

    item: str
    total: int


def lookup_price(item: str) -> str:
    """Looks up the price of one box of an item."""
    CALLED.append(("lookup_price", item))
    return f"One box of {item} costs 7."


def multiply(price: int, count: int) -> str:
    """Multiplies a price by a count."""
    CALLED.append(("multiply", price, count))
    return f"{count} boxes cost {price * count}."


class Gateway:
    def __init__(self, format, url, key):
        self.format, self.url, self.key = format, url, key
        self.v1 = f"{url}/v1"


def called(count):
    """The tools were called for a question with this number, and for no other since the last look."""
    expected = [("lookup_price", "tea"), ("multiply", 7, count)]
    assert CALLED == expected, f"called {CALLED!r}, expected {expected!r}"
    CALLED.clear()


def says(text, total):
    assert total in str(text), f"said {text!r}, expected {total}"


def is_total(value, total):
    expected = Total(item="tea", total=int(total))
    assert value.model_dump() == expected.model_dump(), f"found {value!r}, expected {expected!r}"


def run(framework, *cells):
    """Runs each cell over each gateway, and says what became of it."""
    failed = False
    with asyncio.Runner() as loop:
        for gateway in GATEWAYS:
            for cell in cells:
                name = f"{framework}: {cell.__name__} over {gateway['format']}"
                CALLED.clear()
                try:
                    found = cell(Gateway(**gateway))
                    if inspect.iscoroutine(found):
                        loop.run(found)
                    print(f"ok {name}")
                except Exception:
                    failed = True
                    print(f"not ok {name}\n{traceback.format_exc()}")
    sys.stdout.flush()
    sys.exit(1 if failed else 0)
