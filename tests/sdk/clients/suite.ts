// The generated client in use: what a program may write down and have checked, and what then happens.

import { ApiError, ConnectionError, EventStream, Tollgate, WholeReplyError, chatCalls, x402Calls, type imagesCalls, type ResponseHead, type types } from "../client/dist/index.js";

declare const process: { env: Record<string, string | undefined>; exitCode: number };

interface Socket {
  on(event: "data" | "error" | "close", act: (chunk: unknown) => void): void;
  write(text: string): void;
  end(text: string): void;
  destroy(): void;
}

interface Sockets {
  createServer(act: (socket: Socket) => void): {
    listen(port: number, host: string, act: () => void): void;
    address(): { port: number };
    close(): void;
  };
}

const client = new Tollgate({ baseUrl: process.env["GATEWAY_URL"] ?? "", apiKey: process.env["GATEWAY_KEY"] ?? "" });
// Whether it asks for a stream is seen where its type is its own.
const body = {
  model: "sandbox",
  messages: [{ role: "user", content: "Say hello." }],
} satisfies types.ChatRequest;

function same<T>(found: T, expected: T): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`found ${JSON.stringify(found)}, expected ${JSON.stringify(expected)}`);
  }
}

async function thrown(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("nothing was thrown");
}

/** An answer as it goes over the wire; what is not its end leaves the connection open. */
interface Said {
  readonly text: string;
  readonly end: boolean;
}

function said200(body: string, ...headers: string[]): Said {
  const head = ["HTTP/1.1 200 OK", "content-type: application/json", "connection: close", ...headers];
  return { text: `${head.join("\r\n")}\r\n\r\n${body}`, end: true };
}

const BUSY: Said = {
  text: "HTTP/1.1 503 Busy\r\nx-should-retry: true\r\nretry-after: 0\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
  end: true,
};

