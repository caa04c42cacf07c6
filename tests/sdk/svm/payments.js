// Payments of a challenge: as the protocol's own client makes them, and as somebody makes them who wants more than that.
import { x402Client } from "@x402/core/client";
import { ExactSvmScheme } from "@x402/svm/exact/client";
import {
  AccountRole,
  appendTransactionMessageInstructions,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from "@solana/kit";
import { getSetComputeUnitLimitInstruction, getSetComputeUnitPriceInstruction } from "@solana-program/compute-budget";
import { getTransferSolInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import { coin, feePayer, newCoin, payTo, payer, signer, stranger } from "./people.js";
import { DECIMALS, accountOf, programOf } from "./tokens.js";

const MEMO = "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr";
const ASSERTIONS = "L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95";

const memo = (text, accounts = []) => ({ programAddress: MEMO, accounts, data: new TextEncoder().encode(text) });
const readonly = (address) => ({ address, role: AccountRole.READONLY });

// The instructions of a good payment, by name, so that a variant can put others in their places.
async function parts(option, by) {
  const [mint, amount] = [option.asset, BigInt(option.amount)];
  const [source, destination] = await Promise.all([accountOf(by.address, mint), accountOf(option.payTo, mint)]);
  const how = { programAddress: programOf(mint) };
  const transfer = (other = {}) =>
    token.getTransferCheckedInstruction(
      { source, mint, destination, authority: by, amount, decimals: DECIMALS, ...other },
      how,
    );
  return {
    limit: getSetComputeUnitLimitInstruction({ units: 20_000 }),
    price: getSetComputeUnitPriceInstruction({ microLamports: 1n }),
    transfer,
    source,
    destination,
    mint,
    amount,
    memo: memo(option.extra.memo),
  };
}

async function built(
  chain,
  list,
  { version = 0, feePayer: first = feePayer.address, blockhash = chain.newest, tables } = {},
) {
  let message = pipe(
    createTransactionMessage({ version }),
    (message) => setTransactionMessageFeePayer(first, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 0n }, message),
    (message) => appendTransactionMessageInstructions(list, message),
  );
  if (tables) message = compressTransactionMessageUsingAddressLookupTables(message, tables);
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(message));
}

const changed = (wire, change) => {
  const bytes = new Uint8Array(getBase64Encoder().encode(wire));
  return Buffer.from(change(bytes) ?? bytes).toString("base64");
};

