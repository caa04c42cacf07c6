"use strict";
(() => {
  // Between two questions: an eighth of the time that has gone by, within these bounds, and the last one where nobody looks.
  const LEAST_MS = 1000;
  const MOST_MS = 30000;
  // After the end of its time an order may still be paid by whoever was about to. After the last of these nobody is asked any more.
  const LATE_MS = 2 * 60 * 1000;
  const ENOUGH_MS = 60 * 60 * 1000;
  const at = (id) => document.getElementById(id);

  // Ends early when somebody comes back to the page or presses the button.
  let wake = () => {};
  const pause = (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  // What is said of each state: in one breath, and then what to do.
  const SAID = {
    pending: ["Waiting for your payment", "As soon as your wallet reports it, this page shows it by itself. You may also close the page: what you pay is credited all the same."],
    settling: ["Your payment is being confirmed", "This page shows by itself when it is done. You may also close it."],
    success: ["Paid", "The amount was added to the credit. You may close this page."],
    failed: ["Not paid", "The payment was cancelled or refused, and nothing was credited. If money has left your wallet all the same, please do not pay again, and ask whoever runs this service."],
    expired: ["The time for this order is over", "It was not paid in time. If you have paid just now, please do not pay again: what arrives late is credited, or goes back to your wallet."],
  };
  const UNKNOWN = ["There is no such order", "Please open this page by the whole address that you were sent back to. What you paid is credited all the same."];
  const TITLE = document.title;
  const ENDS = { success: "good", failed: "bad", unknown: "bad" };
  // Of these orders a new one may be made. What is still paid of them is credited all the same.
  const OVER = new Set(["failed", "expired"]);

  const dollars = (usd) => Number(usd).toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 9, useGrouping: false });

  // Only what changes is written, so that it is read out once.
  function write(id, text) {
    if (at(id).textContent !== text) at(id).textContent = text;
  }

  function problem(text) {
    write("problem", text);
    at("problem").hidden = text === "";
  }

  function show(state, [head, detail], end) {
    write("status", head);
    write("detail", detail);
    at("status").dataset.end = end;
    at("status").toggleAttribute("data-busy", state === "pending" || state === "settling");
    // Whoever was on the button goes on where the page begins.
    if (state in ENDS && document.activeElement === at("check")) at("title").focus();
    at("check").hidden = state in ENDS;
    at("anew").hidden = !OVER.has(state);
    document.title = `${head} – ${TITLE}`;
  }

  // Beside this page, wherever a proxy has put the service: the order's name is the last part of the address.
  const name = location.pathname.split("/").pop();
  const token = new URLSearchParams(location.search).get("token") || "";
  const place = new URL(`../../api/topup/order/${name}?token=${encodeURIComponent(token)}`, location.href);

  // The state; `unknown` where there is no such order, and where nobody says, for how long not to ask.
  async function ask() {
    let reply, told;
    try {
      reply = await fetch(place, { headers: { accept: "application/json" }, credentials: "omit", cache: "no-store", referrerPolicy: "no-referrer" });
      told = await reply.json();
    } catch {
      return { wait: 0, why: "The service cannot be reached. This page goes on asking; please look whether you are online." };
    }
    if (told.success) return told.data;
    if (told.code === "RATE_LIMITED") {
      const seconds = Number(reply.headers.get("retry-after")) || 1;
      return { wait: 1000 * seconds, why: "Too many were asked from your network without their token. This page asks again in a minute." };
    }
    if (reply.status < 500) return { status: "unknown" };
    return { wait: 0, why: "The service cannot say it at the moment. This page goes on asking." };
  }

  // An answer to the session of whoever looks, where there is one that may have it.
  async function own(path) {
    const asked = { headers: { accept: "application/json" }, credentials: "same-origin", cache: "no-store", referrerPolicy: "no-referrer" };
    const reply = await fetch(new URL(`../../api/user/${path}`, location.href), asked);
    return reply.ok ? (await reply.json()).data : null;
  }

  // The credit after a payment, for a session of the account that the order is of. Nobody else is told more than the token shows.
  async function tellCredit() {
    try {
      const balance = (await own(`topup/order/${name}`)) && (await own("self/balance"));
      if (!balance) return;
      write("credit", dollars(balance.available_usd));
      at("credit-row").hidden = false;
    } catch {
      // The page is as true without it.
    }
  }

  let looking = false;
  async function look() {
    if (looking) return wake();
    looking = true;
    problem("");
    const began = performance.now();
    let late = Infinity;
    for (;;) {
      const now = await ask();
      const gone = performance.now() - began;
      if (now.status) {
        problem("");
        at("amount").hidden = now.amount_usd === undefined;
        if (now.amount_usd !== undefined) write("usd", dollars(now.amount_usd));
        show(now.status, SAID[now.status] || UNKNOWN, ENDS[now.status] || (now.status === "expired" ? "bad" : ""));
        if (now.status === "success") tellCredit();
        if (now.status in ENDS) break;
        late = now.status === "expired" ? Math.min(late, gone + LATE_MS) : Infinity;
      } else {
        at("check").hidden = false;
        problem(now.why);
      }
      if (gone > late) break;
      if (gone > ENOUGH_MS) {
        problem("This page has asked for a long time and asks no more. Press the button to see how your payment stands.");
        at("status").removeAttribute("data-busy");
        break;
      }
      const rest = document.hidden ? MOST_MS : Math.min(Math.max(gone / 8, LEAST_MS), MOST_MS);
      await pause(Math.max(rest, now.wait || 0));
    }
    looking = false;
  }

  at("check").addEventListener("click", look);
  document.addEventListener("visibilitychange", () => document.hidden || wake());
  write("status", "Asking how your payment stands …");
  look();
})();
