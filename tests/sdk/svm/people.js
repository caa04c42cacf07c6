// Who is there: a key for each, by a number of one byte.
import { createKeyPairSignerFromPrivateKeyBytes } from "@solana/kit";

export const signer = (number) => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(number));

export const [feePayer, payTo, payer, stranger, issuer, coin, newCoin] = await Promise.all(
  [9, 10, 11, 12, 13, 14, 15].map(signer),
);
