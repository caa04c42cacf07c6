// People who come back from the checkout page: they see how their payment stands, live, without being signed in anywhere.
//
// Told by the environment beside what `suite.js` says: SESSION, of somebody of the account, and STRANGER, of somebody else;
// CLOCK_URL, where so many seconds are let go by as the path says.

import { looks } from "./pages.js";
import { URL, ask, holds, picture, run, same, until } from "./suite.js";

const { SESSION, STRANGER, CLOCK_URL } = process.env;
const USD = 5;
// A small phone, and a desk.
const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true };
const WIDE = { viewport: { width: 1600, height: 900 } };
const DARK = { colorScheme: "dark" };
// Said by the browser itself of an answer that the page tells in words.
const answered = (...statuses) => ({ allows: new RegExp(`the server responded with a status of (${statuses.join("|")})`) });
// Of a paid order the page asks by a session, which people without one have not.
const WITHOUT_SESSION = answered(401);

const WAITING = "Waiting for your payment";
const PAID = "Paid";
const NOT_PAID = "Not paid";
const OVER = "The time for this order is over";
const UNKNOWN = "There is no such order";

const order = () => ask("POST", "/api/user/topup/ewallet/orders", { amount_usd: USD, wallet: "GCASH" });
const found = (made) => ask("GET", `/api/user/topup/order/${made.trade_no}`);
const becomes = (made, status) => until(`${made.trade_no} ${status}`, async () => (await found(made)).status === status);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const said = (page, text) => page.locator("#status").getByText(text, { exact: true }).waitFor();
const isBack = (page, made) => page.waitForURL((url) => url.pathname === `/topup/order/${made.trade_no}`);
const press = (made, act) => fetch(`${made.checkout_url}/${act}`, { method: "POST", redirect: "manual" });
const passes = (seconds) => fetch(`${CLOCK_URL}/${seconds}`);
const turnsDark = (page) => page.emulateMedia({ colorScheme: "dark" });

const newOrder = (page) => page.getByRole("link", { name: "Make a new order", exact: true });

// The questions that a page has asked, as they come.
function asked(page) {
  const questions = [];
  page.on("request", (request) => request.url().includes("/api/") && questions.push(request));
  return questions;
}

// Has a page keep count of its timers: those that are set, and after how long each was to go off.
function counted() {
  const [set, clear] = [window.setTimeout, window.clearTimeout];
  window.timers = new Set();
  window.pauses = [];
  window.setTimeout = (act, ms) => {
    const id = set(() => {
      window.timers.delete(id);
      act();
    }, ms);
    window.timers.add(id);
    window.pauses.push(ms);
    return id;
  };
  window.clearTimeout = (id) => {
    window.timers.delete(id);
    clear(id);
  };
}
const timers = (page) => page.evaluate(() => window.timers.size);
const pauses = (page) => page.evaluate(() => window.pauses);

// Somebody who has left the checkout page by one of its buttons.
async function leaves(page, name) {
  const made = await order();
  await page.goto(made.checkout_url);
  await button(page, name).click();
  await isBack(page, made);
  return made;
}

async function pays(page) {
  const questions = asked(page);
  await page.addInitScript(counted);
  const made = await leaves(page, "Pay");
  await said(page, PAID);
  const text = await page.locator("main").innerText();
  holds(text.includes("5.00 USD") && text.includes("The amount was added to the credit."), text);
  // Nothing else of the order is told, and nobody is asked for a session.
  const { order_id } = await found(made);
  holds(!text.includes(made.trade_no) && !text.includes(String(order_id)) && !text.includes("credit now"), text);
  same(await newOrder(page).count(), 0);
  same(await button(page, "Check now").count(), 0);
  same(await page.title(), "Paid – Your payment – Tollgate");
  await picture(page, "order-paid");
  await turnsDark(page);
  await picture(page, "order-paid-dark");
  await looks(page, "order-paid");
  for (const question of questions) {
    const headers = await question.allHeaders();
    same([headers.referer, headers.cookie, headers.authorization], [undefined, undefined, undefined]);
  }
  // It is over, and the page asks no more.
  same(await timers(page), 0);
}

