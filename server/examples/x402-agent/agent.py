"""Buys five dollars of credit with a stablecoin: two HTTP calls and one signature."""

import os

import requests
from eth_account import Account
from x402 import x402ClientSync
from x402.mechanisms.evm.exact import register_exact_evm_client
from x402.schemas import PaymentRequired

GATEWAY, KEY, WALLET = os.environ["GATEWAY"], os.environ["KEY"], os.environ["WALLET"]
client = register_exact_evm_client(x402ClientSync(), Account.from_key(WALLET))
# By itself the client pays a dollar at most, and in tokens that it knows.
client.set_spend_controls({"max_amount_per_payment": "$20", "allowed_assets": True})


def post(path, body):
    reply = requests.post(GATEWAY + path, json=body, headers={"authorization": f"Bearer {KEY}"}).json()
    if not reply["success"]:
        raise RuntimeError(f"{reply['message']}: {reply['detail']}")
    return reply["data"]


order = post("/api/user/topup/x402/orders", {"amount_usd": 5})
# The one signature, and no HTTP call.
payment = client.create_payment_payload(PaymentRequired.model_validate(order["challenge"]))
paid = post(f"/api/x402/pay/{order['order_id']}", payment.model_dump(by_alias=True))
print(f"{paid['status']}: {paid['balance_added']} USD more, {paid['new_balance']} USD in all")
