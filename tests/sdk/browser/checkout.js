// People on the checkout page, with each wallet: they pay, refuse, reload, go back, press twice, and return to the shop.
//
// Told by the environment beside what `suite.js` says: SHOP_URL, where people are sent back to.

import { ask, holds, run, same, until } from "./suite.js";

const SHOP = process.env.SHOP_URL;
const USD = 5;
// A small phone.
const PHONE = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };

const rails = (await ask("GET", "/api/user/topup/info")).rails;
const wallets = rails.find((rail) => rail.rail === "ewallet").wallets;

const order = (wallet) => ask("POST", "/api/user/topup/ewallet/orders", { amount_usd: USD, wallet });
const found = (made) => ask("GET", `/api/user/topup/order/${made.trade_no}`);
const balance = async () => (await ask("GET", "/api/user/self/balance")).quota_usd;
const becomes = (made, status) => until(`${made.trade_no} ${status}`, async () => (await found(made)).status === status);
const button = (page, name) => page.getByRole("button", { name, exact: true });
const isBack = (page, made) => page.waitForURL(`${SHOP}/paid/${made.trade_no}`);

async function pays(wallet, page) {
  const made = await order(wallet.wallet);
  const before = await balance();
  await page.goto(made.checkout_url);
  // Looking at it, as often as one likes, changes nothing.
  for (let look = 0; look < 2; look += 1) {
    const text = await page.locator("main").innerText();
    holds(text.includes(wallet.name) && text.includes("5.00 USD") && text.includes(made.trade_no), text);
    holds(text.includes("Sandbox: no money moves"), "it is marked");
    await page.reload();
  }
  same((await found(made)).status, "pending");
  await button(page, "Pay").click();
  await isBack(page, made);
  await becomes(made, "success");
  same(await balance(), before + USD);
  // The page as the browser kept it, and as it is now: neither pays again.
  await page.goBack();
  await page.reload();
  same(await page.getByRole("status").innerText(), "This payment is made.");
  same(await page.getByRole("button").count(), 0);
  await page.getByRole("link", { name: "Back to the merchant" }).click();
  await isBack(page, made);
  same(await balance(), before + USD);
}

async function refuses(wallet, page) {
  const made = await order(wallet.wallet);
  const before = await balance();
  await page.goto(made.checkout_url);
  await button(page, "Fail").click();
  await isBack(page, made);
  await becomes(made, "failed");
  const { failure, balance_added } = await found(made);
  same([failure.code, balance_added], ["PAYMENT_FAILED", 0]);
  same(await balance(), before);
}

async function cancels(page) {
  const made = await order("DANA");
  await page.goto(made.checkout_url);
  await button(page, "Cancel").click();
  await isBack(page, made);
  // Of what is given up no notice comes.
  await becomes(made, "failed");
  same((await found(made)).failure.code, "PAYMENT_CANCELLED");
}

async function paysTwice(page, context) {
  const made = await order("GCASH");
  const before = await balance();
  const other = await context.newPage();
  await page.goto(made.checkout_url);
  await other.goto(made.checkout_url);
  await Promise.all([button(page, "Pay").click(), button(other, "Pay").click()]);
  await becomes(made, "success");
  await page.goto(made.checkout_url);
  await other.goto(made.checkout_url);
  same(await balance(), before + USD);
}

async function changesTheirMind(page, context) {
  const made = await order("GCASH");
  const before = await balance();
  const other = await context.newPage();
  await other.goto(made.checkout_url);
  await page.goto(made.checkout_url);
  await button(page, "Fail").click();
  await becomes(made, "failed");
  // What was open elsewhere pays nothing any more.
  await button(other, "Pay").click();
  await isBack(other, made);
  same([(await found(made)).status, await balance()], ["failed", before]);
}

async function usesTheKeyboard(page) {
  const made = await order("TNG");
  await page.goto(made.checkout_url);
  await page.keyboard.press("Tab");
  same(await page.evaluate(() => document.activeElement.textContent), "Pay");
  await page.keyboard.press("Enter");
  await page.getByText("Back at the shop").waitFor();
  await becomes(made, "success");
}

// The two colours differ by so much that they can be read: 4.5 to 1.
async function canBeRead(page) {
  const made = await order("MPAY");
  await page.goto(made.checkout_url);
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
    const quiet = ["h1", ".mark", "dt", ".amount"].map((selector) => contrast(style(selector).color, card));
    const pay = contrast(style("button.pay").color, style("button.pay").backgroundColor);
    const wide = document.documentElement.scrollWidth <= window.innerWidth;
    const heights = [...document.querySelectorAll("button")].map((each) => each.getBoundingClientRect().height);
    return { contrasts: [...quiet, pay], wide, heights };
  });
  holds(told.contrasts.every((contrast) => contrast >= 4.5), JSON.stringify(told));
  holds(told.wide, "nothing is cut off at the side");
  holds(told.heights.every((height) => height >= 44), JSON.stringify(told));
}

await run([
  ...wallets.map((wallet) => [`${wallet.wallet} is paid with`, (page) => pays(wallet, page)]),
  ...wallets.map((wallet) => [`${wallet.wallet} is refused with`, (page) => refuses(wallet, page)]),
  ["a payment is given up", cancels],
  ["a payment is made in two windows", paysTwice],
  ["a payment is refused and then made in another window", changesTheirMind],
  ["a payment is made by the keyboard", usesTheKeyboard],
  ["the page can be read on a phone", canBeRead, PHONE],
  ["the page can be read in the dark", canBeRead, { ...PHONE, colorScheme: "dark" }],
]);
