// A customer in the console of an account: opens the account, tops up, makes a key, reads receipts and usage, talks with a model,
// has an agent, ends a session and changes the password. Each page is looked at on a phone and on a desk, in the light and in the dark.
//
// Told by the environment beside what `suite.js` says: AGENT, the registration of an agent as JSON;
// SOLANA, the address of the wallet whose seed is 7.

import { as, button, closes, confirms, done, field, looks, section, sends, title } from "./pages.js";
import { URL, holds, run, same, until } from "./suite.js";
import { giveSolanaWallet, giveWallet } from "./wallet.js";

const { AGENT, SOLANA } = process.env;
const WALLET_KEY = `0x${"17".repeat(32)}`;
const EMAIL = "ann@example.org";
const PASSWORD = "correct horse battery";
const NEW_PASSWORD = "staple battery horse";
// What runs, what leaves an attribute, and what templates fill in.
const PLANTED = `<img src=x onerror=planted=1>"'{{7*7}}`;
// Of these requests nobody is told what they ask for.
const REFUSED = { allows: /Failed to load resource/ };

const state = {};
const alert = (within, text) => within.getByRole("alert").filter({ hasText: text }).waitFor();
const available = (page) => page.locator("#available").innerText();

async function opensAnAccount(page, context) {
  await page.goto(URL);
  await title(page, "Sign in");
  await looks(page, "sign-in");
  await page.getByRole("link", { name: "I have no account yet" }).click();
  await title(page, "Open an account");
  await looks(page, "register");
  await field(page, "E-mail address").fill(EMAIL);
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Password again").fill("another");
  await button(page, "Open an account").click();
  same(await field(page, "Password again").evaluate((input) => input.validationMessage), "The two passwords differ.");
  await field(page, "Password again").fill(PASSWORD);
  await button(page, "Open an account").click();
  await title(page, "Overview");
  same(await available(page), "0.00 USD");
  await page.getByText("No request was charged in this month.").waitFor();
  await looks(page, "overview-empty");
  await button(page, "Sign out").click();
  await title(page, "Sign in");
  same(await context.cookies(), []);
  await page.goto(`${URL}/console/register`);
  await field(page, "E-mail address").fill(EMAIL);
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Password again").fill(PASSWORD);
  await button(page, "Open an account").click();
  await alert(page, "There is an account with this e-mail address already.");
}

