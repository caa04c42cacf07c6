// The official client of format O beside turns: embeddings, verdicts, texts that go on.

import OpenAI from "openai";
import { KEY, POOR_KEY, URL, holds, raised, run, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const numbers = (text) => [Buffer.byteLength(text), -0.5, 1.25];
const embedding = (reply) => reply.data.map((item) => [...item.embedding]);

// Without a wish, the client asks for base64 and reads it itself.
async function embeddings(model) {
  const reply = await client.embeddings.create({ model, input: ["straße", "b"] });
  same(embedding(reply), [numbers("straße"), numbers("b")]);
  same(reply.data.map((item) => item.index), [0, 1]);
}

async function embeddings_as_numbers(model) {
  const reply = await client.embeddings.create({ model, input: "one", encoding_format: "float", dimensions: 2 });
  same(embedding(reply), [numbers("one").slice(0, 2)]);
}

async function embeddings_as_base64(model) {
  const reply = await client.embeddings.create({ model, input: "one", encoding_format: "base64" });
  same(reply.data[0].embedding, "AABAQAAAAL8AAKA/");
}

async function completion(model) {
  const reply = await client.completions.create({ model, prompt: "hello", max_tokens: 4000 });
  same([reply.choices[0].text, reply.choices[0].finish_reason], ["You said: hello", "stop"]);
}

async function moderation() {
  const reply = await client.moderations.create({ model: "via-chat", input: ["peace", "violence"] });
  same(reply.results.map((result) => result.flagged), [false, true]);
}

async function no_embeddings_there() {
  const error = await raised(() => client.embeddings.create({ model: "via-messages", input: "a" }));
  same([error.status, error.code, error.param], [400, "not_convertible", "model"]);
}

async function unknown_model() {
  const error = await raised(() => client.embeddings.create({ model: "nothing", input: "a" }));
  holds(error instanceof OpenAI.NotFoundError, error);
  holds((await raised(() => client.moderations.create({ model: "nothing", input: "a" }))).code === "model_not_found");
}

async function out_of_credit() {
  const poor = new OpenAI({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  const error = await raised(() => poor.embeddings.create({ model: "via-chat", input: "a" }));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

async function wrong_key() {
  const wrong = new OpenAI({ ...settings, apiKey: "sk-wrong" });
  const error = await raised(() => wrong.embeddings.create({ model: "via-chat", input: "a" }));
  holds(error instanceof OpenAI.AuthenticationError, error);
}

async function at_once() {
  const texts = ["x", "xx", "xxx"];
  const replies = await Promise.all(texts.map((input) => client.embeddings.create({ model: "via-generate", input })));
  same(replies.map(embedding), texts.map((text) => [numbers(text)]));
}

const via = (upstreams, check) => upstreams.map((upstream) => {
  const one = () => check(`via-${upstream}`);
  Object.defineProperty(one, "name", { value: `${check.name}, via ${upstream}` });
  return one;
});
const embeds = [embeddings, embeddings_as_numbers, embeddings_as_base64];
await run("openai for node", [completion], [
  ...embeds.flatMap((check) => via(["chat", "generate", "responses"], check)),
  moderation, no_embeddings_there, unknown_model, out_of_credit, wrong_key, at_once,
]);
