// Operators in the console: an owner accepts an invitation, makes accounts and keys, moves credit, puts a model on offer at a
// provider and a price of theirs, takes a price list, decides on a payment, follows an alarm, audits the ledger, invites somebody who
// may only read, and ends their session. Each page is looked at on a phone and on a desk, in the light and in the dark.
//
// Told by the environment beside what `suite.js` says: INVITATION, of an owner; CODES_URL, whose /secret/{secret} tells the next
// code of a second factor; PROVIDER_URL, of a provider of format O that has `upstream-model`;
// ORDER, the number of an order of 5 USD whose payment was set aside; ACCOUNT, of the key's account, which has been charged. One
// alarm is open, about what was planted, and another rings when CODES_URL is asked for /ring.

import { PASSWORD, accepts, code, enrols } from "./operator.js";
import { as, button, closes, confirms, done, field, looks, section, sends, title } from "./pages.js";
import { URL, holds, run, same, until } from "./suite.js";

const { INVITATION, CODES_URL, PROVIDER_URL, ORDER, GATEWAY_KEY, ACCOUNT } = process.env;
// As long as a name may be: what runs, what leaves an attribute, and what templates fill in.
const PLANTED = `<script>planted=1</script><img src=x onerror=planted=1>"'{{7*7}}`;
// Names that a path has to escape.
const PRICE = "swift/1";
const MODEL = "lab/quick";
const LIST = `[prices."swift/1"]\nprompt = "0.40"\ncompletion = "0.60"\ncost = { prompt = "0.30", completion = "0.40" }\n[prices.other]\nprompt = "1"\ncompletion = "2"\n`;
// Of these pages nobody is told, whose session or role is not for them.
const REFUSED = { allows: /Failed to load resource/ };

const state = {};


async function acceptsAnInvitation(page, context) {
  await page.goto(`${URL}/admin/invitation`);
  await looks(page, "invitation");
  await field(page, "Invitation").fill("nobody's");
  await button(page, "Continue").click();
  await page.getByRole("alert").filter({ hasText: "the invitation was used, has ended, or never was" }).waitFor();
  state.secret = await enrols(page, INVITATION);
  await looks(page, "second-factor");
  await field(page, "Code").fill("000000");
  await field(page, "Choose a password").fill(PASSWORD);
  await field(page, "Password again").fill("another horse battery");
  await button(page, "Accept and sign in").click();
  same(await field(page, "Password again").evaluate((input) => input.validationMessage), "The two passwords differ.");
  await field(page, "Password again").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await page.getByRole("alert").filter({ hasText: "the code is not the one" }).waitFor();
  await accepts(page, state.secret);
  await button(page, "Sign out").click();
  await title(page, "Sign in");
  same(await context.cookies(), []);
}

async function signsIn(page, context) {
  await page.goto(`${URL}/admin`);
  await looks(page, "sign-in");
  await field(page, "Name").fill("ada");
  await field(page, "Password").fill("another horse battery");
  await field(page, "Code").fill("000000");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").filter({ hasText: "name, password and code do not fit together" }).waitFor();
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Code").fill(await code(state.secret));
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  state.owner = await context.cookies();
  // Whoever is signed in is not asked again.
  await page.goto(`${URL}/admin`);
  await title(page, "Overview");
  await page.getByRole("listitem").filter({ hasText: "A request that was charged" }).getByText("Open").waitFor();
  await looks(page, "overview");
}

