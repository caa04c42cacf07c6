// The official client of format A over providers of all formats.

import Anthropic from "@anthropic-ai/sdk";
import { KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER } from "./suite.js";
import { arguments_, holds, raised, run, same } from "./suite.js";

const settings = { baseURL: URL, apiKey: KEY, maxRetries: 0 };
const client = new Anthropic(settings);
const tools = [{ name: "weather", description: "Tells it", input_schema: WEATHER }];
const thinking = { type: "enabled", budget_tokens: 1024 };
const user = (content) => ({ role: "user", content });
const body = (model, messages, more) => ({ model, messages, max_tokens: 4000, ...more });
const ask = (model, messages, more) => client.messages.create(body(model, messages, more));
const streamed = (model, messages, more) => client.messages.stream(body(model, messages, more)).finalMessage();
const back = (reply) => ({ role: "assistant", content: reply.content });
const said = (reply) => reply.content.filter((block) => block.type === "text").map((block) => block.text).join("");

async function message(model) {
  const reply = await ask(model, [user(SPOKEN)]);
  same([said(reply), reply.stop_reason], [`You said: ${SPOKEN}`, "end_turn"]);
  same([reply.usage.input_tokens, reply.usage.cache_read_input_tokens, reply.usage.output_tokens], [15, 5, 7]);
  holds(reply._request_id.startsWith("req_"));
}

async function stream(model) {
  let text = "";
  for await (const event of await ask(model, [user(SPOKEN)], { stream: true })) {
    text += event.type === "content_block_delta" ? event.delta.text : "";
  }
  same(text, `You said: ${SPOKEN}`);
}

async function stream_helper(model) {
  const reply = await streamed(model, [user(SPOKEN)]);
  same([said(reply), reply.stop_reason, reply.usage.output_tokens], [`You said: ${SPOKEN}`, "end_turn", 7]);
}

async function callAndAnswer(model, upstream, how, prefix, more, ...cities) {
  const first = user(`${prefix}${cities.length > 1 ? "tools" : "tool"}: ${cities.join(", ")}`);
  const reply = await how(model, [first], { tools, ...more });
  same(reply.stop_reason, "tool_use");
  const calls = reply.content.filter((block) => block.type === "tool_use");
  same(calls.map((call) => call.input), cities.map(arguments_));
  const results = calls.map((call, index) => (
    { type: "tool_result", tool_use_id: call.id, content: `sunny in ${cities[index]}` }
  ));
  const told = said(await ask(model, [first, back(reply), user(results)], { tools, ...more }));
  for (const city of cities) {
    holds(told.includes(`${city}=sunny in ${city}`), told);
  }
  same(told.includes("remembered: 1"), upstream === "generate" || prefix !== "", told);
}

async function tool(model, upstream) {
  await callAndAnswer(model, upstream, ask, "", {}, "Oslo");
}

async function tools_streamed(model, upstream) {
  await callAndAnswer(model, upstream, streamed, "", {}, "Oslo", "Rome");
}

async function thought_before_tool_streamed(model, upstream) {
  await callAndAnswer(model, upstream, streamed, "think ", { thinking }, "Oslo");
}

async function length(model) {
  same((await ask(model, [user("long")])).stop_reason, "max_tokens");
}

async function image(model) {
  const picture = { type: "image", source: { type: "base64", media_type: "image/png", data: PICTURE } };
  same(said(await ask(model, [user([picture, { type: "text", text: "image" }])])), PICTURE_TOLD);
}

async function structured(model) {
  const output_config = { format: { type: "json_schema", schema: REPORT } };
  same(said(await ask(model, [user("json: Oslo")], { output_config })), '{"city":"Oslo","mood":"calm"}');
}

async function refused_request(model) {
  const error = await raised(() => ask(model, [user("error: 400")]));
  holds(error instanceof Anthropic.BadRequestError, error);
  holds(error.message.includes("scripted failure 400"), error.message);
}

async function rate_limit(_, upstream) {
  const error = await raised(() => ask(`limited-anthropic-${upstream}`, [user("error: 429")]));
  holds(error instanceof Anthropic.RateLimitError, error);
}

async function models() {
  const listed = [];
  for await (const model of client.models.list({ limit: 3 })) {
    listed.push(model.id);
  }
  holds(listed.includes("via-responses"), listed);
  same((await client.models.retrieve("via-chat")).type, "model");
}

async function unknown_model() {
  holds((await raised(() => ask("nothing", [user("a")]))) instanceof Anthropic.NotFoundError);
}

async function wrong_key() {
  const error = await raised(() => new Anthropic({ ...settings, apiKey: "sk-wrong" }).messages.create(
    body("via-chat", [user("a")])));
  holds(error instanceof Anthropic.AuthenticationError, error);
}

async function out_of_credit() {
  const poor = new Anthropic({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  same((await raised(() => poor.messages.create(body("via-chat", [user("a")])))).status, 402);
}

const overAllFormats = [
  message, stream, stream_helper, tool, tools_streamed, thought_before_tool_streamed, length, image, structured,
  refused_request, rate_limit,
];
await run("anthropic for node", overAllFormats, [models, unknown_model, wrong_key, out_of_credit]);
