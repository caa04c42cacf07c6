// The official client of format O, chat completions, over providers of all formats.

import OpenAI from "openai";
import { KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER } from "./suite.js";
import { arguments_, holds, raised, run, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const tools = [{ type: "function", function: { name: "weather", description: "Tells it", parameters: WEATHER } }];
const user = (content) => ({ role: "user", content });
const body = (model, messages, more) => ({ model, messages, max_completion_tokens: 4000, ...more });
const ask = (model, messages, more) => client.chat.completions.create(body(model, messages, more));

// A stream as the client's own helper puts it together.
const streamed = (model, messages, more) =>
  client.chat.completions.stream({ ...body(model, messages, more), stream_options: { include_usage: true } })
    .finalChatCompletion();

async function chat(model) {
  const reply = await ask(model, [user(SPOKEN)]);
  same(reply.choices[0].message.content, `You said: ${SPOKEN}`);
  same(reply.choices[0].finish_reason, "stop");
  same([reply.usage.prompt_tokens, reply.usage.completion_tokens], [20, 7]);
  holds(reply._request_id.startsWith("req_"));
}

async function stream(model) {
  let text = "";
  for await (const chunk of await ask(model, [user(SPOKEN)], { stream: true })) {
    text += chunk.choices[0].delta.content ?? "";
  }
  same(text, `You said: ${SPOKEN}`);
}

async function stream_helper(model) {
  const reply = await streamed(model, [user(SPOKEN)]);
  same([reply.choices[0].message.content, reply.choices[0].finish_reason], [`You said: ${SPOKEN}`, "stop"]);
  same([reply.usage.prompt_tokens, reply.usage.completion_tokens], [20, 7]);
}

async function callAndAnswer(model, upstream, how, ...cities) {
  const first = user(`${cities.length > 1 ? "tools" : "tool"}: ${cities.join(", ")}`);
  const { message, finish_reason } = (await how(model, [first], { tools })).choices[0];
  same(finish_reason, "tool_calls");
  same(message.tool_calls.map((call) => JSON.parse(call.function.arguments)), cities.map(arguments_));
  const results = message.tool_calls.map((call, index) => (
    { role: "tool", tool_call_id: call.id, content: `sunny in ${cities[index]}` }
  ));
  const turn = { role: "assistant", content: message.content, tool_calls: message.tool_calls };
  const told = (await ask(model, [first, turn, ...results], { tools })).choices[0].message.content;
  const memory = upstream === "generate" ? "; remembered: 1" : "";
  same(told, `results: ${cities.map((city) => `${city}=sunny in ${city}`).join(" | ")}${memory}`);
}

async function tool(model, upstream) {
  await callAndAnswer(model, upstream, ask, "Oslo");
}

async function tools_at_once(model, upstream) {
  await callAndAnswer(model, upstream, ask, "Oslo", "Rome");
}

async function tools_streamed(model, upstream) {
  await callAndAnswer(model, upstream, streamed, "Oslo", "Rome");
}

async function length(model) {
  same((await ask(model, [user("long")])).choices[0].finish_reason, "length");
}

async function image(model) {
  const picture = { type: "image_url", image_url: { url: `data:image/png;base64,${PICTURE}` } };
  const reply = await ask(model, [user([{ type: "text", text: "image" }, picture])]);
  same(reply.choices[0].message.content, PICTURE_TOLD);
}

async function structured(model) {
  const json_schema = { name: "report", schema: REPORT, strict: true };
  const reply = await ask(model, [user("json: Oslo")], { response_format: { type: "json_schema", json_schema } });
  same(JSON.parse(reply.choices[0].message.content), { city: "Oslo", mood: "calm" });
}

async function refused_request(model) {
  const error = await raised(() => ask(model, [user("error: 400")]));
  holds(error instanceof OpenAI.BadRequestError, error);
  holds(error.message.includes("scripted failure 400"), error.message);
}

async function rate_limit(_, upstream) {
  const error = await raised(() => ask(`limited-openai-${upstream}`, [user("error: 429")]));
  holds(error instanceof OpenAI.RateLimitError, error);
}

async function models() {
  const listed = [];
  for await (const model of client.models.list()) {
    listed.push(model.id);
  }
  holds(listed.includes("via-chat"), listed);
  same((await client.models.retrieve("via-chat")).id, "via-chat");
}

async function unknown_model() {
  const error = await raised(() => ask("nothing", [user("a")]));
  holds(error instanceof OpenAI.NotFoundError, error);
  same(error.code, "model_not_found");
}

async function wrong_key() {
  const error = await raised(() => new OpenAI({ ...settings, apiKey: "sk-wrong" }).models.list());
  holds(error instanceof OpenAI.AuthenticationError, error);
}

async function out_of_credit() {
  const poor = new OpenAI({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  const error = await raised(() => poor.chat.completions.create(body("via-chat", [user("a")])));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

const overAllFormats = [
  chat, stream, stream_helper, tool, tools_at_once, tools_streamed, length, image, structured, refused_request,
  rate_limit,
];
await run("openai for node", overAllFormats, [models, unknown_model, wrong_key, out_of_credit]);
