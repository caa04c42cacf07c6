// The official client of format R over providers of all formats.

import OpenAI from "openai";
import { KEY, POOR_KEY, URL, holds, raised, run, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const body = (model, input, more) => ({ model, input, max_output_tokens: 4000, ...more });
const ask = (model, input, more) => client.responses.create(body(model, input, more));

async function whole(model) {
  const reply = await ask(model, "hello", { instructions: "be kind" });
  same([reply.output_text, reply.status, reply.usage.output_tokens], ["You said: hello", "completed", 7]);
}

async function stream(model) {
  const events = [];
  for await (const event of await ask(model, "hello", { stream: true })) {
    events.push(event);
  }
  const deltas = events.filter((event) => event.type === "response.output_text.delta");
  same(deltas.map((event) => event.delta).join(""), "You said: hello");
  same([events[0].type, events.at(-1).type], ["response.created", "response.completed"]);
}

async function several_turns(model) {
  const first = await ask(model, "hello");
  const second = await ask(model, "turns", { previous_response_id: first.id });
  same(second.output_text, "user,assistant,user");
  same([first.previous_response_id, second.previous_response_id], [null, first.id]);
  same((await client.responses.retrieve(second.id)).previous_response_id, first.id);
  const third = await ask(model, "turns", { previous_response_id: second.id });
  same(third.output_text, "user,assistant,user,assistant,user");
  const told = [];
  for await (const event of await ask(model, "turns", { previous_response_id: third.id, stream: true })) {
    told.push(...("response" in event ? [event.response.previous_response_id] : []));
  }
  holds(told.length > 1);
  same(told, told.map(() => third.id));
}

async function kept(model) {
  const { id } = await ask(model, "hello");
  same((await client.responses.retrieve(id)).output_text, "You said: hello");
  const items = [];
  for await (const item of client.responses.inputItems.list(id)) {
    items.push(item.content[0].text);
  }
  same(items, ["hello"]);
  await client.responses.delete(id);
  holds((await raised(() => client.responses.retrieve(id))) instanceof OpenAI.NotFoundError);
}

async function not_kept(model) {
  const { id } = await ask(model, "hello", { store: false });
  holds((await raised(() => client.responses.retrieve(id))) instanceof OpenAI.NotFoundError);
}

async function refused_request(model) {
  const error = await raised(() => ask(model, "error: 400"));
  holds(error instanceof OpenAI.BadRequestError && error.message.includes("scripted failure 400"), error);
}

async function counted(model) {
  const count = await client.responses.inputTokens.count({ model, input: "a text of some length" });
  same(count.object, "response.input_tokens");
  holds(count.input_tokens > 0, count);
}

// What was made short is sent back unchanged, with something new behind it.
async function compacted(model) {
  const turns = [{ role: "user", content: "My name is Ada." }, { role: "assistant", content: "Hello Ada." }];
  const short = await client.responses.compact({ model, input: turns });
  same([short.object, short.output.at(-1).type], ["response.compaction", "compaction"]);
  const reply = await ask(model, [...short.output, { role: "user", content: "hello" }]);
  holds(reply.output_text.endsWith("hello"), reply.output_text);
}

async function at_once() {
  const texts = ["number 1", "number 2", "number 3"];
  const replies = await Promise.all(texts.map((text) => ask("via-messages", text)));
  same(replies.map((reply) => reply.output_text), texts.map((text) => `You said: ${text}`));
}

async function raw_headers() {
  const { data, response } = await client.responses.create(body("via-generate", "a")).withResponse();
  holds(response.headers.get("x-request-id").startsWith("req_"));
  same(data.output_text, "You said: a");
}

async function unknown_model() {
  same((await raised(() => ask("nothing", "a"))).code, "model_not_found");
}

async function wrong_key() {
  const wrong = new OpenAI({ ...settings, apiKey: "sk-wrong" });
  holds((await raised(() => wrong.responses.create(body("via-chat", "a")))) instanceof OpenAI.AuthenticationError);
}

async function out_of_credit() {
  const poor = new OpenAI({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  const error = await raised(() => poor.responses.create(body("via-chat", "a")));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

const overAllFormats = [whole, stream, several_turns, kept, not_kept, refused_request, counted, compacted];
await run("openai for node", overAllFormats, [at_once, raw_headers, unknown_model, wrong_key, out_of_credit]);
