// The first start of a server in production, with nothing in it: its owner accepts the invitation, signs in with the second
// factor, and follows the checklist of the overview from a provider to the first charged request.
//
// Told by the environment beside what `suite.js`, `operator.js` and `pages.js` say, of which GATEWAY_URL is the address of operators:
// MODELS_URL, the address of everybody; INVITATION, of the owner ada; PROVIDER_URL, of a provider of format O that answers for
// 9 and 3 tokens.

import { PASSWORD, accepts, code, enrols } from "./operator.js";
import { button, closes, confirms, done, field, looks, section, title } from "./pages.js";
import { URL, holds, run, same } from "./suite.js";

const { INVITATION, MODELS_URL, PROVIDER_URL } = process.env;
// Said by the browser of the session that nobody has yet.
const REFUSED = { allows: /Failed to load resource/ };
const STEPS = [
  ...["A provider", "A price; without one a model is not sold", "A model on offer", "An account", "A key of an account"],
  "A request that was charged",
];

const state = {};

const steps = (page) => section(page, "First steps").getByRole("listitem");
const marks = (page) => steps(page).locator(".mark").allInnerTexts();

// The overview has so many steps done, in their order.
async function has(page, count) {
  await page.goto(`${URL}/admin/overview`);
  same(await marks(page), STEPS.map((_, place) => (place < count ? "Done" : "Open")));
}

// From the overview to where the next step is done.
async function goes(page, context, count, heading) {
  await context.addCookies(state.owner);
  await has(page, count);
  await steps(page).getByRole("link", { name: `Go there: ${STEPS[count]}` }).click();
  await title(page, heading);
}

async function acceptsTheInvitation(page) {
  const secret = await enrols(page, INVITATION);
  await looks(page, "second-factor");
  state.secret = secret;
  await accepts(page, secret);
  await has(page, 0);
  for (const [place, step] of STEPS.entries()) {
    holds((await steps(page).nth(place).innerText()).includes(step), step);
  }
  await page.getByText("No request has ended in the last 30 days.").waitFor();
  await looks(page, "overview-empty");
}

async function signsIn(page, context) {
  await page.goto(`${URL}/admin`);
  await title(page, "Sign in");
  await looks(page, "sign-in");
  await field(page, "Name").fill("ada");
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Code").fill(await code(state.secret));
  await button(page, "Sign in").click();
  await title(page, "Overview");
  state.owner = await context.cookies();
}

async function followsTheSteps(page, context) {
  await goes(page, context, 0, "Providers");
  await looks(page, "providers-empty");
  const provider = section(page, "New provider");
  await field(provider, "Name").fill("main");
  await field(provider, "Address").fill(PROVIDER_URL);
  await field(provider, "Key (optional)").fill("sk-of-the-provider");
  await button(provider, "Add the provider").click();
  await title(page, "main");
  await done(page, "The provider is added.");
  await page.getByText("This server has sent it nothing in the last hour.").waitFor();
  await looks(page, "provider");
  await goes(page, context, 1, "Prices");
  await looks(page, "prices-empty");
  const price = section(page, "New price");
  await field(price, "Name").fill("small-1");
  await field(price, "Prompt").fill("0.15");
  await field(price, "Output").fill("0.60");
  await button(price, "Add the price").click();
  await title(page, "small-1");
  await goes(page, context, 2, "Models");
  await looks(page, "models-empty");
  const model = section(page, "New model");
  await field(model, "Name").fill("small-1");
  await field(model, "Tokens of prompt and output together").fill("128000");
  await field(model, "Tokens of the longest output").fill("16384");
  await field(model, "Provider").selectOption("main");
  await field(model, "Price").selectOption("small-1");
  await button(model, "Add the model").click();
  await title(page, "small-1");
  await done(page, "The model is on offer.");
  await goes(page, context, 3, "Accounts");
  await looks(page, "accounts-empty");
  const account = section(page, "New account");
  await field(account, "Name").fill("acme");
  await button(account, "Make the account").click();
  await title(page, "acme");
  const grant = section(page, "Grant credit");
  await field(grant, "Amount in US dollars").fill("25");
  await button(grant, "Grant credit").click();
  await confirms(page, ["25", "acme"], "Grant credit");
  await done(page, "The credit is granted.");
  await goes(page, context, 4, "Accounts");
  await page.getByRole("link", { name: "acme", exact: true }).click();
  await title(page, "acme");
  await field(page, "Label").fill("first");
  await button(page, "Make the key").click();
  const made = page.getByRole("dialog", { name: "The key is made" });
  state.key = await made.locator("code").innerText();
  await closes(page, made);
  await has(page, 5);
  await steps(page).last().getByText("/v1/chat/completions").waitFor();
  await looks(page, "overview-before-the-request");
}

async function chargesARequest(page, context) {
  await context.addCookies(state.owner);
  const asked = await fetch(`${MODELS_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${state.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "small-1", messages: [{ role: "user", content: "Hello" }] }),
  });
  same([asked.status, asked.headers.get("x-tollgate-cost-usd")], [200, "0.00000315"]);
  await asked.json();
  await page.goto(`${URL}/admin/overview`);
  await title(page, "Overview");
  same(await section(page, "First steps").count(), 0);
  same(await page.locator("figure.chart svg").count(), 3);
  await looks(page, "overview-used");
  await page.goto(`${URL}/admin/providers/main`);
  same([await page.locator("#hour-requests").innerText(), await page.locator("#hour-failed").innerText()], ["1", "0"]);
  same(await page.locator("figure.chart svg").count(), 3);
  await page.getByText("As a table").click();
  await looks(page, "provider-used");
  await page.goto(`${URL}/admin/providers`);
  same(await page.locator("td.spark svg").count(), 1);
  await looks(page, "providers-used");
}

await run([
  ["an owner accepts the invitation", acceptsTheInvitation, REFUSED],
  ["an owner signs in with the second factor", signsIn, REFUSED],
  ["the checklist is followed", followsTheSteps],
  ["a request is charged and the checklist is done", chargesARequest],
]);
