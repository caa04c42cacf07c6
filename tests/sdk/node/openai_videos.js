// The official client of format O, videos, over a provider of each kind: `film-o` of format O, `film-a` of the second family.

import OpenAI, { toFile } from "openai";
import { setTimeout as sleep } from "node:timers/promises";
import { KEY, PICTURE, POOR_KEY, URL } from "./suite.js";
import { hold, holds, raised, same } from "./suite.js";

const settings = { baseURL: `${URL}/v1`, apiKey: KEY, maxRetries: 0 };
const client = new OpenAI(settings);
const videos = client.videos;
// Lengths that each model films, in seconds.
const SECONDS = { "film-o": "8", "film-a": "10" };
const FILM = "a film of twenty-eight bytes";
const PROMPT = "a straße in the 雨: \"wet\"; 🎈";

const film = (model, more) => videos.create({ model, prompt: PROMPT, seconds: SECONDS[model], ...more });

// The client has no word for waiting.
async function over(id) {
  for (;;) {
    const video = await videos.retrieve(id);
    if (video.status === "completed" || video.status === "failed") {
      return video;
    }
    await sleep(20);
  }
}

async function made(model, more) {
  const video = await over((await film(model, more)).id);
  same([video.status, video.progress, video.error], ["completed", 100, null]);
  return video;
}

async function all(pages) {
  const found = [];
  for await (const video of pages) {
    found.push(video.id);
  }
  return found;
}

async function ordered(model) {
  const video = await film(model, { size: "1280x720" });
  same([video.object, video.status, video.progress, video.model], ["video", "queued", 0, model]);
  same([video.seconds, video.size, video.prompt], [SECONDS[model], "1280x720", PROMPT]);
  same([video.error, video.completed_at], [null, null]);
}

async function begun_with_a_picture(model) {
  const bytes = Buffer.from(PICTURE, "base64");
  await made(model, { input_reference: await toFile(bytes, "a.png", { type: "image/png" }) });
  await made(model, { input_reference: await toFile(bytes, "upload") });
  await made(model, { input_reference: { image_url: `data:image/png;base64,${PICTURE}` } });
}

async function failed(model) {
  const video = await over((await film(model, { prompt: "unlucky" })).id);
  same([video.status, video.error.message, video.completed_at], ["failed", "it was not made", null]);
  same((await videos.delete(video.id)).deleted, true);
}

// Other cases order at the same time: those of this one stand in their order among them.
async function listed(model) {
  const own = [];
  for (let number = 0; number < 3; number += 1) {
    own.push((await film(model)).id);
  }
  const find = async (query) => (await all(videos.list(query))).filter((id) => own.includes(id));
  same(await find({ limit: 2 }), own.toReversed());
  same(await find({ limit: 2, order: "asc" }), own);
  same(await find({ limit: 100, order: "asc", after: own[0] }), own.slice(1));
}

async function downloaded(model) {
  const { id } = await made(model);
  for (const query of [{}, { variant: "video" }]) {
    const content = await videos.downloadContent(id, query);
    same([content.headers.get("content-type"), await content.text()], ["video/mp4", FILM]);
  }
  const part = await videos.downloadContent(id, {}, { headers: { range: "bytes=2-5" } });
  same([part.status, await part.text()], [206, FILM.slice(2, 6)]);
}

// A provider of the second family makes the video alone, and another file must not pass for a picture of it.
async function other_variants(model) {
  const { id } = await made(model);
  for (const variant of ["thumbnail", "spritesheet"]) {
    const act = () => videos.downloadContent(id, { variant });
    if (model === "film-o") {
      same(await (await act()).text(), `${variant} of ${FILM}`);
    } else {
      const error = await raised(act);
      holds(error instanceof OpenAI.BadRequestError && error.message.includes(variant), error);
    }
  }
  const error = await raised(() => videos.downloadContent(id, { variant: "sound" }));
  holds(error instanceof OpenAI.BadRequestError && error.code === "bad_parameter", error);
}

async function deleted(model) {
  const { id } = await made(model);
  const gone = await videos.delete(id);
  same([gone.id, gone.object, gone.deleted], [id, "video.deleted", true]);
  await unknown_video(id);
  holds(!(await all(videos.list({ limit: 100 }))).includes(id));
}

async function unfinished(model) {
  const { id } = await film(model, { prompt: "endless" });
  for (const act of [() => videos.downloadContent(id), () => videos.delete(id)]) {
    const error = await raised(act);
    holds(error instanceof OpenAI.ConflictError && error.code === "video_not_ready", error);
  }
}

async function bad_length(model) {
  for (const seconds of ["7", "x"]) {
    const error = await raised(() => film(model, { seconds }));
    holds(error instanceof OpenAI.BadRequestError, error);
    same([error.code, error.param], ["bad_field", "seconds"]);
  }
}

async function refused(model) {
  const error = await raised(() => film(model, { prompt: "forbidden" }));
  holds(error instanceof OpenAI.BadRequestError && error.message.includes("this is not filmed here"), error);
  same(error.code, "upstream_refused");
}

async function at_once(model) {
  const found = await Promise.all(["one", "two", "three"].map((prompt) => made(model, { prompt })));
  same(found.map((video) => video.prompt), ["one", "two", "three"]);
}

async function service_s_choice() {
  const video = await videos.create({ prompt: PROMPT });
  same([video.model, video.seconds, video.size], ["film-o", "4", null]);
}

async function unknown_video(id = "video_x") {
  for (const act of [() => videos.retrieve(id), () => videos.downloadContent(id), () => videos.delete(id)]) {
    const error = await raised(act);
    holds(error instanceof OpenAI.NotFoundError && error.code === "video_not_found", error);
  }
}

async function unknown_model() {
  const error = await raised(() => videos.create({ model: "nothing", prompt: PROMPT }));
  holds(error instanceof OpenAI.NotFoundError && error.code === "model_not_found", error);
}

async function wrong_key() {
  const wrong = new OpenAI({ ...settings, apiKey: "sk-wrong" });
  const error = await raised(() => wrong.videos.create({ model: "film-o", prompt: PROMPT }));
  holds(error instanceof OpenAI.AuthenticationError, error);
}

async function out_of_credit() {
  const poor = new OpenAI({ ...settings, apiKey: POOR_KEY, maxRetries: 2 });
  const error = await raised(() => poor.videos.create({ model: "film-o", prompt: PROMPT }));
  same([error.status, error.code], [402, "insufficient_credit"]);
}

const overBoth = [
  ordered, begun_with_a_picture, failed, listed, downloaded, other_variants, deleted, unfinished, bad_length, refused,
  at_once,
];
for (const check of overBoth) {
  for (const model of Object.keys(SECONDS)) {
    await hold(`openai for node: ${check.name}, ${model}`, () => check(model));
  }
}
for (const check of [service_s_choice, unknown_video, unknown_model, wrong_key, out_of_credit]) {
  await hold(`openai for node: ${check.name}`, () => check());
}
