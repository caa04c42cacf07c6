// Compiles Tokens.sol into contracts.json: for each contract its code, in hexadecimal digits.
import { readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

const input = {
  language: "Solidity",
  sources: { "Tokens.sol": { content: readFileSync(new URL("Tokens.sol", import.meta.url), "utf8") } },
  settings: { optimizer: { enabled: true }, outputSelection: { "*": { "*": ["evm.bytecode.object"] } }, viaIR: true },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const errors = (output.errors ?? []).filter((error) => error.severity === "error");
if (errors.length > 0) {
  throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
}
const codes = Object.entries(output.contracts["Tokens.sol"]).map(([name, made]) => [name, made.evm.bytecode.object]);
writeFileSync(new URL("contracts.json", import.meta.url), JSON.stringify(Object.fromEntries(codes)));
