// What the walks through both consoles and the pages of payments share: where things stand on a page, and how each page is looked at.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { holds, picture, same } from "./suite.js";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const WIDTHS = [360, 1280];
const COLOURS = ["light", "dark"];

export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const field = (within, name) => within.getByLabel(name, { exact: true });
export const section = (page, name) => page.getByRole("region", { name, exact: true });
export const done = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();
export const as = (context, cookies) => context.addCookies(cookies);

// A page is there whole: its heading comes before its script, and before what stands below it.
export async function title(page, name) {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.waitForLoadState();
}

// Nothing that somebody wrote ran, nothing sticks out at the side, and a screen reader finds its way.
export async function isSound(page, name, width, colour) {
  same(await page.evaluate(() => globalThis.planted), undefined, name);
  holds(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits ${width}`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => globalThis.axe.run(document, { resultTypes: ["violations"] }));
  const grave = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  const told = grave.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
  same(told, [], `${name}, ${width} ${colour}`);
}

export async function looks(page, name) {
  // A page is there before its style is.
  await page.waitForLoadState();
  for (const colour of COLOURS) {
    for (const width of WIDTHS) {
      await page.emulateMedia({ colorScheme: colour });
      await page.setViewportSize({ width, height: 800 });
      await isSound(page, name, width, colour);
      await picture(page, `${name}-${width}-${colour}`, { fullPage: true });
    }
  }
}

// Answers the question that a form asks before it does something.
export async function confirms(page, words, answer) {
  const dialog = page.getByRole("dialog", { name: "Please confirm" });
  await dialog.waitFor();
  for (const word of words) {
    holds((await dialog.innerText()).includes(word), `${word} is repeated`);
  }
  await button(dialog, answer).click();
}

// Closes a dialog that showed what was made, after which the page is there anew: what is filled in before that would be lost.
export async function closes(page, dialog) {
  await Promise.all([page.waitForEvent("load"), button(dialog, "Close").click()]);
}

// Sends a form after which the page is there anew and says so: what it says may be what it said before.
export async function sends(page, within, name, text) {
  await Promise.all([page.waitForEvent("load"), button(within, name).click()]);
  await done(page, text);
}
