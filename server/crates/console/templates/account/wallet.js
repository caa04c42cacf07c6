// Signing in by a wallet, and adding one. The part of the page says which operations give the text to sign and take the signature.
(() => {
  const part = document.querySelector("[data-wallets]");
  const CONNECTS = "standard:connect";
  const SIGNS = "solana:signMessage";
  const DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
  const asking = part.querySelector("[data-asking]");
  const wallets = walletsOfBrowser(list);

  // What is told to whoever looks at the page.
  class Told extends Error {}
  class SignedOut extends Error {}

  const fits = ({ provider, standard }) => provider || (CONNECTS in standard.features && SIGNS in standard.features);
  const named = (name) => filled(part.dataset.words, { name });
  function list() {
    const fitting = wallets.all().filter(fits);
    part.querySelector("[data-list]").replaceChildren(...fitting.map((wallet) => walletItem(wallet, named, pressed)));
    part.querySelector("[data-no-wallet]").hidden = fitting.length > 0;
  }

  async function ask(path, members) {
    const headers = { ...ownHeaders, "content-type": "application/json" };
    let told;
    try {
      const reply = await fetch(path, { method: "POST", headers, body: JSON.stringify(members), cache: "no-store" });
      told = await reply.json();
    } catch {
      throw new Told(page.notReached);
    }
    if (SIGNED_OUT.includes(told.code)) throw new SignedOut();
    if (!told.success) throw new Told(saidOf(told));
    return told.data;
  }

  // Asks a wallet, which says by a number (EIP-1193) or in words that its owner refused.
  async function answer(run) {
    try {
      return await run();
    } catch (error) {
      const refused = error?.code === 4001 || /reject|declin|denied|cancel/i.test(error?.message ?? "");
      throw new Told(refused ? part.dataset.refused : part.dataset.failed);
    }
  }

  function base58(bytes) {
    let number = bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
    let text = "";
    for (; number > 0n; number /= 58n) text = DIGITS[Number(number % 58n)] + text;
    return "1".repeat(bytes.findIndex((byte) => byte !== 0)) + text;
  }

  // The address of a wallet, its chain, and how it signs a text.
  async function connect({ provider, standard }) {
    if (provider) {
      const [address] = await answer(() => provider.request({ method: "eth_requestAccounts" }));
      if (!address) throw new Told(part.dataset.without);
      const hex = (bytes) => `0x${[...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
      const sign = (bytes) => provider.request({ method: "personal_sign", params: [hex(bytes), address] });
      return { chain: "evm", address, sign };
    }
    const connected = await answer(() => standard.features[CONNECTS].connect());
    const [account] = (connected && connected.accounts) || standard.accounts;
    if (!account) throw new Told(part.dataset.without);
    const sign = async (message) => {
      const [{ signature }] = await standard.features[SIGNS].signMessage({ account, message });
      return base58([...signature]);
    };
    return { chain: "solana", address: account.address, sign };
  }

  async function prove(wallet) {
    const { chain, address, sign } = await connect(wallet);
    const { message, nonce } = await ask(part.dataset.challenge, { chain, address });
    const signature = await answer(() => sign(new TextEncoder().encode(message)));
    return ask(part.dataset.prove, { chain, address, nonce, signature });
  }

  async function pressed(wallet) {
    const buttons = part.querySelectorAll("button");
    forgetProblems(part);
    asking.hidden = false;
    for (const button of buttons) button.disabled = true;
    try {
      const data = await prove(wallet);
      if (part.dataset.and) await ask(part.dataset.and.split(" ")[1], nextOf(part));
      goOn(part, data);
    } catch (error) {
      if (error instanceof SignedOut) leave(signIn);
      else tellProblem(part, error instanceof Told ? error.message : part.dataset.failed);
    } finally {
      asking.hidden = true;
      for (const button of buttons) button.disabled = false;
    }
  }

  wallets.look();
})();
