// Calls what it is told to call, line by line, and tells what came of it. What stands here is the same for all calls.

import { createInterface } from "node:readline";

const client = await import(process.env.CLIENT);

async function answered(ask, events) {
  const service = new client.Tollgate({ baseUrl: ask.url, ...(ask.key === null ? {} : { apiKey: ask.key }) });
  const options = { headers: ask.headers, maxRetries: 0, timeoutMs: 30_000 };
  if (ask.once !== null) options.idempotencyKey = ask.once;
  const reply = await service[ask.group][ask.verb](...ask.arguments, options);
  if (reply instanceof client.EventStream) {
    for await (const event of reply) events.push(event);
    return { events };
  }
  if (reply instanceof ArrayBuffer) return { bytes: Buffer.from(reply).toString("hex") };
  return reply === undefined ? { nothing: true } : { reply };
}

function refused(ask, error, events) {
  if (!(error instanceof client.ApiError)) return { lost: String(error?.stack ?? error), events };
  const { code, kind, status, requestId } = error;
  const typed = client[`${ask.group}Calls`][`is${ask.error}`](error);
  return { events, error: { typed, code, kind, status, request_id: requestId } };
}

for await (const line of createInterface({ input: process.stdin })) {
  const ask = JSON.parse(line);
  const events = [];
  const told = await answered(ask, events).catch((error) => refused(ask, error, events));
  process.stdout.write(`${JSON.stringify(told)}\n`);
}