async function signsIn(page, context) {
  // Who is not signed in is led to where people sign in.
  await page.goto(`${URL}/console/keys`);
  same(page.url(), `${URL}/console/sign-in`);
  await field(page, "E-mail address or name").fill(EMAIL);
  await field(page, "Password").fill("another horse battery");
  await page.keyboard.press("Enter");
  await alert(page, "The name or the password is wrong.");
  await looks(page, "sign-in-refused");
  await field(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  state.person = await context.cookies();
  const [{ httpOnly, sameSite, path }] = state.person;
  same([httpOnly, sameSite, path], [true, "Lax", "/"]);
  // Whoever is signed in is not asked again.
  await page.goto(URL);
  await title(page, "Overview");
  // Of where to go on after a sign-in an address says the order that is paid, and nothing else.
  for (const hash of ["//evil.example", "pay=//evil.example", "pay=%2f%2fevil.example", "pay=x&then=//evil.example", "pay"]) {
    await page.goto(`${URL}/console/sign-in#${hash}`);
    await page.waitForURL(`${URL}/console/overview`);
  }
}

async function hasAnAgent(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/agents`);
  await page.getByText("There is no agent.").waitFor();
  const headers = { origin: URL, "x-tollgate-csrf": "1", "content-type": "application/json" };
  const made = await context.request.post(`${URL}/api/user/self/agents`, { headers, data: AGENT });
  same(made.status(), 200);
  await page.reload();
  const agent = page.locator("section.card");
  await agent.getByText("Name and limits in US dollars").click();
  await field(agent, "Most of all top-ups a day").fill("12.50");
  await sends(page, agent, "Save", "It is saved.");
  await agent.getByText("Name and limits in US dollars").click();
  same(await field(agent, "Most of all top-ups a day").inputValue(), "12.5");
  await field(agent, "Most of all top-ups a day").fill("");
  await sends(page, agent, "Save", "It is saved.");
  await agent.getByText("Name and limits in US dollars").click();
  same(await field(agent, "Most of all top-ups a day").inputValue(), "");
  await looks(page, "agents");
  await agent.getByRole("button", { name: /^Revoke/ }).click();
  await confirms(page, [], "Revoke");
  await done(page, "The agent is revoked.");
  await agent.getByText("Revoked").waitFor();
}

async function topsUp(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/top-up`);
  await looks(page, "top-up");
  const amount = field(page, "Amount in US dollars");
  // One way is chosen at the start, and the keyboard chooses another.
  const ways = page.getByRole("group", { name: "Pay with", exact: true }).getByRole("radio");
  holds(await ways.first().isChecked(), "there is a choice");
  await ways.first().press("ArrowDown");
  holds(await ways.nth(1).isChecked(), "the next one");
  await page.getByRole("radio", { name: "GCash PH", exact: true }).check();
  await amount.fill("0.01");
  await button(page, "Continue").click();
  await alert(page.locator("#top-up"), "the nearest is 1");
  await button(page, "5 USD").click();
  same(await amount.inputValue(), "5");
  await button(page, "Continue").click();
  await button(page, "Pay").click();
  await page.getByText("Paid", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Back to your account" }).click();
  await title(page, "Overview");
  same(await available(page), "5.00 USD");
  // From a wallet the way leads over the page that speaks to it.
  await page.goto(`${URL}/console/top-up`);
  await page.getByRole("radio", { name: /^USDC/ }).first().check();
  await button(page, "10 USD").click();
  await button(page, "Continue").click();
  await page.waitForURL(/\/topup\/crypto\?order=/);
  await page.getByText("10.00").waitFor();
  await page.getByRole("link", { name: "Back to your account" }).click();
  await title(page, "Overview");
}

async function makesAKey(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/keys`);
  await page.getByText("There is no key in use.").waitFor();
  const form = section(page, "New key");
  await field(form, "Label").fill(PLANTED);
  await form.getByText("Limits (optional)").click();
  await field(form, "US dollars a day").fill("1.50");
  await field(form, "Models, with commas between").fill("small");
  await field(form, "Tell the cost in each answer").check();
  await looks(page, "keys-new");
  await button(form, "Make the key").click();
  const made = page.getByRole("dialog", { name: "The key is made" });
  state.key = await made.locator("code").innerText();
  holds(state.key.startsWith("sk-"), "the key is shown");
  await looks(page, "key-made");
  await closes(page, made);
  await page.getByRole("rowheader", { name: `Change ${PLANTED}` }).waitFor();
  holds(!(await page.content()).includes(state.key), "the key is not shown again");
  const asked = await fetch(`${URL}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${state.key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "small", messages: [{ role: "user", content: "hello" }] }),
  });
  same(asked.status, 200);
  const { usage } = await asked.json();
  holds(usage.cost > 0, "the cost is told");
  state.request = asked.headers.get("x-request-id");
  await until("its use is seen", async () => {
    await page.reload();
    return (await page.getByText("not in 30 days").count()) === 0;
  });
  await looks(page, "keys");
}

async function changesAndRevokesAKey(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/keys`);
  await page.getByRole("link", { name: `Change ${PLANTED}` }).click();
  await title(page, PLANTED);
  const form = section(page, "Change the key");
  same(await field(form, "US dollars a day").inputValue(), "1.5");
  same(await field(form, "Models, with commas between").inputValue(), "small");
  holds(await field(form, "Tell the cost in each answer").isChecked(), "it tells the cost");
  await looks(page, "key");
  await field(form, "US dollars a day").fill("");
  await field(form, "Requests a minute").fill("60");
  await field(form, "Models, with commas between").fill("");
  await field(form, "Tell the cost in each answer").uncheck();
  await sends(page, form, "Save", "It is saved.");
  same(await field(form, "US dollars a day").inputValue(), "");
  same(await field(form, "Requests a minute").inputValue(), "60");
  same(await field(form, "Models, with commas between").inputValue(), "");
  holds(!(await field(form, "Tell the cost in each answer").isChecked()), "it tells the cost no more");
  await button(section(page, "Revoke"), "Revoke").click();
  await confirms(page, [PLANTED], "Cancel");
  same(await page.locator("#key-state").innerText(), "In use");
  await button(section(page, "Revoke"), "Revoke").click();
  await confirms(page, [PLANTED], "Revoke");
  await done(page, "The key is revoked.");
  same(await page.locator("#key-state").innerText(), "Revoked");
  const headers = { authorization: `Bearer ${state.key}` };
  await until("the end of the key", async () => (await fetch(`${URL}/v1/models`, { headers })).status === 401);
}

async function readsReceipts(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/receipts`);
  await page.getByRole("link", { name: state.request }).waitFor();
  await looks(page, "receipts");
  await field(page, "Model").fill("other");
  await button(page, "Show").click();
  await page.getByText("There is no receipt.").waitFor();
  await field(page, "Request (x-request-id)").fill("req_none");
  await button(page, "Show").click();
  await alert(page, "Your account has no receipt of this request.");
  await field(page, "Request (x-request-id)").fill(state.request);
  await button(page, "Show").click();
  await title(page, `Receipt ${state.request}`);
  await page.getByText("The answer was complete and the provider reported its usage.").waitFor();
  await looks(page, "receipt");
  await page.goto(`${URL}/console/receipts`);
  const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
  const file = await context.request.get(`${URL}${csv}`);
  same([file.status(), (await file.text()).includes(state.request)], [200, true]);
}

