// What the cases of all pages share: the browser, how an account is asked, how outcomes are told.
//
// Told by the environment: BROWSER, GATEWAY_URL, GATEWAY_KEY; LOOKS, or else SCREENSHOTS, a folder for pictures. Every case has a
// browser profile of its own and prints one line, `ok NAME` or `not ok NAME` with what went wrong; the script fails when one did.
// A page that complains in its console, breaks in its script or is refused something by its own policy fails its case, unless the
// case `allows` what the browser says.

import assert from "node:assert/strict";
import { chromium } from "playwright-core";

export const URL = process.env.GATEWAY_URL;
const KEY = process.env.GATEWAY_KEY;
const FOLDER = process.env.LOOKS ?? process.env.SCREENSHOTS;
const PATIENCE_MS = 30_000;
// How often a browser is started that breaks before it answers.
const STARTS = 3;
// How often a picture is asked for, and how long each time: the browser may leave a page unpainted in which nothing moves.
const PICTURES = 3;
const PICTURE_MS = 10_000;

export const same = assert.deepEqual;
export const holds = assert.ok;

// Asks the gateway with the account's key; `data` of what it answers.
export async function ask(method, path, body) {
  const headers = { authorization: `Bearer ${KEY}`, "content-type": "application/json" };
  const reply = await fetch(`${URL}${path}`, { method, headers, body: body && JSON.stringify(body) });
  const told = await reply.json();
  assert.ok(told.success, JSON.stringify(told));
  return told.data;
}

// Asks until the answer is there.
export async function until(what, question) {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await question();
    if (answer) {
      return answer;
    }
    assert.ok(Date.now() < end, `waited in vain for ${what}`);
    // Between two questions.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

// Keeps a picture of the page where pictures are wanted. What is tried are pages: a picture that the browser owes is told of and
// asked for again, after it was made to paint the page anew.
export async function picture(page, name, options) {
  for (let time = 1; FOLDER; time += 1) {
    try {
      return await page.screenshot({ ...options, path: `${FOLDER}/${name}.png`, timeout: PICTURE_MS });
    } catch (error) {
      console.error(`picture ${time} of ${name}: ${error}`);
      if (time === PICTURES) {
        throw error;
      }
      const session = await page.context().newCDPSession(page);
      await session.send("Page.startScreencast", { format: "jpeg", quality: 1 });
      await session.send("Page.stopScreencast");
      await session.detach();
    }
  }
}

// Runs each case: [name, what is done with a page, options of its browser profile and a pattern of complaints it allows]. `args` are
// those of the browser.
export async function run(cases, args = []) {
  // As root, which tests in containers are, the browser has no sandbox of its own.
  const all = process.getuid() === 0 ? ["--no-sandbox", ...args] : args;
  const browser = await started({ executablePath: process.env.BROWSER, args: all });
  for (const [name, check, options] of cases) {
    await hold(name, () => inPage(browser, check, options));
  }
  await browser.close();
}

// What is tried are pages: a browser that breaks as it starts, before any page is asked for, is told of and started again.
async function started(options) {
  for (let start = 1; ; start += 1) {
    try {
      return await chromium.launch(options);
    } catch (error) {
      console.error(`start ${start} of the browser: ${error}`);
      if (start === STARTS) {
        throw error;
      }
    }
  }
}

async function inPage(browser, check, { allows, ...profile } = {}) {
  const context = await browser.newContext(profile);
  context.setDefaultTimeout(PATIENCE_MS);
  try {
    const page = await context.newPage();
    const complaints = [];
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await check(page, context);
    assert.deepEqual(complaints.filter((complaint) => !allows?.test(complaint)), []);
  } finally {
    await context.close();
  }
}

async function hold(name, check) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}\n  ${String(error.stack).replaceAll("\n", "\n  ")}`);
    process.exitCode = 1;
  }
}