async function movesCredit(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/accounts`);
  const form = section(page, "New account");
  await field(form, "Name").fill(PLANTED);
  await field(form, "Note for operators (optional)").fill(PLANTED);
  await field(form, "Reason (optional)").fill(PLANTED);
  await button(form, "Make the account").click();
  await title(page, PLANTED);
  await done(page, "The account is made.");
  state.account = page.url();
  const available = () => page.locator("#available").innerText();
  const grant = section(page, "Grant credit");
  await field(grant, "Amount in US dollars").fill("25.50");
  await field(grant, "Reason (optional)").fill(PLANTED);
  await button(grant, "Grant credit").click();
  await confirms(page, ["25.50", PLANTED], "Cancel");
  same(await available(), "0.00 USD");
  await button(grant, "Grant credit").click();
  await confirms(page, ["25.50", PLANTED], "Grant credit");
  await done(page, "The credit is granted.");
  same(await available(), "25.50 USD");
  await field(grant, "Amount in US dollars").fill("1000000000");
  await button(grant, "Grant credit").click();
  await confirms(page, ["1000000000"], "Grant credit");
  await grant.getByRole("alert").waitFor();
  same(await page.evaluate(() => document.activeElement.name), "usd");
  await looks(page, "account-problem");
  const take = section(page, "Take credit back");
  await field(take, "Amount in US dollars").fill("4");
  await field(take, "Reason").fill("granted too much");
  await button(take, "Take credit back").click();
  await confirms(page, ["4", PLANTED], "Take credit back");
  await done(page, "The credit is taken back.");
  same(await available(), "21.50 USD");
}

async function freezesAndChanges(page, context) {
  await as(context, state.owner);
  await page.goto(state.account);
  const standing = () => page.locator("#account-state").innerText();
  await button(section(page, "Freeze the account"), "Freeze the account").click();
  await confirms(page, [PLANTED], "Freeze the account");
  await done(page, "The account is frozen.");
  same(await standing(), "Frozen");
  await button(section(page, "Thaw the account"), "Thaw the account").click();
  await confirms(page, [PLANTED], "Thaw the account");
  await done(page, "The account is thawed.");
  same(await standing(), "Active");
  // Somebody else was faster.
  const other = await context.newPage();
  await other.goto(state.account);
  for (const [each, note, outcome] of [
    [page, `${PLANTED} first`, (at) => done(at, "It is saved.")],
    [other, "second", (at) => at.getByRole("alert").filter({ hasText: "it was changed since" }).waitFor()],
  ]) {
    const form = section(each, "Group and note");
    await field(form, "Note").fill(note);
    await button(form, "Save").click();
    await outcome(each);
  }
  await page.getByText(`${PLANTED} first`, { exact: true }).first().waitFor();
}

async function makesAndRevokesAKey(page, context) {
  await as(context, state.owner);
  await page.goto(state.account);
  await field(page, "Label").fill(PLANTED);
  await button(page, "Make the key").click();
  const made = page.getByRole("dialog", { name: "The key is made" });
  const key = await made.locator("code").innerText();
  holds(key.startsWith("sk-"), "the key is shown");
  await looks(page, "key-made");
  const asked = () => fetch(`${URL}/v1/models`, { headers: { authorization: `Bearer ${key}` } });
  same((await asked()).status, 200);
  await closes(page, made);
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: PLANTED, exact: true }) });
  await row.first().getByText("Active").waitFor();
  holds(!(await page.content()).includes(key), "the key is not shown again");
  await button(row, `Revoke ${PLANTED}`).click();
  await confirms(page, [PLANTED], "Revoke");
  await done(page, "The key is revoked.");
  await until("the end of the key", async () => (await asked()).status === 401);
  await looks(page, "account");
  await page.goto(`${URL}/admin/accounts?search=script&group=&state=active&sort=richest`);
  await page.getByRole("link", { name: PLANTED, exact: true }).waitFor();
  same([await field(page, "State").inputValue(), await field(page, "Order").inputValue()], ["active", "richest"]);
  await looks(page, "accounts");
  const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
  const file = await context.request.get(`${URL}${csv}`);
  holds(file.headers()["content-type"].startsWith("text/csv"), "it is CSV");
}

async function addsAProvider(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/providers`);
  await looks(page, "providers");
  const form = section(page, "New provider");
  await field(form, "Name").fill(PLANTED);
  await field(form, "Address").fill(PROVIDER_URL);
  await field(form, "Key (optional)").fill("sk-of-the-provider");
  await button(form, "Add the provider").click();
  await title(page, PLANTED);
  await done(page, "The provider is added.");
  state.provider = page.url();
  holds(!(await page.content()).includes("sk-of-the-provider"), "its key is not shown");
  const test = section(page, "Try it");
  await field(test, "Name at the provider").fill("upstream-model");
  await button(test, "Try it").click();
  await test.getByText("It answered.").waitFor();
  await test.getByText("hello there friend").waitFor();
  await looks(page, "provider-tried");
  const settings = section(page, "Settings");
  const most = field(settings, "Most requests at once (empty: no bound)");
  await most.fill("7");
  await sends(page, settings, "Save", "It is saved.");
  same(await most.inputValue(), "7");
  await most.fill("");
  await field(settings, "Unknown members of requests").selectOption("forward");
  await sends(page, settings, "Save", "It is saved.");
  same([await most.inputValue(), await field(settings, "Unknown members of requests").inputValue()], ["", "forward"]);
  const key = section(page, "Set a new key");
  await field(key, "Key").fill("sk-of-today");
  await sends(page, key, "Set a new key", "The key is set.");
  await field(settings, "Address").fill("ftp://api.example/v1");
  await button(settings, "Save").click();
  await settings.getByRole("alert").waitFor();
  same(await page.evaluate(() => document.activeElement.name), "settings.base_url");
}

