// The console of an account, whose every text is markup or script (`planted.js`).

import { open, reads, signIn, sound, trapped } from "./planted.js";
import { holds, same } from "./suite.js";

const ORGANISATIONS = "/api/user/self/organisations";
const MARKUP = "<img src=x onerror=planted(0)>";

// Asks an operation from a page of the console.
async function asks(page, method, path, body) {
  const told = await page.evaluate(async ([method, path, body]) => {
    const headers = { "content-type": "application/json", "x-tollgate-csrf": "1" };
    return (await fetch(path, { method, headers, body: body && JSON.stringify(body) })).json();
  }, [method, path, body]);
  holds(told.success, JSON.stringify(told));
  return told.data;
}

// What a model says, what is typed, whom an invitation is of, and what a sign-in provider sends back.
async function showsAnswersAsText(page, context) {
  const caught = await trapped(context);
  await signIn(context);
  await open(page, "/console/playground");
  await page.getByLabel("Model", { exact: true }).selectOption("small");
  await page.getByLabel("Your message", { exact: true }).fill(MARKUP);
  await page.getByRole("button", { name: "Make a key for an hour", exact: true }).click();
  await page.getByText("A key was made.").waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText(/This answer cost 0\.\d+ USD\./).waitFor();
  same(await page.locator("#talk li p").allInnerTexts(), [MARKUP, MARKUP]);
  await open(page, "/console/keys");
  const key = page.getByRole("region", { name: "New key", exact: true });
  await key.getByLabel("Label", { exact: true }).fill(MARKUP);
  await key.getByRole("button", { name: "Make the key", exact: true }).click();
  await page.getByRole("dialog", { name: "The key is made" }).waitFor();
  // An organisation of that name, which the session acts for meanwhile.
  await open(page, "/console/overview");
  const [{ account_id: before }] = await asks(page, "GET", ORGANISATIONS);
  await asks(page, "POST", ORGANISATIONS, { name: MARKUP });
  const { token } = await asks(page, "POST", "/api/user/self/invitations", { invited: MARKUP, role: "viewer" });
  for (const path of ["/console/overview", "/console/organisation", "/console/settings"]) {
    const { text } = await sound(page, path);
    holds(text.includes(MARKUP), `${path} names the organisation`);
  }
  await open(page, `/invitation#${token}`);
  await page.getByRole("button", { name: "Look at the invitation", exact: true }).click();
  await page.locator("#invited").getByText(MARKUP, { exact: true }).first().waitFor();
  same(await page.locator("main img").count(), 0);
  await asks(page, "POST", `${ORGANISATIONS}/${before}/enter`);
  same(caught, []);
}

await reads({
  cookie: "session",
  isOwn: (path) => /^\/(console|topup)\//.test(path),
  PUBLIC: ["/", "/console/sign-in", "/console", "/console/register", "/invitation", "/sign-in/company"],
  home: "/console/overview",
  kindOf: (path) => path.replace(/(?<=^\/\w+\/[\w-]+\/).+/, ""),
  files: /^\/console\/files\//,
  FILES: "/console/files",
  // The script of the page takes them out of the address.
  parameters: [{ path: "/sign-in/company", query: ["error", "error_description", "state", "code", "iss"] }],
  kinds: 20,
  answers: showsAnswersAsText,
});
