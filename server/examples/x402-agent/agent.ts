// Buys five dollars of credit with a stablecoin: two HTTP calls and one signature.
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const { GATEWAY, KEY, WALLET } = process.env;
const client = new x402Client().register("eip155:*", new ExactEvmScheme(privateKeyToAccount(WALLET as `0x${string}`)));
// By itself the client pays a dollar at most, and in tokens that it knows.
client.setSpendControls({ maxAmountPerPayment: "$20", allowedAssets: true });

async function post(path: string, body: unknown) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const reply = await (await fetch(GATEWAY + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  if (!reply.success) throw new Error(`${reply.message}: ${reply.detail}`);
  return reply.data;
}

const order = await post("/api/user/topup/x402/orders", { amount_usd: 5 });
const payment = await client.createPaymentPayload(order.challenge); // the one signature, and no HTTP call
const paid = await post(`/api/x402/pay/${order.order_id}`, payment);
console.log(`${paid.status}: ${paid.balance_added} USD more, ${paid.new_balance} USD in all`);