// The request that a model was asked for is on the page of its provider and in the list.
async function showsTheLastHour(page) {
  await page.goto(state.provider);
  const hour = section(page, "The last hour");
  same([await hour.locator("#hour-requests").innerText(), await hour.locator("#hour-failed").innerText()], ["1", "0"]);
  same(await hour.locator("figure.chart svg").count(), 3);
  await hour.getByText("As a table").click();
  same(await hour.getByRole("table").getByRole("rowheader").count(), 1);
  await looks(page, "provider-hour");
  await page.goto(`${URL}/admin/providers`);
  const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: PLANTED, exact: true }) });
  await row.getByText("Requests: 1").waitFor();
  same(await row.locator("svg").count(), 1);
  await looks(page, "providers-used");
}

async function sellsAModel(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/prices`);
  const price = section(page, "New price");
  await field(price, "Name").fill(PRICE);
  await field(price, "Prompt").fill("0.15");
  await field(price, "Output").fill("0.60");
  await price.getByText("What the provider asks", { exact: true }).click();
  await field(price, "Cost of the prompt").fill("0.10");
  await field(price, "Cost of the output").fill("0.40");
  await button(price, "Add the price").click();
  await title(page, PRICE);
  state.price = page.url();
  await page.goto(`${URL}/admin/models`);
  const form = section(page, "New model");
  await field(form, "Name").fill(MODEL);
  await field(form, "Tokens of prompt and output together").fill("100000");
  await field(form, "Tokens of the longest output").fill("1000");
  await field(form, "Provider").selectOption(PLANTED);
  await field(form, "Name at the provider (empty: the same)").fill("upstream-model");
  await field(form, "Price").selectOption(PRICE);
  await button(form, "Add the model").click();
  await title(page, MODEL);
  await done(page, "The model is on offer.");
  state.model = page.url();
  const quotes = section(page, "What a request costs");
  const costs = async (text) => {
    await field(quotes, "Tokens of the prompt").fill("1000000");
    await field(quotes, "Tokens of the output").fill("0");
    await button(quotes, "What a request costs").click();
    await quotes.getByText(`${text} USD`, { exact: true }).waitFor();
  };
  await costs("0.15");
  await looks(page, "model-quoted");
  const asked = await fetch(`${URL}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${GATEWAY_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ model: MODEL, messages: [{ role: "user", content: "hello" }] }),
  });
  same([asked.status, await asked.json().then(({ choices }) => choices[0].message.content)], [200, "hello there friend"]);
  await showsTheLastHour(page);
  await page.goto(state.model);
  const settings = section(page, "Settings");
  const another = settings.getByRole("group", { name: "Another provider" });
  await field(another, "Provider").selectOption("fake");
  await field(another, "Name at the provider (empty: the same)").fill("upstream-model");
  await field(another, "Priority").fill("0");
  await field(another, "Weight").fill("3");
  await sends(page, settings, "Save", "It is saved.");
  const row = section(page, "Providers that have it").getByRole("row").filter({ hasText: "fake" });
  await row.getByRole("cell", { name: "3" }).waitFor();
  await field(settings.getByRole("group", { name: "Provider 2" }), "Provider").selectOption("");
  await sends(page, settings, "Save", "It is saved.");
  same(await settings.getByRole("group").count(), 2);
  await page.goto(state.price);
  // A price without a cost, and one with it again.
  const version = section(page, "New version");
  for (const [prompt, cost, output] of [["0.20", "", ""], ["0.30", "0.20", "0.40"]]) {
    await field(version, "Prompt").fill(prompt);
    await version.getByText("What the provider asks", { exact: true }).click();
    await field(version, "Cost of the prompt").fill(cost);
    await field(version, "Cost of the output").fill(output);
    await button(version, "New version").click();
    await Promise.all([page.waitForEvent("load"), confirms(page, [PRICE], "New version")]);
    await done(page, "The new version counts.");
  }
  const before = section(page, "Versions before");
  await before.getByText("Prompt 0.15, Output 0.60, Cost at the provider Prompt 0.10, Output 0.40", { exact: true }).waitFor();
  await before.getByText("Prompt 0.20, Output 0.60", { exact: true }).waitFor();
  await section(page, "Models that cost so").getByRole("link", { name: MODEL, exact: true }).waitFor();
  await looks(page, "price");
  await page.goto(state.model);
  await costs("0.30");
  await page.goto(`${URL}/admin/models`);
  const sold = section(page, "Margin of the last 30 days").getByRole("row").filter({ hasText: MODEL });
  await sold.waitFor();
  same(await sold.getByText("Cost not known").count(), 0);
  await looks(page, "models");
  // The provider of a model is drained, and not removed.
  await page.goto(state.provider);
  const removal = section(page, "Remove the provider");
  await button(removal, "Remove the provider").click();
  same(await field(removal, "Reason").evaluate((input) => input.validity.valueMissing), true);
  await field(removal, "Reason").fill("its prices rose");
  await button(removal, "Remove the provider").click();
  await confirms(page, [PLANTED], "Remove the provider");
  await section(page, "Remove the provider").getByRole("alert").waitFor();
  await field(section(page, "Drain"), "Reason").fill(PLANTED);
  await button(section(page, "Drain"), "Drain").click();
  await confirms(page, [PLANTED], "Drain");
  await done(page, "The provider is drained.");
  same(await page.locator("#provider-state").innerText(), "Drained");
  same(await page.locator(".reason").first().innerText(), PLANTED);
  await button(section(page, "Resume"), "Resume").click();
  await done(page, "The provider is sent requests again.");
  await looks(page, "provider");
  await page.goto(`${URL}/admin/providers`);
  const reseal = section(page, "Seal the keys anew");
  await field(reseal, "Reason (optional)").fill("a key of this year");
  await button(reseal, "Seal the keys anew").click();
  await confirms(page, [], "Seal the keys anew");
  await reseal.getByText("The keys are sealed under the present key.").waitFor();
  await looks(page, "providers-resealed");
}

