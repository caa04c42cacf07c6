// Pages of another origin: a chat page that brings its user's key, with an official SDK and without one.

import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { URL as GATEWAY, run, same } from "./suite.js";

const KEY = process.env.GATEWAY_KEY;
// What is refused to a page, or not found, is told in its console too.
const REFUSALS = { allows: /blocked by CORS policy|Failed to load resource/ };

// The page, and the SDK as its package has it: modules that import each other by relative paths.
const page_server = createServer(async (request, response) => {
  const path = new URL(request.url, "http://page").pathname;
  if (!path.startsWith("/node_modules/")) {
    response.setHeader("content-type", "text/html");
    response.end("<!doctype html><title>Chat</title><link rel=icon href='data:,'>");
    return;
  }
  try {
    const file = await readFile(fileURLToPath(new URL(`.${path}`, import.meta.url)));
    response.setHeader("content-type", "text/javascript");
    response.end(file);
  } catch {
    response.statusCode = 404;
    response.end();
  }
});
await new Promise((resolve) => page_server.listen(0, "127.0.0.1", resolve));
const PAGE = `http://127.0.0.1:${page_server.address().port}/`;

// Runs in the page: the outcome of a request, as the page can read it.
async function asked([url, method, headers, body]) {
  try {
    const reply = await fetch(url, { method, headers, body });
    const text = await reply.text();
    return { status: reply.status, id: reply.headers.has("x-request-id"), text };
  } catch (error) {
    return { refused: String(error) };
  }
}

async function chatsWithTheSdk(page) {
  await page.goto(PAGE);
  const told = await page.evaluate(async ([base, key]) => {
    const { default: OpenAI } = await import("/node_modules/openai/index.mjs");
    const client = new OpenAI({ baseURL: `${base}/v1`, apiKey: key, dangerouslyAllowBrowser: true });
    const body = { model: "small", max_tokens: 100, messages: [{ role: "user", content: "Hello" }] };
    const whole = await client.chat.completions.create(body).withResponse();
    let pieces = "";
    for await (const chunk of await client.chat.completions.create({ ...body, stream: true })) {
      pieces += chunk.choices[0]?.delta?.content ?? "";
    }
    const models = await client.models.list();
    const missing = await client.chat.completions.create({ ...body, model: "nothing" }).catch((error) => error);
    const id = whole.request_id?.startsWith("req_");
    return { id, same: whole.data.choices[0].message.content === pieces, length: pieces.length > 0,
      models: models.data.some((model) => model.id === "small"), missing: [missing.status, missing.code] };
  }, [GATEWAY, KEY]);
  same(told, { id: true, same: true, length: true, models: true, missing: [404, "model_not_found"] });
}

async function otherFormatsToo(page) {
  await page.goto(PAGE);
  const json = { "content-type": "application/json" };
  const user = { role: "user", content: "Hello" };
  const a = JSON.stringify({ model: "small", max_tokens: 100, messages: [user] });
  const g = JSON.stringify({ contents: [{ role: "user", parts: [{ text: "Hello" }] }], generationConfig: { maxOutputTokens: 100 } });
  const r = JSON.stringify({ model: "small", max_output_tokens: 100, input: "Hello", store: false });
  const browser = { "x-api-key": KEY, "anthropic-version": "2023-06-01", "anthropic-dangerous-direct-browser-access": "true" };
  for (const [path, headers, body] of [
    ["/v1/messages", browser, a],
    ["/v1beta/models/small:generateContent", { "x-goog-api-key": KEY, "x-goog-api-client": "page" }, g],
    [`/v1beta/models/small:generateContent?key=${KEY}`, {}, g],
    ["/v1/responses", { authorization: `Bearer ${KEY}`, "x-stainless-os": "Unknown" }, r],
  ]) {
    const { status, id, text } = await page.evaluate(asked, [GATEWAY + path, "POST", { ...json, ...headers }, body]);
    same([path, status, id], [path, 200, true], text);
  }
  // Streams are read piece by piece.
  const streamed = (body) => JSON.stringify({ ...JSON.parse(body), stream: true });
  for (const [path, headers, body, end] of [
    ["/v1/messages", browser, streamed(a), "message_stop"],
    ["/v1beta/models/small:streamGenerateContent?alt=sse", { "x-goog-api-key": KEY }, g, "finishReason"],
    ["/v1/responses", { authorization: `Bearer ${KEY}` }, streamed(r), "response.completed"],
  ]) {
    const { status, text } = await page.evaluate(asked, [GATEWAY + path, "POST", { ...json, ...headers }, body]);
    same([path, status, text.includes(end)], [path, 200, true], text);
  }
}

async function readsWhatIsRefused(page) {
  await page.goto(PAGE);
  const bearer = { authorization: "Bearer sk-nothing", "content-type": "application/json" };
  for (const [method, path, want] of [
    ["POST", "/v1/chat/completions", 401],
    ["POST", "/v1/nothing", 404],
    ["DELETE", "/v1/chat/completions", 405],
    ["GET", "/api/x402/pay/nothing", 400],
    ["POST", "/api/x402/pay/nothing", 200],
  ]) {
    const body = method === "POST" ? "{}" : undefined;
    const { status, id } = await page.evaluate(asked, [GATEWAY + path, method, bearer, body]);
    same([path, status, id], [path, want, true]);
  }
}

async function isClosedElsewhere(page) {
  await page.goto(PAGE);
  const bearer = { authorization: `Bearer ${KEY}` };
  for (const path of ["/api/user/self/balance", "/api/user/topup/info", "/metrics", "/topup/crypto"]) {
    const { refused } = await page.evaluate(asked, [GATEWAY + path, "GET", bearer]);
    same([path, refused], [path, "TypeError: Failed to fetch"]);
  }
}

await run([
  ["a page chats with the official SDK", chatsWithTheSdk, REFUSALS],
  ["a page speaks the other formats", otherFormatsToo],
  ["a page reads what it is refused", readsWhatIsRefused, REFUSALS],
  ["account, metrics and console are closed to it", isClosedElsewhere, REFUSALS],
]);
page_server.close();
page_server.closeAllConnections();
