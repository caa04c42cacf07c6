// Made by `cargo codegen` from codegen/generator/templates. Hands off: edit that and build.
//
// What the pages can do beside being read: search, tabs that remember what was chosen, copying. They are whole without it.
"use strict";
(() => {
  const root = document.documentElement;
  const LANGUAGE = "docs-language";
  const BASE = "http://localhost:8080";
  const FOUND_MAX = 30;

  // A browser may forbid to remember; what is chosen then lasts as long as the page.
  const remembered = () => {
    try {
      return localStorage.getItem(LANGUAGE);
    } catch {
      return null;
    }
  };
  const remember = (language) => {
    try {
      localStorage.setItem(LANGUAGE, language);
    } catch {
      // Then not.
    }
  };

  const make = (name, attributes = {}, ...children) => {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  // Tabs. Which code is seen, the style decides by the language of the root.
  const choose = (language) => {
    root.dataset.lang = language;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const chosen = tab.dataset.tab === language;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
    }
  };
  root.dataset.lang = ["typescript", "python"].find((known) => known === remembered()) ?? "curl";

  const tabs = () => {
    let made = 0;
    for (const calls of document.querySelectorAll(".calls")) {
      const list = make("div", { role: "tablist", "aria-label": "Language", class: "tabs" });
      for (const code of calls.querySelectorAll("[data-lang]")) {
        const language = code.dataset.lang;
        const [id, panel] = [`tab-${(made += 1)}`, `panel-${made}`];
        const label = code.querySelector("figcaption").textContent;
        list.append(make("button", { type: "button", role: "tab", id, "aria-controls": panel, "data-tab": language }, label));
        code.id = panel;
        code.setAttribute("role", "tabpanel");
        code.setAttribute("aria-labelledby", id);
      }
      calls.prepend(list);
      calls.classList.add("tabbed");
      list.addEventListener("click", (event) => {
        const language = event.target.closest("[role=tab]")?.dataset.tab;
        if (!language) return;
        // What is above may change its height; what was clicked stays where it is.
        const before = list.getBoundingClientRect().top;
        choose(language);
        remember(language);
        scrollBy({ top: list.getBoundingClientRect().top - before, behavior: "instant" });
      });
      list.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
        if (!step) return;
        const all = [...list.children];
        const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
        next.focus();
        next.click();
      });
    }
    choose(root.dataset.lang);
  };

  // Code that names this service by its usual address names it by the one that it was reached at.
  const addresses = () => {
    if (!location.origin.startsWith("http") || location.origin === BASE) return;
    for (const code of document.querySelectorAll(".calls code")) {
      const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replaceAll(BASE, location.origin);
    }
  };

  const copied = async (text) => {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    // Over plain http, browsers offer nothing else.
    const area = make("textarea", { readonly: "" });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) throw new Error("not copied");
  };

  const copies = () => {
    for (const code of document.querySelectorAll(".code")) {
      const button = make("button", { type: "button", class: "copy", "aria-live": "polite" }, "Copy");
      button.addEventListener("click", async () => {
        try {
          await copied(code.querySelector("code").textContent);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Not allowed";
        }
        setTimeout(() => (button.textContent = "Copy"), 1500);
      });
      code.append(button);
    }
  };

  // The search.
  let index;
  const load = async () => {
    index ??= (await fetch(`${root.dataset.base}search.json`)).json();
    return index;
  };

  // How well an entry fits: all words must be there; in the title counts more than in what it says.
  const score = ([kind, title, , about], words) => {
    const [name, rest] = [title.toLowerCase(), `${kind} ${about}`.toLowerCase()];
    let total = 0;
    for (const word of words) {
      const at = name.indexOf(word);
      if (at >= 0) {
        const whole = name === word ? 40 : 0;
        const begins = at === 0 || /[^a-z0-9]/.test(name[at - 1]) ? 20 : 0;
        total += 30 + whole + begins - Math.min(name.length - word.length, 20) / 2;
      } else if (rest.includes(word)) total += 10;
      else return 0;
    }
    return total;
  };

  const search = () => {
    const dialog = document.getElementById("search");
    const field = document.getElementById("search-words");
    const list = document.getElementById("search-found");
    const opener = document.getElementById("search-open");
    let asked = 0;

    const select = (item) => {
      for (const other of list.children) other.setAttribute("aria-selected", String(other === item));
      if (item?.id) field.setAttribute("aria-activedescendant", item.id);
      else field.removeAttribute("aria-activedescendant");
      item?.scrollIntoView({ block: "nearest" });
    };
    const selected = () => list.querySelector("[aria-selected=true]");
    const show = (found, words) => {
      const items = found.map(([kind, title, place, about], at) => {
        const [page, heading] = place.split("#");
        const home = root.dataset.base ? "docs" : "../docs";
        const file = page === "index" ? home : `${root.dataset.base}${page}`;
        const href = heading ? `${file}#${heading}` : file;
        const link = make("a", { href, tabindex: "-1" }, make("strong", {}, title), make("small", {}, kind));
        if (about) link.append(make("span", {}, about));
        return make("li", { role: "option", id: `found-${at}` }, link);
      });
      if (!items.length && words.length) items.push(make("li", { class: "none" }, "Nothing is called so."));
      list.replaceChildren(...items);
      select(found.length ? items[0] : undefined);
    };
    const look = async () => {
      const turn = (asked += 1);
      const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
      const all = await load();
      if (turn !== asked) return;
      const fits = all.map((entry) => [score(entry, words), entry]).filter(([fit]) => fit > 0);
      fits.sort(([left], [right]) => right - left);
      show(words.length ? fits.slice(0, FOUND_MAX).map(([, entry]) => entry) : all.filter(([kind]) => kind === "Page"), words);
    };
    const open = () => {
      if (dialog.open) return;
      dialog.showModal();
      field.select();
      look();
    };

    opener.hidden = false;
    opener.addEventListener("click", open);
    field.addEventListener("input", look);
    field.addEventListener("keydown", (event) => {
      const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
      if (step) {
        event.preventDefault();
        const next = selected()?.[step];
        if (next) select(next);
      } else if (event.key === "Escape") {
        // By itself, it would empty the field first.
        event.preventDefault();
        dialog.close();
      } else if (event.key === "Enter") {
        event.preventDefault();
        selected()?.querySelector("a")?.click();
      }
    });
    dialog.addEventListener("click", (event) => {
      // Beside it, or on what was found.
      if (event.target === dialog || event.target.closest("a")) dialog.close();
    });
    document.addEventListener("keydown", (event) => {
      const writes = event.target.closest?.("input, textarea, select, [contenteditable]");
      const slash = event.key === "/" && !writes && !event.ctrlKey && !event.metaKey && !event.altKey;
      const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (slash || k) {
        event.preventDefault();
        open();
      }
    });
  };

  // The navigation tells which heading is read.
  const reading = () => {
    const links = new Map();
    for (const link of document.querySelectorAll(".side ul ul a")) links.set(link.getAttribute("href").slice(1), link);
    const current = document.querySelector(".side [aria-current=page]");
    current?.scrollIntoView({ block: "nearest" });
    const seen = new Set();
    const watcher = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) isIntersecting ? seen.add(target.id) : seen.delete(target.id);
        const first = [...links.keys()].find((id) => seen.has(id));
        for (const [id, link] of links) {
          if (id === first) link.setAttribute("aria-current", "true");
          else link.removeAttribute("aria-current");
        }
      },
      { rootMargin: "-80px 0px -60% 0px" },
    );
    for (const id of links.keys()) {
      const heading = document.getElementById(id);
      if (heading) watcher.observe(heading);
    }
  };

  // A code that stands in a fold is no use folded.
  const unfold = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let fold = target && target.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
  };

  document.addEventListener("DOMContentLoaded", () => {
    addresses();
    tabs();
    copies();
    search();
    reading();
    unfold();
  });
  addEventListener("hashchange", unfold);
})();
