// A service with a name, a logo and a colour of its own: the pages of its operators and of its customers bear them, in the
// light and in the dark, and a script in the logo does not run.
//
// Told by the environment beside what `suite.js` and `pages.js` say: OPERATOR_KEY; NAME, the name of the service, with markup in
// it; FILL and TEXT, its colour and the one of text on it, as browsers tell them; LIGHT and DARK, the colour of its links in the
// light and in the dark. Its logo is SVG with a script.

import { button, looks, title } from "./pages.js";
import { URL, holds, run, same } from "./suite.js";

const { DARK, FILL, LIGHT, NAME, OPERATOR_KEY, TEXT } = process.env;
const OPERATOR = { extraHTTPHeaders: { authorization: `Bearer ${OPERATOR_KEY}` } };
// Said by the browser of the session that nobody has, and of what the policy keeps from running.
const REFUSED = { allows: /Failed to load resource/ };
const BLOCKED = { allows: /Blocked script execution|Content Security Policy|Failed to load resource/ };

const style = (page, locator, name) =>
  locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name);

// The header has the name and the picture, the title the name, and the tab the picture.
async function bears(page, heading) {
  same(await page.title(), `${heading} – ${NAME}`);
  const brand = page.locator(".brand");
  holds((await brand.innerText()).includes(NAME), "the name");
  holds(await brand.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth > 0)), "the logo");
  same(await page.locator("link[rel=icon]").getAttribute("href"), await brand.locator("img").getAttribute("src"));
}

async function hasColours(page, link) {
  for (const [colorScheme, colour] of [["light", LIGHT], ["dark", DARK]]) {
    await page.emulateMedia({ colorScheme });
    same([colorScheme, await style(page, link, "color")], [colorScheme, colour]);
  }
}

async function showsTheSignInPage(page) {
  await page.goto(`${URL}/admin`);
  await bears(page, "Sign in");
  const act = button(page, "Sign in");
  same([await style(page, act, "background-color"), await style(page, act, "color")], [FILL, TEXT]);
  await hasColours(page, page.getByRole("link", { name: "I have an invitation" }));
  await looks(page, "branding-sign-in");
}

async function showsTheConsole(page) {
  await page.goto(`${URL}/admin/overview`);
  await bears(page, "Overview");
  await hasColours(page, page.getByRole("link", { name: "Accounts", exact: true }).first());
  await page.getByText("As a table").click();
  await looks(page, "branding-overview");
  await page.goto(`${URL}/admin/settings`);
  for (const key of ["console.name", "console.logo_file", "console.accent"]) {
    const row = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: key, exact: true }) });
    await row.getByRole("cell", { name: "Configuration file" }).waitFor();
  }
  await looks(page, "branding-settings");
}

async function showsThePagesForTopUps(page) {
  await page.goto(`${URL}/topup/crypto`);
  await bears(page, "Top up with a wallet");
  const act = page.getByRole("link", { name: "Sign in", exact: true });
  await act.waitFor();
  same([await style(page, act, "background-color"), await style(page, act, "color")], [FILL, TEXT]);
  await looks(page, "branding-crypto");
  await page.goto(`${URL}/topup/order/none`);
  await page.getByText("There is no such order").waitFor();
  await bears(page, "There is no such order – Your payment");
  await looks(page, "branding-order");
}

// Opened by itself it is a document, which is where a script would run.
async function runsNothingInTheLogo(page) {
  const reply = await page.goto(`${URL}/admin/files/logo`);
  same(await page.locator("svg").count(), 1);
  same(await page.locator("svg").getAttribute("data-planted"), null);
  const { "content-type": type, "content-security-policy": policy, "x-content-type-options": sniff } = reply.headers();
  same([type, policy, sniff], ["image/svg+xml", "default-src 'none'; style-src 'unsafe-inline'; sandbox", "nosniff"]);
  await page.goto(`${URL}/topup/crypto`);
  await title(page, "Top up with a wallet");
  same(await page.evaluate(() => globalThis.planted), undefined);
}

await run([
  ["the sign-in page bears the branding", showsTheSignInPage, REFUSED],
  ["the console bears the branding", showsTheConsole, OPERATOR],
  ["the pages for top-ups bear the branding", showsThePagesForTopUps, BLOCKED],
  ["nothing in the logo runs", runsNothingInTheLogo, BLOCKED],
]);
