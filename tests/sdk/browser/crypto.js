// People on the page of the crypto rail: they sign in, choose, sign in their wallets and see the credit arrive; and whatever goes
// wrong is told in words, costs nothing, and has a way on.
//
// Told by the environment beside what `suite.js` says: SESSION, of somebody of the account whose password is PASSWORD; OFF_URL
// and OFF_SESSION, where the rail is off; MANY_URL, MANY_KEY and MANY_SESSION, where two further chains cannot be paid on; CLOCK_URL, where ten minutes are let go by; RPC_URL of the chain; PAYER with coins and
// STRANGER without; SOLANA_PAYER, whose key is of SOLANA_SEED.

import jsQR from "jsqr";

import { looks } from "./pages.js";
import { URL, ask, holds, picture, run, same, until } from "./suite.js";
import { giveSolanaWallet, giveWallet } from "./wallet.js";

const { SESSION, PASSWORD, OFF_URL, OFF_SESSION, MANY_URL, MANY_KEY, MANY_SESSION, CLOCK_URL, RPC_URL, PAYER, STRANGER, SOLANA_PAYER, SOLANA_SEED } = process.env;
const CHAIN = 31337;
const PAGE = `${URL}/topup/crypto`;
const USD = 5;
const SOLANA = "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1";
const ON_SOLANA = "Solana Devnet (test network)";
const PHONE = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true };
// Said by the browser itself of an answer that the page tells in words.
const answered = (status) => ({ allows: new RegExp(`the server responded with a status of ${status}`) });

const balance = async () => (await ask("GET", "/api/user/self/balance")).available_usd;
const order = (network = `eip155:${CHAIN}`, symbol = "USDC") =>
  ask("POST", "/api/user/topup/crypto/orders", { amount_usd: USD, network, symbol });
// An order where further chains cannot be paid on.
async function orderOfMany(more) {
  const headers = { authorization: `Bearer ${MANY_KEY}`, "content-type": "application/json" };
  const body = JSON.stringify({ amount_usd: USD, ...more });
  return (await (await fetch(`${MANY_URL}/api/user/topup/crypto/orders`, { method: "POST", headers, body })).json()).data;
}
const button = (page, name) => page.getByRole("button", { name, exact: true });
const told = (page, text) => page.getByRole("alert").filter({ hasText: text }).waitFor();
const stands = (page, text) => page.getByRole("status").filter({ hasText: text }).waitFor();
const named = (page) => new globalThis.URL(page.url()).searchParams.get("order");

async function chain(method, ...params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  await fetch(RPC_URL, { method: "POST", headers: { "content-type": "application/json" }, body });
}

async function signedIn(context, url = URL, value = SESSION) {
  await context.addCookies([{ name: "session", value, url }]);
}

const solanaWallet = (context) =>
  giveSolanaWallet(context, { seed: Number(SOLANA_SEED), address: SOLANA_PAYER, name: "Green Wallet" });
const wallet = (context, more) => giveWallet(context, { key: PAYER, name: "Red Wallet", chain: CHAIN, rpc: RPC_URL, ...more });

// Somebody signed in with a wallet, on the page of a fresh order.
async function atOrder(page, context, more) {
  await signedIn(context);
  const given = await wallet(context, more);
  const made = await order();
  await page.goto(made.page_url);
  await button(page, "Pay with Red Wallet").waitFor();
  return { wallet: given, order: made };
}

