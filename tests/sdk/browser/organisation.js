// An organisation in the console of accounts: its owner makes it, pools a budget, makes a team, invites somebody by a link, who opens an
// account by it, makes a key and sees no more than the role shows; the owner puts a key into a team and gives it to the member; then
// the member gets another role, and is taken out.

import { as, button, closes, confirms, done, field, looks, section, sends, title } from "./pages.js";
import { URL, holds, run, same, until } from "./suite.js";
import { giveWallet } from "./wallet.js";

const OWNER = "olga@example.org";
const MEMBER = "mia@example.org";
const PASSWORD = "correct horse battery";
const WALLET_KEY = `0x${"18".repeat(32)}`;
// What runs, what leaves an attribute, and what templates fill in.
const PLANTED = `<img src=x onerror=planted=1>"'{{7*7}}`;
const REFUSED = { allows: /Failed to load resource/ };

const state = {};
const alert = (within, text) => within.getByRole("alert").filter({ hasText: text }).waitFor();
const card = (page, name) => page.getByRole("region", { name, exact: true });

async function opens(page, email) {
  await field(page, "E-mail address").fill(email);
  await field(page, "Password").fill(PASSWORD);
  await field(page, "Password again").fill(PASSWORD);
}

async function makesAnOrganisation(page, context) {
  await page.goto(`${URL}/console/register`);
  await opens(page, OWNER);
  await button(page, "Open an account").click();
  await title(page, "Overview");
  state.owner = await context.cookies();
  await page.getByRole("link", { name: "Organisation", exact: true }).click();
  await title(page, `Organisation: ${OWNER}`);
  await page.getByText("All keys together may spend the whole credit.").waitFor();
  await looks(page, "organisation-empty");
  const form = card(page, "New organisation");
  await field(form, "Name of the organisation").fill(OWNER);
  await button(form, "Make the organisation").click();
  await alert(form, "not an address or a wallet");
  await field(form, "Name of the organisation").fill(PLANTED);
  await button(form, "Make the organisation").click();
  await title(page, "Overview");
  await page.getByText(`${OWNER} for ${PLANTED}`).waitFor();
}

async function poolsABudget(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/console/organisation`);
  const budgets = section(page, "Budgets");
  await budgets.getByText("Change the budgets").click();
  await field(budgets, "US dollars a month").fill("500");
  await sends(page, budgets, "Save", "It is saved.");
  const use = budgets.getByRole("table", { name: /^Budgets of/ });
  same(await use.getByRole("row").nth(1).getByRole("cell").allInnerTexts().then((cells) => cells.slice(0, 4)), ["500.00", "0.00", "0.00", "500.00"]);
  await budgets.getByText("Raise for a while").first().click();
  await field(budgets, "US dollars more").fill("100");
  await field(budgets, "Until (in your time)").fill("2100-01-01T00:00");
  await sends(page, budgets, "Raise for a while", "It is saved.");
  same(await use.getByRole("row").nth(1).getByRole("cell").first().innerText(), "600.00");
  const made = card(page, "New team");
  await field(made, "Name of the team").fill(PLANTED);
  await field(made, "US dollars a week").fill("20");
  await sends(page, made, "Make the team", "The team is made.");
  const team = card(page, PLANTED);
  await team.getByText("20.00").first().waitFor();
  await team.getByText("Name and budgets").click();
  await field(team, "Name of the team").fill("search");
  await field(team, "US dollars a week").fill("");
  await sends(page, team, "Save", "It is saved.");
  await looks(page, "organisation-team");
  await card(page, "search").getByRole("button", { name: "Close search" }).click();
  await confirms(page, ["search"], "Close");
  await done(page, "The team is closed.");
  await page.getByText("There is no team.").waitFor();
}

async function invites(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/console/organisation`);
  const form = card(page, "Invite somebody");
  await field(form, "For whom").fill("withdrawn");
  await button(form, "Invite somebody").click();
  const made = page.getByRole("dialog", { name: "The invitation is made" });
  state.gone = await made.locator("code").innerText();
  await closes(page, made);
  await page.getByRole("button", { name: "Withdraw withdrawn" }).click();
  await done(page, "The invitation is withdrawn.");
  await field(form, "For whom").fill(PLANTED);
  await field(form, "Role").selectOption({ label: "Developer" });
  await button(form, "Invite somebody").click();
  state.link = await made.locator("code").innerText();
  holds(state.link.startsWith(`${URL}/invitation#`), "the link leads here");
  await looks(page, "invitation-made");
  await closes(page, made);
  await section(page, "Invitations").getByRole("row").filter({ hasText: PLANTED }).waitFor();
}

