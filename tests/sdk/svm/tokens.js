// The tokens of the network and who has some, made by the issuers' libraries.
import {
  appendTransactionMessageInstructions,
  createTransactionMessage,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from "@solana/kit";
import { getCreateAccountInstruction } from "@solana-program/system";
import * as token from "@solana-program/token";
import * as token2022 from "@solana-program/token-2022";
import { FailedTransactionMetadata } from "litesvm";
import { coin, feePayer, issuer, newCoin, payTo, payer, stranger } from "./people.js";

const SOL = 1_000_000_000n;
const UNITS = 1_000_000_000_000n;
export const DECIMALS = 6;

export const programOf = (mint) =>
  mint === newCoin.address ? token2022.TOKEN_2022_PROGRAM_ADDRESS : token.TOKEN_PROGRAM_ADDRESS;

export async function accountOf(owner, mint) {
  const [account] = await token2022.findAssociatedTokenPda({ owner, mint, tokenProgram: programOf(mint) });
  return account;
}

// Carries a transaction of somebody's out.
export async function carryOut(chain, by, instructions) {
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(by, message),
    (message) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: chain.newest, lastValidBlockHeight: 0n }, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
  );
  // Straight to the machine: before whatever waits for a block.
  const result = chain.svm.sendTransaction(await signTransactionMessageWithSigners(message));
  if (result instanceof FailedTransactionMetadata) throw new Error(result.toString());
}

export async function issue(chain) {
  for (const who of [feePayer, issuer, payer, stranger]) chain.svm.airdrop(who.address, lamports(10n * SOL));
  for (const mint of [coin, newCoin]) await issued(chain, mint);
  const named = await Promise.all([coin, newCoin].map((mint) => accountOf(payTo.address, mint.address)));
  return { coinAccount: named[0], newCoinAccount: named[1] };
}

async function issued(chain, mint) {
  const programAddress = programOf(mint.address);
  const library = { programAddress };
  const rent = chain.svm.minimumBalanceForRentExemption(82n);
  const instructions = [
    getCreateAccountInstruction({ payer: issuer, newAccount: mint, lamports: rent, space: 82, programAddress }),
    token2022.getInitializeMint2Instruction(
      { mint: mint.address, decimals: DECIMALS, mintAuthority: issuer.address },
      library,
    ),
  ];
  await carryOut(chain, issuer, instructions);
  for (const [owner, units] of [
    [payTo, 0n],
    [payer, UNITS],
    [stranger, 0n],
    [feePayer, UNITS],
  ]) {
    const ata = await accountOf(owner.address, mint.address);
    const made = [
      token2022.getCreateAssociatedTokenIdempotentInstruction({
        payer: issuer,
        ata,
        owner: owner.address,
        mint: mint.address,
        tokenProgram: programAddress,
      }),
    ];
    if (units > 0n) {
      made.push(
        token2022.getMintToInstruction(
          { mint: mint.address, token: ata, mintAuthority: issuer, amount: units },
          library,
        ),
      );
    }
    await carryOut(chain, issuer, made);
  }
}

// The payer gives coins to the stranger, at once.
export async function send(chain, { units }) {
  const [source, destination] = await Promise.all([payer, stranger].map((who) => accountOf(who.address, coin.address)));
  await carryOut(chain, payer, [
    token.getTransferInstruction({ source, destination, authority: payer, amount: BigInt(units) }),
  ]);
}