// To where people sign in, from which they come back.
async function toSignIn(page) {
  await page.getByRole("link", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/console/sign-in");
}

async function pay(page) {
  await button(page, "Pay with Red Wallet").click();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
}

// Nothing was paid, and the order can be paid still: it is.
async function paysStill(page) {
  const before = await balance();
  await pay(page);
  same(await balance(), before + USD);
}

async function signsInAndPays(page, context) {
  await wallet(context);
  await page.goto(PAGE);
  await toSignIn(page);
  await page.getByLabel("E-mail address or name").fill("test");
  await page.getByLabel("Password").fill("not the password");
  await button(page, "Sign in").click();
  await told(page, "The name or the password is wrong.");
  await page.getByLabel("Password").fill(PASSWORD);
  await button(page, "Sign in").click();
  const before = await balance();
  await page.waitForURL((url) => url.pathname === "/topup/crypto");
  await page.getByText(`Your credit: ${before.toFixed(2)} USD`).waitFor();
  same(await page.getByLabel("Token and network").locator("option").allInnerTexts(), ["USDC on anvil", "USDT on anvil", "FEE on anvil", `USDC on ${ON_SOLANA}`, `USDT on ${ON_SOLANA}`]);
  await picture(page, "crypto-new");
  await looks(page, "crypto-new");
  await page.getByLabel("Amount in US dollars").fill("5");
  await button(page, "Continue").click();
  await button(page, "Pay with Red Wallet").waitFor();
  const text = await page.locator("#order").innerText();
  holds(text.includes("5.00 USD") && text.includes("USDC on anvil") && text.includes(named(page)), text);
  holds(/\b(10:00|9:\d\d)\b/.test(text), text);
  await pay(page);
  same(await balance(), before + USD);
  const { reference } = await ask("GET", `/api/user/topup/order/${named(page)}`);
  await page.getByText(reference).waitFor();
  await picture(page, "crypto-paid");
  await looks(page, "crypto-paid");
  // Out again: what is on the page is nobody's.
  await button(page, "Sign out").click();
  await page.getByText("Sign in to the account that is to be credited.").waitFor();
  holds(!(await page.locator("main").innerText()).includes(reference), "it is gone");
}

async function refusesToBeSeen(page, context) {
  const { wallet } = await atOrder(page, context);
  wallet.refuses.add("eth_requestAccounts");
  await button(page, "Pay with Red Wallet").click();
  await told(page, "You refused in the wallet. Nothing was paid.");
  wallet.refuses.clear();
  await paysStill(page);
}

async function refusesToSign(page, context) {
  const { wallet } = await atOrder(page, context);
  wallet.refuses.add("eth_signTypedData_v4");
  await button(page, "Pay with Red Wallet").click();
  await told(page, "You refused in the wallet. Nothing was paid.");
  await picture(page, "crypto-refused");
  await looks(page, "crypto-refused");
  wallet.refuses.clear();
  await paysStill(page);
  same(await page.getByRole("alert").count(), 0);
}

async function isOnAnotherNetwork(page, context) {
  const { wallet } = await atOrder(page, context, { chain: 1, knows: [1, CHAIN] });
  wallet.refuses.add("wallet_switchEthereumChain");
  await button(page, "Pay with Red Wallet").click();
  await told(page, "You refused in the wallet.");
  // Nothing was asked to be signed for another network.
  holds(!wallet.asked.includes("eth_signTypedData_v4"), wallet.asked.join());
  wallet.refuses.clear();
  await paysStill(page);
  same(wallet.chain, CHAIN);
}

// A wallet is offered what the operator has written for wallets, and nothing of the nodes that the service asks itself.
async function doesNotKnowTheNetwork(page, context) {
  const { wallet } = await atOrder(page, context, { chain: 1, knows: [1] });
  holds(!(await page.content()).includes(RPC_URL), "no node of ours is shown");
  wallet.refuses.add("wallet_addEthereumChain");
  await button(page, "Pay with Red Wallet").click();
  await told(page, "You refused in the wallet. Nothing was paid.");
  same([wallet.added, wallet.asked.includes("eth_signTypedData_v4")], [undefined, false]);
  wallet.refuses.clear();
  wallet.wraps = true;
  await paysStill(page);
  const coin = { name: "Ether", symbol: "ETH", decimals: 18 };
  same(wallet.added, { chainId: "0x7a69", chainName: "anvil", nativeCurrency: coin, rpcUrls: ["https://rpc.example"], blockExplorerUrls: ["https://scan.example"] });
  same(wallet.chain, CHAIN);
}

async function addsTheNetworkItself(page, context) {
  await signedIn(context, MANY_URL, MANY_SESSION);
  const given = await wallet(context, { chain: 1, knows: [1] });
  await page.goto((await orderOfMany({ network: `eip155:${CHAIN}`, symbol: "USDC" })).page_url);
  await button(page, "Pay with Red Wallet").click();
  await told(page, "Your wallet does not know the network anvil. Add it in the wallet, then try again. Nothing was paid.");
  same(given.added, undefined);
}

async function reloadsBeforePaying(page, context) {
  const { order } = await atOrder(page, context);
  await page.reload();
  same(named(page), order.trade_no);
  await paysStill(page);
  await page.reload();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
  same(await page.getByRole("button", { name: /Pay with/ }).count(), 0);
}

async function reloadsWhileItSettles(page, context) {
  await atOrder(page, context);
  const before = await balance();
  await chain("evm_setAutomine", false);
  try {
    await button(page, "Pay with Red Wallet").click();
    await stands(page, "Your payment is on its way.");
    await page.reload();
    await stands(page, "Your payment is on its way.");
    same(await page.getByRole("button", { name: /Pay with/ }).count(), 0);
    await picture(page, "crypto-settling");
    await looks(page, "crypto-settling");
    same(await balance(), before);
  } finally {
    await chain("evm_setAutomine", true);
    await chain("anvil_mine", "0x1");
  }
  await stands(page, "Paid. 5.00 USD were added to your credit.");
  same(await balance(), before + USD);
}

async function losesTheAnswer(page, context) {
  await atOrder(page, context);
  const before = await balance();
  let lost = 0;
  await page.route("**/api/x402/pay/*", async (route) => {
    if (lost === 0) {
      lost += 1;
      await route.fetch();
      return route.abort("connectionreset");
    }
    return route.continue();
  });
  await pay(page);
  same([lost, await balance()], [1, before + USD]);
}

async function isOffline(page, context) {
  await atOrder(page, context);
  await context.setOffline(true);
  await told(page, "The service cannot be reached.");
  await context.setOffline(false);
  await page.getByRole("alert").waitFor({ state: "hidden" });
  await paysStill(page);
}

async function isSignedOutMeanwhile(page, context) {
  const { order } = await atOrder(page, context);
  await context.clearCookies();
  await told(page, "You are no longer signed in.");
  await looks(page, "crypto-signed-out");
  await toSignIn(page);
  await page.getByLabel("E-mail address or name").fill("test");
  await page.getByLabel("Password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await button(page, "Pay with Red Wallet").waitFor();
  same(named(page), order.trade_no);
  await paysStill(page);
}

// Another window lets the session act for another account: the page's request names the account whose credit it shows.
async function actsForAnotherAccount(page, context) {
  await signedIn(context);
  const sent = [];
  const orders = "**/api/user/topup/crypto/orders";
  await page.route(orders, async (route) => {
    const headers = route.request().headers();
    sent.push(headers["x-tollgate-account"]);
    await route.continue({ headers: { ...headers, "x-tollgate-account": "4503599627370497" } });
  });
  await page.goto(PAGE);
  await page.getByText("Your credit:").waitFor();
  await page.getByLabel("Amount in US dollars").fill("5");
  await button(page, "Continue").click();
  await told(page, "You act for another account by now");
  holds(/^[0-9]+$/.test(sent[0]), sent.join());
  await page.unroute(orders);
  await page.reload();
  await page.getByLabel("Amount in US dollars").fill("5");
  await button(page, "Continue").click();
  await page.getByText("Choose a wallet").waitFor();
}

async function hasTooLittle(page, context) {
  await atOrder(page, context, { key: STRANGER });
  const before = await balance();
  await button(page, "Pay with Red Wallet").click();
  await told(page, "There is not enough USDC on anvil in this wallet. Nothing was paid");
  // What programs say stands behind a word.
  const technical = page.getByText("exceeds balance");
  holds(!(await technical.isVisible()) && !(await page.getByRole("alert").innerText()).includes("revert"), "in words for people");
  await page.getByText("Technical details", { exact: true }).click();
  await technical.waitFor();
  holds((await technical.innerText()).includes("X402_PAYMENT_REJECTED"), await technical.innerText());
  await picture(page, "crypto-too-little");
  await looks(page, "crypto-too-little");
  same([await balance(), await button(page, "Pay with Red Wallet").isEnabled()], [before, true]);
}

// The money is there, and a person decides: nobody is asked for more of it, now or later.
async function paysWithATokenThatKeepsAPart(page, context) {
  await signedIn(context);
  await wallet(context);
  const before = await balance();
  await page.goto((await order(`eip155:${CHAIN}`, "FEE")).page_url);
  await button(page, "Pay with Red Wallet").click();
  const words = "Please do not pay again: a person has to look at it.";
  await stands(page, words);
  await page.reload();
  await stands(page, words);
  await looks(page, "crypto-aside");
  same([await button(page, "Make a new order").count(), await page.getByRole("button", { name: /Pay with/ }).count()], [0, 0]);
  same(await balance(), before);
}

async function looksForWhatIsNotThere(page, context) {
  await signedIn(context);
  await page.goto(`${PAGE}?order=tg00000000000000000000000000`);
  await told(page, "This account has no such order.");
  await looks(page, "crypto-unknown");
  await button(page, "Make a new order").click();
  await page.getByLabel("Amount in US dollars").waitFor();
  same(await page.getByRole("alert").count(), 0);
}

async function writesOddAmounts(page, context) {
  await signedIn(context);
  await page.goto(PAGE);
  const amount = page.getByLabel("Amount in US dollars");
  for (const [text, words] of [
    ["", "Please write the amount in digits"],
    ["1e3", "Please write the amount in digits"],
    ["0.5", "This amount cannot be paid with USDC on anvil. From 1 to 1000 USD."],
    ["1001", "This amount cannot be paid with USDC on anvil. From 1 to 1000 USD."],
    ["1.0000001", "No more decimal places than the token has."],
  ]) {
    await amount.fill(text);
    await button(page, "Continue").click();
    await told(page, words);
  }
  // As some write it, and with a zero too many.
  await amount.fill("07,25");
  await button(page, "Continue").click();
  await page.getByText("7.25 USD").waitFor();
  await page.goBack();
  await amount.waitFor();
}

// A chain that nobody reaches, and one that takes no small orders: told before the order and of one that somebody else has made.
async function choosesAnotherChain(page, context) {
  await signedIn(context, MANY_URL, MANY_SESSION);
  await page.goto(`${MANY_URL}/topup/crypto`);
  const [amount, token] = [page.getByLabel("Amount in US dollars"), page.getByLabel("Token and network")];
  await amount.waitFor();
  same(await token.locator("option").allInnerTexts(), ["USDC on anvil", "USDC on Base", "USDC on Arbitrum One (from 25 USD)"]);
  await amount.fill("5");
  await token.selectOption({ label: "USDC on Arbitrum One (from 25 USD)" });
  await page.getByText("From 25 to 1000 USD. One dollar paid").waitFor();
  await button(page, "Continue").click();
  await told(page, "This amount cannot be paid with USDC on Arbitrum One. From 25 to 1000 USD.");
  await token.selectOption({ label: "USDC on Base" });
  await button(page, "Continue").click();
  await told(page, "This network cannot be reached at the moment, so no order was made.");
  await page.getByText("Technical details", { exact: true }).click();
  await page.getByText("X402_CHAIN_UNAVAILABLE").waitFor();
  await picture(page, "crypto-unreachable");
  await token.selectOption({ label: "USDC on anvil" });
  await button(page, "Continue").click();
  await page.getByText("Choose a wallet").waitFor();
  same(await page.locator("#left-out-row").isVisible(), false);
  await page.goto((await orderOfMany({})).page_url);
  await page.getByText("Choose a wallet").waitFor();
  const left = (await page.locator("#left-out").innerText()).split("\n");
  same(left, ["Base: it could not be reached; a new order may have it", "Arbitrum One: from 25.00 USD"]);
  await picture(page, "crypto-left-out");
  await looks(page, "crypto-left-out");
}

async function hasNoWallet(page, context) {
  await signedIn(context);
  await page.goto((await order()).page_url);
  await page.getByText("No wallet was found in this browser.").waitFor();
  await page.getByText("Use a wallet on your phone", { exact: true }).waitFor();
  same(await page.getByText("Open this page in the browser inside your wallet").isVisible(), false);
}

// A browser of a phone has no wallet; those that have a browser of their own are led to.
async function isOnAPhoneWithoutAWallet(page, context) {
  await signedIn(context);
  const leads = async (made) => {
    await page.goto(made.page_url);
    await page.getByText("Open this page in the browser inside your wallet").waitFor();
    same(await page.getByText("Use a wallet on your phone", { exact: true }).isVisible(), false);
    return page.locator("#apps a").evaluateAll((links) => links.map((link) => [link.textContent, link.href]));
  };
  const made = await order();
  const [host, whole] = [made.page_url.split("://")[1], encodeURIComponent(made.page_url)];
  same(await leads(made), [
    ["Open in MetaMask", `https://link.metamask.io/dapp/${host}`],
    ["Open in Coinbase Wallet", `https://go.cb-w.com/dapp?cb_url=${whole}`],
    ["Open in Trust Wallet", `https://link.trustwallet.com/open_url?coin_id=60&url=${whole}`],
  ]);
  await looks(page, "crypto-apps");
  const [other, ref] = [await order(SOLANA), encodeURIComponent(URL)];
  const page_url = encodeURIComponent(other.page_url);
  same((await leads(other)).map(([, link]) => link), [
    `https://phantom.app/ul/browse/${page_url}?ref=${ref}`,
    `https://solflare.com/ul/v1/browse/${page_url}?ref=${ref}`,
    `https://link.metamask.io/dapp/${other.page_url.split("://")[1]}`,
    `https://link.trustwallet.com/open_url?coin_id=501&url=${page_url}`,
  ]);
}

async function hasAWalletThatDoesNotAnnounceItself(page, context) {
  await signedIn(context);
  await wallet(context, { announces: false });
  await page.goto((await order()).page_url);
  await button(page, "Pay with Browser wallet").click();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
}

async function chooses(page, context) {
  const { wallet: red } = await atOrder(page, context);
  const blue = await wallet(context, { name: "Blue <b>Wallet</b>" });
  await page.reload();
  await button(page, "Pay with Blue <b>Wallet</b>").waitFor();
  await looks(page, "crypto-wallets");
  await button(page, "Pay with Blue <b>Wallet</b>").click();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
  same([red.asked, blue.asked.includes("eth_signTypedData_v4")], [[], true]);
}

async function usesTheKeyboard(page, context) {
  await signedIn(context);
  await wallet(context);
  await page.goto(PAGE);
  await page.getByLabel("Amount in US dollars").waitFor();
  const focused = () => page.evaluate(() => document.activeElement.id || document.activeElement.textContent);
  const seen = [];
  for (let press = 0; press < 4; press += 1) {
    await page.keyboard.press("Tab");
    seen.push(await focused());
  }
  same(seen, ["sign-out", "amount", "token", "Continue"]);
  await page.getByLabel("Amount in US dollars").fill("5");
  await page.keyboard.press("Enter");
  await button(page, "Pay with Red Wallet").waitFor();
  // Whoever cannot see is where the page begins anew.
  same(await focused(), "title");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  same(await focused(), "Pay with Red Wallet");
  await page.keyboard.press("Enter");
  await stands(page, "Paid. 5.00 USD were added to your credit.");
}

async function findsItSwitchedOff(page, context) {
  await signedIn(context, OFF_URL, OFF_SESSION);
  await page.goto(`${OFF_URL}/topup/crypto`);
  await page.getByText("Payments by wallet are switched off at the moment.").waitFor();
  same(await page.getByRole("textbox").count(), 0);
}

async function scansTheCode(page, context) {
  const { order } = await atOrder(page, context);
  await page.getByText("Use a wallet on your phone", { exact: true }).click();
  const code = page.getByRole("img", { name: "QR code with the address of this page" });
  await code.waitFor();
  const drawn = await code.evaluate(async (image) => {
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 400, height: 400 });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0, 400, 400);
    return [...pen.getImageData(0, 0, 400, 400).data];
  });
  same(jsQR(Uint8ClampedArray.from(drawn), 400, 400)?.data, order.page_url);
}

