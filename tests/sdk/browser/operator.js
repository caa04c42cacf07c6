// What the cases of the operator's console share: how an operator comes in.
//
// Told by the environment beside what `suite.js` says: CODES_URL, whose /secret/{secret} tells the next code of a second factor.

import { button, field, title } from "./pages.js";
import { URL, same } from "./suite.js";

const { CODES_URL } = process.env;
export const PASSWORD = "correct horse battery";

export const code = async (secret) => (await (await fetch(`${CODES_URL}/secret/${secret}`)).json()).code;

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
