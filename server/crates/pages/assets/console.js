// Sends the forms of the console to the operations of the API.
//
// What a form says: `data-api`, the operation that it calls; `data-confirm`, a question to be answered first; `data-once`, that it
// has an idempotency key; `data-fills`, the part of the page that shows what was answered, in the place of the form unless it has
// `data-stays`, or `data-done` and `data-then`, what is told and which page follows, or `data-leaves`, the member
// of the answer that is the address of a page elsewhere; `data-keeps`, for which form of the page that one comes back to this window
// keeps the answer's secret, with the fields that have a `data-next`; `data-changes`, that fields which are as they were are left
// out; `data-and`, a second operation that follows the first, with the fields whose `data-next` names its members. `{name}` stands
// for a field of the form, for its `data-name`, for its `data-next` or for a member of the answer.
//
// What a field says: its name is the path of a member, as in `settings.candidates.0.model`; `data-type`, how it is written where it
// is no text; `data-empty`, how it is written where it is empty, without which it is left out; `data-header`, that it is a header; `data-query`, that it is a parameter of the address; `data-row`, that the item of
// a list which it is in is left out where it is empty; `data-choice`, that it is for the script of the page alone.
"use strict";

const page = document.body.dataset;
// The tag of this script says where people sign in, and which operation tells that somebody is signed in.
const { signIn, session } = document.currentScript.dataset;
const SIGNED_OUT = ["SESSION_INVALID", "KEY_MISSING"];
// All windows of a browser share the session, and another one may let it act for another account: what a page sends names the
// account that it was made for, and is refused for any other. Pages of nobody's account name none.
const ownHeaders = page.account ? { "x-tollgate-csrf": "1", "x-tollgate-account": page.account } : { "x-tollgate-csrf": "1" };
const filled = (text, values, as = String) => text.replace(/\{(\w+)\}/g, (_, name) => as(values[name] ?? ""));
const fieldsOf = (form) => [...form.elements].filter((field) => field.name && field.dataset.choice === undefined);

// A field as JSON. Undefined where the member is left out.
function written(field) {
  const text = field.value;
  if (field.type === "checkbox") {
    return field.checked ? "true" : field.dataset.empty;
  }
  if (field.dataset.type === "kept") {
    return JSON.stringify(text);
  }
  if (text === "") {
    return field.dataset.empty;
  }
  switch (field.dataset.type) {
    case "time":
      return String(Math.floor(Date.parse(text) / 1000));
    // As it was typed, since a number of the script would round it. JSON has no zeros in front.
    case "number":
      return text.replace(/^0+(?=\d)/, "");
    case "boolean":
      return text;
    // What the other fields of the form change.
    case "json":
      return treeOf(JSON.parse(text));
    case "list": {
      const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
      return items.length > 0 ? items.map((item) => JSON.stringify(item)) : undefined;
    }
    default:
      return JSON.stringify(text);
  }
}

// A value as objects and lists whose leaves are written as JSON.
function treeOf(value) {
  if (Array.isArray(value)) {
    return value.map(treeOf);
  }
  if (value === null || typeof value !== "object") {
    return JSON.stringify(value);
  }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, treeOf(each)]));
}

// The JSON of such a tree. Lists are without the items that were taken away.
function jsonOf(tree) {
  if (typeof tree === "string") {
    return tree;
  }
  if (Array.isArray(tree)) {
    return `[${tree.filter(() => true).map(jsonOf).join(",")}]`;
  }
  return `{${Object.entries(tree).map(([name, each]) => `${JSON.stringify(name)}:${jsonOf(each)}`).join(",")}}`;
}

// Puts a part into a tree; undefined takes away what is there.
function put(tree, [name, ...rest], part) {
  if (part === undefined && tree[name] === undefined) {
    return;
  }
  if (rest.length > 0) {
    tree[name] ??= /^\d+$/.test(rest[0]) ? [] : {};
    put(tree[name], rest, part);
    // An object that has lost its last member says nothing.
    if (part === undefined && Object.keys(tree[name]).length === 0) {
      delete tree[name];
    }
  } else if (part === undefined) {
    delete tree[name];
  } else {
    tree[name] = part;
  }
}

