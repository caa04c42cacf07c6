// Signing in by a provider of OpenID Connect: there and back, a refusal, a way back that nobody began, and another way to sign in.
//
// Told by the environment beside what `suite.js` says: SCREENSHOTS, a folder for pictures; OIDC_URL, the issuer.

import { as, button, done, field, looks, section, title } from "./pages.js";
import { URL, run, same } from "./suite.js";

const { OIDC_URL } = process.env;
const PERSON = `ann "<b>"`;
const REFUSED = { allows: /Failed to load resource/ };
const state = {};

async function says(page, name) {
  await page.getByLabel("Name").fill(name);
  await button(page, "Go on").click();
}

async function signsIn(page, context) {
  await page.goto(URL);
  await section(page, "With a provider").waitFor();
  await looks(page, "sign-in-with-provider");
  await button(page, "Sign in with Example Company").click();
  await page.waitForURL(`${OIDC_URL}/**`);
  await says(page, PERSON);
  await title(page, "Overview");
  await page.getByText(`company:${PERSON}`).first().waitFor();
  // The provider is on the same host, and has cookies of its own.
  state.cookies = (await context.cookies(URL)).filter(({ name }) => name === "session");
  // Nothing of it is left where the next page could read it.
  same(await page.evaluate(() => sessionStorage.getItem("kept")), null);
}

async function isRefused(page) {
  await page.goto(URL);
  await button(page, "Sign in with Example Company").click();
  await page.getByLabel("Name").waitFor();
  await page.getByRole("button", { name: "No", exact: true }).evaluate((no) => (no.form.noValidate = true));
  await button(page, "No").click();
  await page.getByRole("alert").filter({ hasText: "The provider did not sign you in." }).waitFor();
  // What the provider says about it is no markup, and stays nowhere in the address.
  same(page.url(), `${URL}/sign-in/company`);
  await looks(page, "provider-refused");
  await page.getByRole("link", { name: "To the sign-in" }).click();
  await title(page, "Sign in");
}

async function comesFromNowhere(page) {
  // As where somebody leads a browser to the answer of a sign-in of their own.
  for (const query of ["", "?code=x&state=y", "?error=%3Cb%3E", `?code=x&state=y&iss=${encodeURIComponent(OIDC_URL)}`]) {
    await page.goto(`${URL}/sign-in/company${query}`);
    await page.getByRole("alert").filter({ hasText: "This window has not begun the sign-in" }).waitFor();
  }
  await page.evaluate(() => sessionStorage.setItem("kept", JSON.stringify({ form: "sign-in", secret: "made up" })));
  await page.goto(`${URL}/sign-in/company?code=x&state=y`);
  await page.getByRole("alert").filter({ hasText: "does not count" }).waitFor();
  same(await page.getByText("One moment").isVisible(), false);
  await looks(page, "provider-nobody");
}

async function addsAnother(page, context) {
  await as(context, state.cookies);
  await page.goto(`${URL}/console/settings`);
  const card = section(page, "Add a provider");
  await looks(page, "settings-with-provider");
  await button(card, "Add Example Company").click();
  // The provider knows nobody in this window yet.
  await says(page, "another");
  await title(page, "Settings");
  await done(page, "It is added.");
  const row = page.getByRole("table", { name: /^Other ways/ }).getByRole("row").filter({ hasText: "another" });
  await row.getByText(OIDC_URL).waitFor();
  // Who signs in already is told so.
  await context.clearCookies({ domain: new globalThis.URL(OIDC_URL).hostname, name: /^_/ });
  await button(card, "Add Example Company").click();
  await says(page, "another");
  await page.getByRole("alert").filter({ hasText: "This way to sign in is in use already" }).waitFor();
}

await run([
  ["signs in by a provider", signsIn, REFUSED],
  ["is refused by the provider", isRefused, REFUSED],
  ["comes back from a sign-in that nobody began", comesFromNowhere, REFUSED],
  ["adds a provider to the account", addsAnother, REFUSED],
]);
