// A month of an operator, by the generated client: colleagues, a provider with prices and a model, a customer with credit and a key,
// dearer prices, a group, a second provider and the first one drained, a mistake taken back, a customer frozen, and what the log of
// changes tells of it.

import { ApiError, Tollgate, adminModelsCalls } from "../client/dist/index.js";

declare const process: { env: Record<string, string | undefined> };

const url = process.env["GATEWAY_URL"] ?? "";
const provider = process.env["PROVIDER_URL"] ?? "";
const root = new Tollgate({ baseUrl: url, apiKey: process.env["GATEWAY_KEY"] ?? "" });

/** The code of a refusal, or that there was none. */
async function code(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return "no refusal";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return String(error.code);
  }
}

async function say(key: string): Promise<string> {
  const customer = new Tollgate({ baseUrl: url, apiKey: key });
  const reply = await customer.chat.create({ model: "quick", messages: [{ role: "user", content: "Say hello." }] });
  return String(reply.choices[0]?.message.content);
}

// 1. Colleagues: one who runs it, one who has the money, one who reads.
const keys: Record<string, string> = {};
for (const role of ["operator", "finance", "reader"] as const) {
  const made = await root.adminOperators.create({ name: `month ${role}`, kind: "key", role });
  keys[role] = made.data.api_key ?? "";
}
const as = (role: string): Tollgate => new Tollgate({ baseUrl: url, apiKey: keys[role] ?? "" });
const [runs, counts, reads] = [as("operator"), as("finance"), as("reader")];
console.log(`roles: ${await code(reads.adminPrices.create({ name: "x", settings: { prompt: "1", completion: "1" } }))}`);

// 2. Something to sell.
await runs.adminProviders.create({ name: "first", settings: { base_url: provider }, api_key: "k" });
const tried = (await runs.adminProviders.test("first", { model: "m" })).data;
const settings = { context_tokens: 1000, max_output_tokens: 100, candidates: [{ upstream: "first", model: "m" }] };
try {
  await runs.adminModels.create({ name: "quick", settings });
} catch (error) {
  if (!adminModelsCalls.isAdminModelsCreateError(error) || error.code !== "CATALOG_UNUSABLE") throw error;
  console.log(`tried: ${tried.answered}; without a price: ${error.details.field}`);
}
await runs.adminPrices.create({ name: "quick", settings: { prompt: "1", completion: "2" } });
await runs.adminModels.create({ name: "quick", settings });
const quote = (await reads.adminModels.quote("quick", { prompt_tokens: 1000, completion_tokens: 100 })).data;
console.log(`quote: ${quote.cost_usd} USD at ${quote.price_version}`);

// 3. A customer.
const { account_id: id } = (await runs.adminAccounts.create({ name: "month customer" })).data;
const granted = await counts.adminAccounts.grant(id, { usd: 10, reason: "invoice 1" }, { idempotency_key: "month 1" });
const again = await counts.adminAccounts.grant(id, { usd: 10, reason: "invoice 1" }, { idempotency_key: "month 1" });
const key = (await runs.adminKeys.create(id, { label: "first" })).data.api_key;
console.log(`granted: ${granted.data.available_usd} USD, repeated ${again.data.repeated}; said: ${await say(key)}`);

// 4. Prices of the next week, compared before they are taken.
const list = '[prices.quick]\nprompt = "3"\ncompletion = "4"\n[prices.slow]\nprompt = "1"\ncompletion = "1"\n';
const compared = (await runs.adminPrices.compare({ list })).data;
await runs.adminPrices.take({ list, reason: "the provider raised it" }, { if_match: compared.version });
const price = (await reads.adminPrices.get("quick")).data;
console.log(`prices: ${compared.differences.map((it) => `${it.name} ${it.kind}`).join(", ")}; ${price.price_version} after ${price.before.length}`);
console.log(`twice: ${await code(runs.adminPrices.take({ list }, { if_match: compared.version }))}`);

// 5. A group for friends, which the customer joins.
await runs.adminGroups.create({ name: "month-friends", ratio: "0.5" });
const before = (await runs.adminAccounts.get(id)).data;
await runs.adminAccounts.change(id, { group: "month-friends" }, { if_match: before.version });
console.log(`a late change: ${await code(runs.adminAccounts.change(id, { note: "late" }, { if_match: before.version }))}`);
console.log(`a group in use: ${await code(runs.adminGroups.remove("month-friends", { if_match: "*" }))}`);

// 6. A second provider, and the first one drained.
await runs.adminProviders.create({ name: "second", settings: { base_url: provider } });
const model = (await runs.adminModels.get("quick")).data;
const both = { ...settings, candidates: [...settings.candidates, { upstream: "second", model: "m" }] };
await runs.adminModels.change("quick", { settings: both }, { if_match: model.version });
const drained = (await runs.adminProviders.drain("first")).data;
const said = await say(key);
const receipt = (await reads.adminReceipts.list(id, { limit: 1 })).data.receipts[0];
console.log(`${drained.name} ${drained.state}; said: ${said} by ${receipt?.upstream} at ${receipt?.price_version}`);

// 7. A mistake is taken back, the customer is frozen, and a colleague leaves.
const taken = await counts.adminAccounts.take(id, { usd: 4, reason: "a mistake" }, { idempotency_key: "month 2" });
const frozen = await runs.adminAccounts.change(id, { state: "frozen", reason: "not paid" }, { if_match: "*" });
for (const operator of (await root.adminOperators.list()).data) {
  if (operator.name !== "month finance") continue;
  await root.adminOperators.change(operator.operator_id, { state: "disabled" }, { if_match: operator.version });
}
console.log(`taken: ${taken.data.taken_usd} USD; ${frozen.data.state}; gone: ${await code(counts.adminAccounts.get(id))}`);

// 8. The log of changes tells it all, the newest first.
const acts: string[] = [];
for await (const line of reads.adminChanges.listAll({ limit: 7 })) {
  if (line.actor === "operator month operator" || line.actor === "operator month finance") acts.push(line.action);
}
console.log(`log: ${acts.reverse().join(" ")}`);
