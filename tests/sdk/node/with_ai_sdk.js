// The AI SDK with its default provider of models, which speaks format R and refers to items by their ids: a loop with tools
// over two questions, thinking, and answers in a form. Told by the environment: GATEWAYS, a JSON list of {format, url, key},
// each over a provider of one format. Every cell prints `ok NAME` or `not ok NAME` with its stack.

import { createOpenAI } from "@ai-sdk/openai";
import { generateObject, generateText, Output, stepCountIs, streamText, tool } from "ai";
import assert from "node:assert";
import { z } from "zod";

const QUESTIONS = [["How much are 6 boxes of tea?", 6, 42], ["And how much are 10?", 10, 70]];
const total = z.object({ item: z.string(), total: z.number().int() });
let calls = [];
const tools = {
  lookup_price: tool({
    description: "Looks up the price of one box of an item.",
    inputSchema: z.object({ item: z.string() }),
    execute: async ({ item }) => {
      calls.push(["lookup_price", item]);
      return `One box of ${item} costs 7.`;
    },
  }),
  multiply: tool({
    description: "Multiplies a price by a count.",
    inputSchema: z.object({ price: z.number().int(), count: z.number().int() }),
    execute: async ({ price, count }) => {
      calls.push(["multiply", price, count]);
      return `${count} boxes cost ${price * count}.`;
    },
  }),
};

function called(count) {
  assert.deepStrictEqual(calls, [["lookup_price", "tea"], ["multiply", 7, count]]);
  calls = [];
}

async function converse(model, options = {}, ask = generateText) {
  const messages = [];
  for (const [question, count, cost] of QUESTIONS) {
    messages.push({ role: "user", content: question });
    const settings = { model, tools, messages, stopWhen: stepCountIs(5), maxRetries: 0, providerOptions: { openai: options } };
    const result = await ask({ ...settings, onError: ({ error }) => { throw error; } });
    const text = await result.text;
    messages.push(...(await result.response).messages);
    called(count);
    assert.match(text, new RegExp(`\\b${cost}\\b`));
    assert.ok((await result.totalUsage).outputTokens > 0);
  }
}

const thinking = { reasoningEffort: "low", reasoningSummary: "auto" };
const cells = {
  "by the default": async (openai) => {
    await converse(openai("gpt-4o"));
    await converse(openai("gpt-4o"), {}, streamText);
  },
  "with thinking": async (openai) => {
    await converse(openai("gpt-5"), thinking);
    await converse(openai("gpt-5"), thinking, streamText);
  },
  "without a store": async (openai) => {
    const options = { ...thinking, store: false, include: ["reasoning.encrypted_content"] };
    await converse(openai("gpt-5"), options);
    await converse(openai("gpt-5"), options, streamText);
  },
  "by chat": async (openai) => {
    await converse(openai.chat("gpt-4o"));
    await converse(openai.chat("gpt-4o"), {}, streamText);
  },
  "in a form": async (openai) => {
    const prompt = "Tea, with a total of 42";
    const { object } = await generateObject({ model: openai("gpt-4o"), schema: total, prompt, maxRetries: 0 });
    assert.deepStrictEqual(object, { item: "tea", total: 42 });
    const output = Output.object({ schema: total });
    for (const [question, count, cost] of QUESTIONS) {
      const settings = { model: openai("gpt-5"), tools, prompt: question, output, experimental_output: output };
      const result = await generateText({ ...settings, stopWhen: stepCountIs(5), maxRetries: 0 });
      called(count);
      assert.deepStrictEqual(result.output ?? result.experimental_output, { item: "tea", total: cost });
    }
  },
};

let failed = false;
for (const { format, url, key } of JSON.parse(process.env.GATEWAYS)) {
  const openai = createOpenAI({ baseURL: `${url}/v1`, apiKey: key });
  for (const [name, cell] of Object.entries(cells)) {
    calls = [];
    try {
      await cell(openai);
      console.log(`ok ai sdk: ${name} over ${format}`);
    } catch (error) {
      failed = true;
      console.log(`not ok ai sdk: ${name} over ${format}\n${error.stack}\n${error.responseBody ?? error.cause?.stack ?? ""}`);
    }
  }
}
process.exit(failed ? 1 : 0);
