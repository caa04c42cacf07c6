// The official client of format O, pictures that are drawn and changed, over a provider asked in prompts (`prompted`) and
// one asked in messages (`painter`). Both tell with each picture what they were given.

import OpenAI, { toFile } from "openai";
import { KEY, PICTURE, POOR_KEY, URL } from "./suite.js";
import { holds, raised, run, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const PROMPT = "a straße in the 雨: \"wet\"; 🎈";
const bytes = Buffer.from(PICTURE, "base64");
const size = `of ${bytes.length} bytes`;
const file = (name) => toFile(bytes, name, { type: "image/png" });
const edit = async (more) => client.images.edit({ model: "prompted", prompt: PROMPT, image: await file("a.png"), ...more });

function told(reply) {
  same(reply.data.map((picture) => picture.b64_json), reply.data.map(() => "AAAA"));
  return reply.data.map((picture) => picture.revised_prompt);
}

async function one_file() {
  const reply = await edit({});
  same(told(reply), [`image=a.png ${size}; model=up; prompt=${PROMPT}`]);
  same(reply.created, 7);
}

async function several_files() {
  const reply = await edit({ image: [await file("a.png"), await file("b.png")], n: 2 });
  const expected = `image[]=a.png ${size}; image[]=b.png ${size}; model=up; n=2; prompt=${PROMPT}`;
  same(told(reply), [expected, expected]);
}

async function mask_and_settings() {
  const reply = await edit({ mask: await file("m.png"), size: "1024x1024", user: "u" });
  const expected = `image=a.png ${size}; mask=m.png ${size}; model=up; prompt=${PROMPT}; size=1024x1024; user=u`;
  same(told(reply), [expected]);
}

async function refused_count() {
  const error = await raised(() => edit({ n: 11 }));
  same([error.status, error.code, error.param], [400, "bad_field", "n"]);
}

async function out_of_credit() {
  const poor = new OpenAI({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  const image = await file("a.png");
  const error = await raised(() => poor.images.edit({ model: "prompted", prompt: PROMPT, image }));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

async function prompted_picture() {
  const reply = await client.images.generate({ model: "prompted", prompt: "a cat", n: 2, quality: "high" });
  const sorted = told(reply).map((text) => text.split("; ").sort().join("; "));
  same(sorted, Array(2).fill('model="up"; n=2; prompt="a cat"; quality="high"'));
}

async function refused_setting() {
  const error = await raised(() => client.images.generate({ model: "prompted", prompt: "a cat", colour: "red" }));
  holds(error instanceof OpenAI.BadRequestError && error.message.includes("colour"), error);
}

// What a provider of messages was asked, out of the pictures that the gateway has fetched.
const drawn = (reply) => reply.data.map((picture) => Buffer.from(picture.b64_json, "base64").subarray(8).toString());

async function messages_address() {
  const reply = await client.images.generate({ model: "painter", prompt: PROMPT });
  const picture = Buffer.from(await (await fetch(reply.data[0].url)).arrayBuffer());
  same(picture.subarray(8).toString(), `0 up; ${PROMPT}`);
}

async function messages_picture() {
  const asked = { model: "painter", prompt: PROMPT, n: 2, size: "1024x768", response_format: "b64_json" };
  const reply = await client.images.generate(asked);
  same(drawn(reply), [`0 up; ${PROMPT}; 1024*768`, `1 up; ${PROMPT}; 1024*768`]);
}

async function messages_files() {
  const image = [await file("a.png"), await toFile(bytes, "upload")];
  const reply = await client.images.edit({ model: "painter", prompt: PROMPT, image, response_format: "b64_json" });
  same(drawn(reply), [`0 up; image/png ${size}; image/png ${size}; ${PROMPT}`]);
}

async function messages_dropped() {
  const { data, response } = await client.images
    .generate({ model: "painter", prompt: "a cat", quality: "high" }).withResponse();
  same([response.headers.get("x-tollgate-dropped"), data.data.length], ["quality", 1]);
}

async function messages_mask() {
  const [image, mask] = [await file("a.png"), await file("m.png")];
  const error = await raised(() => client.images.edit({ model: "painter", prompt: PROMPT, image, mask }));
  same([error.status, error.code], [400, "not_convertible"]);
}

async function messages_refused() {
  const error = await raised(() => client.images.generate({ model: "painter", prompt: "error: DataInspectionFailed" }));
  holds(error instanceof OpenAI.BadRequestError && error.message.includes("DataInspectionFailed"), error);
}

await run("openai for node", [], [
  one_file, several_files, mask_and_settings, refused_count, out_of_credit, prompted_picture, refused_setting,
  messages_address, messages_picture, messages_files, messages_dropped, messages_mask, messages_refused,
]);
