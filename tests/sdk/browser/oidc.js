// Signing in by a provider of OpenID Connect: there and back, a refusal, a way back that nobody began, another way to sign in, and a
// first password; then somebody whose groups there make them a member, and the owner of the organisation, who puts a key into a team,
// sees what teams and members used, and keeps out whom the groups would bring back.
//
// Told by the environment beside what `suite.js` says: OIDC_URL, the issuer; GROUPED, a person
// there whose groups make a developer of the organisation; OWNER, the session of its owner; TEAM, the name of a team; GATE_URL, which lets the provider answer what
// it is asked slowly.

import { as, button, closes, confirms, done, field, looks, section, sends, title } from "./pages.js";
import { URL, holds, run, same, until } from "./suite.js";

const { OIDC_URL, GROUPED, OWNER, TEAM, GATE_URL } = process.env;
const PERSON = `ann "<b>"`;
const INVITED = "zoe";
const PASSWORD = "correct horse battery";
const REFUSED = { allows: /Failed to load resource/ };
const state = {};

async function says(page, name) {
  await field(page, "Name").fill(name);
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
  await field(page, "Name").waitFor();
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

// The way back to a payment is kept through the provider, also where the first try is lost.
async function goesOnPaying(page) {
  await page.goto(`${URL}/topup/crypto?order=tg0`);
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await button(page, "Sign in with Example Company").click();
  await field(page, "Name").waitFor();
  await page.getByRole("button", { name: "No", exact: true }).evaluate((no) => (no.form.noValidate = true));
  await button(page, "No").click();
  await page.getByRole("link", { name: "To the sign-in" }).click();
  await button(page, "Sign in with Example Company").click();
  await says(page, PERSON);
  await page.waitForURL(`${URL}/topup/crypto?order=tg0`);
  await page.getByText("This account has no such order.").waitFor();
}

async function acceptsAnInvitation(page, context) {
  await context.addCookies([{ name: "session", value: OWNER, url: URL }]);
  await page.goto(`${URL}/console/organisation`);
  const form = section(page, "Invite somebody");
  await field(form, "For whom").fill(INVITED);
  await button(form, "Invite somebody").click();
  const link = await page.getByRole("dialog", { name: "The invitation is made" }).locator("code").innerText();
  await context.clearCookies();
  await page.goto(link);
  await button(page, "Look at the invitation").click();
  await button(page, "Sign in with Example Company and accept").waitFor();
  await looks(page, "invitation-with-provider");
  await button(page, "Sign in with Example Company and accept").click();
  await says(page, INVITED);
  await title(page, "Overview");
  await page.getByText(`company:${INVITED} for `).waitFor();
  same(await page.evaluate(() => sessionStorage.getItem("kept")), null);
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

async function setsAFirstPassword(page, context) {
  await as(context, state.cookies);
  await page.goto(`${URL}/console/settings`);
  const form = section(page, "Set a password");
  same(await field(form, "Present password").count(), 0);
  await field(form, "New password").fill(PASSWORD);
  await field(form, "Password again").fill(PASSWORD);
  await looks(page, "settings-first-password");
  await button(form, "Set a password").click();
  await title(page, "Sign in");
  await done(page, "The password is changed.");
  await field(page, "E-mail address or name").fill(`company:${PERSON}`);
  await field(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  await page.goto(`${URL}/console/settings`);
  await field(section(page, "Change the password"), "Present password").waitFor();
}

// Somebody signs in whose groups at the provider are looked at, and after that the owner sees what became of the member.
async function groupsAreFollowed(page, context) {
  await context.clearCookies();
  await page.goto(URL);
  await button(page, "Sign in with Example Company").click();
  await page.waitForURL(`${OIDC_URL}/**`);
  await says(page, GROUPED);
  await title(page, "Overview");
  await context.clearCookies();
  await context.addCookies([{ name: "session", value: OWNER, url: URL }]);
  await page.goto(`${URL}/console/organisation`);
  return section(page, `company:${GROUPED}`);
}

async function isAMemberByGroups(page, context) {
  const member = await groupsAreFollowed(page, context);
  await member.getByText("By groups", { exact: true }).waitFor();
  await member.getByText(OIDC_URL).waitFor();
  // What the provider says again at the next sign-in is not asked for here.
  same(await member.getByText("Role and budgets").count(), 0);
  await member.getByText("Change the budgets").click();
  same(await field(member, "Role").count(), 0);
  await field(member, "US dollars a day").fill("5");
  await looks(page, "organisation-by-groups");
  await sends(page, member, "Save", "It is saved.");
  await member.getByText("Developer").first().waitFor();
}

function talks(content) {
  const headers = { authorization: `Bearer ${state.key}`, "content-type": "application/json" };
  const body = JSON.stringify({ model: "small", messages: [{ role: "user", content }] });
  return fetch(`${URL}/v1/chat/completions`, { method: "POST", headers, body });
}

async function putsAKeyIntoATeam(page, context) {
  await context.addCookies([{ name: "session", value: OWNER, url: URL }]);
  await page.goto(`${URL}/console/organisation`);
  const team = section(page, "New team");
  await field(team, "Name of the team").fill(TEAM);
  await sends(page, team, "Make the team", "The team is made.");
  await page.goto(`${URL}/console/keys`);
  const form = section(page, "New key");
  await field(form, "Label").fill("of a team");
  await field(form, "Team").selectOption({ label: TEAM });
  await button(form, "Make the key").click();
  const made = page.getByRole("dialog", { name: "The key is made" });
  const key = await made.locator("code").innerText();
  await closes(page, made);
  await page.getByRole("row", { name: /of a team/ }).getByRole("cell", { name: TEAM, exact: true }).waitFor();
  state.key = key;
  same((await talks("hello")).status, 200);
  await until("its use is seen", async () => {
    await page.reload();
    return (await page.getByRole("row", { name: /of a team/ }).getByText("not in 30 days").count()) === 0;
  });
}

// What comes and goes while somebody looks is seen without a reload, and what the teams spent.
async function seesWhatIsUnderWay(page, context) {
  await context.addCookies([{ name: "session", value: OWNER, url: URL }]);
  await page.goto(`${URL}/console/overview`);
  const [underWay, teams] = ["Requests under way", "Requests and cost: By team"].map((name) => page.getByRole("region", { name, exact: true }));
  await page.getByText("No request is under way.").waitFor();
  same(await teams.getByRole("rowheader").allInnerTexts(), [TEAM]);
  const slow = talks("slow");
  await underWay.getByRole("table").getByRole("rowheader").waitFor();
  await page.getByText("No request is under way.").waitFor({ state: "hidden" });
  await looks(page, "overview-under-way");
  await underWay.getByRole("link").click();
  await page.getByText("The request is under way: nothing is charged yet.").waitFor();
  await page.goBack();
  await page.reload();
  await underWay.getByRole("table").getByRole("rowheader").waitFor();
  await fetch(GATE_URL);
  same((await slow).status, 200);
  await page.getByText("No request is under way.").waitFor();
}

async function seesWhatTeamsAndMembersUsed(page, context) {
  await context.addCookies([{ name: "session", value: OWNER, url: URL }]);
  await page.goto(`${URL}/console/usage`);
  await title(page, "Usage");
  const table = (name) => page.getByRole("table", { name, exact: true });
  const teams = table("Requests and cost: By team");
  same(await teams.getByRole("rowheader").allInnerTexts(), [TEAM]);
  same(await table("Requests and cost: By member").getByRole("rowheader").allInnerTexts(), ["Keys of no member"]);
  await looks(page, "usage-by-team");
  await teams.getByRole("link", { name: TEAM, exact: true }).click();
  await page.waitForURL(/team_id=/);
  same(await field(page, "Team").locator("option:checked").innerText(), TEAM);
  await field(page, "Member").selectOption({ label: `company:${GROUPED}` });
  await button(page, "Show").click();
  await page.getByText("No request was charged in these days.").waitFor();
  await page.goto(`${URL}/console/organisation`);
  await page.getByRole("link", { name: `Receipts ${TEAM}`, exact: true }).click();
  await title(page, "Receipts");
  same(await field(page, "Team").locator("option:checked").innerText(), TEAM);
  same(await page.getByRole("table").getByRole("rowheader").count(), 2);
  await looks(page, "receipts-of-team");
  await page.goto(`${URL}/console/organisation`);
  await page.getByRole("link", { name: `Usage company:${GROUPED}`, exact: true }).click();
  await page.getByText("No request was charged in these days.").waitFor();
  holds((await page.getByRole("link", { name: "Download as CSV" }).getAttribute("href")).includes("team%2Cmember"), "by both");
}

async function keepsOutWhomGroupsWouldBringBack(page, context) {
  const inGroups = (groups) =>
    fetch(`${OIDC_URL}/test/people`, { method: "POST", body: JSON.stringify({ [GROUPED]: { groups } }) });
  await inGroups([]);
  const member = await groupsAreFollowed(page, context);
  await member.getByText("The person is a member again as soon as a group says so at a sign-in.").waitFor();
  await looks(page, "organisation-may-return");
  await member.getByRole("button", { name: `Keep out company:${GROUPED}`, exact: true }).click();
  await confirms(page, [GROUPED], "Keep out");
  await done(page, "Groups do not bring the person back.");
  await inGroups(["staff"]);
  const after = await groupsAreFollowed(page, context);
  await after.waitFor();
  same(await after.getByRole("button").count(), 0);
}

await run([
  ["signs in by a provider", signsIn, REFUSED],
  ["is refused by the provider", isRefused, REFUSED],
  ["comes back from a sign-in that nobody began", comesFromNowhere, REFUSED],
  ["goes on paying after a sign-in by a provider", goesOnPaying, REFUSED],
  ["accepts an invitation by a provider", acceptsAnInvitation, REFUSED],
  ["adds a provider to the account", addsAnother, REFUSED],
  ["sets a first password", setsAFirstPassword, REFUSED],
  ["is a member by groups of the provider", isAMemberByGroups, REFUSED],
  ["puts a key into a team", putsAKeyIntoATeam],
  ["sees what is under way", seesWhatIsUnderWay],
  ["sees what teams and members used", seesWhatTeamsAndMembersUsed],
  ["keeps out whom groups would bring back", keepsOutWhomGroupsWouldBringBack, REFUSED],
]);