// Text and its ground differ by so much that it can be read: 4.5 to 1; what can be pressed is large enough, and named.
async function canBeRead(page, context, name) {
  await atOrder(page, context);
  await page.getByText("Use a wallet on your phone", { exact: true }).click();
  await picture(page, name);
  const found = await page.evaluate(() => {
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\d.]+/g).map((part) => {
        const value = Number(part) / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const contrast = (one, other) => {
      const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    };
    const card = getComputedStyle(document.querySelector("main")).backgroundColor;
    const texts = ["h1", "h2", ".quiet", "dt", "dd", ".amount", "#wallets button", "summary", "#problem"];
    const act = getComputedStyle(document.querySelector("button.act"));
    return {
      contrasts: [
        ...texts.map((text) => contrast(getComputedStyle(document.querySelector(text)).color, card)),
        contrast(act.color, act.backgroundColor),
      ],
      wide: document.documentElement.scrollWidth <= window.innerWidth,
      heights: [...document.querySelectorAll("#order button, summary")].filter((each) => each.offsetParent).map((each) => each.offsetHeight),
    };
  });
  holds(found.contrasts.every((contrast) => contrast >= 4.5), JSON.stringify(found));
  holds(found.wide, "nothing is cut off at the side");
  holds(found.heights.length >= 2 && found.heights.every((height) => height >= 44), JSON.stringify(found));
}