/** A service that gives these answers in turn, and tells what it was asked. */
async function scripted(
  answers: Said[],
  act: (client: Tollgate, asked: string[], url: string) => Promise<void>,
): Promise<void> {
  // No types of Node are here; what is used of it stands above.
  const net = (await import(["node", "net"].join(":"))) as Sockets;
  const asked: string[] = [];
  const open: Socket[] = [];
  const server = net.createServer((socket) => {
    open.push(socket);
    let request = "";
    let answered = false;
    socket.on("error", () => undefined);
    socket.on("data", (chunk) => {
      request += String(chunk);
      const head = request.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(request)?.[1] ?? 0);
      if (answered || head < 0 || request.length < head + 4 + length) return;
      answered = true;
      asked.push(request);
      const { text, end } = answers.shift() ?? { text: "", end: true };
      if (end) socket.end(text);
      else socket.write(text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const url = `http://127.0.0.1:${server.address().port}`;
    await act(new Tollgate({ baseUrl: url, apiKey: "sk-own" }), asked, url);
  } finally {
    open.forEach((socket) => socket.destroy());
    server.close();
  }
}

/** Compiled, not called: kinds are told apart by their tag, and what is unknown stays. */
export function said(block: types.ContentBlock): string {
  switch (block.type) {
    case "text":
      return block.text;
    case "thinking":
      return block.thinking;
    case "tool_use":
      return block.name;
    default: {
      const word: string = block.type;
      return word;
    }
  }
}

const cases: Record<string, () => Promise<void>> = {
  async "a whole turn"() {
    const reply: types.ChatCompletion = await client.chat.create(body);
    same(reply.object, "chat.completion");
    same(typeof reply.choices[0]?.message.content, "string");
  },

  async "a streamed turn is the whole one in pieces"() {
    const whole = await client.chat.create({ ...body, stream: false });
    const stream: EventStream<types.ChatCompletionChunk> = await client.chat.create({ ...body, stream: true });
    same(typeof stream.requestId, "string");
    let text = "";
    for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? "";
    same(text, whole.choices[0]?.message.content);
  },

  async "a stream may be left"() {
    const stream = await client.chat.create({ ...body, stream: true });
    for await (const chunk of stream) {
      same(chunk.object, "chat.completion.chunk");
      break;
    }
    const other = await client.chat.create({ ...body, stream: true });
    await other.close();
  },

  async "events with names"() {
    const request: types.MessagesRequest = { model: "sandbox", max_tokens: 50, messages: [{ role: "user", content: "Hi." }] };
    const stream = await client.messages.create({ ...request, stream: true }, { a_version: "2023-06-01" });
    const kinds: string[] = [];
    for await (const event of stream) kinds.push(event.type);
    same([kinds[0], kinds.at(-1)], ["message_start", "message_stop"]);
  },

  async "a parameter that asks for a stream"() {
    const request = { contents: [{ role: "user", parts: [{ text: "Hi." }] }] };
    const stream = await client.content.stream("sandbox", request, { alt: "sse" });
    let events = 0;
    for await (const event of stream) events += event.candidates === undefined ? 0 : 1;
    same(events > 0, true);
    same(Array.isArray(await client.content.stream("sandbox", request)), true);
  },

  async "a refusal by its type"() {
    for (const stream of [false, true]) {
      const error = await thrown(() => client.chat.create({ ...body, model: "nothing", stream }));
      if (!chatCalls.isChatCreateError(error)) throw error;
      if (error.code !== "model_not_found") throw error;
      // The code decides what the details are.
      same(error.details.model, "nothing");
      same(error.status, 404);
      same(typeof error.requestId, "string");
    }
  },

  async "a refusal that comes as a success"() {
    const accepted = { scheme: "exact", network: "eip155:8453", amount: "1", payTo: "0x0", asset: "0x0" };
    const error = await thrown(() => client.x402.pay(987654321, { x402Version: 2, accepted, payload: {} }));
    if (!x402Calls.isX402PayError(error)) throw error;
    same([error instanceof ApiError, error.status], [true, 200]);
  },

  async "the form of a reply is chosen"() {
    const o: types.ModelListO = await client.models.list();
    const a: types.ModelListA = await client.models.listA({ a_version: "2023-06-01" });
    const g: types.ModelListG = await client.models.listG();
    same([o.data.length > 0, a.data.length > 0, g.models.length > 0], [true, true, true]);
  },

  async "a walk through pages"() {
    const asked = new Set<string>();
    for (let turn = 0; turn < 3; turn += 1) {
      await client.chat.create(body);
    }
    const all = await client.receipts.list({ limit: 100 });
    for await (const receipt of client.receipts.listAll({ limit: 2 })) asked.add(receipt.request_id);
    same(asked.size >= 3 && all.data.receipts.every((receipt) => asked.has(receipt.request_id)), true);
  },

  async "once for each key"() {
    const options = { idempotencyKey: `key-${Date.now()}` };
    const first = await client.chat.create(body, options);
    const second = await client.chat.create(body, options);
    same(first.id, second.id);
  },

  async "a key is not shown"() {
    const { inspect } = (await import(["node", "util"].join(":"))) as { inspect(value: unknown, how: object): string };
    const hidden = new Tollgate({ baseUrl: "http://127.0.0.1:1", apiKey: "sk-own", headers: { cookie: "sk-own" } });
    for (const value of [hidden, hidden.chat]) {
      same(inspect(value, { depth: 9, showHidden: true }).includes("sk-own"), false);
      same(JSON.stringify(value).includes("sk-own"), false);
    }
  },

  async "headers can be read"() {
    const found: unknown[] = [];
    const onResponse = (head: ResponseHead): void => {
      found.push(head.operation, head.status, head.headers.get("content-type"), typeof head.requestId);
    };
    await client.chat.create(body, { onResponse });
    same(found, ["chat.create", 200, "application/json", "string"]);
    const error = await thrown(() => client.chat.create({ ...body, model: "nothing" }));
    same(error instanceof ApiError && error.headers.get("x-request-id") === error.requestId, true);
  },

  async "no part is waited for without end"() {
    const chunk = JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: "m", choices: [] });
    const head = "HTTP/1.1 200 OK\r\nx-request-id: req-1\r\ncontent-length: 9999\r\ncontent-type: ";
    const open: Said[] = [
      { text: "HTTP/1.1 400 Bad\r\ncontent-length: 9\r\n\r\n{", end: false },
      { text: `${head}application/json\r\n\r\n{`, end: false },
      { text: `${head}text/event-stream\r\n\r\ndata: ${chunk}\n\n`, end: false },
    ];
    await scripted(open, async (client, asked) => {
      const options = { timeoutMs: 200 };
      for (let turn = 0; turn < 2; turn += 1) {
        const error = await thrown(() => client.chat.create(body, options));
        same([error instanceof ConnectionError, /200 ms/.test(String(error))], [true, true]);
      }
      const stream = await client.chat.create({ ...body, stream: true }, { timeoutMs: 2_000 });
      let events = 0;
      const error = await thrown(async () => {
        for await (const event of stream) events += event.choices.length + 1;
      });
      if (!(error instanceof ConnectionError)) throw error;
      same([events, error.operation, error.requestId, asked.length], [1, "chat.create", "req-1", 3]);
    });
  },

  async "a value stays in its place of the path"() {
    const model = JSON.stringify({ id: "a/b", object: "model" });
    await scripted([said200(model)], async (_, asked, url) => {
      const client = new Tollgate({ baseUrl: `${url}//` });
      for (const id of ["", ".", "..", "a/../b", "a/."]) {
        same((await thrown(() => client.models.get(id))) instanceof TypeError, true);
      }
      same((await thrown(() => client.receipts.get(".."))) instanceof TypeError, true);
      await client.models.get("a/b..c?d");
      same(asked.map((request) => request.split(" ")[1]), ["/v1/models/a/b..c%3Fd"]);
    });
  },

  async "a whole answer in the place of a stream"() {
    await scripted([said200(`{"id": "whole"}`, "x-request-id: req-1")], async (client, asked) => {
      const once = { idempotencyKey: "key-1" };
      const error = await thrown(() => client.chat.create({ ...body, stream: true }, once));
      if (!(error instanceof WholeReplyError)) throw error;
      same([error.operation, error.requestId, asked.length], ["chat.create", "req-1", 1]);
      same(error.reply, { id: "whole" });
    });
  },

  async "a stream with named events that breaks off"() {
    const head = "HTTP/1.1 200 OK\r\nconnection: close\r\nx-request-id: req-1\r\ncontent-type: text/event-stream\r\n\r\n";
    const event = (type: string): string => `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: 0 })}\n\n`;
    const said = (...types: string[]): Said => ({ text: head + types.map(event).join(""), end: true });
    const unnamed = said("response.created", "response.failed").text.replace(/event: .*\n/g, "");
    const streams = [
      said("response.created", "response.incomplete", "never read"),
      { text: unnamed, end: true },
      said("response.created", "response.output_text.delta"),
      said("message_start", "content_block_delta"),
    ];
    await scripted(streams, async (client) => {
      const kinds: string[] = [];
      const request = { model: "sandbox", input: "Hi.", stream: true } as const;
      for (let turn = 0; turn < 2; turn += 1) {
        for await (const event of await client.responses.create(request)) kinds.push(event.type);
      }
      same(kinds, ["response.created", "response.incomplete", "response.created", "response.failed"]);
      const message = { model: "sandbox", max_tokens: 5, messages: [{ role: "user", content: "Hi." }], stream: true } as const;
      const streams = [
        await client.responses.create(request),
        await client.messages.create({ ...message, messages: [...message.messages] }, { a_version: "2023-06-01" }),
      ];
      for (const stream of streams) {
        let events = 0;
        const error = await thrown(async () => {
          for await (const _ of stream as AsyncIterable<unknown>) events += 1;
        });
        if (!(error instanceof ConnectionError)) throw error;
        same([events, error.requestId, /broke off/.test(error.message)], [2, "req-1", true]);
      }
    });
  },

  async "a form with files"() {
    const picture = new Blob([new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 0, 255])], { type: "image/png" });
    const named = { data: picture, name: "a \"hat\".png", type: "image/png" };
    const form: imagesCalls.ImagesEditForm = { model: "sandbox", prompt: "a hat \u{1f3a9}", image: [picture, named], n: 2 };
    const reply: types.ImageResult = await client.images.editForm({ ...form, mask: picture, user: "me" });
    same(reply.data.length, 2);
    const own = new FormData();
    for (const [name, value] of Object.entries({ model: "sandbox", prompt: "a hat" })) own.set(name, value);
    own.set("image", picture, "hat.png");
    same((await client.images.editForm(own)).data.length, 1);
    const video = await client.videos.createForm({ model: "sandbox", prompt: "a cat", seconds: 4, input_reference: named });
    same([video.object, video.seconds], ["video", "4"]);
    const image = JSON.stringify({ created: 1, data: [] });
    await scripted([BUSY, said200(image)], async (client, asked) => {
      const text = { data: "what is in it", name: "a \"hat\".txt", type: "text/plain" };
      await client.images.editForm({ model: "m", prompt: "p", image: text, n: 2 }, { idempotencyKey: "key-1" });
      same(asked.length, 2);
      const [head = "", body = ""] = asked[1]?.split(/\r\n\r\n(.*)/s) ?? [];
      const boundary = /content-type: multipart\/form-data; boundary=(.*)/i.exec(head)?.[1]?.trim() ?? "";
      const parts = body.split(`--${boundary}`).slice(1, -1).map((part) => part.toLowerCase());
      same(parts.map((part) => /; name="(\w+)"/.exec(part)?.[1]), ["model", "prompt", "image", "n"]);
      same(/filename="a %22hat%22.txt"\r\ncontent-type: text\/plain\r\n\r\nwhat is in it\r\n/.test(parts[2] ?? ""), true);
    });
  },

  async "a redirect is not followed"() {
    const moved = (status: number): Said => {
      const head = [`HTTP/1.1 ${status} Moved`, "location: /elsewhere", "content-type: text/html", "content-length: 4"];
      return { text: `${head.join("\r\n")}\r\nconnection: close\r\n\r\n<p/>`, end: true };
    };
    // One more than is asked for, so that it would be seen if it were.
    const answers = [302, 308, 301, 307, 303].map(moved);
    await scripted(answers, async (client, asked) => {
      const acts: (() => Promise<unknown>)[] = [
        () => client.keys.create({ label: "laptop" }),
        () => client.chat.create({ ...body, stream: true }),
        () => client.videos.download("video_1"),
        () => client.models.list(),
      ];
      for (const [index, status] of [302, 308, 301, 307].entries()) {
        const error = await thrown(acts[index] ?? (() => Promise.resolve()));
        if (!(error instanceof ApiError)) throw error;
        same([error.status, error.code, error.message], [status, "", "redirected to /elsewhere, which is not followed"]);
      }
      same(asked.map((request) => request.split(" ")[0]), ["POST", "POST", "GET", "GET"]);
    });
  },

  async "what tells no code is no error of the call"() {
    const moved = "HTTP/1.1 302 Found\r\nlocation: /elsewhere\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
    const proxy = "HTTP/1.1 502 Bad Gateway\r\ncontent-type: text/html\r\ncontent-length: 4\r\nconnection: close\r\n\r\n<p/>";
    const answers = [moved, proxy].map((text) => ({ text, end: true }));
    await scripted(answers, async (client) => {
      for (const status of [302, 502]) {
        // Its set of codes is not closed.
        const error = await thrown(() => client.x402.create({ amount_usd: 5 }));
        if (!(error instanceof ApiError)) throw error;
        same([error.status, error.code, x402Calls.isX402CreateError(error)], [status, "", false]);
      }
    });
  },

  async "events in any pieces"() {
    const chunk = (id: string): string => JSON.stringify({ id, object: "chat.completion.chunk", choices: [] });
    const half = chunk("3").indexOf("object");
    const text = [
      `: nothing\r\n\r\ndata: ${chunk("1 \u{1f3a9}")}\r\n\r\n`,
      `data:${chunk("2")}\r\r`,
      `event: x\ndata: ${chunk("3").slice(0, half - 1)}\ndata: ${chunk("3").slice(half - 1)}\n\n`,
      "data: [DONE]\n\n",
    ];
    const all = new TextEncoder().encode(text.join(""));
    for (const size of [1, 2, 3, 7, all.length]) {
      const stream = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let from = 0; from < all.length; from += size) controller.enqueue(all.slice(from, from + size));
          controller.close();
        },
      });
      const said = (): Promise<Response> =>
        Promise.resolve(new Response(stream, { headers: { "content-type": "text/event-stream" } }));
      const client = new Tollgate({ baseUrl: "http://nowhere", fetch: said });
      const found: string[] = [];
      for await (const event of await client.chat.create({ ...body, stream: true })) found.push(event.id);
      same(found, ["1 \u{1f3a9}", "2", "3"]);
    }
  },

  async "a signal is given back"() {
    const { signal } = new AbortController();
    const held = new Set<unknown>();
    const { addEventListener, removeEventListener } = signal;
    signal.addEventListener = (type: string, act: never, how?: never): void => {
      held.add(act);
      addEventListener.call(signal, type, act, how);
    };
    signal.removeEventListener = (type: string, act: never, how?: never): void => {
      held.delete(act);
      removeEventListener.call(signal, type, act, how);
    };
    const stream = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-type: text/event-stream\r\n\r\n";
    await scripted([BUSY, said200("{}"), { text: stream, end: false }], async (client, asked) => {
      // Busy once, so that it waits in between.
      await client.chat.create(body, { signal, idempotencyKey: "key-1" });
      same([held.size, asked.length], [0, 2]);
      const events = await client.chat.create({ ...body, stream: true }, { signal });
      same(held.size, 1);
      // Nobody has begun to read them.
      await events.close();
      same(held.size, 0);
    });
  },

  async "what a key does not cover is not sent again"() {
    await scripted([BUSY, BUSY, said200("{}")], async (client, asked) => {
      const wrong = { idempotencyKey: "key-1" };
      // @ts-expect-error -- nor do the types let it be given.
      same((await thrown(() => client.keys.create({ label: "one" }, wrong))) instanceof TypeError, true);
      same(asked.length, 0);
      same((await thrown(() => client.keys.create({ label: "one" }))) instanceof ApiError, true);
      same(asked.length, 1);
      // Where the service looks at the key, it makes sending again safe.
      await client.responses.create({ model: "sandbox", input: "Hi." }, wrong);
      same(asked.slice(1).map((request) => /idempotency-key: (.*)\r/i.exec(request)?.[1]), ["key-1", "key-1"]);
    });
  },
};

for (const [name, act] of Object.entries(cases)) {
  try {
    await act();
    console.log(`ok ${name}`);
  } catch (error) {
    console.log(`not ok ${name}\n  ${error instanceof Error ? error.stack : String(error)}`);
    process.exitCode = 1;
  }
}