async function takesAPriceList(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/prices`);
  const list = section(page, "Price list");
  const compares = async (text) => {
    await field(list, "The list, as the command tollgate prices writes it").fill(text);
    await button(list, "Compare").click();
  };
  await compares("prices = 7");
  await list.getByRole("alert").waitFor();
  same(await button(list, "Take these prices").isVisible(), false);
  await compares(LIST);
  const row = (name) => list.getByRole("row").filter({ has: page.getByRole("rowheader", { name, exact: true }) });
  await row("other").getByRole("cell", { name: "New", exact: true }).waitFor();
  await row(PRICE).getByRole("cell", { name: "Prompt 0.30, Output 0.60" }).waitFor();
  await row(PRICE).getByRole("cell", { name: "Prompt 0.40, Output 0.60, Cost at the provider Prompt 0.30, Output 0.40" }).waitFor();
  await looks(page, "prices-compared");
  await button(list, "Take these prices").click();
  await confirms(page, [], "Take these prices");
  await done(page, "The prices are taken.");
  await page.getByRole("link", { name: "other", exact: true }).waitFor();
  await compares(LIST);
  await list.getByText("The list changes nothing.").waitFor();
  same(await button(list, "Take these prices").isVisible(), false);
  const groups = section(page, "Groups");
  const form = groups.getByRole("form", { name: "New group" });
  await field(form, "Name").fill("partners");
  await field(form, "Ratio of the prices").fill("0.85");
  await sends(page, form, "Add the group", "The group is added.");
  await field(groups, "Ratio of the prices partners").fill("0.9");
  await sends(page, groups, "Save partners", "It is saved.");
  same(await field(groups, "Ratio of the prices partners").inputValue(), "0.9");
  await looks(page, "prices");
  await field(groups, "Reason partners").fill("no partner is left");
  await button(groups, "Remove partners").click();
  await confirms(page, ["partners"], "Remove");
  await done(page, "It is removed.");
}

async function decidesOnAPayment(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/payments`);
  await looks(page, "payments");
  await section(page, "Waiting for a decision").getByRole("rowheader").getByRole("link").click();
  await page.waitForURL(`${URL}/admin/orders/${ORDER}`);
  await looks(page, "order-set-aside");
  const credit = section(page, "Credit the payment");
  await field(credit, "Amount in US dollars").fill("4");
  await field(credit, "Reason").fill("its payer kept a fee");
  await button(credit, "Credit the payment").click();
  await confirms(page, ["4"], "Credit the payment");
  await done(page, "The payment is credited.");
  const back = section(page, "Book money that went back");
  await field(back, "Amount in US dollars (empty: all that is left)").fill("1.50");
  await field(back, "Reason").fill("asked for");
  await button(back, "Book money that went back").click();
  await confirms(page, [], "Book money that went back");
  await done(page, "It is booked.");
  await page.getByText("1.50 USD", { exact: true }).waitFor();
  for (const act of ["topup.unnamed", "payment.resolve", "payment.refund"]) {
    await page.getByRole("cell", { name: act, exact: true }).waitFor();
  }
  await looks(page, "order");
  await page.goto(`${URL}/admin/payments?account=&rail=crypto&status=success`);
  await page.getByText("No payment waits for a decision.").waitFor();
  same(await section(page, "Orders").getByRole("rowheader").count(), 1);
}

