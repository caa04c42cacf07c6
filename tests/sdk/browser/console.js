// Operators in the console: an owner accepts an invitation, makes accounts and keys, moves credit, invites somebody who may only
// read, and ends their session. Each page is looked at on a phone and on a desk, in the light and in the dark.
//
// Told by the environment beside what `suite.js` says: INVITATION, of an owner; CODES_URL, whose /secret/{secret} tells the next
// code of a second factor; SCREENSHOTS, a folder for pictures.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { URL, holds, run, same, until } from "./suite.js";

const { INVITATION, CODES_URL, SCREENSHOTS } = process.env;
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const PASSWORD = "correct horse battery";
const WIDTHS = [360, 1280];
const COLOURS = ["light", "dark"];
// As long as a name may be: what runs, what leaves an attribute, and what templates fill in.
const PLANTED = `<script>planted=1</script><img src=x onerror=planted=1>"'{{7*7}}`;
// Of these pages nobody is told, whose session or role is not for them.
const REFUSED = { allows: /Failed to load resource/ };

const state = {};

const code = async (secret) => (await (await fetch(`${CODES_URL}/secret/${secret}`)).json()).code;
const button = (page, name) => page.getByRole("button", { name, exact: true });
const field = (within, name) => within.getByLabel(name, { exact: true });
const section = (page, name) => page.getByRole("region", { name, exact: true });
const title = (page, name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
const done = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();
const as = (context, cookies) => context.addCookies(cookies);

// Nothing that somebody wrote ran, nothing sticks out at the side, and a screen reader finds its way.
async function isSound(page, name, width, colour) {
  same(await page.evaluate(() => globalThis.planted), undefined, name);
  holds(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits ${width}`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  same(told, [], `${name}, ${width} ${colour}`);
}

async function looks(page, name) {
  // A page is there before its style is.
  await page.waitForLoadState();
  for (const colour of COLOURS) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme: colour });
      await page.setViewportSize({ width, height: 800 });
      await isSound(page, name, width, colour);
      await page.screenshot({ path: `${SCREENSHOTS}/${name}-${width}-${colour}.png`, fullPage: true });
    }
  }
}

// Answers the question that a form asks before it does something.
async function confirms(page, words, answer) {
  const dialog = page.getByRole("dialog", { name: "Please confirm" });
  await dialog.waitFor();
  for (const word of words) {
    holds((await dialog.innerText()).includes(word), `${word} is repeated`);
  }
  await button(dialog, answer).click();
}

async function enrols(page, invitation) {
  await page.goto(`${URL}/admin/invitation#${invitation}`);
  same([await field(page, "Invitation").inputValue(), new globalThis.URL(page.url()).hash], [invitation, ""]);
  await button(page, "Continue").click();
  await page.getByRole("img", { name: "QR code of the second factor" }).waitFor();
  return page.locator("code[data-fill=secret]").innerText();
}

async function accepts(page, secret) {
  await field(page, "Code").fill(await code(secret));
  await field(page, "Choose a password").fill(PASSWORD);
  await field(page, "Password again").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await title(page, "Overview");
}

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
  await button(made, "Close").click();
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
  await button(made, "Close").click();
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
  same((await reader.goto(`${URL}/admin/overview`)).status(), 401);
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
  for (const act of ["account.create", "credit.grant", "credit.take", "account.change", "key.create", "key.revoke", "operator.create"]) {
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
  ["a reader is invited and sent away", invitesAReader],
  ["the changes are read", readsTheChanges],
  ["the keyboard is enough", servesTheKeyboard],
]);