// True for a field that is not as the page came with it.
function isChanged(field) {
  if (field.type === "checkbox") {
    return field.checked !== field.defaultChecked;
  }
  if (field instanceof HTMLSelectElement) {
    return [...field.options].some((option) => option.selected !== option.defaultSelected);
  }
  return field.value !== field.defaultValue;
}

// The request that a form stands for.
function requestOf(form) {
  const [method, path] = form.dataset.api.split(" ");
  const headers = { ...ownHeaders };
  const query = new URLSearchParams();
  const members = {};
  for (const field of fieldsOf(form)) {
    if (field.dataset.header) {
      headers[field.dataset.header] = field.value;
    } else if (field.dataset.query !== undefined) {
      // An empty one is left out.
      if (field.value !== "") {
        query.append(field.name, field.value);
      }
    } else if (form.dataset.changes === undefined || isChanged(field)) {
      put(members, field.name.split("."), written(field));
    }
  }
  for (const field of fieldsOf(form).filter((each) => each.dataset.row !== undefined && each.value === "")) {
    put(members, field.name.split(".").slice(0, -1), undefined);
  }
  if (form.dataset.once !== undefined) {
    headers["idempotency-key"] = form.dataset.once;
  }
  // Where nothing was changed, that is said.
  const says = Object.keys(members).length > 0 || form.dataset.changes !== undefined;
  const body = says ? jsonOf(members) : undefined;
  if (body) {
    headers["content-type"] = "application/json";
  }
  return [query.size > 0 ? `${path}?${query}` : path, { method, headers, body }];
}

function isConfirmed(form) {
  if (!form.dataset.confirm) {
    return Promise.resolve(true);
  }
  const dialog = document.getElementById("confirm");
  const values = { ...form.dataset, ...Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value])) };
  document.getElementById("confirm-text").textContent = filled(form.dataset.confirm, values);
  dialog.querySelector("[value=yes]").textContent = form.querySelector("button").textContent;
  dialog.returnValue = "no";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

// The page's own words for a code, where it has some; else those of the service.
const saidOf = ({ code, detail }) => document.getElementById(`problem-${code}`)?.textContent ?? detail;

// Tells in the form what is wrong, at the field that it is about.
function tellProblem(form, text, name) {
  const line = document.createElement("p");
  line.className = "problem";
  line.setAttribute("role", "alert");
  line.textContent = text;
  form.prepend(line);
  const field = name && fieldsOf(form).find((each) => each.name === name && each.type !== "hidden");
  field?.setAttribute("aria-invalid", "true");
  field?.focus();
}

function forgetProblems(form) {
  form.querySelectorAll("[role=alert]").forEach((line) => line.remove());
  form.querySelectorAll("[aria-invalid]").forEach((field) => field.removeAttribute("aria-invalid"));
}

// A member of an answer for people, by the words that its place has for it, and of an object for the names of its members.
function words(place, value) {
  if (value === null || value === undefined) {
    return "";
  }
  if (Array.isArray(value)) {
    return value.map((each) => words(place, each)).join(", ");
  }
  if (typeof value === "object") {
    return Object.entries(value).map(([name, each]) => `${words(place, name)} ${words(place, each)}`).join(", ");
  }
  if (place.dataset.as === "usd") {
    // A number of the script has its digits as far as the ledger counts; small ones it would tell by powers of ten.
    return value.toFixed(9).replace(/(\.\d\d\d*?)0+$/, "$1");
  }
  if (place.dataset.as === "time") {
    return `${value.slice(0, 19).replace("T", " ")} UTC`;
  }
  return place.getAttribute(`data-word-${value}`) ?? String(value);
}

const isThere = (value) => value !== undefined && value !== null && value !== false && value.length !== 0;

