// A network of Solana for tests: LiteSVM, which is the real machine with the real programs, behind as much of a node's
// JSON-RPC as a gateway and a client ask. It has blocks of its own: a transaction is taken for 150 of them, and what lies
// under 32 is final. Says where it listens in its first line, and ends with its input.
import { createServer } from "node:http";
import {
  getBase58Decoder,
  getBase58Encoder,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
} from "@solana/kit";
import { FailedTransactionMetadata, LiteSVM } from "litesvm";
import * as people from "./people.js";
import { payment } from "./payments.js";
import { issue, send } from "./tokens.js";

const GENESIS = "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG";
const VALID_BLOCKS = 150;
const FIRST_SLOT = 1500n;
const FINAL_BLOCKS = 32;
const RECENT_BLOCKHASHES = "SysvarRecentB1ockHashes11111111111111111111";
const TOKEN_PROGRAMS = ["TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"];
// In the order of the numbers by which the machine tells them.
const ERRORS = [
  "AccountInUse",
  "AccountLoadedTwice",
  "AccountNotFound",
  "ProgramAccountNotFound",
  "InsufficientFundsForFee",
  "InvalidAccountForFee",
  "AlreadyProcessed",
  "BlockhashNotFound",
];

const base64 = (bytes) => getBase64Decoder().decode(bytes);
const bytesOf = (text) => new Uint8Array(getBase64Encoder().encode(text));

class Refused extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export class Chain {
  svm = new LiteSVM().withBlockhashCheck(false).withSigverify(true);
  // The slot runs ahead of the height, as on a network where some leaders are away.
  height = 1000n;
  slot = FIRST_SLOT;
  births = new Map();
  waiting = new Map();
  done = new Map();
  received = 0;
  times = new Map();
  settings = { mineAtOnce: true, confirmAfter: 0, deaf: false, hidden: false, down: false, firstSlot: 0, ahead: 0 };
  asked = new Map();

  constructor() {
    this.#open();
  }

  // Another block: whatever waits is carried out, in its order.
  mine() {
    for (const [signature, wire] of this.waiting) {
      this.waiting.delete(signature);
      this.#carryOut(signature, wire);
    }
    this.height += 1n;
    this.slot += 1n;
    this.svm.warpToSlot(this.slot);
    this.#open();
  }