// Each makes a transaction out of the parts of a good one.
const VARIANTS = {
  good: (chain, { limit, price, transfer, memo }) => built(chain, [limit, price, transfer(), memo]),
  legacy: (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer(), memo], { version: "legacy" }),
  "with assertions of a wallet": (chain, { limit, price, transfer, memo, source }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      { programAddress: ASSERTIONS, accounts: [readonly(source)], data: new Uint8Array([9, 0]) },
    ]),
  "fee payer pays money": (chain, { limit, price, transfer, memo }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      getTransferSolInstruction({ source: feePayer, destination: stranger.address, amount: 1_000_000n }),
    ]),
  "fee payer pays money first": (chain, { limit, price, transfer, memo }) =>
    built(chain, [
      limit,
      price,
      getTransferSolInstruction({ source: feePayer, destination: stranger.address, amount: 1_000_000n }),
      transfer(),
      memo,
    ]),
  "fee payer pays coins": async (chain, { limit, price, transfer, memo, mint }) =>
    built(chain, [
      limit,
      price,
      transfer({ source: await accountOf(feePayer.address, mint), authority: feePayer }),
      memo,
    ]),
  "fee payer approves": async (chain, { limit, price, transfer, memo, mint }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      token.getApproveInstruction({
        source: await accountOf(feePayer.address, mint),
        delegate: stranger.address,
        owner: feePayer,
        amount: 1n,
      }),
    ]),
  "fee payer's account is closed": async (chain, { limit, price, transfer, memo, mint }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      token.getCloseAccountInstruction({
        account: await accountOf(feePayer.address, mint),
        destination: stranger.address,
        owner: feePayer,
      }),
    ]),
  "fee payer signs a memo": (chain, { limit, price, transfer, memo: { data } }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      { programAddress: MEMO, accounts: [{ address: feePayer.address, role: AccountRole.READONLY_SIGNER }], data },
    ]),
  "fee payer's coins by another": async (chain, { limit, price, transfer, memo, mint }) =>
    built(chain, [limit, price, transfer({ source: await accountOf(feePayer.address, mint) }), memo]),
  "another fee payer": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer(), memo], { feePayer: stranger.address }),
  "payer is fee payer": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer(), memo], { feePayer: payer.address }),
  "an account is made": async (chain, { limit, price, transfer, memo, mint }) => {
    const owner = (await signer(77)).address;
    const made = token.getCreateAssociatedTokenIdempotentInstruction({
      payer,
      ata: await accountOf(owner, mint),
      owner,
      mint,
    });
    return built(chain, [limit, price, transfer(), memo, made]);
  },
  "an account is made by the fee payer": async (chain, { limit, price, transfer, memo, mint }) => {
    const owner = (await signer(77)).address;
    const made = token.getCreateAssociatedTokenIdempotentInstruction({
      payer: feePayer,
      ata: await accountOf(owner, mint),
      owner,
      mint,
    });
    return built(chain, [limit, price, made, transfer(), memo]);
  },
  "two transfers": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer(), memo, transfer()]),
  "payer pays money too": (chain, { limit, price, transfer, memo }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      getTransferSolInstruction({ source: payer, destination: stranger.address, amount: 1n }),
    ]),
  "unchecked transfer": (chain, { limit, price, source, destination, amount, memo }) =>
    built(chain, [limit, price, token.getTransferInstruction({ source, destination, authority: payer, amount }), memo]),
  "by another program": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, { ...transfer(), programAddress: ASSERTIONS }, memo]),
  "by the newer program": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, { ...transfer(), programAddress: programOf(newCoin.address) }, memo]),
  "one unit less": (chain, { limit, price, transfer, amount, memo }) =>
    built(chain, [limit, price, transfer({ amount: amount - 1n }), memo]),
  "one unit more": (chain, { limit, price, transfer, amount, memo }) =>
    built(chain, [limit, price, transfer({ amount: amount + 1n }), memo]),
  "other decimals": (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer({ decimals: 9 }), memo]),
  "another mint": async (chain, { limit, price, transfer, memo }) => {
    const mint = newCoin.address;
    const [source, destination] = await Promise.all([payer, payTo].map((who) => accountOf(who.address, mint)));
    return built(chain, [limit, price, { ...transfer({ mint, source, destination }) }, memo]);
  },
  "to a stranger": async (chain, { limit, price, transfer, memo, mint }) =>
    built(chain, [limit, price, transfer({ destination: await accountOf(stranger.address, mint) }), memo]),
  "to the payer": (chain, { limit, price, transfer, source, memo }) =>
    built(chain, [limit, price, transfer({ destination: source }), memo]),
  "by an authority that does not sign": (chain, { limit, price, transfer, memo }) =>
    built(chain, [
      limit,
      price,
      transfer({ authority: stranger.address }),
      { ...memo, accounts: [{ address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer }] },
    ]),
  "three signers": (chain, { limit, price, transfer, memo }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      { ...memo, accounts: [{ address: stranger.address, role: AccountRole.READONLY_SIGNER, signer: stranger }] },
    ]),
  "no memo": (chain, { limit, price, transfer }) => built(chain, [limit, price, transfer()]),
  "two memos": (chain, { limit, price, transfer, memo }) => built(chain, [limit, price, transfer(), memo, memo]),
  "memo of another order": (chain, { limit, price, transfer }) =>
    built(chain, [limit, price, transfer(), memo("order:1")]),
  "memo with more": (chain, { limit, price, transfer, memo: { data } }) =>
    built(chain, [limit, price, transfer(), memo(`${new TextDecoder().decode(data)} `)]),
  "dear work": (chain, { limit, transfer, memo }) =>
    built(chain, [limit, getSetComputeUnitPriceInstruction({ microLamports: 5_000_000_000n }), transfer(), memo]),
  "much work": (chain, { price, transfer, memo }) =>
    built(chain, [getSetComputeUnitLimitInstruction({ units: 1_400_000 }), price, transfer(), memo]),
  "no bound on work": (chain, { price, transfer, memo }) => built(chain, [price, transfer(), memo]),
  "price before limit": (chain, { limit, price, transfer, memo }) => built(chain, [price, limit, transfer(), memo]),
  "eight instructions": (chain, { limit, price, transfer, memo, source }) =>
    built(chain, [
      limit,
      price,
      transfer(),
      memo,
      ...Array(4).fill({ programAddress: ASSERTIONS, accounts: [readonly(source)], data: new Uint8Array([9]) }),
    ]),
  "address lookup tables": async (chain, { limit, price, transfer, memo, destination }) =>
    built(chain, [limit, price, transfer(), memo], { tables: { [(await signer(78)).address]: [destination] } }),
  "stale blockhash": (chain, { limit, price, transfer, memo }, { blockhash }) =>
    built(chain, [limit, price, transfer(), memo], { blockhash }),
  "unknown blockhash": async (chain, { limit, price, transfer, memo }) =>
    built(chain, [limit, price, transfer(), memo], { blockhash: (await signer(79)).address }),
  "forged signature": async (chain, parts) =>
    changed(await VARIANTS.good(chain, parts), (bytes) => {
      bytes[1 + 64 + 5] ^= 1;
    }),
  "no signature": async (chain, parts) =>
    changed(await VARIANTS.good(chain, parts), (bytes) => bytes.fill(0, 1 + 64, 1 + 128)),
  "signature of another message": async (chain, parts) => {
    const other = new Uint8Array(getBase64Encoder().encode(await VARIANTS["one unit less"](chain, parts)));
    return changed(await VARIANTS.good(chain, parts), (bytes) => bytes.set(other.slice(65, 129), 65));
  },
  "trailing bytes": async (chain, parts) =>
    changed(await VARIANTS.good(chain, parts), (bytes) => new Uint8Array([...bytes, 0])),
  "cut off": async (chain, parts) => changed(await VARIANTS.good(chain, parts), (bytes) => bytes.slice(0, -1)),
  "another version": async (chain, parts) =>
    changed(await VARIANTS.good(chain, parts), (bytes) => {
      bytes[1 + 128] = 0x81;
    }),
  "too large": (chain, { limit, price, transfer, memo: { data } }) =>
    built(chain, [limit, price, transfer(), memo(new TextDecoder().decode(data) + "x".repeat(1000))]),
  "too poor": async (chain, { limit, price, memo }, { option }) => {
    const other = await parts(option, stranger);
    return built(chain, [limit, price, other.transfer(), memo]);
  },
};

export const names = () => Object.keys(VARIANTS);

// A payload for a challenge: `variant` says which, "official" that of the protocol's own client. `option` is its place among
// the options, `price` makes it a transaction of its own.
export async function payment(chain, { challenge, variant, option: place = 0, price, blockhash }) {
  const option = challenge.accepts[place];
  if (variant === "official") {
    const client = new x402Client().register("solana:*", new ExactSvmScheme(payer, { rpcUrl: chain.url }));
    client.setSpendControls(false);
    return client.createPaymentPayload({ ...challenge, accepts: [option] });
  }
  if (variant === "names") return names();
  const good = await parts(option, payer);
  if (price) good.price = getSetComputeUnitPriceInstruction({ microLamports: BigInt(price) });
  const transaction = await VARIANTS[variant](chain, good, { blockhash, option });
  return { x402Version: 2, accepted: option, payload: { transaction } };
}