// Puts the members of an answer into their places: a text, a value, a picture, and of a list a row for each item.
function fillPlaces(part, values) {
  for (const place of part.querySelectorAll("[data-when]")) {
    place.hidden = !isThere(values[place.dataset.when]);
  }
  for (const place of part.querySelectorAll("[data-unless]")) {
    place.hidden = isThere(values[place.dataset.unless]);
  }
  for (const place of part.querySelectorAll("[data-fill]")) {
    const value = words(place, values[place.dataset.fill]);
    if (place.dataset.leads) {
      place.href = place.dataset.leads + encodeURIComponent(value);
    }
    if (place instanceof HTMLInputElement) {
      place.value = value;
    } else if (place instanceof HTMLImageElement) {
      place.src = `data:image/svg+xml,${encodeURIComponent(value)}`;
    } else {
      place.textContent = place.dataset.page ? `${location.origin}${place.dataset.page}${value}` : value;
    }
  }
  for (const table of part.querySelectorAll("[data-rows]")) {
    const row = table.querySelector("template");
    const made = values[table.dataset.rows].map((each) => {
      const copy = row.content.cloneNode(true);
      fillPlaces(copy, each);
      return copy;
    });
    table.replaceChildren(row, ...made);
  }
}

// How long a page takes nothing that is about to be another. Some never are: a payment may open in an app.
const LEAVES_MS = 10_000;

// Goes to another page, or to this one anew: what would be typed or pressed here until that is there would be lost.
function leave(address) {
  document.body.inert = true;
  setTimeout(() => {
    document.body.inert = false;
  }, LEAVES_MS);
  if (address === undefined) {
    location.reload();
  } else {
    location.assign(address);
  }
}

// A page that was left so and is come back to is one that nothing can be done on.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && document.body.inert) {
    location.reload();
  }
});

// Puts an answer into a part of the page, and shows that.
function fill(form, values) {
  const part = document.getElementById(form.dataset.fills);
  fillPlaces(part, values);
  if (part instanceof HTMLDialogElement) {
    part.addEventListener("close", () => leave(), { once: true });
    part.showModal();
  } else {
    form.hidden = form.dataset.stays === undefined;
    part.hidden = false;
    part.querySelector("[data-focus]").focus();
  }
}

// The fields of a form for what follows its own operation.
const nextOf = (form) =>
  Object.fromEntries([...form.querySelectorAll("[data-next]")].map((field) => [field.dataset.next, field.value]));

// Calls the second operation of a form; the first one has done its part.
async function sendNext(form) {
  const [method, path] = form.dataset.and.split(" ");
  const headers = { ...ownHeaders, "content-type": "application/json" };
  const reply = await fetch(path, { method, headers, body: JSON.stringify(nextOf(form)), cache: "no-store" });
  return reply.json();
}

function goOn(form, data) {
  if (form.dataset.done) {
    sessionStorage.setItem("done", form.dataset.done);
  }
  if (form.dataset.keeps) {
    sessionStorage.setItem("kept", JSON.stringify({ form: form.dataset.keeps, secret: data.secret, next: nextOf(form) }));
  }
  if (form.dataset.leaves) {
    // The page of a payment provider. What is no address of a page is none.
    const { href, protocol } = new URL(data[form.dataset.leaves]);
    if (protocol === "https:" || protocol === "http:") {
      leave(href);
    }
  } else if (form.dataset.then) {
    leave(filled(form.dataset.then, { ...nextOf(form), ...data }, encodeURIComponent));
  } else {
    leave();
  }
}

function fillsDialog(form) {
  return document.getElementById(form.dataset.fills) instanceof HTMLDialogElement;
}

async function send(form) {
  forgetProblems(form);
  if (!(await isConfirmed(form))) {
    return;
  }
  const [path, request] = requestOf(form);
  let told;
  try {
    const reply = await fetch(path, { ...request, cache: "no-store" });
    told = await reply.json();
    if (told.success && form.dataset.and) {
      told = await sendNext(form);
    }
  } catch {
    tellProblem(form, page.notReached);
    return;
  }
  if (SIGNED_OUT.includes(told.code)) {
    leave(signIn);
  } else if (!told.success) {
    tellProblem(form, saidOf(told), told.data?.field);
  } else if (form.dataset.fills) {
    fill(form, { ...Object.fromEntries(fieldsOf(form).map((field) => [field.name, field.value])), ...told.data });
  } else {
    goOn(form, told.data);
  }
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.api) {
    return;
  }
  event.preventDefault();
  const busy = [...document.querySelectorAll("form[data-api][aria-busy]")];
  // The page may be left once one form was answered, and with it the dialog in which another one would show a secret.
  if (busy.includes(form) || busy.some(fillsDialog) || (busy.length > 0 && fillsDialog(form))) {
    return;
  }
  form.setAttribute("aria-busy", "true");
  try {
    await send(form);
  } finally {
    form.removeAttribute("aria-busy");
  }
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
    button.textContent = button.dataset.copied;
  }
});