async function looksForWhatIsNotThere(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/receipts/none`);
  await title(page, "Not found");
  await looks(page, "refused");
  await page.getByRole("link", { name: "To the overview" }).click();
  await title(page, "Overview");
}

async function readsUsage(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/usage`);
  same(await page.locator("figure.chart svg").count(), 1);
  await page.getByText("As a table").click();
  await looks(page, "usage");
  const csv = await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href");
  const file = await context.request.get(`${URL}${csv}`);
  same([file.status(), (await file.text()).split("\r\n")[1].includes("small")], [200, true]);
  await field(page, "First day (UTC)").fill("2020-01-01");
  await button(page, "Show").click();
  await alert(page, "Please choose fewer days.");
  await page.goto(`${URL}/console/overview`);
  same(await page.locator("figure.chart svg").count(), 1);
  await looks(page, "overview");
}

async function followsTheFirstSteps(page, context) {
  await as(context, state.person);
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: URL });
  await page.goto(`${URL}/console/first-steps`);
  await button(section(page, "curl").first(), "Copy").click();
  await button(section(page, "curl").first(), "Copied").waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  holds(copied.includes(`curl ${URL}/v1/chat/completions`) && copied.includes('"model": "small"'), copied);
  holds(!(await page.content()).includes("YOUR-GATEWAY"), "the address stands in each line");
  await looks(page, "first-steps");
}