async function invitesByMail(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/console/organisation`);
  const form = card(page, "Invite somebody");
  await field(form, "For whom").fill("grace@example.org");
  await field(form, "Send the link by e-mail").check();
  await looks(page, "invitation-by-mail");
  await button(form, "Invite somebody").click();
  const made = page.getByRole("dialog", { name: "The invitation is made" });
  await made.getByText("The link is on its way by e-mail, too.").waitFor();
  await looks(page, "invitation-mailed");
  await closes(page, made);
  // What is no address is told beside the form, and nobody is invited.
  await field(form, "For whom").fill("Grace");
  await field(form, "Send the link by e-mail").check();
  await button(form, "Invite somebody").click();
  await alert(page, "an e-mail address");
  same(await field(form, "For whom").getAttribute("aria-invalid"), "true");
}

// What is sent while another answer is on its way could not be shown any more, and what is typed before the page is there anew
// would be lost.
async function doesOneThingAtATime(page, context) {
  await as(context, state.owner);
  await page.addInitScript(() => addEventListener("pagehide", () => sessionStorage.setItem("still", document.body.inert)));
  await page.goto(`${URL}/console/organisation`);
  const sent = [];
  let answer;
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/**", async (route) => {
    sent.push(route.request().url());
    await answered;
    await route.continue();
  });
  try {
    const [team, invitation] = [card(page, "New team"), card(page, "Invite somebody")];
    await field(team, "Name of the team").fill("one");
    await button(team, "Make the team").click();
    await until("the team is sent", () => sent.length === 1);
    await field(invitation, "For whom").fill("another");
    await button(invitation, "Invite somebody").click();
    await Promise.all([page.waitForEvent("load"), answer()]);
  } finally {
    // Nothing ends while an answer is kept back.
    answer();
  }
  await done(page, "The team is made.");
  same(await page.evaluate(() => sessionStorage.getItem("still")), "true");
  same(sent.length, 1);
  same(await section(page, "Invitations").getByText("another").count(), 0);
}

async function isInvited(page, context) {
  await page.goto(state.gone);
  await button(page, "Look at the invitation").click();
  await alert(page, "The invitation was used or withdrawn, or has ended.");
  // Another link in the same window.
  await page.goto("about:blank");
  await page.goto(state.link);
  same(page.url(), `${URL}/invitation`);
  await title(page, "You are invited");
  await looks(page, "invitation");
  await button(page, "Look at the invitation").click();
  await page.getByText("Developer", { exact: true }).waitFor();
  await looks(page, "invitation-shown");
  const form = card(page, "I have no account yet");
  await opens(form, MEMBER);
  await button(form, "Open an account and accept").click();
  await title(page, "Overview");
  await page.getByText(`${MEMBER} for ${PLANTED}`).waitFor();
  state.member = await context.cookies();
  await page.goto(`${URL}/console/organisation`);
  same(await page.getByRole("heading", { name: "Invitations" }).count(), 0);
  same(await page.getByRole("button", { name: "Take out" }).count(), 0);
  same(await page.getByRole("link", { name: "Top up" }).count(), 0);
  await looks(page, "organisation-developer");
  await page.goto(`${URL}/console/keys`);
  const key = section(page, "New key");
  await field(key, "Label").fill("of the member");
  await button(key, "Make the key").click();
  await closes(page, page.getByRole("dialog", { name: "The key is made" }));
  await page.getByRole("link", { name: "Change of the member" }).waitFor();
}

// Whoever has no password accepts by a wallet, which opens an account where anybody may.
async function isInvitedWithAWallet(page, context) {
  await as(context, state.owner);
  await giveWallet(context, { key: WALLET_KEY, name: "Red Wallet", chain: 1, rpc: URL });
  await page.goto(`${URL}/console/organisation`);
  const form = card(page, "Invite somebody");
  await field(form, "For whom").fill("a wallet");
  await field(form, "Role").selectOption({ label: "Viewer" });
  await button(form, "Invite somebody").click();
  const link = await page.getByRole("dialog", { name: "The invitation is made" }).locator("code").innerText();
  await context.clearCookies();
  await page.goto(link);
  await button(page, "Look at the invitation").click();
  await button(page, "Sign in with Red Wallet and accept").waitFor();
  await looks(page, "invitation-with-wallet");
  await button(page, "Sign in with Red Wallet and accept").click();
  await title(page, "Overview");
  await page.getByText(` for ${PLANTED}`).waitFor();
  state.viewer = await context.cookies();
}

// Whose role makes no keys is not offered to make one.
async function talksWithoutMakingAKey(page, context) {
  await as(context, state.viewer);
  await page.goto(`${URL}/console/playground`);
  await page.getByText("Your role makes no keys.").waitFor();
  same(await page.getByRole("button", { name: "Make a key for an hour" }).count(), 0);
  await field(page, "Your message").fill("hello");
  await button(page, "Send").click();
  await alert(page, "Please paste a key.");
  await looks(page, "playground-viewer");
}

// A key gets a team where it is made and a member later, and loses both again. The member sees it meanwhile, and gives it to nobody.
async function sharesAKey(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/console/keys`);
  const form = section(page, "New key");
  await field(form, "Label").fill("of the team");
  await field(form, "Team").selectOption({ label: "one" });
  await looks(page, "keys-shared");
  await button(form, "Make the key").click();
  await closes(page, page.getByRole("dialog", { name: "The key is made" }));
  await page.getByRole("row", { name: /of the team/ }).getByRole("cell", { name: "one", exact: true }).waitFor();
  await page.getByRole("link", { name: "Change of the team" }).click();
  await title(page, "of the team");
  const [change, facts] = [section(page, "Change the key"), page.locator("dl.numbers")];
  const chosen = (name) => field(change, name).locator("option:checked").innerText();
  same([await chosen("Team"), await chosen("Member")], ["one", "Nobody"]);
  await field(change, "Member").selectOption({ label: MEMBER });
  await sends(page, change, "Save", "It is saved.");
  await facts.getByText(MEMBER).waitFor();
  await looks(page, "key-shared");
  await as(context, state.member);
  await page.reload();
  await facts.getByText("one", { exact: true }).waitFor();
  same([await field(page, "Team").count(), await field(page, "Member").count()], [0, 0]);
  await as(context, state.owner);
  await page.reload();
  same([await chosen("Team"), await chosen("Member")], ["one", MEMBER]);
  await field(change, "Team").selectOption({ label: "No team" });
  await field(change, "Member").selectOption({ label: "Nobody" });
  await sends(page, change, "Save", "It is saved.");
  same([await chosen("Team"), await chosen("Member")], ["No team", "Nobody"]);
  same(await facts.getByText(MEMBER).count(), 0);
}

