// The protocol's own client pays orders of the gateway: GATEWAY, KEY, PAYER (a private key) and NETWORK say where and who.
import { x402Client, x402HTTPClient } from "@x402/core/client";
import { ExactEvmScheme } from "@x402/evm/exact/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import { privateKeyToAccount } from "viem/accounts";

const { GATEWAY, KEY, PAYER, NETWORK } = process.env;
const account = privateKeyToAccount(PAYER);
const payer = account.address.toLowerCase();
const client = new x402Client().register(NETWORK, new ExactEvmScheme(account));
client.setSpendControls(false);

async function call(method, path, body) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const reply = await fetch(GATEWAY + path, { method, headers, body: body && JSON.stringify(body) });
  return { status: reply.status, body: await reply.json() };
}

const paying = wrapFetchWithPayment(fetch, client);

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

await check("the address of an order is paid for like any other", async () => {
  const made = await call("POST", "/api/user/topup/x402/orders", { amount_usd: 2.5 });
  const { order_id, challenge } = made.body.data;
  const reply = await paying(challenge.resource.url);
  const body = await reply.json();
  equal([reply.status, body.success, body.data?.order_id], [200, true, order_id], JSON.stringify(body));
  const told = decodePaymentResponseHeader(reply.headers.get("PAYMENT-RESPONSE"));
  equal([told.success, told.network, told.amount, told.payer], [true, NETWORK, challenge.accepts[0].amount, payer], "header");
  equal(/^0x[0-9a-f]{64}$/.test(told.transaction), true, told.transaction);
  const again = await paying(challenge.resource.url);
  equal([again.status, (await again.json()).message], [409, "ORDER_ALREADY_SETTLED"], "the same once more");
});

await check("a payment that is refused is told what to pay once more", async () => {
  const made = await call("POST", "/api/user/topup/x402/orders", { amount_usd: 3 });
  const { challenge } = made.body.data;
  const payment = await client.createPaymentPayload(challenge);
  payment.accepted = { ...payment.accepted, amount: "1" };
  const http = new x402HTTPClient(client);
  const reply = await fetch(challenge.resource.url, { headers: http.encodePaymentSignatureHeader(payment) });
  const body = await reply.json();
  equal([reply.status, body.message], [400, "PAYLOAD_MISMATCH"], JSON.stringify(body));
  const required = http.getPaymentRequiredResponse((name) => reply.headers.get(name), body);
  equal([required.error, required.accepts[0].amount], ["PAYLOAD_MISMATCH", challenge.accepts[0].amount], "challenge");
  const paid = await paying(challenge.resource.url);
  equal([paid.status, (await paid.json()).success], [200, true], "it can still be paid");
});