async function followsAnAlarm(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/overview`);
  const alarms = page.getByRole("link", { name: "Open alarms" });
  same(await page.locator("[data-live=alarms]").innerText(), "1");
  await alarms.click();
  await title(page, "Alarms");
  const alarm = section(page, `relayer network=eip155:8453 entry=${PLANTED}`);
  await alarm.getByText("Fund the account, send any transaction of the number that is stuck from it, or see the relayer.").waitFor();
  await alarm.getByText("Values").click();
  await looks(page, "alarms");
  await field(alarm, "Reason (optional)").fill("the account was funded");
  await sends(page, alarm, `Acknowledge relayer network=eip155:8453 entry=${PLANTED}`, "The alarm is acknowledged.");
  await page.getByText("No alarm fits.").waitFor();
  await page.getByLabel("State").selectOption("Acknowledged");
  await button(page, "Show").click();
  await page.getByText("operator ada").waitFor();
}

async function readsTheLedger(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/ledger`);
  await field(page, "Number of the account").fill(ACCOUNT);
  await button(page, "Show").click();
  await page.waitForURL(/account=/);
  const receipts = page.getByRole("table", { name: "Receipts of the account, the newest first" });
  const request = await receipts.getByRole("rowheader").first().innerText();
  const jobs = section(page, "Work on the ledger");
  await sends(page, section(page, "Audit"), "Begin Audit", "It has begun.");
  await until("the audit has ended", async () => {
    await page.reload();
    return (await jobs.getByRole("cell", { name: "Done", exact: true }).count()) === 1;
  });
  await jobs.getByText("All is right").first().waitFor();
  await sends(page, section(page, "Backup"), "Begin Backup", "It has begun.");
  await until("the backup is made", async () => {
    await page.reload();
    return (await jobs.getByText(/tollgate-.*\.db/).count()) === 1;
  });
  await looks(page, "ledger");
  await field(page, "Request").fill("req_none");
  await button(page, "Show").click();
  await page.getByRole("alert").filter({ hasText: "No request has this id." }).waitFor();
  await field(page, "Request").fill(request);
  await button(page, "Show").click();
  await title(page, `Receipt ${request}`);
  await page.getByText("The answer was complete and the provider reported its usage.").waitFor();
  await looks(page, "receipt");
}

