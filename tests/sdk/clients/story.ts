// A program of a team downstream, which has the resolved spec, the generator and nothing else of this service: an answer as it
// comes, orders that an agent may pay, and the one that is too many, by its type.

import { Tollgate, x402Calls, type types } from "../client/dist/index.js";

declare const process: { env: Record<string, string | undefined> };

const client = new Tollgate({ baseUrl: process.env["GATEWAY_URL"] ?? "", apiKey: process.env["GATEWAY_KEY"] ?? "" });

async function say(model: string): Promise<string> {
  let said = "";
  const request = { model, messages: [{ role: "user", content: "Say hello." }], stream: true } satisfies types.ChatRequest;
  for await (const chunk of await client.chat.create(request)) said += chunk.choices[0]?.delta.content ?? "";
  return said;
}

/** An order and how it may be paid, or how many wait where no more may. */
async function order(amount: number): Promise<string> {
  try {
    const { data } = await client.x402.create({ amount_usd: amount });
    const [way] = data.challenge.accepts;
    const paid = way === undefined ? "nothing" : `${way.amount} on ${way.network}`;
    return `order of ${data.amount_usd} USD, ${data.status}: ${paid}`;
  } catch (error) {
    if (!x402Calls.isX402CreateError(error) || error.code !== "X402_PENDING_CAP") throw error;
    // The code is one of many, and decides what the details are.
    const waiting: number = error.details.count;
    return `no order: ${waiting} wait already (HTTP ${error.status}, asked as ${typeof error.requestId})`;
  }
}

console.log(`said: ${await say(process.env["GATEWAY_MODEL"] ?? "")}`);
for (const amount of [5, 2.5, 1, 1]) console.log(await order(amount));