  #open() {
    this.svm.expireBlockhash();
    this.newest = this.svm.latestBlockhash();
    this.births.set(this.newest, this.height);
    this.times.set(this.slot, Math.floor(Date.now() / 1000) + this.settings.ahead);
  }

  #decoded(wire) {
    const transaction = getTransactionDecoder().decode(wire);
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes);
    const [first] = Object.values(transaction.signatures);
    return { transaction, message, signature: first && getBase58Decoder().decode(first) };
  }

  #isFresh(message) {
    const born = this.births.get(message.lifetimeToken);
    return born !== undefined && this.height <= born + BigInt(VALID_BLOCKS);
  }

  #carryOut(signature, wire) {
    const { transaction, message } = this.#decoded(wire);
    if (!this.#isFresh(message)) return;
    const before = this.#balances(message);
    const result = this.svm.sendTransaction(transaction);
    const err = result instanceof FailedTransactionMetadata ? errorOf(result) : null;
    // What could not be charged for is in no block.
    if (typeof err === "string") return;
    this.done.set(signature, {
      slot: this.slot,
      height: this.height,
      err,
      wire,
      before,
      after: this.#balances(message),
    });
  }

  #balances(message) {
    return message.staticAccounts.flatMap((address, accountIndex) => {
      const account = this.svm.getAccount(address);
      if (!account.exists || !TOKEN_PROGRAMS.includes(account.programAddress) || account.data.length < 165) return [];
      const { mint, owner, amount } = tokenAccount(account.data);
      const decimals = this.svm.getAccount(mint).data[44];
      const uiTokenAmount = { amount: amount.toString(), decimals, uiAmount: null, uiAmountString: "" };
      return [{ accountIndex, mint, owner, programId: account.programAddress, uiTokenAmount }];
    });
  }

  #level(height) {
    const onTop = Number(this.height - height) - 1;
    if (onTop >= FINAL_BLOCKS) return { confirmations: null, confirmationStatus: "finalized" };
    const confirmationStatus = onTop >= this.settings.confirmAfter ? "confirmed" : "processed";
    return { confirmations: onTop, confirmationStatus };
  }

  // All transactions, or those that were carried out before it was said.
  #hides(signature) {
    const { hidden } = this.settings;
    return hidden === true || (hidden instanceof Set && hidden.has(signature));
  }

  #valued(value) {
    return { context: { slot: Number(this.slot), apiVersion: "2.0.0" }, value };
  }

  #reaches(how) {
    if (how?.minContextSlot > Number(this.slot)) throw new Refused(-32016, "Minimum context slot has not been reached");
  }

  // The account in which the network keeps the newest blockhashes, which this machine does not see to.
  #recent({ dataSlice: { offset, length } }) {
    const hashes = [...this.births.keys()].reverse().slice(0, VALID_BLOCKS);
    const data = new Uint8Array(8 + hashes.length * 40);
    new DataView(data.buffer).setBigUint64(0, BigInt(hashes.length), true);
    hashes.forEach((hash, place) => data.set(getBase58Encoder().encode(hash), 8 + place * 40));
    const sliced = base64(data.slice(offset, offset + length));
    return { owner: "Sysvar1111111111111111111111111111111111111", data: [sliced, "base64"], lamports: 42706560 };
  }

  #account(address) {
    const account = this.svm.getAccount(address);
    if (!account.exists) return null;
    const { programAddress: owner, lamports, executable, data } = account;
    return {
      owner,
      lamports: Number(lamports),
      executable,
      data: [base64(data), "base64"],
      space: data.length,
      rentEpoch: 0,
    };
  }

  answer(method, params) {
    const [first, second] = params;
    this.asked.set(method, (this.asked.get(method) ?? 0) + 1);
    switch (method) {
      case "getGenesisHash":
        return GENESIS;
      case "getAccountInfo":
        this.#reaches(second);
        return this.#valued(first === RECENT_BLOCKHASHES ? this.#recent(second) : this.#account(first));
      case "getBalance":
        return this.#valued(Number(this.svm.getBalance(first) ?? 0n));
      case "getSlot":
        return Number(this.#newestSlot(first?.commitment));
      case "getBlockTime":
        return this.#timeOf(BigInt(first));
      case "getSignaturesForAddress":
        return this.#signaturesOf(first, second ?? {});
      case "getFirstAvailableBlock":
        return this.settings.firstSlot;
      case "getBlockHeight":
        return Number(this.height);
      case "getLatestBlockhash": {
        this.#reaches(first);
        const lastValidBlockHeight = Number(this.height) + VALID_BLOCKS;
        return this.#valued({ blockhash: this.newest, lastValidBlockHeight });
      }
      case "getEpochInfo": {
        const behind = first?.commitment === "finalized" ? BigInt(FINAL_BLOCKS) : 0n;
        return {
          absoluteSlot: Number(this.slot - behind),
          blockHeight: Number(this.height - behind),
          epoch: 0,
          slotIndex: 0,
          slotsInEpoch: 432000,
        };
      }
      case "simulateTransaction":
        return this.#valued(this.#simulated(bytesOf(first), second));
      case "sendTransaction":
        return this.#sent(bytesOf(first));
      case "getSignatureStatuses":
        return this.#valued(
          first.map((signature) => {
            const done = this.#hides(signature) ? undefined : this.done.get(signature);
            return done ? { slot: Number(done.slot), err: done.err, status: {}, ...this.#level(done.height) } : null;
          }),
        );
      case "getTransaction": {
        const done = this.done.get(first);
        if (!done) return null;
        const { confirmationStatus } = this.#level(done.height);
        if (
          confirmationStatus === "processed" ||
          (second.commitment === "finalized" && confirmationStatus !== "finalized")
        )
          return null;
        const meta = { err: done.err, fee: 10000, preTokenBalances: done.before, postTokenBalances: done.after };
        const blockTime = this.#timeOf(done.slot);
        return { slot: Number(done.slot), blockTime, transaction: [base64(done.wire), "base64"], meta, version: 0 };
      }
      default:
        return this.#forTests(method, first ?? {});
    }
  }

  #newestSlot(commitment) {
    return commitment === "finalized" ? this.slot - BigInt(FINAL_BLOCKS) - 1n : this.slot - 1n;
  }

  // What was before the first block is of its time.
  #timeOf(slot) {
    return this.times.get(slot) ?? this.times.get(FIRST_SLOT);
  }

  // The newest first, behind one of them.
  #signaturesOf(address, { limit = 1000, before, commitment }) {
    const newest = this.#newestSlot(commitment);
    const named = [...this.done].filter(
      ([signature, { slot, wire }]) =>
        slot <= newest && !this.#hides(signature) && this.#decoded(wire).message.staticAccounts.includes(address),
    );
    const all = named.reverse();
    const from = before ? all.findIndex(([signature]) => signature === before) + 1 : 0;
    return all.slice(from, from + limit).map(([signature, { slot, err, wire }]) => ({
      signature,
      slot: Number(slot),
      err,
      memo: memoOf(this.#decoded(wire).message),
      blockTime: this.#timeOf(slot),
      confirmationStatus: "finalized",
    }));
  }

  #simulated(wire, how) {
    const { transaction, message, signature } = this.#decoded(wire);
    // What is signed whole could be sent by whoever is to try it.
    if (how?.sigVerify !== false || signature) throw new Refused(-32602, "a test wants no signature of ours on what is tried");
    if (!this.#isFresh(message)) return { err: "BlockhashNotFound", logs: [] };
    this.svm = this.svm.withSigverify(false);
    const result = this.svm.simulateTransaction(transaction);
    this.svm = this.svm.withSigverify(true);
    const failed = result instanceof FailedTransactionMetadata;
    return { err: failed ? errorOf(result) : null, logs: result.meta().logs() };
  }

  #sent(wire) {
    const { signature } = this.#decoded(wire);
    if (!signature) throw new Refused(-32003, "Transaction signature verification failure");
    this.received += 1;
    if (!this.done.has(signature) && !this.settings.deaf) this.waiting.set(signature, wire);
    if (this.settings.mineAtOnce && this.waiting.size > 0) this.mine();
    return signature;
  }

  // What no node has.
  async #forTests(method, how) {
    switch (method) {
      case "test_set":
        Object.assign(this.settings, how, how.hidden === "earlier" ? { hidden: new Set(this.done.keys()) } : {});
        return null;
      case "test_mine":
        for (let block = 0; block < how.blocks; block += 1) this.mine();
        return null;
      case "test_forget":
        this.waiting.clear();
        return null;
      case "test_payment":
        return payment(this, how);
      case "test_send":
        await send(this, how);
        return null;
      case "test_units": {
        const account = this.svm.getAccount(how.account);
        return account.exists ? Number(tokenAccount(account.data).amount) : 0;
      }
      case "test_lamports":
        this.svm.airdrop(how.to, BigInt(how.lamports));
        return null;
      case "test_count":
        return this.done.size;
      case "test_asked":
        return this.asked.get(how.method) ?? 0;
      case "test_sent":
        return this.received;
      default:
        throw new Refused(-32601, `no method ${method}`);
    }
  }
}

