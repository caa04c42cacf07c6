"""The protocol's own client pays orders of the gateway: GATEWAY, KEY, PAYER (a private key) and NETWORK say where and who."""

import asyncio
import os
import sys
import traceback

import requests
from eth_account import Account
from x402 import x402Client, x402ClientSync
from x402.http import decode_payment_response_header
from x402.http.clients import wrapHttpxWithPayment, x402_requests
from x402.mechanisms.evm.exact import register_exact_evm_client
from x402.schemas import PaymentRequired

GATEWAY, KEY, NETWORK = os.environ["GATEWAY"], os.environ["KEY"], os.environ["NETWORK"]
ACCOUNT = Account.from_key(os.environ["PAYER"])
FAILED = []


def client(kind):
    made = register_exact_evm_client(kind(), ACCOUNT)
    made.set_spend_controls(False)
    return made


def order(usd):
    headers = {"authorization": f"Bearer {KEY}"}
    made = requests.post(f"{GATEWAY}/api/user/topup/x402/orders", headers=headers, json={"amount_usd": usd}).json()
    assert made["success"] is True, made
    return made["data"]


def check(name, run):
    try:
        run()
        print(f"ok {name}")
    except Exception:
        FAILED.append(name)
        print(f"not ok {name}")
        traceback.print_exc(file=sys.stdout)


def by_post():
    made = order(5)
    challenge = PaymentRequired.model_validate(made["challenge"])
    payment = client(x402ClientSync).create_payment_payload(challenge)
    body = payment.model_dump(by_alias=True)
    url = f"{GATEWAY}/api/x402/pay/{made['order_id']}"
    reply = requests.post(url, json=body)
    paid = reply.json()
    assert (reply.status_code, paid["success"]) == (200, True), paid
    assert (paid["data"]["status"], paid["data"]["balance_added"]) == ("settled", 5), paid
    told = decode_payment_response_header(reply.headers["PAYMENT-RESPONSE"])
    assert told.success and told.transaction.startswith("0x"), told
    again = requests.post(url, json=body).json()
    assert (again["success"], again["message"]) == (False, "ORDER_ALREADY_SETTLED"), again


def told_right(reply, made):
    assert (reply.status_code, reply.json()["data"]["status"]) == (200, "settled"), reply.text
    told = decode_payment_response_header(reply.headers["PAYMENT-RESPONSE"])
    assert (told.success, told.network, told.payer) == (True, NETWORK, ACCOUNT.address.lower()), told
    assert told.amount == made["challenge"]["accepts"][0]["amount"], told


def by_requests():
    made = order(2)
    told_right(x402_requests(client(x402ClientSync)).get(made["challenge"]["resource"]["url"]), made)


def by_httpx():
    made = order(1.5)

    async def run():
        async with wrapHttpxWithPayment(client(x402Client)) as session:
            return await session.get(made["challenge"]["resource"]["url"])

    told_right(asyncio.run(run()), made)


check("an order is paid by its challenge", by_post)
check("the address of an order is paid for like any other", by_requests)
check("the same, asynchronously", by_httpx)
sys.exit(1 if FAILED else 0)
