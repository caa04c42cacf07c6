// Requests, answers and streams. Nothing here knows an operation; what differs between them stands in `Operation`.

/**
 * Any word that was not known when this package was made; a string when the program runs. A type of its own, so that what
 * has a known word is told apart from what has not. Cast a string to it to send one.
 */
export declare enum Unlisted {
  Word = "",
}

/** What a client is made with. */
export interface ClientOptions {
  /** Where the service is. */
  baseUrl: string;
  /** The key. Without one, only public operations can be called, and those that `headers` or cookies open. */
  apiKey?: string;
  /** Headers of every request. */
  headers?: Readonly<Record<string, string>>;
  /** How often a request that may be sent again is sent again; 2 unless said otherwise. */
  maxRetries?: number;
  /** How long to wait for the head of an answer, and for each further part of it; ten minutes unless said otherwise. */
  timeoutMs?: number;
  /** What sends; the platform's `fetch` unless said otherwise. */
  fetch?: typeof fetch;
}

/** What may differ for one call. */
export interface CallOptions {
  /** Breaks the call off, and a stream that it gave. */
  signal?: AbortSignal;
  /** Further headers. */
  headers?: Readonly<Record<string, string>>;
  maxRetries?: number;
  timeoutMs?: number;
  /** Is told of each answer's head, before its body is read. */
  onResponse?: (head: ResponseHead) => void;
}

/** What comes before the body of an answer. */
export interface ResponseHead {
  /** The operation that was called. */
  readonly operation: string;
  readonly status: number;
  readonly headers: Headers;
  /** Id of the request, as on its receipt. */
  readonly requestId: string | undefined;
}

/** The same for a call that the service carries out once for each key. */
export interface OnceOptions extends CallOptions {
  /** Carries the request out once, however often it is sent; it is then sent again where that can help. */
  idempotencyKey?: string;
}

/** Members and indexes that lead to a value. */
type Path = readonly (string | number)[];

/** Where an error says what. */
export interface Envelope {
  readonly code: Path;
  readonly message: Path;
  readonly kind: Path;
  readonly details: Path;
  readonly param: Path;
  readonly requestId: Path;
  /** What no reply has: a member that is an object, or that has a certain value. */
  readonly marker: { readonly member: string; readonly is?: string | number | boolean } | undefined;
}

/** What is particular to a call. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly envelope: Envelope;
  /** Whether sending it twice does no more than once. */
  readonly idempotent: boolean;
  /** Whether it is carried out once for each idempotency key. */
  readonly once: boolean;
  /** Whether a failure may come with the status of success. */
  readonly failsWithSuccess: boolean;
  readonly credential?: { readonly header: string; readonly prefix: string };
  readonly reply: "json" | "text" | "bytes" | "nothing";
  /** Whether its events have names, and what ends it: events by their names, or else literal data. */
  readonly stream?: { readonly named: boolean; readonly endsWith: readonly string[] };
  /** All codes that it may answer with; `undefined` where further ones must be expected. */
  readonly codes: readonly string[] | undefined;
}

/** A page's list, what the next one is asked for by, and whether there is one. */
export interface Pages {
  readonly items: Path;
  readonly next: Path;
  readonly more?: Path;
}

/** A file in a form: a `Blob`, which as a `File` has a name, or what is in it with its name and type. */
export type Upload = Blob | { readonly data: BlobPart; readonly name: string; readonly type?: string };

type Value = string | number | boolean | readonly (string | number | boolean)[] | null | undefined;

/** What goes into a request. */
export interface Input {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, Value>>;
  readonly headers?: Readonly<Record<string, Value>>;
  readonly body?: unknown;
  /** Whether a stream of events was asked for. */
  readonly streams?: boolean;
}

/** The service refused, or failed. */
export class ApiError<Code extends string = string, Details = unknown> extends Error {
  override readonly name: string = "ApiError";
  constructor(
    /** The operation that was called. */
    readonly operation: string,
    readonly status: number,
    /** What is wrong, in one word of the operation's set; empty where whoever answered told none. */
    readonly code: Code,
    readonly kind: string,
    message: string,
    /** The values that the code carries. */
    readonly details: Details,
    /** The part of the request at fault. */
    readonly param: string | undefined,
    /** Name it when asking for help. */
    readonly requestId: string | undefined,
    /** Whether sending the same again can help. */
    readonly shouldRetry: boolean,
    /** After how many seconds it can. */
    readonly retryAfterSeconds: number | undefined,
    /** The body as it came. */
    readonly body: unknown,
    readonly headers: Headers,
  ) {
    super(message);
  }
}