async function paysOnSolana(page, context) {
  await signedIn(context);
  // Whoever has no account there is not asked.
  await wallet(context);
  await solanaWallet(context);
  await page.goto(PAGE);
  await page.getByLabel("Amount in US dollars").fill("5");
  await page.getByLabel("Token and network").selectOption({ label: `USDC on ${ON_SOLANA}` });
  await button(page, "Continue").click();
  const before = await balance();
  await button(page, "Pay with Green Wallet").click();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
  same([await balance(), await page.getByRole("button", { name: "Pay with Red Wallet" }).count()], [before + USD, 0]);
}

async function refusesOnSolana(page, context) {
  await signedIn(context);
  const green = await solanaWallet(context);
  // A token of the newer program.
  await page.goto((await order(SOLANA, "USDT")).page_url);
  for (const method of ["standard:connect", "solana:signTransaction"]) {
    green.refuses.add(method);
    await button(page, "Pay with Green Wallet").click();
    await told(page, "You refused in the wallet. Nothing was paid.");
    green.refuses.clear();
  }
  await page.reload();
  const before = await balance();
  await button(page, "Pay with Green Wallet").click();
  await stands(page, "Paid. 5.00 USD were added to your credit.");
  same(await balance(), before + USD);
}

async function hasNoWalletThere(page, context) {
  await signedIn(context);
  await wallet(context);
  await page.goto((await order(SOLANA)).page_url);
  await page.getByText("No wallet was found in this browser.").waitFor();
}

