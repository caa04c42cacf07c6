// The official clients of formats A and G beside turns: tokens that are counted, embeddings.

import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import { KEY, URL, holds, raised, run, same } from "./suite.js";

const anthropic = new Anthropic({ baseURL: URL, apiKey: KEY, maxRetries: 0 });
const google = new GoogleGenAI({ apiKey: KEY, httpOptions: { baseUrl: URL } });
const TEXT = "a text of some length";
// Providers that count say 20; where none does, the size of the text is told.
const counts = (upstream, tokens) => holds(["messages", "generate"].includes(upstream) ? tokens === 20 : tokens > 0, tokens);

async function anthropic_count(model, upstream) {
  const messages = [{ role: "user", content: TEXT }];
  const reply = await anthropic.messages.countTokens({ model, messages, system: "be kind" });
  counts(upstream, reply.input_tokens);
}

async function google_count(model, upstream) {
  counts(upstream, (await google.models.countTokens({ model, contents: TEXT })).totalTokens);
}

async function google_embeddings(model, upstream) {
  const act = () => google.models.embedContent({ model, contents: ["straße", "b"] });
  if (upstream === "messages") {
    same((await raised(act)).status, 400);
  } else {
    const reply = await act();
    same(reply.embeddings.map((item) => item.values), [[7, -0.5, 1.25], [1, -0.5, 1.25]]);
  }
}

await run("anthropic and google-genai for node", [anthropic_count, google_count, google_embeddings], []);
