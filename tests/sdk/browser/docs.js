// People at the documentation: they search, follow links, choose a language, copy, read in the dark, on a phone, without scripts.

import { URL, holds, picture, run, same, until } from "./suite.js";

const DOCS = `${URL}/docs`;
const DARK = { colorScheme: "dark" };
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
const CONTRAST_LEAST = 4.5;

const found = (page) => page.getByRole("listbox", { name: "Found" }).getByRole("option");
const field = (page) => page.getByRole("combobox", { name: "Search" });
const tab = (page, name) => page.getByRole("tab", { name, exact: true }).first();
const seen = (page, id) => page.locator(`[id="${id}"]`).evaluate((element) => {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top >= 0 && top < innerHeight;
});
const pages = (page) =>
  page.locator(".side a:not([href^='#'])").evaluateAll((links) => [...new Set(links.map((link) => link.href))]);

async function searches(page, words) {
  await page.keyboard.press("/");
  await field(page).fill(words);
  await found(page).first().waitFor();
}

async function findsAnOperation(page) {
  await page.goto(DOCS);
  await searches(page, "chat.create");
  await found(page).first().filter({ hasText: "POST /v1/chat/completions" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(`${DOCS}/chat#chat.create`);
  await until("the operation", () => seen(page, "chat.create"));
}

async function findsACode(page) {
  await page.goto(`${DOCS}/chat`);
  await searches(page, "order expired");
  await found(page).first().filter({ hasText: "ORDER_EXPIRED" }).click();
  await page.waitForURL(`${DOCS}/errors#ORDER_EXPIRED`);
  await until("the code", () => seen(page, "ORDER_EXPIRED"));
}

async function movesInWhatWasFound(page) {
  await page.goto(`${DOCS}/limits`);
  await page.getByRole("button", { name: "Search" }).click();
  await field(page).fill("topup");
  await found(page).nth(2).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  same(await found(page).nth(1).getAttribute("aria-selected"), "true");
  same(await field(page).getAttribute("aria-activedescendant"), await found(page).nth(1).getAttribute("id"));
  await field(page).fill("there is no such thing");
  await page.getByText("Nothing is called so.").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

async function opensWhereALinkPoints(page) {
  await page.goto(`${DOCS}/errors#X402_PENDING_CAP`);
  await until("the code", () => seen(page, "X402_PENDING_CAP"));
  await page.goto(`${DOCS}/x402`);
  await page.locator("[id='x402.create'] details.errors summary").click();
  await page.locator("[id='x402.create'] a[href='errors#X402_PENDING_CAP']").click();
  await page.waitForURL(`${DOCS}/errors#X402_PENDING_CAP`);
  await page.locator("[id='X402_PENDING_CAP'] .anchor").focus();
  await page.keyboard.press("Enter");
  same(page.url(), `${DOCS}/errors#X402_PENDING_CAP`);
}

async function copies(page) {
  await page.goto(`${DOCS}/chat`);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  for (const name of ["curl", "TypeScript", "Python"]) {
    await tab(page, name).click();
    const code = page.locator(".samples .code").filter({ visible: true }).first();
    // The word stands for a moment alone.
    await Promise.all([code.getByText("Copied").waitFor(), code.getByRole("button", { name: "Copy" }).click()]);
    const text = await code.locator("code").innerText();
    await until("the copy", async () => (await clipboard()) === text);
    holds((await clipboard()).includes(URL), "it names the address that the page was reached at");
  }
}

async function remembersTheLanguage(page) {
  await page.goto(`${DOCS}/keys`);
  same(await tab(page, "curl").getAttribute("aria-selected"), "true");
  await tab(page, "curl").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  same(await tab(page, "Python").getAttribute("aria-selected"), "true");
  const codes = page.locator(".tabbed .code").filter({ visible: true });
  const languages = () => codes.evaluateAll((all) => [...new Set(all.map((code) => code.dataset.lang))]);
  same(await languages(), ["python"]);
  await page.goto(`${DOCS}/chat`);
  same(await languages(), ["python"]);
  holds((await codes.first().innerText()).includes("client.chat.create("), "the name that the package has");
  await page.reload();
  same(await tab(page, "Python").getAttribute("aria-selected"), "true");
}

// Every page is opened; nothing is asked of anybody else, and nothing is complained of.
async function asksNobodyElse(page) {
  const hosts = new Set();
  page.on("request", (request) => hosts.add(new globalThis.URL(request.url()).origin));
  await page.goto(DOCS);
  const all = await pages(page);
  holds(all.length > 25, `${all.length} pages`);
  for (const address of all) {
    await page.goto(address);
  }
  same([...hosts].filter((origin) => origin !== "null"), [URL]);
}

// Everything stands there for people whose browser runs no scripts.
async function isWholeWithoutScripts(page) {
  await page.goto(`${DOCS}/chat`);
  same(await page.getByRole("button").count(), 0);
  for (const name of ["curl", "TypeScript", "Python"]) {
    await page.locator("figcaption", { hasText: new RegExp(`^${name}$`) }).first().waitFor();
  }
  await page.getByText("client.chat.create(").first().waitFor();
  await page.goto(`${DOCS}/states`);
  await page.getByRole("img", { name: /^States of topup_order: pending, settling/ }).waitFor();
}

// What is read stands out from what is behind it.
async function isLegible(page) {
  for (const name of ["chat", "states", "errors"]) {
    await page.goto(`${DOCS}/${name}`);
    const faint = await page.evaluate((least) => {
      const parts = (colour) => colour.match(/[\d.]+/g).map(Number);
      const light = (colour) => {
        const [red, green, blue] = parts(colour).map((part) => {
          const share = part / 255;
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
      };
      const behind = (element) => {
        for (let at = element; at; at = at.parentElement) {
          const ground = getComputedStyle(at).backgroundColor;
          if ((parts(ground)[3] ?? 1) > 0) return ground;
        }
        return "rgb(255, 255, 255)";
      };
      const told = new Set();
      for (const element of document.querySelectorAll("main *, .side *, .top *")) {
        const own = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
        const style = getComputedStyle(element);
        if (!own || !element.checkVisibility({ opacityProperty: true })) continue;
        const colour = element.closest("svg") ? style.fill : style.color;
        const [first, second] = [light(colour), light(behind(element))].sort((left, right) => right - left);
        const contrast = (first + 0.05) / (second + 0.05);
        if (contrast < least) told.add(`${element.tagName}.${element.className} ${contrast.toFixed(2)}`);
      }
      return [...told];
    }, CONTRAST_LEAST);
    same(faint, [], name);
  }
}

async function isDark(page) {
  await page.goto(`${DOCS}/states#topup_order`);
  await isLegible(page);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  same(ground, "rgb(12, 15, 23)");
}

// Nothing sticks out of a narrow screen, and the navigation is a keystroke away.
async function fitsAPhone(page) {
  await page.goto(DOCS);
  for (const address of [DOCS, ...(await pages(page))]) {
    await page.goto(address);
    same([address, await page.evaluate(() => document.documentElement.scrollWidth)], [address, 320]);
  }
  const menu = page.getByRole("navigation", { name: "Pages" });
  holds(!(await menu.isVisible()), "it is folded");
  await page.getByRole("checkbox", { name: "Show the navigation" }).press("Space");
  await menu.getByRole("link", { name: "Errors" }).click();
  await page.waitForURL(`${DOCS}/errors`);
}

async function servesTheKeyboard(page) {
  await page.goto(`${DOCS}/chat`);
  await page.keyboard.press("Tab");
  await page.getByRole("link", { name: "Skip to the content" }).press("Enter");
  same(await page.evaluate(() => document.activeElement.id), "content");
  await page.keyboard.press("Control+k");
  same(await field(page).evaluate((element) => element === document.activeElement), true);
}

async function looksGood(page, context) {
  await page.goto(`${DOCS}/chat`);
  await picture(page, "docs-operation");
  const dark = await context.browser().newContext({ ...DARK, viewport: { width: 1200, height: 800 } });
  const other = await dark.newPage();
  await other.goto(`${DOCS}/states#topup_order`);
  await until("the drawing", () => seen(other, "topup_order"));
  await picture(other, "docs-states-dark");
  await dark.close();
}

await run([
  ["the search finds an operation", findsAnOperation],
  ["the search finds a code", findsACode],
  ["what was found is moved through by keys", movesInWhatWasFound],
  ["a link opens what it names", opensWhereALinkPoints],
  ["code is copied as it stands", copies, { permissions: ["clipboard-read", "clipboard-write"] }],
  ["the language is remembered", remembersTheLanguage],
  ["nobody else is asked", asksNobodyElse],
  ["it is whole without scripts", isWholeWithoutScripts, { javaScriptEnabled: false }],
  ["it is legible in the light", isLegible],
  ["it is legible in the dark", isDark, DARK],
  ["it fits a phone", fitsAPhone, PHONE],
  ["it serves the keyboard", servesTheKeyboard],
  ["it looks good", looksGood, { viewport: { width: 1280, height: 800 } }],
]);
