// What the cases of the operator's console share: how its parts are found, and how each page is looked at, on a phone and on a
// desk, in the light and in the dark.
//
// Told by the environment beside what `suite.js` says: SCREENSHOTS, a folder for pictures; CODES_URL, whose /secret/{secret} tells
// the next code of a second factor.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { URL, holds, same } from "./suite.js";

const { CODES_URL, SCREENSHOTS } = process.env;
const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
export const PASSWORD = "correct horse battery";
const WIDTHS = [360, 1280];
const COLOURS = ["light", "dark"];

export const code = async (secret) => (await (await fetch(`${CODES_URL}/secret/${secret}`)).json()).code;
export const button = (page, name) => page.getByRole("button", { name, exact: true });
export const field = (within, name) => within.getByLabel(name, { exact: true });
export const section = (page, name) => page.getByRole("region", { name, exact: true });
export const title = (page, name) => page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
export const done = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();

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

export async function looks(page, name) {
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
export async function confirms(page, words, answer) {
  const dialog = page.getByRole("dialog", { name: "Please confirm" });
  await dialog.waitFor();
  for (const word of words) {
    holds((await dialog.innerText()).includes(word), `${word} is repeated`);
  }
  await button(dialog, answer).click();
}

export async function enrols(page, invitation) {
  await page.goto(`${URL}/admin/invitation#${invitation}`);
  same([await field(page, "Invitation").inputValue(), new globalThis.URL(page.url()).hash], [invitation, ""]);
  await button(page, "Continue").click();
  await page.getByRole("img", { name: "QR code of the second factor" }).waitFor();
  return page.locator("code[data-fill=secret]").innerText();
}

export async function accepts(page, secret) {
  await field(page, "Code").fill(await code(secret));
  await field(page, "Choose a password").fill(PASSWORD);
  await field(page, "Password again").fill(PASSWORD);
  await button(page, "Accept and sign in").click();
  await title(page, "Overview");
}
