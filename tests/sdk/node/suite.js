// What the cases of all clients share: where the gateway is, what is asked of the model, how outcomes are told.
//
// Told by the environment: GATEWAY_URL, GATEWAY_KEY, GATEWAY_POOR_KEY (an account without credit). Every case prints one
// line, `ok NAME` or `not ok NAME` with what went wrong; the script fails when one did.

import assert from "node:assert/strict";

export const URL = process.env.GATEWAY_URL;
export const KEY = process.env.GATEWAY_KEY;
export const POOR_KEY = process.env.GATEWAY_POOR_KEY;

const FORMATS = ["chat", "generate", "messages", "responses"];

export const PICTURE =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAAB3RFWHROb3RlAI+PkF/I3QAAAApJREFUeJxjaAAAAIIAgXfNcrYAAAAASUVORK5CYII=";
export const PICTURE_TOLD = "image/png of 86 bytes";
export const SPOKEN = "straße, 雨 und 🎈: \"quoted\" \\ \n  two lines";

// Without whole numbers: those above 2^53 do not fit this language, and the Python cases have them.
export const WEATHER = {
  type: "object",
  properties: { city: { type: "string" }, windy: { type: "boolean" } },
  required: ["city", "windy"],
  additionalProperties: false,
};
export const REPORT = {
  type: "object",
  properties: { city: { type: "string" }, mood: { type: "string", enum: ["calm", "wild"] } },
  required: ["city", "mood"],
  additionalProperties: false,
};

export const arguments_ = (city) => ({ city, windy: true });
export const same = assert.deepEqual;
export const holds = assert.ok;

// The error that an act must end with.
export async function raised(act) {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

export async function run(client, overAllFormats, once) {
  for (const check of overAllFormats) {
    for (const upstream of FORMATS) {
      await hold(`${client}: ${check.name}, via ${upstream}`, () => check(`via-${upstream}`, upstream));
    }
  }
  for (const check of once) {
    await hold(`${client}: ${check.name}`, check);
  }
}

export async function hold(name, check) {
  try {
    await check();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}\n  ${String(error.stack).replaceAll("\n", "\n  ")}`);
    process.exitCode = 1;
  }
}
