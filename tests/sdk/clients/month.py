"""A month of an operator, by the generated client: colleagues, a provider with prices and a model, a customer with credit and a
key, dearer prices, a group, a second provider and the first one drained, a mistake taken back, a customer frozen, and what the log
of changes tells of it."""

import os
from collections.abc import Callable

from tollgate_client import ApiError, Tollgate, calls, types

URL = os.environ["GATEWAY_URL"]
PROVIDER = os.environ["PROVIDER_URL"]
root = Tollgate(URL, os.environ["GATEWAY_KEY"])


def code(act: Callable[[], object]) -> str:
    """The code of a refusal, or that there was none."""
    try:
        act()
    except ApiError as error:
        return str(error.code)
    return "no refusal"


def say(key: str) -> str:
    reply = Tollgate(URL, key).chat.create({"model": "quick", "messages": [{"role": "user", "content": "Say hello."}]})
    return str(reply["choices"][0]["message"]["content"])


def number(amount: float) -> str:
    return f"{amount:g}"


# 1. Colleagues: one who runs it, one who has the money, one who reads.
roles: list[types.OperatorRole] = ["operator", "finance", "reader"]
made = [root.admin_operators.create({"name": f"month {role}", "kind": "key", "role": role}) for role in roles]
runs, counts, reads = (Tollgate(URL, colleague["data"].get("api_key") or "") for colleague in made)
free: types.PriceRequest = {"name": "x", "settings": {"prompt": "1", "completion": "1"}}
print(f"roles: {code(lambda: reads.admin_prices.create(free))}")

# 2. Something to sell.
runs.admin_providers.create({"name": "first", "settings": {"base_url": PROVIDER}, "api_key": "k"})
tried = runs.admin_providers.test("first", {"model": "m"})["data"]
settings: types.ModelSettings = {
    "context_tokens": 1000,
    "max_output_tokens": 100,
    "candidates": [{"upstream": "first", "model": "m"}],
}
try:
    runs.admin_models.create({"name": "quick", "settings": settings})
except calls.admin_models.AdminModelsCreateError as error:
    if error.code != "CATALOG_UNUSABLE":
        raise
    print(f"tried: {str(tried['answered']).lower()}; without a price: {error.details['field']}")
runs.admin_prices.create({"name": "quick", "settings": {"prompt": "1", "completion": "2"}})
runs.admin_models.create({"name": "quick", "settings": settings})
quote = reads.admin_models.quote("quick", {"prompt_tokens": 1000, "completion_tokens": 100})["data"]
print(f"quote: {number(quote['cost_usd'])} USD at {quote['price_version']}")

# 3. A customer.
account = runs.admin_accounts.create({"name": "month customer"})["data"]["account_id"]
invoice: types.GrantRequest = {"usd": 10, "reason": "invoice 1"}
granted = counts.admin_accounts.grant(account, invoice, idempotency_key="month 1")["data"]
again = counts.admin_accounts.grant(account, invoice, idempotency_key="month 1")["data"]
key = runs.admin_keys.create(account, {"label": "first"})["data"]["api_key"]
print(f"granted: {number(granted['available_usd'])} USD, repeated {str(again['repeated']).lower()}; said: {say(key)}")

# 4. Prices of the next week, compared before they are taken.
LIST = '[prices.quick]\nprompt = "3"\ncompletion = "4"\n[prices.slow]\nprompt = "1"\ncompletion = "1"\n'
compared = runs.admin_prices.compare({"list": LIST})["data"]
runs.admin_prices.take({"list": LIST, "reason": "the provider raised it"}, if_match=compared["version"])
price = reads.admin_prices.get("quick")["data"]
differences = ", ".join(f"{it['name']} {it['kind']}" for it in compared["differences"])
print(f"prices: {differences}; {price['price_version']} after {len(price['before'])}")
print(f"twice: {code(lambda: runs.admin_prices.take({'list': LIST}, if_match=compared['version']))}")

# 5. A group for friends, which the customer joins.
runs.admin_groups.create({"name": "month-friends", "ratio": "0.5"})
before = runs.admin_accounts.get(account)["data"]["version"]
runs.admin_accounts.change(account, {"group": "month-friends"}, if_match=before)
print(f"a late change: {code(lambda: runs.admin_accounts.change(account, {'note': 'late'}, if_match=before))}")
print(f"a group in use: {code(lambda: runs.admin_groups.remove('month-friends', if_match='*'))}")

# 6. A second provider, and the first one drained.
runs.admin_providers.create({"name": "second", "settings": {"base_url": PROVIDER}})
model = runs.admin_models.get("quick")["data"]
both: types.ModelSettings = {**settings, "candidates": [*settings["candidates"], {"upstream": "second", "model": "m"}]}
runs.admin_models.change("quick", {"settings": both}, if_match=model["version"])
drained = runs.admin_providers.drain("first")["data"]
said = say(key)
receipt = reads.admin_receipts.list(account, limit=1)["data"]["receipts"][0]
print(f"{drained['name']} {drained['state']}; said: {said} by {receipt['upstream']} at {receipt['price_version']}")

# 7. A mistake is taken back, the customer is frozen, and a colleague leaves.
taken = counts.admin_accounts.take(account, {"usd": 4, "reason": "a mistake"}, idempotency_key="month 2")["data"]
frozen = runs.admin_accounts.change(account, {"state": "frozen", "reason": "not paid"}, if_match="*")["data"]
for operator in root.admin_operators.list()["data"]:
    if operator["name"] == "month finance":
        root.admin_operators.change(operator["operator_id"], {"state": "disabled"}, if_match=operator["version"])
gone = code(lambda: counts.admin_accounts.get(account))
print(f"taken: {number(taken['taken_usd'])} USD; {frozen['state']}; gone: {gone}")

# 8. The log of changes tells it all, the newest first.
ours = ("operator month operator", "operator month finance")
acts = [line["action"] for line in reads.admin_changes.list_all(limit=7) if line["actor"] in ours]
print(f"log: {' '.join(reversed(acts))}")
