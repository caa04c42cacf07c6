"use strict";
// The wallets of a browser: those that announce themselves (EIP-6963, and on Solana the Wallet Standard), and the one that does not.
// `changed` is called whenever one comes or goes. One of EVM chains has a `provider`, one of Solana a `standard`.
function walletsOfBrowser(changed) {
  const wallets = new Map();
  function announced({ detail }) {
    if (!detail || !detail.info || !detail.provider || wallets.has(detail.info.uuid)) return;
    const { uuid, name, icon } = detail.info;
    wallets.delete("lone");
    wallets.set(uuid, { name, icon, provider: detail.provider });
    changed();
  }
  function lone() {
    const provider = window.ethereum;
    const announce = [...wallets.values()].some((wallet) => wallet.provider);
    if (provider && typeof provider.request === "function" && !announce) {
      announced({ detail: { info: { uuid: "lone", name: "Browser wallet" }, provider } });
    }
  }
  function register(...registered) {
    for (const standard of registered) wallets.set(standard, { name: standard.name, icon: standard.icon, standard });
    changed();
    return () => {
      for (const standard of registered) wallets.delete(standard);
      changed();
    };
  }
  function look() {
    window.addEventListener("eip6963:announceProvider", announced);
    window.dispatchEvent(new Event("eip6963:requestProvider"));
    const registry = Object.freeze({ register });
    window.addEventListener("wallet-standard:register-wallet", ({ detail }) => detail(registry));
    window.dispatchEvent(new CustomEvent("wallet-standard:app-ready", { detail: registry }));
    // Whoever is slow to come announces itself when it is there.
    lone();
    window.addEventListener("load", lone);
  }
  return { all: () => [...wallets.values()], look };
}

// A wallet as an item of a list: a button with its picture.
function walletItem(wallet, words, pressed) {
  const button = document.createElement("button");
  button.type = "button";
  if (typeof wallet.icon === "string" && wallet.icon.startsWith("data:image/")) {
    const icon = document.createElement("img");
    icon.src = wallet.icon;
    icon.alt = "";
    button.append(icon);
  }
  button.append(words(String(wallet.name).slice(0, 40)));
  button.addEventListener("click", () => pressed(wallet));
  const entry = document.createElement("li");
  entry.append(button);
  return entry;
}
