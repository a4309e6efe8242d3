/*
Draws a pricing table where the script stands:

  <script src="https://billing.example/pricing/embed.js" data-offering="<id>" async></script>

data-target       selector of an element to draw into; without it the table follows the script
data-locale       language of the table; without it that of the page
data-customer-id  the merchant's own id of a signed-in customer, handed on to the checkout
A page with a content policy needs our origin in script-src and connect-src, nothing else.
*/
(() => {
  "use strict";

  const policy = globalThis.trustedTypes?.createPolicy?.("billstream-pricing", { createHTML: (html) => html });

  const rules = (css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    return sheet;
  };

  const follow = (root, customer) => {
    for (const link of root.querySelectorAll("a.bs-choose")) {
      const address = new URL(link.href);
      address.searchParams.set("customer_id", customer);
      link.href = address.href;
    }
  };

  const draw = async (script) => {
    const { offering, target, locale, customerId } = script.dataset;
    const place = document.createElement("div");
    place.className = "billstream-pricing";
    const within = target && document.querySelector(target);
    if (within) within.replaceChildren(place);
    else script.after(place);
    const address = new URL(`${encodeURIComponent(offering)}/table.json`, script.src);
    const language = locale || document.documentElement.lang;
    if (language) address.searchParams.set("locale", language);
    const answer = await fetch(address, { credentials: "omit" });
    if (!answer.ok) throw new Error(`pricing table: ${answer.status}`);
    const { html, css, language: spoken } = await answer.json();
    const root = place.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [rules(":host { display: block; }"), rules(css)];
    root.innerHTML = policy ? policy.createHTML(html) : html;
    place.lang = spoken;
    if (customerId) follow(root, customerId);
    place.dispatchEvent(new CustomEvent("billstream:shown", { bubbles: true }));
  };

  const begin = (script) => {
    if (script.dataset.billstream) return;
    script.dataset.billstream = "begun";
    draw(script).catch((error) => {
      console.error(error);
      script.dispatchEvent(new CustomEvent("billstream:failed", { bubbles: true, detail: error }));
    });
  };

  const all = () => document.querySelectorAll('script[src*="/pricing/embed.js"][data-offering]').forEach(begin);
  all();
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", all);
})();
