// A console over a ledger whose every text is markup or script: nothing of it runs, all of it stands there as text, and no page
// leads, loads or lets itself be framed elsewhere.
//
// Told by the environment beside what `suite.js` says: SESSION, of who may read all of it; PLAN, a file with the texts that were
// planted by number, the pages of the console with their parameters, the texts before they had a number, and addresses that no page
// leads to; REPORT, a file to be written, which says what was seen.
//
// The policy of the pages forbids most scripts, and would hide that a text had become markup. So each page is read without its
// policy first, and then with it.

import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { URL as GATEWAY, holds, run, same, until } from "./suite.js";

const { SESSION, PLAN, REPORT } = process.env;
const { texts, pages, payloads, starts } = JSON.parse(await readFile(PLAN, "utf8"));
const TRAPPED = { bypassCSP: true, allows: /Failed to load resource/ };
// No name is looked up: what asks for another machine does not reach it. Requests are listened to and not held, so that the browser
// keeps what all pages have in common.
const ALONE = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
const MARKED = /planted\((\d+)\)/g;
const seen = { visible: new Set(), reflected: new Set() };
// Pages of one kind that are read with their policy: it is the same for all.
const VISITS_MAX = 8;
// The console that is read: `cookie` of its sessions; `isOwn`, whether a path is one of its pages; `PUBLIC`, its pages for who is not
// signed in, and `home`, where who is begins; `kindOf` a path; `files` that are no pages, and `parameters` that scripts alone read;
// `kinds` of pages, at least; `answers`, what answers of the API put into a page.
let own;
// The addresses that the crawl has found.
const found = new Set();

// A page whose scripts report when something that was planted runs, loads or asks.
export async function trapped(context) {
  const caught = [];
  await context.exposeBinding("planted", (_, number) => caught.push(`ran ${number}`));
  context.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== GATEWAY && protocol !== "data:") {
      caught.push(`asked for ${request.url()}`);
    }
  });
  context.on("dialog", (dialog) => {
    caught.push(`dialog ${dialog.message()}`);
    return dialog.dismiss();
  });
  return caught;
}

export const signIn = (context) => context.addCookies([{ name: own.cookie, value: SESSION, url: GATEWAY }]);
export const open = (page, path) => page.goto(`${GATEWAY}${path}`);

// What stands on a page for people to read, and where it leads; nothing as long as the page's own script is at work on it. Runs in
// the page.
function read() {
  if (document.querySelector("[aria-busy=true]")) {
    return null;
  }
  const fields = [...document.querySelectorAll("input:not([type=hidden]), textarea, select")];
  const values = fields.flatMap((field) => field.options ? [...field.options].map((each) => each.text) : [field.value]);
  // What is not shown yet is read too: parts that fold, and the title.
  const text = [document.title, document.body.textContent, ...values].join("\n");
  const named = [...document.querySelectorAll("*")].flatMap((each) => [...each.attributes]);
  return {
    text,
    links: [...document.querySelectorAll("a[href]:not([download])")].map((link) => link.href),
    handlers: named.filter((each) => /^on/i.test(each.name) || /^\s*javascript:/i.test(each.value) && each.name !== "value"
      && !each.name.startsWith("data-") && !each.name.startsWith("aria-")).map((each) => `${each.name}=${each.value}`),
    loaded: [...document.querySelectorAll("[src], link[href]")].map((each) => each.src || each.href),
    // The charts are the console's own, and hold shapes and numbers alone.
    svgs: document.querySelectorAll(
      "svg:not(:is(.chart, .spark) > svg), :is(.chart, .spark) > svg :not(rect, line, polyline, text)").length,
  };
}

// Reads a page on which nothing may have happened.
export async function sound(page, path) {
  const type = (await open(page, path)).headers()["content-type"];
  const { text, links, handlers, loaded, svgs } = await until(`${path} to be ready`, () => page.evaluate(read));
  same({ path, handlers, svgs }, { path, handlers: [], svgs: 0 });
  for (const link of [...links, ...loaded]) {
    holds(link === "data:," || new URL(link).origin === GATEWAY, `${path} leads to ${link}`);
  }
  holds(/^(text\/html|application\/json)\b/.test(type), `${path} is ${type}`);
  return { text, links, isPage: type.startsWith("text/html") };
}

// Whole texts alone count; in what the log has as JSON they are escaped once more.
function seesTexts(text) {
  for (const [, number] of text.matchAll(MARKED)) {
    const whole = texts[number];
    if (whole && (text.includes(whole) || text.includes(JSON.stringify(whole).slice(1, -1)))) {
      seen.visible.add(number);
    }
  }
}

async function trapWorks(page, context) {
  const caught = await trapped(context);
  await open(page, own.PUBLIC[1]);
  await page.setContent(`<p>${payloads[1].replaceAll("N", "7")}`.replace('">', ""));
  await until("the trap", () => caught.includes("ran 7") && caught.some((each) => each.includes("evil.example/7")));
}

