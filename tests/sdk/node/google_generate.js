// The official client of format G over providers of all formats.

import { ApiError, GoogleGenAI } from "@google/genai";
import { KEY, PICTURE, PICTURE_TOLD, POOR_KEY, REPORT, SPOKEN, URL, WEATHER } from "./suite.js";
import { arguments_, holds, raised, run, same } from "./suite.js";

const connect = (apiKey) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: URL } });
const client = connect(KEY);
const tools = [
  { functionDeclarations: [{ name: "weather", description: "Tells it", parametersJsonSchema: WEATHER }] },
];
const user = (text) => ({ role: "user", parts: [{ text }] });
const body = (model, contents, config) => ({ model, contents, config: { maxOutputTokens: 4000, ...config } });
const ask = (model, contents, config) => client.models.generateContent(body(model, contents, config));
const parts = (reply) => reply.candidates[0].content.parts;
const reason = (reply) => reply.candidates[0].finishReason;
const said = (reply) => parts(reply).filter((part) => part.text && !part.thought).map((part) => part.text).join("");

// A stream put together as an application does: parts in their order.
async function streamed(model, contents, config) {
  const all = [];
  let last;
  for await (const chunk of await client.models.generateContentStream(body(model, contents, config))) {
    all.push(...(chunk.candidates?.[0].content?.parts ?? []));
    last = chunk;
  }
  last.candidates[0].content = { role: "model", parts: all };
  return last;
}

function checkUsage({ usageMetadata: usage }) {
  same([usage.promptTokenCount, usage.cachedContentTokenCount, usage.candidatesTokenCount], [20, 5, 7]);
}

async function content(model) {
  const reply = await ask(model, SPOKEN);
  same([said(reply), reason(reply)], [`You said: ${SPOKEN}`, "STOP"]);
  checkUsage(reply);
}

async function stream(model) {
  const reply = await streamed(model, SPOKEN);
  same([said(reply), reason(reply)], [`You said: ${SPOKEN}`, "STOP"]);
  checkUsage(reply);
}

async function callAndAnswer(model, upstream, how, ...cities) {
  const first = user(`${cities.length > 1 ? "tools" : "tool"}: ${cities.join(", ")}`);
  const reply = await how(model, [first], { tools });
  const calls = parts(reply).filter((part) => part.functionCall).map((part) => part.functionCall);
  same(calls.map((call) => call.args), cities.map(arguments_));
  const results = calls.map(({ id, name }, index) => (
    { functionResponse: { id, name, response: { result: `sunny in ${cities[index]}` } } }
  ));
  const turns = [first, reply.candidates[0].content, { role: "user", parts: results }];
  const told = said(await ask(model, turns, { tools }));
  for (const city of cities) {
    holds(told.includes(`${city}=`) && told.includes(`sunny in ${city}`), told);
  }
  same(told.includes("remembered: 1"), upstream === "generate", told);
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
  same(reason(await ask(model, "long")), "MAX_TOKENS");
}

async function image(model) {
  const picture = { inlineData: { mimeType: "image/png", data: PICTURE } };
  same(said(await ask(model, [{ role: "user", parts: [picture, { text: "image" }] }])), PICTURE_TOLD);
}

async function structured(model) {
  const reply = await ask(model, "json: Oslo", { responseMimeType: "application/json", responseJsonSchema: REPORT });
  same(JSON.parse(said(reply)), { city: "Oslo", mood: "calm" });
}

async function thoughts(model) {
  const thinkingConfig = { includeThoughts: true, thinkingBudget: 1024 };
  const reply = await streamed(model, "think: it over", { thinkingConfig });
  const thought = parts(reply).filter((part) => part.thought).map((part) => part.text).join("");
  same([thought, said(reply)], ["Let me think: it over", "thought about it over"]);
}

async function refused_request(model) {
  const error = await raised(() => ask(model, "error: 400"));
  holds(error instanceof ApiError, error);
  same(error.status, 400);
}

async function rate_limit(_, upstream) {
  same((await raised(() => ask(`limited-google-${upstream}`, "error: 429"))).status, 429);
}

async function unknown_model() {
  same((await raised(() => ask("nothing", "a"))).status, 404);
}

async function wrong_key() {
  same((await raised(() => connect("sk-wrong").models.generateContent(body("via-chat", "a")))).status, 401);
}

async function out_of_credit() {
  same((await raised(() => connect(POOR_KEY).models.generateContent(body("via-chat", "a")))).status, 402);
}

async function empty_contents() {
  const error = await raised(() => ask("via-chat", []));
  holds(error instanceof Error, error);
}

const overAllFormats = [
  content, stream, tool, tools_at_once, tools_streamed, length, image, structured, thoughts, refused_request,
  rate_limit,
];
await run("google-genai for node", overAllFormats, [unknown_model, wrong_key, out_of_credit, empty_contents]);
