// A wallet in a browser, of which the pages see what they see of a real one (EIP-1193, EIP-6963), and the keys stay outside.

import { createPrivateKey, sign } from "node:crypto";

import { privateKeyToAccount } from "viem/accounts";

const refusal = (code, message) => ({ error: { code, message } });

// Puts a wallet into every page of a profile. What it does can be changed while it is there:
// `refuses` are methods that its owner says no to, `knows` the networks that it can switch to, `chain` where it is; `wraps`, that it
// tells of others inside another error.
export async function giveWallet(context, { key, name, chain, knows = [chain], rpc, announces = true }) {
  const account = privateKeyToAccount(key);
  const wallet = { account, chain, knows, refuses: new Set(), asked: [], before: {} };
  const bridge = `wallet${Math.random().toString(36).slice(2)}`;
  await context.exposeFunction(bridge, (method, params) => answer(wallet, rpc, method, params));
  await context.addInitScript(inject, { bridge, name, announces, address: account.address });
  return wallet;
}

async function answer(wallet, rpc, method, params) {
  wallet.asked.push(method);
  await wallet.before[method]?.();
  if (wallet.refuses.has(method)) {
    return refusal(4001, "User rejected the request.");
  }
  switch (method) {
    case "eth_requestAccounts":
      return { result: [wallet.account.address.toLowerCase()] };
    case "eth_chainId":
      return { result: `0x${wallet.chain.toString(16)}` };
    case "wallet_switchEthereumChain": {
      const wanted = Number(params[0].chainId);
      if (!wallet.knows.includes(wanted)) {
        const { error } = refusal(4902, "Unrecognized chain ID.");
        return { error: wallet.wraps ? { code: -32603, message: "Internal JSON-RPC error.", data: { originalError: error } } : error };
      }
      wallet.chain = wanted;
      return { result: null };
    }
    case "wallet_addEthereumChain":
      [wallet.added] = params;
      wallet.knows.push(Number(wallet.added.chainId));
      return { result: null };
    case "personal_sign": {
      const [raw, address] = params;
      if (address.toLowerCase() !== wallet.account.address.toLowerCase()) {
        return refusal(4100, "The requested account has not been authorized.");
      }
      wallet.signed = Buffer.from(raw.slice(2), "hex").toString();
      return { result: await wallet.account.signMessage({ message: { raw } }) };
    }
    case "eth_signTypedData_v4": {
      const { domain, types, primaryType, message } = JSON.parse(params[1]);
      const { EIP712Domain, ...others } = types;
      // As real ones do.
      if (Number(domain.chainId) !== wallet.chain || params[0].toLowerCase() !== wallet.account.address.toLowerCase()) {
        return refusal(-32602, "Provided chainId must match the active chainId.");
      }
      return { result: await wallet.account.signTypedData({ domain, types: others, primaryType, message }) };
    }
    default:
      return ask(rpc, method, params);
  }
}

// What a wallet hands on to its node.
async function ask(rpc, method, params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: params ?? [] });
  const reply = await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body });
  const { result, error } = await reply.json();
  return error ? { error } : { result };
}

function inject({ bridge, name, announces, address }) {
  const provider = {
    async request({ method, params }) {
      const { result, error } = await window[bridge](method, params);
      if (error) {
        throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
      }
      return result;
    },
  };
  if (!announces) {
    window.ethereum = provider;
    return;
  }
  const icon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'%3E%3Crect width='1' height='1' fill='%23d33'/%3E%3C/svg%3E";
  const info = Object.freeze({ uuid: `${name} ${address}`, name, icon, rdns: "example.wallet" });
  const announce = () => {
    window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
  };
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}

// The same for Solana (Wallet Standard), with the key of a seed of one byte, over and over.
export async function giveSolanaWallet(context, { seed, address, name, chain = "solana:devnet" }) {
  // A private key of 32 bytes as node reads one.
  const der = Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, seed)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const wallet = { refuses: new Set(), asked: [] };
  const bridge = `wallet${Math.random().toString(36).slice(2)}`;
  await context.exposeFunction(bridge, (method, bytes) => answerOnSolana(wallet, key, method, bytes));
  await context.addInitScript(injectSolana, { bridge, name, address, chain });
  return wallet;
}

function answerOnSolana(wallet, key, method, bytes) {
  wallet.asked.push(method);
  if (wallet.refuses.has(method)) {
    return null;
  }
  if (method === "solana:signMessage") {
    wallet.signed = Buffer.from(bytes).toString();
    return [...sign(null, Buffer.from(bytes), key)];
  }
  if (method === "solana:signTransaction") {
    // Two signatures of 64 bytes, of which the payer's is the second, and the message that they are of.
    const signature = sign(null, Buffer.from(bytes.slice(129)), key);
    return [...bytes.slice(0, 65), ...signature, ...bytes.slice(129)];
  }
  return [];
}

function injectSolana({ bridge, name, address, chain }) {
  const ask = async (method, bytes) => {
    const answer = await window[bridge](method, bytes);
    if (answer === null) {
      throw new Error("User rejected the request.");
    }
    return answer;
  };
  const accounts = [{ address, publicKey: new Uint8Array(32), chains: [chain], features: ["solana:signMessage", "solana:signTransaction"] }];
  const wallet = {
    version: "1.0.0",
    name,
    icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
    chains: [chain],
    accounts: [],
    features: {
      "standard:connect": { version: "1.0.0", connect: () => ask("standard:connect", []).then(() => ({ accounts })) },
      "standard:events": { version: "1.0.0", on: () => () => {} },
      "solana:signMessage": {
        version: "1.0.0",
        async signMessage({ message }) {
          return [{ signedMessage: message, signature: Uint8Array.from(await ask("solana:signMessage", [...message])) }];
        },
      },
      "solana:signTransaction": {
        version: "1.0.0",
        supportedTransactionVersions: ["legacy", 0],
        async signTransaction({ transaction }) {
          return [{ signedTransaction: Uint8Array.from(await ask("solana:signTransaction", [...transaction])) }];
        },
      },
    },
  };
  const register = ({ register }) => register(wallet);
  window.addEventListener("wallet-standard:app-ready", ({ detail }) => register(detail));
  window.dispatchEvent(new CustomEvent("wallet-standard:register-wallet", { detail: register }));
}
