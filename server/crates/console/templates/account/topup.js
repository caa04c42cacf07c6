// The page to top up: amounts to press, and a form that is sent to the operation of the chosen rail.
"use strict";
(() => {
  const form = document.getElementById("top-up");
  if (!form) return;
  const ways = [...form.querySelectorAll("[name=way]")];
  const RAILS = {
    crypto: ["POST /api/user/topup/crypto/orders", "then", "/topup/crypto?order={trade_no}"],
    ewallet: ["POST /api/user/topup/ewallet/orders", "leaves", "checkout_url"],
  };
  function choose() {
    const { rail, bounds, network = "", symbol = "", wallet = "" } = ways.find((way) => way.checked).dataset;
    const [api, end, place] = RAILS[rail];
    delete form.dataset.then;
    delete form.dataset.leaves;
    Object.assign(form.dataset, { api, [end]: place });
    for (const [name, value] of Object.entries({ network, symbol, wallet })) form.elements[name].value = value;
    document.getElementById("bounds").textContent = bounds;
  }
  for (const way of ways) way.addEventListener("change", choose);
  // Whoever comes back to the page finds what was chosen before.
  if (!ways.some((way) => way.checked)) ways[0].checked = true;
  for (const chip of form.querySelectorAll("[data-amount]")) {
    chip.addEventListener("click", () => {
      form.elements.amount_usd.value = chip.dataset.amount;
      form.elements.amount_usd.focus();
    });
  }
  choose();
})();
