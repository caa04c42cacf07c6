// A conversation with a model, asked by a key that stays in the memory of this page. `saidOf` and `ownHeaders`
// are of the script of all pages.
"use strict";
(() => {
  const place = document.getElementById("playground");
  if (!place) return;
  const at = (id) => document.getElementById(id);
  const HOUR_SECONDS = 3600;
  let turns = [];
  let spent = 0;
  let running = null;

  function trouble(text) {
    at("trouble").textContent = text;
    at("trouble").hidden = text === "";
  }

  // At most nine places, as the ledger counts.
  const dollars = (usd) => usd.toFixed(9).replace(/(\.\d\d\d*?)0+$/, "$1");

  function line(who, text) {
    const item = document.createElement("li");
    const name = document.createElement("strong");
    const words = document.createElement("p");
    name.textContent = who;
    words.textContent = text;
    item.append(name, words);
    at("talk").append(item);
    return words;
  }

  // The server's time: when it made the page, and how long the page has been there.
  const now = () => Number(place.dataset.now) + Math.floor(performance.now() / 1000);

  // A key that ends within the hour, made by the session.
  async function makeKey() {
    trouble("");
    const expires_at = now() + HOUR_SECONDS;
    const body = JSON.stringify({ label: place.dataset.label, expires_at, operations: ["chat.create"] });
    const headers = { ...ownHeaders, "content-type": "application/json" };
    at("make-key").disabled = true;
    try {
      const reply = await fetch("/api/user/self/keys", { method: "POST", headers, body, cache: "no-store" });
      const told = await reply.json();
      if (!told.success) return trouble(saidOf(told));
      at("key").value = told.data.api_key;
      at("key-status").textContent = place.dataset.keyMade;
    } catch {
      trouble(document.body.dataset.notReached);
    } finally {
      at("make-key").disabled = false;
    }
  }

  // The events of a stream, each as what it holds.
  async function* events(body) {
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const text of lines) {
        const data = text.startsWith("data:") ? text.slice(5).trim() : "";
        if (data !== "" && data !== "[DONE]") yield JSON.parse(data);
      }
    }
  }

  async function ask(signal) {
    const headers = {
      authorization: `Bearer ${at("key").value.trim()}`,
      "content-type": "application/json",
      "x-tollgate-include-cost": "true",
    };
    const body = JSON.stringify({
      model: at("model").value,
      messages: turns,
      stream: true,
      stream_options: { include_usage: true },
    });
    // By the key alone: the session is not sent.
    const asked = { method: "POST", headers, body, signal, credentials: "omit", cache: "no-store" };
    const reply = await fetch("/v1/chat/completions", asked);
    if (!reply.ok) {
      const { error } = await reply.json();
      throw new Error(saidOf({ code: error.code, detail: error.message }));
    }
    const words = line(at("model").value, "");
    for await (const event of events(reply.body)) {
      if (event.error) throw new Error(saidOf({ code: event.error.code, detail: event.error.message }));
      words.textContent += event.choices?.[0]?.delta?.content ?? "";
      if (event.usage?.cost !== undefined) {
        spent += event.usage.cost;
        at("cost").textContent = `${place.dataset.cost} ${dollars(event.usage.cost)} USD. ${place.dataset.total} ${dollars(spent)} USD.`;
      }
    }
    if (words.textContent === "") {
      words.parentElement.remove();
      throw new Error(place.dataset.noAnswer);
    }
    turns.push({ role: "assistant", content: words.textContent });
  }

  async function send() {
    if (at("key").value.trim() === "") {
      at("key").focus();
      return trouble(place.dataset.noKey);
    }
    trouble("");
    const text = at("text").value;
    turns.push({ role: "user", content: text });
    const asked = line(place.dataset.you, text);
    at("text").value = "";
    running = new AbortController();
    at("stop").hidden = false;
    // Read out once it is whole.
    at("talk").setAttribute("aria-busy", "true");
    try {
      await ask(running.signal);
    } catch (error) {
      trouble(error.name === "AbortError" ? place.dataset.stopped : error.message);
      // What was not answered is not asked again by itself.
      if (turns.at(-1)?.role === "user") {
        asked.parentElement.remove();
        at("text").value = [turns.pop().content, at("text").value].filter((text) => text !== "").join("\n");
      }
    } finally {
      running = null;
      at("stop").hidden = true;
      at("talk").removeAttribute("aria-busy");
      at("text").focus();
    }
  }

  at("ask").addEventListener("submit", (event) => {
    event.preventDefault();
    if (!running) send();
  });
  at("stop").addEventListener("click", () => running?.abort());
  // Not there for whom the role lets make no keys.
  at("make-key")?.addEventListener("click", makeKey);
  at("anew").addEventListener("click", () => {
    running?.abort();
    turns = [];
    at("talk").replaceChildren();
    at("cost").textContent = "";
    trouble("");
    at("text").focus();
  });
})();
