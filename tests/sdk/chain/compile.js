// Compiles Tokens.sol into contracts.json: for each contract its code, in hexadecimal digits. Permit2 is there as its
// makers have built it for the chains of tests, out of a package of theirs.
import { readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");

const input = {
  language: "Solidity",
  sources: { "Tokens.sol": { content: read("Tokens.sol") } },
  settings: { optimizer: { enabled: true }, outputSelection: { "*": { "*": ["evm.bytecode.object"] } }, viaIR: true },
};
const output = JSON.parse(solc.compile(JSON.stringify(input)));
const errors = (output.errors ?? []).filter((error) => error.severity === "error");
if (errors.length > 0) {
  throw new Error(errors.map((error) => error.formattedMessage).join("\n"));
}
const codes = Object.entries(output.contracts["Tokens.sol"]).map(([name, made]) => [name, made.evm.bytecode.object]);

// It begins as every contract of its kind, and ends with the mark of its compiler.
const [BYTES, BEGIN, END] = [9152, "60406080815260049081361015", "a164736f6c6343000811000a"];
const holder = JSON.parse(read("node_modules/@uniswap/v4-periphery/foundry-out/DeployPermit2.sol/DeployPermit2.json"));
const begin = holder.bytecode.object.indexOf(BEGIN);
const permit2 = holder.bytecode.object.slice(begin, begin + 2 * BYTES);
if (begin < 0 || !permit2.endsWith(END)) {
  throw new Error("the package has no Permit2 where it used to be");
}
// What its constructor has kept is of another place on such a chain; without it, it computes its domain anew each time.
const ofChain = "7f" + (31337).toString(16).padStart(64, "0");
if (permit2.split(ofChain).length !== 2) {
  throw new Error("Permit2 was built for another chain");
}
const portable = permit2.replace(ofChain, "7f" + "0".repeat(64));
writeFileSync(new URL("contracts.json", import.meta.url), JSON.stringify({ ...Object.fromEntries(codes), Permit2: portable }));