// Whoever is signed in to the account of the order sees what it has now; anybody else sees what the token shows.
async function seesTheCredit(page, context) {
  await context.addCookies([{ name: "session", value: SESSION, url: URL }]);
  await leaves(page, "Pay");
  await said(page, PAID);
  const { available_usd } = await ask("GET", "/api/user/self/balance");
  await page.getByText(`Your credit now: ${available_usd.toFixed(2)} USD`).waitFor();
  await picture(page, "order-paid-credit");
  await looks(page, "order-paid-credit");
  await context.addCookies([{ name: "session", value: STRANGER, url: URL }]);
  const answer = page.waitForResponse((response) => response.url().includes("/api/user/topup/order/"));
  await page.reload();
  same((await answer).status(), 404);
  await said(page, PAID);
  holds(!(await page.locator("main").innerText()).includes("credit now"), "it is nobody else's");
}

async function waits(page) {
  const made = await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await page.evaluate(() => (window.kept = true));
  await picture(page, "order-waiting");
  await turnsDark(page);
  await picture(page, "order-waiting-dark");
  await looks(page, "order-waiting");
  await press(made, "pay");
  await said(page, PAID);
  same(await page.evaluate(() => window.kept), true, "without a reload");
  await page.reload();
  await said(page, PAID);
}

async function cancels(page) {
  const made = await leaves(page, "Cancel");
  await said(page, WAITING);
  // Nobody reports it: the provider is asked after a while.
  await passes(15);
  await said(page, NOT_PAID);
  await becomes(made, "failed");
  const text = await page.locator("main").innerText();
  holds(text.includes("5.00 USD") && text.includes("cancelled or refused"), text);
  await picture(page, "order-failed");
  await looks(page, "order-failed");
  same(await newOrder(page).getAttribute("href"), "../../console/top-up");
}

async function isRefused(page) {
  await leaves(page, "Fail");
  await said(page, NOT_PAID);
}

async function usesTheKeyboard(page) {
  const questions = asked(page);
  const made = await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await page.keyboard.press("Tab");
  same(await page.evaluate(() => document.activeElement.textContent), "Check now");
  const before = questions.length;
  await page.keyboard.press("Enter");
  await until("a question", () => questions.length > before);
  await press(made, "pay");
  await becomes(made, "success");
  await page.keyboard.press("Enter");
  await said(page, PAID);
  // The button is gone, and whoever was on it is where the page begins.
  same(await page.evaluate(() => document.activeElement.id), "title");
}

// The pauses grow, and after an hour nobody is asked before somebody wants to know.
async function isLeftOpen(page) {
  const questions = asked(page);
  await page.clock.install();
  await page.addInitScript(counted);
  const made = await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await until("a pause", async () => (await pauses(page)).length > 0);
  const [first] = await pauses(page);
  holds(first >= 1_000 && first < 10_000, first);
  await page.clock.fastForward(80_000);
  await until("a longer pause", async () => (await pauses(page)).some((ms) => ms >= 10_000));
  await page.clock.fastForward(60 * 60 * 1000);
  await page.getByRole("alert").filter({ hasText: "asks no more" }).waitFor();
  holds((await pauses(page)).every((ms) => ms <= 30_000), String(await pauses(page)));
  same(await timers(page), 0);
  const before = questions.length;
  await press(made, "pay");
  await becomes(made, "success");
  same(questions.length, before);
  await button(page, "Check now").click();
  await said(page, PAID);
}

// A reader of the screen is told of each state, once.
async function isReadOut(page) {
  const questions = asked(page);
  await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  const region = page.getByRole("status");
  same([await region.getAttribute("aria-live"), await region.getAttribute("aria-atomic")], ["polite", "true"]);
  await page.evaluate(() => {
    window.changes = 0;
    const count = new MutationObserver(() => (window.changes += 1));
    count.observe(document.querySelector("[role=status]"), { childList: true, characterData: true, subtree: true });
  });
  const before = questions.length;
  await until("three questions", () => questions.length >= before + 3);
  same(await page.evaluate(() => window.changes), 0, "what is said already is not said again");
}

async function hasAnotherAddress(page) {
  const questions = asked(page);
  const [made, other] = [await order(), await order()];
  const back = async (which) => (await press(which, "pay-later")).headers.get("location");
  const [own, others] = [await back(made), await back(other)];
  const token = others.split("token=")[1];
  const place = own.split("?")[0];
  for (const address of [place, `${place}?token=`, `${place}?token=${token}`, `${URL}/topup/order/tg0?token=${token}`]) {
    await page.goto(address);
    await said(page, UNKNOWN);
    const text = await page.locator("main").innerText();
    holds(!text.includes("USD") && !text.includes(made.trade_no), text);
    same(await button(page, "Check now").count(), 0);
  }
  same(questions.length, 4);
  await picture(page, "order-unknown");
  await looks(page, "order-unknown");
  await page.goto(own);
  await said(page, WAITING);
}

