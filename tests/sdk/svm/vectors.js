// Writes what the libraries make of each payment: the cases of `server/crates/chains/src/solana/tests.rs`, for `tests.json`
// beside it.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const chain = spawn(process.execPath, [new URL("chain.js", import.meta.url).pathname], {
  stdio: ["pipe", "pipe", "inherit"],
});
const { value: line } = await createInterface({ input: chain.stdout })[Symbol.asyncIterator]().next();
const { url, ...people } = JSON.parse(line);

async function ask(method, params) {
  const reply = await fetch(url, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: [params] }),
  });
  const { result, error } = await reply.json();
  if (error) throw new Error(error.message);
  return result;
}

const extra = { feePayer: people.feePayer, memo: "order:17" };
const option = {
  scheme: "exact",
  network: "solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1",
  amount: "5000000",
  asset: people.coin,
  payTo: people.payTo,
  maxTimeoutSeconds: 600,
  extra,
};
const challenge = { x402Version: 2, resource: { url: "http://127.0.0.1/" }, accepts: [option] };
const transactions = {};
for (const variant of ["official", ...(await ask("test_payment", { challenge, variant: "names" }))]) {
  const blockhash = people.issuer;
  const made = await ask("test_payment", { challenge, variant, blockhash });
  transactions[variant] = made.payload.transaction;
}
const newer = { ...challenge, accepts: [{ ...option, asset: people.newCoin }] };
transactions["newer program"] = (
  await ask("test_payment", { challenge: newer, variant: "official" })
).payload.transaction;
console.log(JSON.stringify({ ...people, transactions }, null, 1));
chain.stdin.end();