// Of the old permission nothing is left when the new one is given: two transactions, and then one signature.
async function takesAnOldPermissionBack(page, context) {
  await signedIn(context);
  const given = await wallet(context);
  await page.goto((await order(`eip155:${CHAIN}`, "USDT")).page_url);
  const before = await balance();
  await pay(page);
  same(await balance(), before + USD);
  const count = (method) => given.asked.filter((asked) => asked === method).length;
  same([count("eth_sendTransaction"), count("eth_signTypedData_v4")], [2, 1]);
}

async function comesTooLate(page, context) {
  const { wallet, order } = await atOrder(page, context);
  const before = await balance();
  // The time is over while the wallet is asking.
  wallet.before.eth_signTypedData_v4 = () => fetch(CLOCK_URL);
  await button(page, "Pay with Red Wallet").click();
  await stands(page, "The time for this order is over. Nothing was paid with it.");
  same(await page.getByRole("button", { name: /Pay with/ }).count(), 0);
  await picture(page, "crypto-expired");
  await looks(page, "crypto-expired");
  same([(await ask("GET", `/api/user/topup/order/${order.trade_no}`)).status, await balance()], ["expired", before]);
  await button(page, "Make a new order").click();
  await page.getByLabel("Amount in US dollars").fill("5");
  await button(page, "Continue").click();
  wallet.before = {};
  await button(page, "Pay with Red Wallet").waitFor();
  await paysStill(page);
}