async function isOffline(page, context) {
  const made = await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await context.setOffline(true);
  await page.getByRole("alert").filter({ hasText: "The service cannot be reached." }).waitFor();
  await context.setOffline(false);
  await button(page, "Check now").click();
  await page.getByRole("alert").waitFor({ state: "hidden" });
  await press(made, "pay");
  await said(page, PAID);
}

async function hasNoScripts(page) {
  await leaves(page, "Pay");
  const text = await page.locator("main").innerText();
  holds(text.includes("scripts are switched off in this browser") && text.includes("is credited"), text);
  same(await page.getByRole("button").count(), 0);
  await picture(page, "order-no-script");
}

// The service under a path of a proxy, which takes it away.
async function isBehindAProxy(page, context) {
  const made = await order();
  const address = (await press(made, "pay")).headers.get("location");
  const prefix = `${URL}/gate/way`;
  await context.route(`${prefix}/**`, async (route) => {
    const url = route.request().url().replace(prefix, URL);
    await route.fulfill({ response: await route.fetch({ url }) });
  });
  const asked = page.waitForResponse((response) => response.url().startsWith(`${prefix}/api/user/`));
  await page.goto(address.replace(URL, prefix));
  await said(page, PAID);
  same((await asked).status(), 401);
  await context.unrouteAll({ behavior: "wait" });
}

// Text and its ground differ by so much that it can be read: 4.5 to 1; what can be pressed is large enough; nothing is cut off.
async function canBeRead(page, _, name) {
  await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await picture(page, name);
  const told = await page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
      const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const style = (selector) => getComputedStyle(document.querySelector(selector));
    const card = style("main").backgroundColor;
    const texts = ["h1", ".amount", ".unit", "#status", "#detail", "#problem"];
    const act = style("button.act");
    return {
      contrasts: [...texts.map((text) => contrast(style(text).color, card)), contrast(act.color, act.backgroundColor)],
      wide: document.documentElement.scrollWidth <= window.innerWidth,
      height: document.querySelector("#check").offsetHeight,
    };
  });
  holds(told.contrasts.every((contrast) => contrast >= 4.5), JSON.stringify(told));
  holds(told.wide && told.height >= 44, JSON.stringify(told));
}

async function comesTooLate(page) {
  const made = await leaves(page, "Pay later, when the order is over");
  await said(page, WAITING);
  await passes(10 * 60);
  await button(page, "Check now").click();
  await said(page, OVER);
  holds((await page.locator("main").innerText()).includes("please do not pay again"), "nobody pays twice");
  await picture(page, "order-expired");
  await looks(page, "order-expired");
  await becomes(made, "expired");
  await page.reload();
  await said(page, OVER);
  await newOrder(page).click();
  // Where people sign in, as nobody has here.
  await page.waitForURL(`${URL}/console/sign-in`);
}

await run([
  ["a payment is made", pays, WITHOUT_SESSION],
  ["the credit is seen after a payment", seesTheCredit, answered(404)],
  ["a payment is waited for", waits, WITHOUT_SESSION],
  ["a payment is cancelled", cancels],
  ["a payment is refused", isRefused],
  ["all is done by the keyboard", usesTheKeyboard, WITHOUT_SESSION],
  ["each state is read out once", isReadOut],
  ["the page is left open", isLeftOpen, WITHOUT_SESSION],
  ["the address is not the order's", hasAnotherAddress, answered(404)],
  ["the service cannot be reached for a while", isOffline, { allows: /ERR_INTERNET_DISCONNECTED|status of 401/ }],
  ["scripts are switched off", hasNoScripts, { javaScriptEnabled: false }],
  ["a proxy stands in front", isBehindAProxy, WITHOUT_SESSION],
  ["the page can be read on a phone", (page, context) => canBeRead(page, context, "order-phone"), PHONE],
  ["the page can be read on a phone in the dark", (page, context) => canBeRead(page, context, "order-phone-dark"), { ...PHONE, ...DARK }],
  ["the page can be read at a desk", (page, context) => canBeRead(page, context, "order-wide"), WIDE],
  ["the page can be read at a desk in the dark", (page, context) => canBeRead(page, context, "order-wide-dark"), { ...WIDE, ...DARK }],
  ["the time of the order is over", comesTooLate, WITHOUT_SESSION],
]);