async function readsTheSettings(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/settings`);
  await page.getByRole("cell", { name: "Configuration file" }).first().waitFor();
  await looks(page, "settings");
  const again = section(page, "Read the file again");
  await sends(page, again, "Read the file again", "The file was read again.");
}

// The numbers go on while somebody looks, and charts show the days.
async function watchesTheOverview(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/overview`);
  same(await page.locator("figure.chart svg").count(), 4);
  await page.getByRole("figure", { name: "Margin a day (USD)" }).waitFor();
  await page.getByText("As a table").click();
  await looks(page, "overview-used");
  const alarms = page.locator("[data-live=alarms]");
  same(await alarms.innerText(), "0");
  await fetch(`${CODES_URL}/ring`);
  await until("the alarm is counted", async () => (await alarms.innerText()) === "1");
}

async function invitesAReader(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/operators`);
  const form = section(page, "New operator");
  await field(form, "Name").fill(PLANTED);
  await field(form, "Role").selectOption("reader");
  await field(form, "Reason (optional)").fill(PLANTED);
  await button(form, "Make the operator").click();
  const made = page.getByRole("dialog", { name: "The operator is made" });
  const link = await made.locator("#invitation-link").innerText();
  await looks(page, "operator-made");
  await closes(page, made);
  await page.getByRole("link", { name: PLANTED, exact: true }).waitFor();
  await looks(page, "operators");
  const theirs = await context.browser().newContext({ userAgent: PLANTED });
  const reader = await theirs.newPage();
  await accepts(reader, await enrols(reader, link.split("#")[1]));
  for (const [path, name] of [
    ["/admin/overview", "reader-overview"],
    ["/admin/accounts", "reader-accounts"],
    [state.account.slice(URL.length), "reader-account"],
    ["/admin/operators", "reader-operators"],
    ["/admin/changes", "reader-changes"],
    [state.provider.slice(URL.length), "reader-provider"],
    [state.price.slice(URL.length), "reader-price"],
    [`/admin/orders/${ORDER}`, "reader-order"],
  ]) {
    await reader.goto(`${URL}${path}`);
    // To sign out is all that they may ask for, and what filters lists changes nothing.
    const forms = reader.locator("form[data-api]:not([data-api='DELETE /api/admin/session'])");
    same([name, await forms.count()], [name, 0]);
    await looks(reader, name);
  }
  const refused = await theirs.request.post(`${URL}/api/admin/accounts`, {
    headers: { origin: URL, "x-tollgate-csrf": "1" },
    data: { name: "mine" },
  });
  same([refused.status(), (await refused.json()).code], [403, "OPERATOR_ROLE"]);
  // The owner ends what they do.
  await page.getByRole("link", { name: PLANTED, exact: true }).click();
  await title(page, PLANTED);
  await page.getByRole("cell", { name: PLANTED, exact: true }).first().waitFor();
  await looks(page, "operator");
  await button(page, "End all sessions").click();
  await confirms(page, [PLANTED], "End all sessions");
  await done(page, "It has ended.");
  same((await reader.goto(`${URL}/admin/overview`)).status(), 200);
  await title(reader, "Sign in");
  same(reader.url(), `${URL}/admin/sign-in`);
  await theirs.close();
  const role = section(page, "Change the role");
  await field(role, "Role").selectOption("support");
  await button(role, "Save").click();
  await done(page, "It is saved.");
  await button(section(page, "Disable the operator"), "Disable the operator").click();
  await confirms(page, [PLANTED], "Disable the operator");
  await done(page, "The operator is disabled.");
}

async function readsTheChanges(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/changes`);
  for (const act of [
    ...["account.create", "credit.grant", "credit.take", "account.change", "key.create", "key.revoke"],
    ...["operator.create", "provider.create", "price.change", "payment.resolve"],
  ]) {
    await page.getByRole("cell", { name: act, exact: true }).first().waitFor();
  }
  await page.getByText(PLANTED, { exact: true }).first().waitFor();
  await looks(page, "changes");
  await field(page, "Act").fill("credit.grant");
  await field(page, "Who").fill("operator ada");
  await button(page, "Show").click();
  await page.waitForURL(/action=credit\.grant/);
  same(await page.getByRole("table").getByRole("rowheader").count(), 1);
  same(await page.locator(".reason").innerText(), PLANTED);
  await field(page, "Before this day (UTC)").fill("2020-01-01");
  await button(page, "Show").click();
  await page.getByText("No change fits.").waitFor();
}

