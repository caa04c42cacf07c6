// The end of a sign-in by a provider: what it has sent back with the browser goes to the operation that this window has begun it for.
(() => {
  const part = document.querySelector("[data-returned]");
  const told = new URLSearchParams(location.search);
  // It stays in no history; and what was kept counts once.
  history.replaceState(null, "", location.pathname);
  const kept = JSON.parse(sessionStorage.getItem("kept") ?? "null");
  sessionStorage.removeItem("kept");
  const form = kept && document.getElementById(kept.form);
  const asking = part.querySelector("[data-asking]");
  // What the sign-in was begun for is not lost with it.
  for (const field of form?.querySelectorAll("[data-next]") ?? []) field.value = kept.next[field.dataset.next] ?? "";
  if (form?.dataset.again) part.querySelector("[data-begins]").href = filled(form.dataset.again, kept.next, encodeURIComponent);
  if (!form || told.has("error") || !told.get("code")) {
    asking.hidden = true;
    tellProblem(part, form && told.has("error") ? part.dataset.denied : part.dataset.lost);
    return;
  }
  const values = { secret: kept.secret, state: told.get("state"), code: told.get("code"), issuer: told.get("iss") };
  for (const [name, value] of Object.entries(values)) form.elements[name].value = value ?? "";
  // What is told in the form is told in the place of this line.
  new MutationObserver(() => (asking.hidden = form.querySelector("[role=alert]") !== null)).observe(form, { childList: true });
  form.requestSubmit();
})();