// As nodes tell it: with its length before it.
function memoOf(message) {
  const memo = message.instructions.find(({ programAddressIndex }) =>
    message.staticAccounts[programAddressIndex].startsWith("MemoSq4"),
  );
  return memo ? `[${memo.data.length}] ${new TextDecoder().decode(memo.data)}` : null;
}

function tokenAccount(data) {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const text = (from) => getBase58Decoder().decode(data.slice(from, from + 32));
  return { mint: text(0), owner: text(32), amount: view.getBigUint64(64, true) };
}

function errorOf(failed) {
  const err = failed.err();
  if (typeof err === "number") return ERRORS[err] ?? `TransactionError${err}`;
  const inner = err.index !== undefined && typeof err.err === "function" ? err.err() : null;
  if (inner === null) return String(err);
  return {
    InstructionError: [
      err.index,
      typeof inner === "object" && "code" in inner ? { Custom: inner.code } : String(inner),
    ],
  };
}

const chain = new Chain();
const tokens = await issue(chain);

const server = createServer(async (request, response) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
  if (chain.settings.down && !method.startsWith("test_")) return response.writeHead(503).end();
  let told;
  try {
    told = { result: await chain.answer(method, params ?? []) };
  } catch (error) {
    told = { error: { code: error.code ?? -32603, message: error.stack } };
  }
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, ...told }));
});
server.keepAliveTimeout = 60_000;
server.listen(0, "127.0.0.1", () => {
  chain.url = `http://127.0.0.1:${server.address().port}`;
  const addresses = Object.fromEntries(
    Object.entries(people)
      .filter(([name]) => name !== "signer")
      .map(([name, who]) => [name, who.address]),
  );
  console.log(JSON.stringify({ url: chain.url, ...addresses, ...tokens }));
});
process.stdin.resume();
process.stdin.on("end", () => process.exit(0));