async function looksForWhatIsNotThere(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/admin/accounts/999999`);
  await title(page, "Not found");
  await looks(page, "refused");
  await page.getByRole("link", { name: "To the overview" }).click();
  await title(page, "Overview");
}

async function servesTheKeyboard(page, context) {
  await as(context, state.owner);
  await page.goto(state.account);
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  same(await page.evaluate(() => document.activeElement.id), "content");
  const grant = section(page, "Grant credit");
  await field(grant, "Amount in US dollars").press("Shift+Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("1");
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog", { name: "Please confirm" });
  await dialog.waitFor();
  same(await page.evaluate(() => document.activeElement.textContent), "Cancel");
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  same(await page.evaluate(() => document.activeElement.name), "usd");
  same(await page.locator("#available").innerText(), "21.50 USD");
}

await run([
  ["an invitation is accepted", acceptsAnInvitation, REFUSED],
  ["an operator signs in", signsIn, REFUSED],
  ["credit is granted and taken", movesCredit, REFUSED],
  ["an account is frozen, thawed and changed", freezesAndChanges, REFUSED],
  ["a key is made and revoked", makesAndRevokesAKey],
  ["a provider is added and tried", addsAProvider, REFUSED],
  ["a model is sold", sellsAModel, REFUSED],
  ["a price list is compared and taken", takesAPriceList, REFUSED],
  ["a payment is decided on", decidesOnAPayment],
  ["an alarm is followed to its cause", followsAnAlarm],
  ["the ledger is read and audited", readsTheLedger],
  ["the settings are read", readsTheSettings],
  ["the overview goes on", watchesTheOverview],
  ["a reader is invited and sent away", invitesAReader],
  ["the changes are read", readsTheChanges],
  ["what is not there is looked for", looksForWhatIsNotThere, REFUSED],
  ["the keyboard is enough", servesTheKeyboard],
]);