async function talksWithAModel(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/playground`);
  await field(page, "Your message").fill(PLANTED);
  await button(page, "Send").click();
  await alert(page, "Please paste a key, or make one for an hour.");
  await field(page, "A key of yours").fill("sk-nobody");
  await button(page, "Send").click();
  await alert(page, "This key is not known.");
  same(await field(page, "Your message").inputValue(), PLANTED);
  await button(page, "Make a key for an hour").click();
  await page.getByText("A key was made.").waitFor();
  await button(page, "Send").click();
  await page.getByText(/This answer cost 0\.\d+ USD\./).waitFor();
  same(await page.locator("#talk li").count(), 2);
  same(await page.locator("#talk li p").first().innerText(), PLANTED);
  holds((await page.locator("#talk li p").last().innerText()).length > 0, "the answer is there");
  await looks(page, "playground");
  // Neither the address nor what the browser keeps has the key.
  const key = await field(page, "A key of yours").inputValue();
  const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]));
  holds(key.startsWith("sk-") && !kept.includes(key), "the key is kept nowhere");
  await button(page, "Start anew").click();
  same(await page.locator("#talk li").count(), 0);
}

async function endsASession(page, context) {
  await as(context, state.person);
  const theirs = await context.browser().newContext();
  const other = await theirs.newPage();
  await other.goto(URL);
  await field(other, "E-mail address or name").fill(EMAIL);
  await field(other, "Password").fill(PASSWORD);
  await other.keyboard.press("Enter");
  await title(other, "Overview");
  await page.goto(`${URL}/console/settings`);
  same(await page.getByRole("rowheader").count(), 2);
  await looks(page, "settings");
  const row = page.getByRole("row").filter({ has: page.getByRole("button", { name: /^End / }) });
  await row.getByRole("button").click();
  await done(page, "The session is ended.");
  same(await page.getByRole("rowheader").count(), 1);
  await other.goto(`${URL}/console/keys`);
  same(other.url(), `${URL}/console/sign-in`);
  await theirs.close();
}

async function changesThePassword(page, context) {
  await as(context, state.person);
  await page.goto(`${URL}/console/settings`);
  const form = section(page, "Change the password");
  const fills = async (present) => {
    await field(form, "Present password").fill(present);
    await field(form, "New password").fill(NEW_PASSWORD);
    await field(form, "Password again").fill(NEW_PASSWORD);
    await button(form, "Change the password").click();
  };
  await fills("another horse battery");
  await alert(form, "The name or the password is wrong.");
  await fills(PASSWORD);
  await title(page, "Sign in");
  await done(page, "The password is changed.");
  await field(page, "E-mail address or name").fill(EMAIL);
  await field(page, "Password").fill(NEW_PASSWORD);
  await page.keyboard.press("Enter");
  await title(page, "Overview");
}

async function signsInByAWallet(page, context) {
  await page.goto(`${URL}/console/register`);
  await page.getByText("No wallet was found in this browser.").waitFor();
  const wallet = await giveWallet(context, { key: WALLET_KEY, name: PLANTED, chain: 1, rpc: URL });
  const sun = await giveSolanaWallet(context, { seed: 7, address: SOLANA, name: "Sun" });
  await page.reload();
  await looks(page, "register-wallet");
  wallet.refuses.add("personal_sign");
  await button(page, `Sign in with ${PLANTED}`).click();
  await alert(page, "You refused in the wallet.");
  wallet.refuses.clear();
  await button(page, `Sign in with ${PLANTED}`).click();
  await title(page, "Overview");
  holds(wallet.signed.startsWith(`${new globalThis.URL(URL).host} wants you to sign in with your Ethereum account:`), wallet.signed);
  const address = wallet.account.address.toLowerCase();
  await page.getByText(`Signed in as ${address}`).waitFor();
  await page.goto(`${URL}/console/settings`);
  await button(page, `Take away ${address}`).click();
  await confirms(page, [address], "Take away");
  await alert(page, "This is the last way to sign in to your account.");
  await button(page, `Add ${PLANTED}`).click();
  await alert(page, "This way to sign in is in use already");
  await button(page, "Add Sun").click();
  await done(page, "The wallet is added.");
  await page.getByRole("rowheader", { name: SOLANA }).waitFor();
  holds(/Let this wallet sign in to the account \d+\./.test(sun.signed), sun.signed);
  await looks(page, "settings-wallets");
  await button(page, `Take away ${address}`).click();
  await confirms(page, [address], "Take away");
  await title(page, "Sign in");
  await done(page, "It is taken away. Sign in again.");
  await looks(page, "sign-in-wallet");
  sun.refuses.add("solana:signMessage");
  await button(page, "Sign in with Sun").click();
  await alert(page, "You refused in the wallet.");
  sun.refuses.clear();
  await button(page, "Sign in with Sun").click();
  await title(page, "Overview");
  // The account is called as it was; the wallet that was taken away would open another one.
  await page.getByText(`Signed in as ${address}`).waitFor();
}

// Whoever has no password is led from the page of a payment to where wallets sign in, and back to the order.
async function goesOnPayingAfterASignIn(page, context) {
  await giveSolanaWallet(context, { seed: 7, address: SOLANA, name: "Sun" });
  await page.goto(URL);
  await button(page, "Sign in with Sun").click();
  await title(page, "Overview");
  await page.goto(`${URL}/console/top-up`);
  await page.getByRole("radio", { name: /^USDC/ }).first().check();
  await button(page, "10 USD").click();
  await button(page, "Continue").click();
  await page.waitForURL(/\/topup\/crypto\?order=/);
  const order = page.url();
  await context.clearCookies();
  await page.reload();
  await looks(page, "pay-signed-out");
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await title(page, "Sign in");
  await button(page, "Sign in with Sun").click();
  await page.waitForURL(order);
  await page.getByText("10.00").waitFor();
}

async function servesTheKeyboard(page) {
  await page.goto(URL);
  await title(page, "Sign in");
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  same(await page.evaluate(() => document.activeElement.id), "content");
  await page.keyboard.press("Tab");
  same(await page.evaluate(() => document.activeElement.name), "email");
}

await run([
  ["an account is opened", opensAnAccount, REFUSED],
  ["somebody signs in", signsIn, REFUSED],
  ["an agent is limited and revoked", hasAnAgent],
  ["the account is topped up", topsUp, REFUSED],
  ["a key is made", makesAKey],
  ["a key is changed and revoked", changesAndRevokesAKey],
  ["receipts are read", readsReceipts],
  ["what is not there is looked for", looksForWhatIsNotThere, REFUSED],
  ["usage is read", readsUsage],
  ["first steps are copied", followsTheFirstSteps],
  ["a model is talked with", talksWithAModel, REFUSED],
  ["a session is ended", endsASession],
  ["the password is changed", changesThePassword, REFUSED],
  ["somebody signs in by a wallet", signsInByAWallet, REFUSED],
  ["a payment goes on after a sign-in", goesOnPayingAfterASignIn, REFUSED],
  ["the keyboard is enough", servesTheKeyboard, REFUSED],
]);
