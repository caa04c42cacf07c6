"""What the cases of all clients share: where the gateway is, what is asked of the model, how outcomes are told.

Told by the environment: GATEWAY_URL, GATEWAY_KEY, GATEWAY_POOR_KEY (an account without credit). Every case prints one
line, `ok NAME` or `not ok NAME` with its traceback; the script fails when one did.
"""

import base64
import os
import sys
import traceback

URL = os.environ["GATEWAY_URL"]
KEY = os.environ["GATEWAY_KEY"]
POOR_KEY = os.environ["GATEWAY_POOR_KEY"]

# A model behind a provider of each format.
FORMATS = ["chat", "generate", "messages", "responses"]

# One grey dot, with a note whose bytes make base64 use all of its alphabet.
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAB3RFWHROb3RlAI+PkF/I3QAAAApJREFUeJxjaAAAAIIAgXfNcrYAAAAASUVORK5C"
    "YII="
)
PICTURE_TOLD = f"image/png of {len(PICTURE)} bytes"

# Above 2^53: binary floats cannot hold it.
WHOLE_NUMBER = 9007199254740993
SPOKEN = "straße, 雨 und 🎈: \"quoted\" \\ \n  two lines"
WEATHER = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
    "required": ["city", "days"],
    "additionalProperties": False,
}
REPORT = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "mood": {"type": "string", "enum": ["calm", "wild"]}},
    "required": ["city", "mood"],
    "additionalProperties": False,
}


def arguments(city):
    return {"city": city, "days": WHOLE_NUMBER}


def same(found, expected):
    assert found == expected, f"found {found!r}, expected {expected!r}"


class Suite:
    """Runs cases at once and remembers what failed."""

    def __init__(self, client):
        self.client = client
        self.failed = False

    def case(self, name, check, *args):
        name = f"{self.client}: {name}"
        try:
            check(*args)
        except Exception:
            self.failed = True
            print("not ok", name)
            print("  " + traceback.format_exc().replace("\n", "\n  "))
        else:
            print("ok", name)

    def over_all_formats(self, name, check):
        """Runs a case over a provider of each format; the case is told the model and the format."""
        for upstream in FORMATS:
            self.case(f"{name}, via {upstream}", check, f"via-{upstream}", upstream)

    def end(self):
        sys.exit(1 if self.failed else 0)


def raised(kind, act):
    """The error that an act must end with."""
    try:
        act()
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__} was raised")