/** There was no answer, or none to its end. */
export class ConnectionError extends Error {
  override readonly name: string = "ConnectionError";
  constructor(
    message: string,
    /** The operation that was called. */
    readonly operation: string,
    /** Where the head of an answer had come: name it when asking for help. */
    readonly requestId: string | undefined,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** It succeeded, and was answered whole, though a stream was asked for. It is not sent again. */
export class WholeReplyError extends Error {
  override readonly name: string = "WholeReplyError";
  constructor(
    /** The operation that was called. */
    readonly operation: string,
    /** Id of the request, as on its receipt. */
    readonly requestId: string | undefined,
    /** What was answered. */
    readonly reply: unknown,
  ) {
    super(`${operation} was asked for a stream, and answered whole`);
  }
}

/** Whether an error is one that this operation declares. */
export function isErrorOf(error: unknown, operation: Operation): boolean {
  if (!(error instanceof ApiError) || error.operation !== operation.id) return false;
  // Where further codes must be expected, an answer without one is still that of somebody else, as of a proxy.
  if (error.code === "") return false;
  return operation.codes === undefined || operation.codes.includes(error.code);
}

/** An answer as a stream of events; to be read once. */
export class EventStream<Event> implements AsyncIterable<Event> {
  constructor(
    /** Id of the request, as on its receipt. */
    readonly requestId: string | undefined,
    readonly headers: Headers,
    private readonly events: AsyncGenerator<Event, void, undefined>,
    private readonly stop: () => void,
  ) {}

  [Symbol.asyncIterator](): AsyncGenerator<Event, void, undefined> {
    return this.events;
  }

  /** Reads no further; the service stops working on it. */
  async close(): Promise<void> {
    this.stop();
    await this.events.return();
  }
}

export class Transport {
  // Not `private`: what is printed or made JSON of would show the key.
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  async call<Reply>(operation: Operation, input: Input, options: OnceOptions = {}): Promise<Reply> {
    // Elsewhere the service takes no notice of a key: what is sent again would be done again.
    const keyed = options.idempotencyKey !== undefined;
    if (keyed && !operation.once) throw new TypeError(`${operation.id} takes no idempotency key`);
    const tries = operation.idempotent || keyed ? (options.maxRetries ?? this.#options.maxRetries ?? 2) : 0;
    const url = this.#options.baseUrl.replace(/\/+$/, "") + address(operation, input);
    for (let tried = 0; ; tried += 1) {
      try {
        return (await this.once(operation, url, input, options)) as Reply;
      } catch (error) {
        const again = error instanceof ConnectionError || (error instanceof ApiError && error.shouldRetry);
        if (tried >= tries || !again || options.signal?.aborted) throw error;
        await pause(error instanceof ApiError ? error.retryAfterSeconds : undefined, tried, options.signal);
      }
    }
  }

  private async once(
    operation: Operation,
    url: string,
    input: Input,
    options: OnceOptions,
  ): Promise<unknown> {
    const abort = new AbortController();
    const stop = (): void => abort.abort(options.signal?.reason);
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop, { once: true });
    const timeout = options.timeoutMs ?? this.#options.timeoutMs ?? 600_000;
    let id: string | undefined;
    const wait: Wait = async (act) => {
      const timer = setTimeout(() => abort.abort(new Error(`nothing came within ${timeout} ms`)), timeout);
      try {
        return await act();
      } catch (cause) {
        throw new ConnectionError(cause instanceof Error ? cause.message : String(cause), operation.id, id, { cause });
      } finally {
        clearTimeout(timer);
      }
    };
    const release = (): void => options.signal?.removeEventListener("abort", stop);
    let keep = false;
    try {
      const response = await wait(() => this.send(operation, url, input, options, abort.signal));
      const { status, headers } = response;
      id = requestId(response);
      options.onResponse?.({ operation: operation.id, status, headers, requestId: id });
      if (!response.ok) throw await refusal(operation, response, wait);
      const type = response.headers.get("content-type") ?? "";
      if (operation.stream && type.startsWith("text/event-stream")) {
        keep = true;
        const events = read(operation, response, wait, release);
        // Events that nobody began to read do not end by themselves.
        const close = (): void => (release(), abort.abort());
        return new EventStream(requestId(response), response.headers, events, close);
      }
      const reply = await whole(operation, response, wait);
      if (input.streams) throw new WholeReplyError(operation.id, id, reply);
      return reply;
    } finally {
      if (!keep) release();
    }
  }

  private send(
    operation: Operation,
    url: string,
    input: Input,
    options: OnceOptions,
    signal: AbortSignal,
  ): Promise<Response> {
    const headers = new Headers(this.#options.headers);
    if (operation.credential && this.#options.apiKey !== undefined) {
      headers.set(operation.credential.header, operation.credential.prefix + this.#options.apiKey);
    }
    for (const [name, value] of Object.entries(input.headers ?? {})) {
      if (value !== undefined && value !== null) headers.set(name, String(value));
    }
    if (options.idempotencyKey !== undefined) headers.set("idempotency-key", options.idempotencyKey);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    // The service redirects nobody. Where something before it does, another request than this one would be sent there.
    const init: RequestInit = { method: operation.method, headers, signal, redirect: "manual" };
    if (input.body instanceof FormData) {
      init.body = input.body;
    } else if (input.body !== undefined) {
      headers.set("content-type", "application/json");
      init.body = JSON.stringify(input.body);
    }
    return (this.#options.fetch ?? fetch)(url, init);
  }
}

/** The items of all pages, one after the other. */
export async function* each<Item>(
  page: (by: string | undefined) => Promise<unknown>,
  pages: Pages,
): AsyncGenerator<Item, void, undefined> {
  let by: string | undefined;
  for (;;) {
    const reply = await page(by);
    const items = at(reply, pages.items);
    if (Array.isArray(items)) yield* items as Item[];
    const next = at(reply, pages.next);
    if (typeof next !== "string" || next === "" || next === by) return;
    if (pages.more !== undefined && at(reply, pages.more) !== true) return;
    by = next;
  }
}

/** A form of these parts; a list is a part for each of its items. */
export function form(parts: object): FormData {
  if (parts instanceof FormData) return parts;
  const made = new FormData();
  for (const [name, value] of Object.entries(parts) as [string, unknown][]) {
    for (const part of Array.isArray(value) ? (value as unknown[]) : [value]) {
      if (part === undefined || part === null) continue;
      if (part instanceof Blob) made.append(name, part);
      else if (isUpload(part)) made.append(name, new Blob([part.data], { type: part.type ?? "" }), part.name);
      else made.append(name, typeof part === "object" ? JSON.stringify(part) : String(part));
    }
  }
  return made;
}

function isUpload(part: unknown): part is Exclude<Upload, Blob> {
  return typeof part === "object" && part !== null && "data" in part && "name" in part && typeof part.name === "string";
}

function address(operation: Operation, input: Input): string {
  const path = operation.path.replace(/\{(\*?)(\w+)\}/g, (_, rest: string, name: string) => {
    const value = String(input.path?.[name] ?? "");
    const steps = rest === "" ? [value] : value.split("/");
    // It would lead to another path than this operation's.
    if (value === "" || steps.includes(".") || steps.includes("..")) {
      throw new TypeError(`${operation.id}: ${JSON.stringify(value)} cannot stand in a path`);
    }
    return steps.map(encodeURIComponent).join("/");
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  const asked = query.toString();
  return asked === "" ? path : `${path}?${asked}`;
}

/** Waits for a part of an answer, but not for ever. */
type Wait = <T>(act: () => Promise<T>) => Promise<T>;

/** The parts of a body as they come. */
async function* parts(response: Response, wait: Wait): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  if (response.body === null) return;
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await wait(() => reader.read());
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

async function bytes(response: Response, wait: Wait): Promise<ArrayBuffer> {
  const all: Uint8Array<ArrayBuffer>[] = [];
  for await (const part of parts(response, wait)) all.push(part);
  return new Blob(all).arrayBuffer();
}

async function text(response: Response, wait: Wait): Promise<string> {
  return new TextDecoder().decode(await bytes(response, wait));
}

async function whole(operation: Operation, response: Response, wait: Wait): Promise<unknown> {
  switch (operation.reply) {
    case "nothing":
      await bytes(response, wait);
      return undefined;
    case "text":
      return text(response, wait);
    case "bytes":
      return bytes(response, wait);
    case "json": {
      const body = parsed(await text(response, wait));
      if (body === undefined) throw broken(operation, response, `the answer to ${operation.id} is no JSON`);
      if (operation.failsWithSuccess && isMarked(operation.envelope, body)) {
        throw failure(operation, response, body, "");
      }
      return body;
    }
  }
}

async function refusal(operation: Operation, response: Response, wait: Wait): Promise<ApiError> {
  const told = await text(response, wait);
  return failure(operation, response, parsed(told), told);
}

function broken(operation: Operation, response: Response, message: string): ConnectionError {
  return new ConnectionError(message, operation.id, requestId(response));
}

function failure(operation: Operation, response: Response, body: unknown, text: string): ApiError {
  const { envelope } = operation;
  const word = (path: Path, name: string): string | undefined => {
    // Some streams tell of a failure in an event that is flat.
    const value = (path.length > 0 ? at(body, path) : undefined) ?? at(body, [name]);
    return typeof value === "string" ? value : undefined;
  };
  const after = Number.parseInt(response.headers.get("retry-after") ?? "", 10);
  return new ApiError(
    operation.id,
    response.status,
    word(envelope.code, "code") ?? "",
    word(envelope.kind, "type") ?? "",
    word(envelope.message, "message") ?? elsewhere(response) ?? (text || `HTTP ${response.status}`),
    (envelope.details.length > 0 ? at(body, envelope.details) : undefined) ?? undefined,
    envelope.param.length > 0 ? word(envelope.param, "param") : undefined,
    requestId(response) ?? (envelope.requestId.length > 0 ? word(envelope.requestId, "request_id") : undefined),
    response.headers.get("{{should_retry}}") === "true",
    Number.isNaN(after) ? undefined : after,
    body ?? text,
    response.headers,
  );
}

/** What an answer says that leads to another address. A browser does not tell to which. */
function elsewhere(response: Response): string | undefined {
  const place = response.headers.get("location");
  const leads = response.status >= 300 && response.status < 400 && place !== null;
  if (!leads && response.type !== "opaqueredirect") return undefined;
  return `redirected to ${place ?? "another address"}, which is not followed`;
}

async function* read<Event>(
  operation: Operation,
  response: Response,
  wait: Wait,
  release: () => void,
): AsyncGenerator<Event, void, undefined> {
  const { named, endsWith } = operation.stream ?? { named: false, endsWith: [] };
  try {
    for await (const { name, data } of lines(response, wait)) {
      if (!named && endsWith.includes(data)) return;
      const event = parsed(data);
      if (event === undefined) throw broken(operation, response, `an event of ${operation.id} is no JSON: ${data}`);
      if (name === "error" || isMarked(operation.envelope, event)) throw failure(operation, response, event, data);
      yield event as Event;
      // Some whose type is in the data leave the line for the name out.
      if (named && endsWith.includes(name || String(at(event, ["type"])))) return;
    }
    if (endsWith.length > 0) throw broken(operation, response, `the stream of ${operation.id} broke off before its end`);
  } finally {
    release();
  }
}

/** Server-sent events, each with its name and its data. */
async function* lines(
  response: Response,
  wait: Wait,
): AsyncGenerator<{ name: string; data: string }, void, undefined> {
  const decoder = new TextDecoder();
  // What came of a line that has not ended. A long one comes in many parts, of which each is looked at once.
  let begun: string[] = [];
  let held = "";
  let name = "";
  let data: string[] = [];
  for await (const part of parts(response, wait)) {
    const text = held + decoder.decode(part, { stream: true });
    // A carriage return at the end may be half of a line's end.
    held = text.endsWith("\r") ? "\r" : "";
    const [more = "", ...others] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    begun.push(more);
    for (const next of others) {
      const line = begun.join("");
      begun = [next];
      if (line === "") {
        if (data.length > 0) yield { name, data: data.join("\n") };
        name = "";
        data = [];
        continue;
      }
      const colon = line.indexOf(":");
      const field = colon < 0 ? line : line.slice(0, colon);
      const content = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "event") name = content;
      if (field === "data") data.push(content);
    }
  }
}

function isMarked(envelope: Envelope, body: unknown): boolean {
  if (envelope.marker === undefined) return false;
  const value = at(body, [envelope.marker.member]);
  if (envelope.marker.is !== undefined) return value === envelope.marker.is;
  return typeof value === "object" && value !== null;
}

function at(value: unknown, path: Path): unknown {
  for (const step of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function requestId(response: Response): string | undefined {
  return response.headers.get("{{request_id}}") ?? undefined;
}

async function pause(seconds: number | undefined, tried: number, signal: AbortSignal | undefined): Promise<void> {
  const own = Math.min(500 * 2 ** tried, 8_000) * (0.75 + Math.random() / 4);
  const wait = seconds === undefined ? own : Math.min(seconds, 60) * 1_000;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, wait);
    signal?.addEventListener("abort", done, { once: true });
  });
}
