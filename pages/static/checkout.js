/* Asks for the price as the buyer types, and keeps the form in order. Everything works without it. */
(() => {
  "use strict";

  const WAIT_MS = 250;
  const SECRETS = ["number", "expiry", "cvc"];
  const form = document.getElementById("checkout");
  if (!form) return;
  document.documentElement.classList.add("scripted");

  const part = (id) => document.getElementById(id);
  const settled = new Set();
  let asking = null;
  let timer = 0;

  const body = (keep) => {
    const data = new URLSearchParams();
    for (const [name, value] of new FormData(form)) {
      if (!SECRETS.includes(name)) data.append(name, value);
    }
    if (!settled.has("discount_code")) data.delete("discount_code");
    data.delete("action");
    if (keep) data.set("keep", "1");
    return data;
  };

  const ask = async (keep) => {
    clearTimeout(timer);
    if (asking) asking.abort();
    const mine = (asking = new AbortController());
    part("summary").setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(form.dataset.price, { method: "POST", body: body(keep), signal: mine.signal });
      if (answer.ok) show(await answer.json());
    } catch (error) {
      if (error.name !== "AbortError") part("said").textContent = "";
    } finally {
      if (asking === mine) part("summary").removeAttribute("aria-busy");
    }
  };

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => ask(false), WAIT_MS);
  };

  const show = (now) => {
    if (now.over) return location.reload();
    tell(now.alert || "");
    if (now.alert) return;
    if (now.choice.trim() !== part("choice").dataset.shown) replaceChoice(now.choice);
    part("summary").innerHTML = now.summary;
    part("quote").value = now.token;
    if (!part("pay").disabled) part("pay").textContent = now.pay;
    part("payment").hidden = part("payment").disabled = !now.needs_card;
    if (part("said").textContent !== now.due) part("said").textContent = now.due;
    const entered = [...settled];
    if (entered.some((name) => name.startsWith("q."))) entered.push("plan");
    for (const name of entered) mark(name, now.problems[name]);
  };

  const tell = (text) => {
    const place = part("alert");
    if (!text) return place.querySelector("[data-said]")?.remove();
    const note = document.createElement("div");
    note.dataset.said = "";
    note.className = "notice bad";
    note.textContent = text;
    place.replaceChildren(note);
  };

  const replaceChoice = (html) => {
    const choice = part("choice");
    const focused = choice.contains(document.activeElement) ? document.activeElement : null;
    const typed = part("discount_code")?.value;
    const typing = focused && focused.type !== "radio" ? focused.value : null;
    choice.innerHTML = html;
    choice.dataset.shown = html.trim();
    if (!settled.has("discount_code") && typed && part("discount_code")) part("discount_code").value = typed;
    const again = focused && focused.id && part(focused.id);
    if (!again) return;
    if (typing !== null && again.value !== typing && again.tagName === "INPUT") again.value = typing;
    again.focus();
  };

  const mark = (name, problem) => {
    const control = part(name);
    const place = part(`${name}-problem`);
    if (!place) return;
    place.textContent = problem || "";
    place.hidden = !problem;
    if (!control) return;
    const hint = part(`${name}-hint`) ? ` ${name}-hint` : "";
    if (problem) {
      control.setAttribute("aria-invalid", "true");
      control.setAttribute("aria-describedby", `${name}-problem${hint}`);
    } else {
      control.removeAttribute("aria-invalid");
      if (hint) control.setAttribute("aria-describedby", hint.trim());
      else control.removeAttribute("aria-describedby");
    }
  };

  const brandOf = (digits) => {
    if (/^4/.test(digits)) return "Visa";
    if (/^(5[1-5]|2[2-7])/.test(digits)) return "Mastercard";
    if (/^3[47]/.test(digits)) return "American Express";
    if (/^35/.test(digits)) return "JCB";
    return "";
  };

  const number = part("number");
  const brand = document.createElement("span");
  brand.className = "brand-name";
  brand.setAttribute("aria-live", "polite");
  number?.labels[0].append(" ", brand);

  const groupNumber = () => {
    const digits = number.value.replace(/\D/g, "").slice(0, 19);
    brand.textContent = brandOf(digits);
    if (number.selectionStart !== number.value.length) return;
    const sizes = /^3[47]/.test(digits) ? [4, 6, 5] : [4, 4, 4, 4, 3];
    const groups = [];
    let at = 0;
    for (const size of sizes) {
      if (at < digits.length) groups.push(digits.slice(at, at + size));
      at += size;
    }
    if (/^[\d\s-]*$/.test(number.value)) number.value = groups.join(" ");
  };

  const slashExpiry = (event) => {
    const input = event.target;
    if (event.inputType?.startsWith("delete")) return;
    if (/^\d{2}$/.test(input.value)) input.value += " / ";
    else if (/^\d{4}$/.test(input.value)) input.value = `${input.value.slice(0, 2)} / ${input.value.slice(2)}`;
  };

  const showCard = () => {
    const ways = form.querySelectorAll('input[name="way"]');
    const card = part("card");
    if (!ways.length || !card) return;
    const isNew = part("new-card")?.checked ?? false;
    card.hidden = !isNew;
    for (const input of card.querySelectorAll("input")) input.required = isNew;
  };

  form.addEventListener("input", (event) => {
    const { name } = event.target;
    if (name === "number") groupNumber();
    if (name === "expiry") slashExpiry(event);
    if (SECRETS.includes(name) || name === "discount_code" || name === "way") return;
    soon();
  });

  form.addEventListener("change", (event) => {
    const { name } = event.target;
    showCard();
    if (SECRETS.includes(name) || name === "way") return;
    settled.add(name);
    ask(true);
  });

  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.name !== "discount_code") return;
    event.preventDefault();
    settled.add("discount_code");
    ask(true);
  });

  form.addEventListener("click", (event) => {
    const pressed = event.target.closest("button");
    if (!pressed || !["apply", "remove_code"].includes(pressed.id)) return;
    event.preventDefault();
    if (pressed.id === "remove_code") part("discount_code").value = "";
    settled.add("discount_code");
    ask(true);
  });

  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) return event.preventDefault();
    clearTimeout(timer);
    if (asking) asking.abort();
    form.dataset.sent = "1";
    const button = part("pay");
    button.textContent = form.dataset.busy;
    button.setAttribute("aria-disabled", "true");
    part("said").textContent = form.dataset.busy;
  });

  window.addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  part("choice").dataset.shown = "";
  showCard();
  form.querySelector('[aria-invalid="true"]')?.focus();
})();
