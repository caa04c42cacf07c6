// The protocol's own client pays orders of the gateway: GATEWAY, KEY, PAYER (a private key) and NETWORK say where and who.
import { x402Client } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { privateKeyToAccount } from "viem/accounts";

const { GATEWAY, KEY, PAYER, NETWORK } = process.env;
const client = new x402Client().register(NETWORK, new ExactEvmScheme(privateKeyToAccount(PAYER)));
client.setSpendControls(false);

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const reply = await fetch(GATEWAY + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

async function check(name, run) {
  try {
    await run();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}: ${error.stack}`);
  }
}

function equal(found, expected, what) {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(found)} and not ${JSON.stringify(expected)}`);
  }
}

await check("an order is paid by its challenge", async () => {
  const made = await call("POST", "/api/user/topup/x402/orders", { amount_usd: 5 });
  equal(made.body.success, true, "creation");
  const { order_id, challenge } = made.body.data;
  const payment = await client.createPaymentPayload(challenge);
  const paid = await call("POST", `/api/x402/pay/${order_id}`, payment);
  equal([paid.status, paid.body.success], [200, true], JSON.stringify(paid.body));
  equal([paid.body.data.status, paid.body.data.balance_added], ["settled", 5], "outcome");
  const again = await call("POST", `/api/x402/pay/${order_id}`, payment);
  equal([again.body.success, again.body.message], [false, "ORDER_ALREADY_SETTLED"], "the same once more");
});

await check("a challenge of the list is as good", async () => {
  const made = await call("POST", "/api/user/topup/x402/orders", { amount_usd: 1.25, network: "", symbol: "usdc" });
  const listed = await call("GET", "/api/user/topup/x402/orders");
  const order = listed.body.data.find((order) => order.order_id === made.body.data.order_id);
  const payment = await client.createPaymentPayload(order.challenge);
  const paid = await call("POST", `/api/x402/pay/${order.order_id}`, payment);
  equal([paid.body.success, paid.body.data?.balance_added], [true, 1.25], JSON.stringify(paid.body));
});