await run([
  ["somebody signs in and pays", signsInAndPays, answered(401)],
  ["a wallet is not let to be seen", refusesToBeSeen],
  ["a signature is refused", refusesToSign],
  ["a wallet is on another network", isOnAnotherNetwork],
  ["a wallet does not know the network", doesNotKnowTheNetwork],
  ["a wallet is to be told of the network by its owner", addsTheNetworkItself],
  ["the page is reloaded before the payment", reloadsBeforePaying],
  ["the page is reloaded while the payment settles", reloadsWhileItSettles],
  ["the answer to the payment is lost", losesTheAnswer, { allows: /ERR_CONNECTION_RESET/ }],
  ["the service cannot be reached for a while", isOffline, { allows: /ERR_INTERNET_DISCONNECTED/ }],
  ["the session ends meanwhile", isSignedOutMeanwhile, answered(401)],
  ["another window acts for another account", actsForAnotherAccount, answered(401)],
  ["there are too few coins", hasTooLittle],
  ["the order is not there", looksForWhatIsNotThere, answered(404)],
  ["the amount is none that is taken", writesOddAmounts],
  ["a chain cannot be paid on", choosesAnotherChain],
  ["there is no wallet", hasNoWallet],
  ["there is no wallet on a phone", isOnAPhoneWithoutAWallet, PHONE],
  ["the wallet does not announce itself", hasAWalletThatDoesNotAnnounceItself],
  ["there are two wallets", chooses],
  ["all is done by the keyboard", usesTheKeyboard],
  ["the rail is off", findsItSwitchedOff],
  ["the code is scanned", scansTheCode],
  ["the page can be read on a phone", (page, context) => canBeRead(page, context, "crypto-order"), PHONE],
  ["the page can be read in the dark", (page, context) => canBeRead(page, context, "crypto-order-dark"), { ...PHONE, colorScheme: "dark" }],
  ["somebody pays on Solana", paysOnSolana],
  ["somebody refuses on Solana", refusesOnSolana],
  ["there is no wallet of that kind", hasNoWalletThere],
  ["an old permission is in the way", takesAnOldPermissionBack],
  ["less comes than was signed", paysWithATokenThatKeepsAPart],
  ["the time of the order is over", comesTooLate],
]);
