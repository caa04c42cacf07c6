// The console of operators, whose every text is markup or script (`planted.js`).

import { open, reads, signIn, trapped } from "./planted.js";
import { same } from "./suite.js";

// Answers of the API that scripts put into a page: a refusal, what a provider said, what a price list changes.
async function showsAnswersAsText(page, context) {
  const caught = await trapped(context);
  await signIn(context);
  const markup = "<img src=x onerror=planted(0)>";
  await open(page, "/admin/accounts");
  const account = page.getByRole("region", { name: "New account", exact: true });
  await account.getByLabel("Name", { exact: true }).fill(` ${markup}`);
  await account.getByRole("button").click();
  await account.getByRole("alert").filter({ hasText: markup }).waitFor();
  await open(page, "/admin/providers/alpha");
  const test = page.getByRole("region", { name: "Try it", exact: true });
  await test.getByLabel("Name at the provider", { exact: true }).fill(markup);
  await test.getByRole("button").click();
  await test.getByText(markup, { exact: true }).first().waitFor();
  await open(page, "/admin/prices");
  const list = page.getByRole("region", { name: "Price list", exact: true });
  const toml = `[prices.${JSON.stringify(markup)}]\nprompt = "1"\ncompletion = "2"\ntools = { ${JSON.stringify(markup)} = "1" }\n`;
  await list.locator("textarea").fill(toml);
  await list.getByRole("button", { name: "Compare", exact: true }).click();
  await list.getByRole("rowheader", { name: markup, exact: true }).waitFor();
  same(await page.locator("main img").count(), 0);
  same(caught, []);
}

await reads({
  cookie: "operator_session",
  isOwn: (path) => path.startsWith("/admin"),
  PUBLIC: ["/admin", "/admin/sign-in", "/admin/invitation"],
  home: "/admin/overview",
  kindOf: (path) => path.replace(/(?<=^\/admin\/\w+\/).+/, ""),
  // Files and events are no pages.
  files: /^\/admin\/(files\/|live$)/,
  FILES: "/admin/files",
  parameters: [],
  kinds: 12,
  answers: showsAnswersAsText,
});