async function readsEveryPage(page, context) {
  const caught = await trapped(context);
  const crawl = async (paths) => {
    for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
      if (!found.has(path)) {
        const { text, links } = await sound(page, path);
        found.add(path);
        seesTexts(text);
        const further = links.map((link) => new URL(link)).filter(({ pathname }) => own.isOwn(pathname));
        paths.push(...further.map(({ pathname, search }) => `${pathname}${search}`));
      }
    }
  };
  // Who is signed in is sent on from the pages for who is not.
  await crawl([...own.PUBLIC]);
  await signIn(context);
  await crawl([own.home, ...starts]);
  same(caught, []);
  const visited = [...found].map((path) => path.split("?")[0]);
  for (const { path } of pages.filter(({ path }) => !own.files.test(path))) {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    holds(visited.some((each) => pattern.test(each)), `${path} was found by links`);
  }
}

// What the parameters of a page are given: everything with `tests/run --long`, which sets the variable; else one text that is an
// element where it stands in the page itself, and one of all, which are others for other pages.
const ELEMENTS = [0, 1, 2, 5];
function given(path) {
  const numbered = payloads.map((each) => each.replaceAll("N", "0"));
  if (process.env.TOLLGATE_TEST_LONG) {
    return numbered;
  }
  const place = [...path].reduce((sum, letter) => sum + letter.codePointAt(), 0);
  return [numbered[ELEMENTS[place % ELEMENTS.length]], numbered[(place >> 2) % numbered.length]];
}

async function takesAnyParameter(page, context) {
  const caught = await trapped(context);
  await signIn(context);
  for (const { path, query } of [...pages, ...own.parameters]) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([whole]) => whole);
    for (const payload of given(path)) {
      const written = encodeURIComponent(payload);
      for (const name of names) {
        await sound(page, path.replace(name, written));
      }
      for (const name of names.length === 0 ? query : []) {
        const { text, isPage } = await sound(page, `${path}?${name}=${written}`);
        if (isPage && text.includes(payload)) {
          seen.reflected.add(`${path}?${name}`);
        }
      }
    }
  }
  same(caught, []);
}

// With its policy a page breaks none of it, which its console would tell, and refuses what is put into it.
async function keepsItsPolicy(page, context) {
  const caught = await trapped(context);
  const complaints = [];
  // The page for who is not signed in asks whether somebody is.
  const told = (message) => message.type() === "error" && !TRAPPED.allows.test(message.text());
  page.on("console", (message) => told(message) && complaints.push(message.text()));
  const visits = new Map();
  for (const path of found) {
    const kind = own.kindOf(path.split("?")[0]);
    visits.set(kind, (visits.get(kind) ?? 0) + 1);
    if (visits.get(kind) > VISITS_MAX) {
      continue;
    }
    if (!own.PUBLIC.includes(path)) {
      await signIn(context);
    }
    await open(page, path);
  }
  same([caught, complaints], [[], []]);
  const refusals = await page.evaluate(() => {
    const name = (act) => {
      try {
        act();
        return "done";
      } catch (error) {
        return error.name;
      }
    };
    const image = document.createElement("img");
    const handler = name(() => image.setAttribute("onerror", "planted(1)"));
    const markup = name(() => document.body.insertAdjacentHTML("beforeend", "<img src=x onerror=planted(2)>"));
    const script = name(() => document.body.append(Object.assign(document.createElement("script"), { text: "planted(3)" })));
    return [handler, markup, script];
  });
  same([refusals, caught], [["TypeError", "TypeError", "TypeError"], []]);
}

// A page of somebody else on the same machine, to which the browser sends the cookie of the session: frames of it stay empty.
async function staysOutOfFrames(page, context) {
  await signIn(context);
  const server = createServer((_, response) => {
    response.setHeader("content-type", "text/html").end("<title>Other</title><p>theirs");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await framesNothing(page, `http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.close();
  }
}

async function framesNothing(page, theirs) {
  const framed = async (address) => {
    await page.goto(theirs);
    const append = (src) =>
      new Promise((loaded) => document.body.append(Object.assign(document.createElement("iframe"), { src, onload: () => loaded() })));
    await page.evaluate(append, address);
    const settled = () => page.frames().slice(1).find((frame) => frame.url() !== "" && frame.url() !== "about:blank");
    const frame = await until("the frame", settled);
    return [frame.url(), await frame.evaluate(() => document.body?.textContent ?? "").catch(() => "")];
  };
  same(await framed(theirs), [theirs, "theirs"]);
  const paths = new Map([...found].map((path) => [own.kindOf(path.split("?")[0]), path]));
  holds(paths.size >= own.kinds, "pages of each kind");
  for (const path of [...paths.values(), `${own.FILES}/console.css`, `${own.FILES}/console.js`]) {
    const [url, text] = await framed(`${GATEWAY}${path}`);
    same([path, url.startsWith("chrome-error:"), text.includes("Tollgate")], [path, true, false]);
  }
}

export async function reads(place) {
  own = place;
  const cases = [
    ["the trap works", trapWorks, { ...TRAPPED, allows: /./ }],
    ["every page shows what was planted", readsEveryPage, TRAPPED],
    ["every parameter is text", takesAnyParameter, TRAPPED],
    ["answers are text", own.answers, TRAPPED],
    ["every page keeps its policy", keepsItsPolicy, { allows: /./ }],
    ["no page is framed", staysOutOfFrames, { allows: /./ }],
  ];
  await run(cases, ALONE);
  await writeFile(REPORT, JSON.stringify({ visible: [...seen.visible], reflected: [...seen.reflected] }));
}