// Both windows have one session. What is pressed on a page of one organisation is not done to the other, which the session acts for by
// then; entering one is for the person, and works from any page.
async function worksInTwoWindows(page, context) {
  await as(context, state.owner);
  const other = await context.newPage();
  const enters = async (within, name) => {
    await within.getByRole("button", { name: `Act for it ${name}` }).click();
    await title(within, "Overview");
  };
  await page.goto(`${URL}/console/keys`);
  await other.goto(`${URL}/console/organisation`);
  await enters(other, OWNER);
  const form = section(page, "New key");
  await field(form, "Label").fill("of which organisation");
  await button(form, "Make the key").click();
  await alert(form, "You act for another organisation by now");
  await other.goto(`${URL}/console/keys`);
  same(await other.getByText("of which organisation").count(), 0);
  await page.goto(`${URL}/console/playground`);
  await other.goto(`${URL}/console/organisation`);
  await enters(other, PLANTED);
  await button(page, "Make a key for an hour").click();
  await alert(page, "You act for another organisation by now");
  await page.goto(`${URL}/console/organisation`);
  await other.goto(`${URL}/console/organisation`);
  await enters(other, OWNER);
  await button(page, "Leave this organisation").click();
  await confirms(page, [], "Leave this organisation");
  await alert(page, "You act for another organisation by now");
  await enters(page, OWNER);
  await page.goto(`${URL}/console/organisation`);
  await enters(page, PLANTED);
}

async function endsTheMembership(page, context) {
  await as(context, state.owner);
  await page.goto(`${URL}/console/organisation`);
  const member = card(page, MEMBER);
  await member.getByText("Keys in use: 1").waitFor();
  await member.getByText("Role and budgets").click();
  await field(member, "Role").selectOption({ label: "Viewer" });
  await field(member, "US dollars a day").fill("5");
  await sends(page, member, "Save", "It is saved.");
  await member.getByText("Viewer").first().waitFor();
  await looks(page, "organisation-members");
  await member.getByText("Take out").first().click();
  await field(member, "The keys of the member").selectOption({ label: "stay, as keys of the organisation" });
  await member.getByRole("button", { name: `Take out ${MEMBER}` }).click();
  await confirms(page, [MEMBER], "Take out");
  await done(page, "The member is out.");
  // The only owner stays, and is told so.
  await button(page, "Leave this organisation").click();
  await confirms(page, [], "Leave this organisation");
  await alert(page, "The organisation would be left without an owner.");
  await page.getByRole("button", { name: `Act for it ${OWNER}` }).click();
  await title(page, "Overview");
}

async function isOut(page, context) {
  await as(context, state.member);
  await page.goto(`${URL}/console/keys`);
  same(page.url(), `${URL}/console/sign-in`);
  await field(page, "E-mail address or name").fill(MEMBER);
  await field(page, "Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await title(page, "Overview");
  await page.goto(`${URL}/console/organisation`);
  await title(page, `Organisation: ${MEMBER}`);
}

await run([
  ["makes an organisation", makesAnOrganisation, REFUSED],
  ["pools a budget, raises it, and makes a team", poolsABudget],
  ["invites somebody by a link", invites],
  ["invites somebody by mail", invitesByMail, REFUSED],
  ["does one thing at a time", doesOneThingAtATime],
  ["is invited, opens an account and makes a key", isInvited, REFUSED],
  ["is invited and accepts by a wallet", isInvitedWithAWallet, REFUSED],
  ["talks with a model and makes no key", talksWithoutMakingAKey],
  ["puts a key into a team and gives it to a member", sharesAKey],
  ["works in two windows with one session", worksInTwoWindows, REFUSED],
  ["changes a role and takes a member out", endsTheMembership, REFUSED],
  ["is out, and is a person still", isOut, REFUSED],
]);
