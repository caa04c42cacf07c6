"""A program of a team downstream, which has the resolved spec, the generator and nothing else of this service: an answer as it
comes, orders that an agent may pay, and the one that is too many, by its type."""

import os

from tollgate_client import Tollgate, calls, types

client = Tollgate(os.environ["GATEWAY_URL"], os.environ["GATEWAY_KEY"])


def say(model: str) -> str:
    request: types.ChatRequest = {"model": model, "messages": [{"role": "user", "content": "Say hello."}]}
    with client.chat.create(request, stream=True) as stream:
        return "".join(chunk["choices"][0]["delta"].get("content") or "" for chunk in stream if chunk["choices"])


def order(amount: float) -> str:
    """An order and how it may be paid, or how many wait where no more may."""
    try:
        made: types.X402Order = client.x402.create({"amount_usd": amount})["data"]
    except calls.x402.X402CreateError as error:
        if error.code != "X402_PENDING_CAP":
            raise
        waiting: int = error.details["count"]
        asked = type(error.request_id).__name__.replace("str", "string")
        return f"no order: {waiting} wait already (HTTP {error.status}, asked as {asked})"
    way: types.X402Option = made["challenge"]["accepts"][0]
    amount_usd, status = made["amount_usd"], made["status"]
    return f"order of {amount_usd:g} USD, {status}: {way['amount']} on {way['network']}"


print(f"said: {say(os.environ['GATEWAY_MODEL'])}")
for usd in [5, 2.5, 1, 1]:
    print(order(usd))
