"use strict";
(() => {
  // Between two looks at an order: at first, after a while, while nobody sees the page, and at most where nobody answers. After
  // the last of these times nobody is asked any more.
  const LOOK_MS = 1000;
  const SLOW_MS = 5000;
  const HIDDEN_MS = 15000;
  const AWAY_MS = 30000;
  const BRISK_MS = 15 * 60 * 1000;
  const ENOUGH_MS = 3 * 60 * 60 * 1000;
  const CONNECTS = "standard:connect";
  const SIGNS = "solana:signTransaction";
  const RESENDS = 5;
  // What wallets say by numbers (EIP-1193, EIP-3326).
  const REFUSED = 4001;
  const UNKNOWN_NETWORK = 4902;
  const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
  // Networks of Solana as its wallets call them.
  const SOLANA = {
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": "solana:mainnet",
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": "solana:devnet",
    "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": "solana:testnet",
  };
  // Where anybody can look a transaction up, by network.
  const EXPLORERS = {
    "eip155:1": ["https://etherscan.io/tx/"],
    "eip155:10": ["https://optimistic.etherscan.io/tx/"],
    "eip155:56": ["https://bscscan.com/tx/"],
    "eip155:137": ["https://polygonscan.com/tx/"],
    "eip155:8453": ["https://basescan.org/tx/"],
    "eip155:42161": ["https://arbiscan.io/tx/"],
    "eip155:84532": ["https://sepolia.basescan.org/tx/"],
    "eip155:11155111": ["https://sepolia.etherscan.io/tx/"],
    "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp": ["https://explorer.solana.com/tx/"],
    "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1": ["https://explorer.solana.com/tx/", "?cluster=devnet"],
    "solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z": ["https://explorer.solana.com/tx/", "?cluster=testnet"],
  };
  // Wallets that open a page in the browser inside them by a link, as their makers document it: of EVM chains and of Solana. MetaMask
  // takes the address as it is and without its scheme; Trust Wallet the number of a coin too (SLIP-44).
  const encoded = encodeURIComponent;
  const METAMASK = ["MetaMask", ({ host, pathname, search }) => `https://link.metamask.io/dapp/${host}${pathname}${search}`];
  const trust = (coin) => ["Trust Wallet", ({ href }) => `https://link.trustwallet.com/open_url?coin_id=${coin}&url=${encoded(href)}`];
  const APPS = {
    evm: [METAMASK, ["Coinbase Wallet", ({ href }) => `https://go.cb-w.com/dapp?cb_url=${encoded(href)}`], trust(60)],
    solana: [
      ["Phantom", ({ href, origin }) => `https://phantom.app/ul/browse/${encoded(href)}?ref=${encoded(origin)}`],
      ["Solflare", ({ href, origin }) => `https://solflare.com/ul/v1/browse/${encoded(href)}?ref=${encoded(origin)}`],
      METAMASK,
      trust(501),
    ],
  };
  const onPhone = matchMedia("(pointer: coarse)");
  const at = (id) => document.getElementById(id);
  // Ends early when somebody looks at the page again.
  const pause = (ms) =>
    new Promise((resolve) => {
      const over = () => {
        clearTimeout(timer);
        document.removeEventListener("visibilitychange", seen);
        resolve();
      };
      const seen = () => document.hidden || over();
      const timer = setTimeout(over, ms);
      document.addEventListener("visibilitychange", seen);
    });
  const doubled = (times) => Math.min(LOOK_MS * 2 ** times, AWAY_MS);

  // What is on the page: one of these, and the order that is watched.
  const VIEWS = ["sign-in", "new", "order"];
  let shown = null;
  let watched = null;
  // The account whose credit the page shows. Another window may let the session act for another one meanwhile.
  let acting = null;

  // A failure that has words of its own, and what a program said of it, where one did.
  class Told extends Error {
    constructor(text, technical = "", code = 0) {
      super(text);
      this.technical = technical;
      this.code = code;
    }
  }
  class SignedOut extends Error {}
  class Unreachable extends Error {}
  class Refused extends Error {
    constructor(told) {
      super(told.detail || told.message);
      this.code = told.code || told.message;
      this.data = told.data || {};
    }
  }

  // Asks the service with the session; `data` of what it answers.
  async function ask(method, path, text) {
    const headers = { accept: "application/json", "x-tollgate-csrf": "1", ...(acting && { "x-tollgate-account": acting }) };
    if (text !== undefined) headers["content-type"] = "application/json";
    let reply, told;
    try {
      reply = await fetch(path, { method, headers, body: text, credentials: "same-origin", cache: "no-store" });
      told = await reply.json();
    } catch {
      throw new Unreachable();
    }
    if (told.success) return told.data;
    if (reply.status === 401 && told.code !== OTHER_ACCOUNT) throw new SignedOut();
    throw new Refused(told);
  }

  const OTHER_ACCOUNT = "CALLER_CONFLICT";

  // Words for what went wrong, for whoever pays. What the service and the network say to programs stands behind them.
  const WORDS = {
    [OTHER_ACCOUNT]: "You act for another account by now, since you have changed it in another window. Nothing was paid; please reload this page.",
    RAIL_DISABLED: "Payments by wallet are not possible at the moment. Nothing was paid; please try again in a minute.",
    X402_UNSUPPORTED_ASSET: "This token is no longer taken on this network. Please reload the page and choose another one.",
    ORDER_NOT_FOUND: "This account has no such order. Perhaps it was made while somebody else was signed in.",
    ORDER_EXPIRED: "The time for this order is over, so this payment was not taken. Nothing was paid.",
    X402_CHAIN_UNAVAILABLE: "This network cannot be reached at the moment, so no order was made. Nothing was paid; please try again in a few seconds, or choose another network.",
    CHAIN_UNAVAILABLE: "The network cannot be reached at the moment, so the payment was not sent. Nothing was paid; please try again in a few seconds.",
    PAYLOAD_MISMATCH: "The wallet has signed something else than what was asked for, so the payment was not taken. Nothing was paid.",
    ORIGIN_REFUSED: "This page was opened under an address that the service does not know as its own. Please open it under its usual address.",
  };

  // The money is there, and a person decides: nothing here may ask for more of it.
  const SET_ASIDE = "X402_PAYMENT_SET_ASIDE";
  const ASIDE = "Your money was moved in a way that does not show what it was for. Please do not pay again: a person has to look at it.";

  // What networks, and the makers of tokens, say of a payment that they would not carry out.
  const NOT_CARRIED = [
    [/exceeds balance|insufficient ?(funds|balance)|underflow|"Custom":1}/i, (token) => `There is not enough ${token} in this wallet. Nothing was paid: add some to it, or use another wallet.`],
    [/permit2_allowance/, () => "The wallet has not given the permission that this token needs. Nothing was paid; please try again and answer both questions of the wallet."],
    [/blockhash/i, () => "Signing took so long that the network takes it no more. Nothing was paid; please sign again."],
    [/ before\b/, () => "What you signed was used before. Please look what became of that payment before you sign again."],
    [/paused/i, (token) => `${token} cannot be moved at the moment: its maker has stopped it. Nothing was paid; please try again later or choose another token.`],
    [/blacklist|blocklist|blocked|frozen/i, (token) => `The maker of ${token} does not let this wallet pay. Nothing was paid; please use another wallet.`],
  ];
  function notCarried(reason) {
    const [token] = watched ? watched.order.tokens : [];
    const called = token ? `${token.symbol} on ${token.network_name}` : "the token";
    const known = NOT_CARRIED.find(([said]) => said.test(reason));
    return known ? known[1](called) : `The network would not carry this payment out. Nothing was paid. Most often there is too little ${called} in the wallet.`;
  }

  function words(error) {
    if (error instanceof Told) return error.message;
    if (error instanceof Unreachable) return "The service cannot be reached. Please look whether you are online.";
    if (!(error instanceof Refused)) return `Something went wrong on this page: ${error && error.message ? error.message : error}`;
    if (error.code === "X402_PAYMENT_REJECTED") return notCarried(error.data.reason || error.message);
    if (error.code === SET_ASIDE) return ASIDE;
    if (error.code === "INVALID_AMOUNT") return notTaken();
    if (error.code === "RATE_LIMITED") return "That was too often. Please wait a minute and try again.";
    return WORDS[error.code] || "The service could not do it. Please look how the order stands before you pay again.";
  }

  // What a program said of it. Of what the words above say whole, nothing.
  const WHOLE = new Set([OTHER_ACCOUNT, "ORDER_NOT_FOUND", "ORDER_EXPIRED", "RATE_LIMITED"]);
  function technical(error) {
    if (error instanceof Told) return error.technical;
    if (!(error instanceof Refused) || WHOLE.has(error.code)) return "";
    return `${error.data.reason || error.message} (${error.code})`;
  }

  // What a wallet says by its number (EIP-1193), or where it has none, in words.
  function byWallet(error, network) {
    const within = error?.data?.originalError?.code;
    // Some wallets tell an error of theirs inside one that says nothing (-32603).
    const code = error?.code === -32603 && typeof within === "number" ? within : (error?.code ?? within);
    const refused = typeof code !== "number" && /reject|declin|denied|cancel/i.test((error && error.message) || "");
    if (code === REFUSED || refused) return new Told("You refused in the wallet. Nothing was paid.", "", REFUSED);
    if (code === UNKNOWN_NETWORK) return new Told(`Your wallet does not know the network ${network}. Add it in the wallet, then try again. Nothing was paid.`, "", code);
    if (code === 4100) return new Told("The wallet has not let this page see your account. Nothing was paid.");
    if (code === 4200) return new Told("This wallet cannot do what is needed here. Please use another one. Nothing was paid.");
    if (code === 4900 || code === 4901) return new Told("The wallet has no connection to the network. Nothing was paid.");
    if (code === -32002) return new Told("The wallet is asking already. Please open it and answer there.");
    const says = String((error && error.message) || error);
    if (/insufficient funds/i.test(says)) {
      return new Told(`There is too little of the own coin of ${network} in this wallet to pay for its transaction. Nothing was paid.`, says);
    }
    return new Told("The wallet could not do it. Nothing was paid; please try again, or use another wallet.", says);
  }

  function problem(text, behind = "") {
    at("problem").textContent = text || "";
    at("problem").hidden = !text;
    explain(behind);
  }
  const fail = (error) => problem(words(error), technical(error));

  // What programs said stands behind a word that can be pressed.
  function explain(text) {
    if (at("technical-text").textContent !== text) at("technical").open = false;
    at("technical-text").textContent = text;
    at("technical").hidden = !text;
  }

  function status(text, end) {
    if (at("status").textContent !== text) at("status").textContent = text;
    at("status").dataset.end = end || "";
    at("status").toggleAttribute("data-busy", !end && text !== "");
  }

  // Who uses a screen reader or a keyboard goes on where the page does.
  function show(view) {
    const moved = shown !== null && shown !== view;
    shown = view;
    for (const id of VIEWS) at(id).hidden = id !== view;
    at("sign-out").hidden = view === "sign-in";
    // Whoever signs in comes back to this order.
    at("to-sign-in").hash = `pay=${named()}`;
    at("main").setAttribute("aria-busy", "false");
    if (moved) at("title").focus();
  }

  const named = () => new URLSearchParams(location.search).get("order") || "";

  async function open(again = 0) {
    watched = null;
    acting = null;
    problem("");
    const name = named();
    try {
      await (name ? openOrder(name) : openNew());
    } catch (error) {
      if (error instanceof SignedOut) return show("sign-in");
      fail(error);
      if (error instanceof Refused && error.code === "ORDER_NOT_FOUND") return offerAnother(name);
      if (!(error instanceof Unreachable)) return show("new");
      await pause(doubled(again + 1));
      // Unless somebody has gone elsewhere meanwhile.
      if (!watched && named() === name) await open(again + 1);
    }
  }

  // Of an order that is not there, there is a way on.
  function offerAnother(name) {
    show("order");
    for (const id of ["pay", "left-row", "left-out-row", "reference-row"]) at(id).hidden = true;
    for (const id of ["usd", "with"]) at(id).textContent = "–";
    at("trade-no").textContent = name;
    at("again").hidden = false;
    status("");
  }

  async function openNew() {
    const accounts = await ask("GET", "/api/user/self/organisations");
    acting = String(accounts.find(({ current }) => current).account_id);
    const { available_usd } = await ask("GET", "/api/user/self/balance");
    show("new");
    if (at("balance")) at("balance").textContent = `Your credit: ${dollars(available_usd)} USD`;
  }

  // The tokens that are on offer, as the page lists them.
  const choices = () => (at("token") ? [...at("token").options] : []);
  const choiceOf = (network) => choices().find((choice) => choice.dataset.network === network)?.dataset ?? {};

  function bound() {
    at("bounds").textContent = `${at("token").selectedOptions[0].dataset.bounds} One dollar paid is one dollar of credit.`;
  }
  function notTaken() {
    const [choice] = at("token") ? at("token").selectedOptions : [];
    if (!choice) return "This amount is not taken. Nothing was paid; please choose another one.";
    const { symbol, name, bounds } = choice.dataset;
    return `This amount cannot be paid with ${symbol} on ${name}. ${bounds} No more decimal places than the token has.`;
  }

  // Chains that were asked for with an order and are not among its ways to pay, and why.
  function leftOut(order) {
    const name = ({ network }) => choiceOf(network).name || network;
    const why = ({ reason, min_usd }) => {
      if (reason === "below_minimum") return min_usd === undefined ? "the amount is too small" : `from ${dollars(min_usd)} USD`;
      if (reason === "too_precise") return "the amount has too many decimal places";
      return "it could not be reached; a new order may have it";
    };
    const left = order.left_out || [];
    at("left-out-row").hidden = left.length === 0;
    at("left-out").replaceChildren(...left.map((chain) => Object.assign(document.createElement("span"), { textContent: `${name(chain)}: ${why(chain)}` })));
  }

  const dollars = (usd) => Number(usd).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 9, useGrouping: false });
  const orderPath = (name) => `/api/user/topup/crypto/orders/${encodeURIComponent(name)}`;

  async function openOrder(name) {
    const order = await ask("GET", orderPath(name));
    show("order");
    const [token] = order.tokens;
    at("usd").textContent = dollars(order.amount_usd);
    at("with").textContent = token ? `${token.symbol} on ${token.network_name}` : "–";
    at("trade-no").textContent = order.trade_no;
    leftOut(order);
    at("code").src = `${orderPath(name)}/code`;
    at("credit-row").hidden = true;
    // By the time that the service says is left: clocks of computers are wrong.
    const left = order.challenge ? order.challenge.accepts[0].maxTimeoutSeconds : 0;
    const until = performance.now() + 1000 * left;
    const chain = token ? SOLANA[token.network] || "" : "";
    const began = performance.now();
    watched = { order, until, chain, began, away: 0, status: order.status, payable: left > 0, network: token ? token.network_name : "", paying: false };
    list();
    watch(watched);
  }

  function restOf(mine) {
    if (mine.away > 0) return doubled(mine.away);
    if (document.hidden && !mine.paying) return HIDDEN_MS;
    return performance.now() - mine.began < BRISK_MS ? LOOK_MS : SLOW_MS;
  }

  // Looks where the order stands until it has ended, or for hours.
  async function watch(mine) {
    while (watched === mine) {
      if (performance.now() - mine.began > ENOUGH_MS) {
        return problem("This page has looked for a long time and looks no more. Reload it to see where the order stands.");
      }
      try {
        const now = await ask("GET", `/api/user/topup/order/${encodeURIComponent(mine.order.trade_no)}`);
        if (watched !== mine) return;
        if (mine.away > 0) problem("");
        mine.away = 0;
        render(mine, now);
        if (now.status === "success" || now.status === "failed" || now.status === "expired") return;
      } catch (error) {
        if (watched !== mine) return;
        if (error instanceof SignedOut) return signedOut();
        mine.away += 1;
        fail(error);
      }
      await pause(restOf(mine));
    }
  }

  function render(mine, now) {
    mine.status = now.status;
    const pending = now.status === "pending";
    const left = Math.max(0, Math.ceil((mine.until - performance.now()) / 1000));
    at("left").textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    at("left-row").hidden = !pending;
    at("pay").hidden = !pending || !mine.payable;
    const aside = now.failure && now.failure.code === SET_ASIDE;
    at("again").hidden = pending || now.status === "settling" || aside;
    at("reference-row").hidden = !now.reference;
    refer(mine, now.reference || "");
    if (now.status === "success") tellCredit(mine);
    if (now.status !== "pending") problem("");
    if (pending) {
      if (!mine.paying) status(mine.payable ? "" : "This order cannot be paid at the moment.", mine.payable ? "" : "bad");
    } else if (now.status === "settling") {
      status("Your payment is on its way. The credit follows as soon as the network has confirmed it; you may close this page.");
    } else if (now.status === "success") {
      status(`Paid. ${dollars(now.balance_added)} USD were added to your credit.`, "good");
    } else if (aside) {
      status(ASIDE, "bad");
      explain(now.failure.detail);
    } else if (now.status === "expired") {
      status("The time for this order is over. Nothing was paid with it.", "bad");
    } else {
      status("The network has not carried this payment out, so nothing was credited. You can make a new order.", "bad");
      explain(now.failure ? `${now.failure.detail} (${now.failure.code})` : "");
    }
  }

  // The transaction, with a link to it where its network is a known one.
  function refer(mine, reference) {
    if (at("reference").textContent === reference) return;
    const [token] = mine.order.tokens;
    const explorer = token && choiceOf(token.network).explorer;
    const place = explorer ? [`${explorer.replace(/\/$/, "")}/tx/`] : token && EXPLORERS[token.network];
    if (!place) {
      at("reference").textContent = reference;
      return;
    }
    const [before, after = ""] = place;
    const link = Object.assign(document.createElement("a"), { href: `${before}${encodeURIComponent(reference)}${after}`, textContent: reference });
    Object.assign(link, { target: "_blank", rel: "noopener noreferrer" });
    at("reference").replaceChildren(link);
  }

  // The credit after a payment. Where it cannot be read, the page is as true without it.
  async function tellCredit(mine) {
    const { available_usd } = await ask("GET", "/api/user/self/balance").catch(() => ({}));
    if (watched !== mine || available_usd === undefined) return;
    at("credit").textContent = `${dollars(available_usd)} USD`;
    at("credit-row").hidden = false;
  }

  function signedOut() {
    watched = null;
    show("sign-in");
    problem("You are no longer signed in. Sign in again to go on; your order is kept.");
  }

  const wallets = walletsOfBrowser(list);
  function fits({ provider, standard }, chain) {
    if (provider) return chain === "";
    return chain !== "" && standard.chains.includes(chain) && SIGNS in standard.features && CONNECTS in standard.features;
  }
  function list() {
    const fitting = wallets.all().filter((wallet) => watched && fits(wallet, watched.chain));
    at("wallets").replaceChildren(...fitting.map((wallet) => walletItem(wallet, (name) => `Pay with ${name}`, pressed)));
    // On a phone a browser has no wallet, and a wallet has a browser; the code is for a phone beside the browser.
    const leads = fitting.length === 0 && onPhone.matches;
    at("no-wallet").hidden = fitting.length > 0 || leads;
    at("apps-part").hidden = !leads;
    at("phone").hidden = leads;
    at("apps").replaceChildren(...(watched && leads ? APPS[watched.chain ? "solana" : "evm"].map(appItem) : []));
  }

  function appItem([name, link]) {
    const anchor = Object.assign(document.createElement("a"), { href: link(location), textContent: `Open in ${name}`, rel: "noreferrer" });
    const entry = document.createElement("li");
    entry.append(anchor);
    return entry;
  }

  async function pressed(wallet) {
    const mine = watched;
    if (!mine || mine.paying) return;
    mine.paying = true;
    problem("");
    for (const button of at("wallets").querySelectorAll("button")) button.disabled = true;
    try {
      await (wallet.standard ? payOnSolana(mine, wallet.standard) : pay(mine, wallet.provider));
    } catch (error) {
      if (watched !== mine) return;
      if (error instanceof SignedOut) return signedOut();
      if (mine.status === "pending") {
        status("");
        fail(error);
      }
    } finally {
      mine.paying = false;
      for (const button of at("wallets").querySelectorAll("button")) button.disabled = false;
    }
  }

  // 1. The account. 2. The network. 3. What is to be signed. 4. The signature. 5. The payment.
  async function pay(mine, provider) {
    const request = async (method, params) => {
      try {
        return await provider.request({ method, params });
      } catch (error) {
        throw byWallet(error, mine.network);
      }
    };
    status("Please answer in your wallet: let this page see the account that pays.");
    const [account] = await request("eth_requestAccounts");
    if (!account) throw new Told("The wallet has given no account. Nothing was paid.");
    const order = await ask("GET", `${orderPath(mine.order.trade_no)}?payer=${encodeURIComponent(account)}`);
    if (!order.challenge) throw new Told("This order can no longer be paid. Nothing was paid.");
    if (!order.typed_data) throw new Told(`This order is to be paid on ${mine.network}, where this wallet has no account. Nothing was paid.`);
    const data = order.typed_data;
    await onNetwork(mine, request, BigInt(data.domain.chainId));
    if (data.primaryType === "PermitWitnessTransferFrom") await permitted(mine, request, account, data);
    status(`Please sign in your wallet: ${dollars(order.amount_usd)} ${order.tokens[0].symbol} on ${mine.network}.`);
    const signature = await request("eth_signTypedData_v4", [account, JSON.stringify(data)]);
    status("The payment is being sent.");
    await submit(order, payment(order.challenge.accepts[0], data, account, signature));
  }

  // The same with a transaction in the place of a signature. Its wallets have no network to switch to.
  async function payOnSolana(mine, { features, accounts }) {
    const request = async (run) => {
      try {
        return await run();
      } catch (error) {
        throw byWallet(error, mine.network);
      }
    };
    status("Please answer in your wallet: let this page see the account that pays.");
    const connected = await request(() => features[CONNECTS].connect());
    const account = [...((connected && connected.accounts) || accounts)].find(({ chains }) => chains.includes(mine.chain));
    if (!account) throw new Told(`The wallet has given no account on ${mine.network}. Nothing was paid.`);
    const order = await ask("GET", `${orderPath(mine.order.trade_no)}?payer=${encodeURIComponent(account.address)}`);
    if (!order.challenge) throw new Told("This order can no longer be paid. Nothing was paid.");
    if (!order.transaction) throw new Told(`This account cannot pay the order on ${mine.network} at the moment. Nothing was paid; please try again in a few seconds.`);
    status(`Please sign in your wallet: ${dollars(order.amount_usd)} ${order.tokens[0].symbol} on ${mine.network}.`);
    const transaction = Uint8Array.from(atob(order.transaction), (letter) => letter.charCodeAt(0));
    const [signed] = await request(() => features[SIGNS].signTransaction({ account, transaction, chain: mine.chain }));
    status("The payment is being sent.");
    const payload = { transaction: btoa(String.fromCharCode(...signed.signedTransaction)) };
    await submit(order, JSON.stringify({ x402Version: 2, accepted: order.challenge.accepts[0], payload }));
  }

  async function onNetwork(mine, request, wanted) {
    const here = async () => BigInt(await request("eth_chainId"));
    if ((await here()) === wanted) return;
    const chainId = `0x${wanted.toString(16)}`;
    const switches = () => {
      status(`Please answer in your wallet: switch to the network ${mine.network}.`);
      return request("wallet_switchEthereumChain", [{ chainId }]);
    };
    try {
      await switches();
    } catch (unknown) {
      const addition = unknown.code === UNKNOWN_NETWORK && additionOf(mine.order.tokens[0].network);
      if (!addition) throw unknown;
      status(`Please answer in your wallet: it does not know the network ${mine.network}, and asks whether to add it.`);
      await request("wallet_addEthereumChain", [{ chainId, ...addition }]).catch((error) => {
        throw error.code === REFUSED ? error : unknown;
      });
      // Some wallets switch as they add.
      if ((await here()) !== wanted) await switches();
    }
    if ((await here()) !== wanted) {
      throw new Told(`Your wallet is on another network. Switch it to ${mine.network} and try again. Nothing was paid.`);
    }
  }

  // A network as wallets add it (EIP-3085), where the service names a node that anybody may ask.
  function additionOf(network) {
    const { name, rpc, coin, explorer } = choiceOf(network);
    if (!rpc) return null;
    const nativeCurrency = { name: coin === "ETH" ? "Ether" : coin, symbol: coin, decimals: 18 };
    const shows = explorer ?? EXPLORERS[network]?.[0].replace(/tx\/$/, "");
    return { chainName: name, nativeCurrency, rpcUrls: [rpc], ...(shows && { blockExplorerUrls: [shows] }) };
  }

  // A token that takes no signatures is moved by Permit2, which its owner lets do so once.
  async function permitted(mine, request, account, data) {
    const { token, amount } = data.message.permitted;
    const word = (value) => BigInt(value).toString(16).padStart(64, "0");
    const allowance = await request("eth_call", [{ to: token, data: `0xdd62ed3e${word(account)}${word(PERMIT2)}` }, "latest"]);
    if (BigInt(allowance) >= BigInt(amount)) return;
    const call = (most) => ({ from: account, to: token, data: `0x095ea7b3${word(PERMIT2)}${word(most)}` });
    // Some tokens change no permission but from nothing: what is left of an old one is taken back first.
    if (BigInt(allowance) > 0n && !(await wouldTake(request, call(amount)))) {
      status("Please answer in your wallet: an older permission of this token is taken back first, by a transaction of its own.");
      await carriedOut(mine, request, call(0));
    }
    status("Please answer in your wallet: this token needs a permission first, by a transaction of its own.");
    await carriedOut(mine, request, call(amount));
  }

  async function wouldTake(request, call) {
    try {
      await request("eth_call", [call, "latest"]);
      return true;
    } catch {
      return false;
    }
  }

  // Sends a transaction and waits for its block, as long as the order can be paid.
  async function carriedOut(mine, request, call) {
    const hash = await request("eth_sendTransaction", [call]);
    status("Waiting for the network to take the permission.");
    while (watched === mine && mine.status === "pending" && performance.now() < mine.until) {
      const receipt = await request("eth_getTransactionReceipt", [hash]);
      if (receipt && BigInt(receipt.status) === 1n) return;
      if (receipt) throw new Told("The network has refused the permission. Nothing was paid.");
      await pause(LOOK_MS);
    }
    throw new Told("The network did not take the permission in time. Nothing was paid; it will count for another order.");
  }

  // As the protocol's own clients write it.
  function payment(accepted, { primaryType, message }, account, signature) {
    const payload = { signature };
    if (primaryType === "TransferWithAuthorization") payload.authorization = message;
    else payload.permit2Authorization = { from: account, ...message };
    return JSON.stringify({ x402Version: 2, accepted, payload });
  }

  // The same payment again is the same payment: where its answer was lost, it is sent once more.
  async function submit(order, text) {
    for (let again = 0; ; again += 1) {
      try {
        return await ask("POST", `/api/x402/pay/${order.order_id}`, text);
      } catch (error) {
        const known = error instanceof Refused && ["SETTLING_IN_PROGRESS", "X402_SETTLE_PENDING", "ORDER_ALREADY_SETTLED"].includes(error.code);
        // Somebody has used it up, and the network does not show yet what for: the order does not know of it before it does.
        const unshown = known && error.code === "X402_SETTLE_PENDING" && error.data.status === "pending";
        // Where it stands, the watcher sees.
        if (known && !unshown) return undefined;
        if (!(error instanceof Unreachable) && !unshown) throw error;
        if (again === RESENDS && unshown) {
          throw new Told("What you signed was used, and the network does not show yet what became of it. Please do not pay again, and ask whoever runs this service.");
        }
        if (again === RESENDS) {
          throw new Told("The service cannot be reached, so nobody knows yet whether the payment went through. Please do not pay again: this page goes on looking.");
        }
        await pause(LOOK_MS);
      }
    }
  }

  // Runs what a form or a button is for, with its button out of reach meanwhile.
  function act(button, run) {
    return async (event) => {
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      problem("");
      try {
        await run();
      } catch (error) {
        if (error instanceof SignedOut) signedOut();
        else fail(error);
      } finally {
        button.disabled = false;
      }
    };
  }

  async function make() {
    const amount = at("amount").value.trim().replace(",", ".");
    if (!/^[0-9]{1,9}(\.[0-9]{1,9})?$/.test(amount)) {
      at("amount").focus();
      throw new Told("Please write the amount in digits, such as 25 or 12.50.");
    }
    const { network, symbol } = at("token").selectedOptions[0].dataset;
    // As written: a number of a script is not exact, and leading zeros are no JSON.
    const exact = amount.replace(/^0+(?=[0-9])/, "");
    const text = `{"amount_usd":${exact},"network":${JSON.stringify(network)},"symbol":${JSON.stringify(symbol)}}`;
    const order = await ask("POST", "/api/user/topup/crypto/orders", text);
    history.pushState(null, "", `?order=${encodeURIComponent(order.trade_no)}`);
    await open();
  }

  async function signOut() {
    await ask("POST", "/api/user/logout");
    watched = null;
    history.replaceState(null, "", location.pathname);
    show("sign-in");
  }

  const submits = (form, run) => form.addEventListener("submit", act(form.querySelector("button"), run));
  if (at("amount")) {
    submits(at("new"), make);
    at("token").addEventListener("change", bound);
    bound();
  }
  at("sign-out").addEventListener("click", act(at("sign-out"), signOut));
  at("again").addEventListener("click", () => {
    history.pushState(null, "", location.pathname);
    open();
  });
  window.addEventListener("popstate", () => open());
  wallets.look();
  open();
})();
