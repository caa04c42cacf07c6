// The official client of format O, pictures that are changed, over a provider that tells what it was given.

import OpenAI, { toFile } from "openai";
import { KEY, PICTURE, POOR_KEY, URL } from "./suite.js";
import { raised, run, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const PROMPT = "a straße in the 雨: \"wet\"; 🎈";
const bytes = Buffer.from(PICTURE, "base64");
const size = `of ${bytes.length} bytes`;
const file = (name) => toFile(bytes, name, { type: "image/png" });
const edit = async (more) => client.images.edit({ model: "painter", prompt: PROMPT, image: await file("a.png"), ...more });

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
  const error = await raised(() => poor.images.edit({ model: "painter", prompt: PROMPT, image }));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

await run("openai for node", [], [one_file, several_files, mask_and_settings, refused_count, out_of_credit]);