// Browsers hand out the clipboard over TLS and to this machine alone.
for (const button of document.querySelectorAll("[data-copy]")) {
  button.hidden = !navigator.clipboard;
}

// One key a page: a form that is sent again, since its answer was lost, books once.
for (const form of document.querySelectorAll("[data-once]")) {
  form.dataset.once = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

for (const field of document.querySelectorAll("[data-repeats]")) {
  const other = document.getElementById(field.dataset.repeats);
  const compare = () => field.setCustomValidity(field.value === other.value ? "" : field.dataset.differs);
  field.addEventListener("input", compare);
  other.addEventListener("input", compare);
}

// What stands behind `#` was sent to nobody; it leaves the address, so that it does not stay in the history.
const invited = document.querySelector("[data-fragment]");
if (invited) {
  const take = () => {
    if (location.hash.length > 1) {
      invited.value = location.hash.slice(1);
      history.replaceState(null, "", location.pathname);
    }
  };
  addEventListener("hashchange", take);
  take();
}

// An address that nobody has configured is that of this page.
for (const place of document.querySelectorAll("[data-origin]")) {
  place.textContent = place.textContent.replaceAll(place.dataset.origin, location.origin);
}

const done = sessionStorage.getItem("done");
if (done) {
  sessionStorage.removeItem("done");
  document.getElementById("done").textContent = done;
}

// Numbers that change while somebody looks. The browser asks again by itself when the events end.
for (const part of document.querySelectorAll("[data-lives]")) {
  const events = new EventSource(part.dataset.lives);
  events.addEventListener("message", (event) => {
    const values = JSON.parse(event.data);
    for (const place of part.querySelectorAll("[data-live]")) {
      place.textContent = values[place.dataset.live];
    }
  });
  addEventListener("pagehide", () => events.close());
}

// Between two answers of an operation whose newest one a part of the page shows as long as somebody looks.
const ANEW_MS = 3000;
// A page that somebody has left open asks no more after so long: each question counts as use of the session.
const ANEW_FOR_MS = 30 * 60 * 1000;
async function keepAsking(part) {
  let last;
  for (const began = Date.now(); Date.now() - began < ANEW_FOR_MS; ) {
    await new Promise((resolve) => setTimeout(resolve, ANEW_MS));
    if (document.hidden) {
      continue;
    }
    const reply = await fetch(part.dataset.asks, { headers: ownHeaders, cache: "no-store" }).catch(() => undefined);
    if (reply?.status === 401) {
      // What another account has is not shown on this page.
      const { code } = await reply.json().catch(() => ({}));
      return code === "CALLER_CONFLICT" ? undefined : leave(signIn);
    }
    const told = reply?.ok ? await reply.text().catch(() => last) : last;
    // What is the same, and what somebody is at, stays as it is.
    if (told !== last && !part.contains(document.activeElement)) {
      fillPlaces(part, JSON.parse(told).data);
      last = told;
    }
  }
}
document.querySelectorAll("[data-asks]").forEach(keepAsking);

if (page.signedInShows) {
  fetch(session, { cache: "no-store" }).then((reply) => {
    document.getElementById(page.signedInShows).hidden = !reply.ok;
    document.getElementById(page.signedInHides).hidden = reply.ok;
  });
}

// Who comes from the page of a payment goes back there: the number of the order stands behind `#`, the rest of the address is ours.
const [, order] = (page.pays && location.hash.match(/^#pay=(\w*)$/)) || [];
if (order !== undefined) {
  page.signedIn = filled(page.pays, { order });
  document.querySelectorAll("[data-then]").forEach((part) => (part.dataset.then = page.signedIn));
  document.querySelectorAll("[data-keeps]").forEach((form) => (form.dataset.keeps = "pay"));
  document.querySelectorAll("[data-next]").forEach((field) => (field.value = order));
}

if (page.signedIn) {
  fetch(session, { cache: "no-store" }).then((reply) => reply.ok && location.replace(page.signedIn));
}
