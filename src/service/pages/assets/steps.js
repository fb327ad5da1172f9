// Steps through a game with the arrow keys, and without loading the page again; and opens links that carry a record.
// Without this script every step is a button or a link that loads the next page; it is also what happens here if an
// answer does not come.
"use strict";

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");

/** The content of a page with a game; nothing if it has none. */
const content = (page) => page.querySelector(".play")?.closest("main");

/** Shows what only this script can do. */
function ready() {
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
}

/** The content of the next page, and its address if it has one. */
async function fetched(step) {
  const form = step.form;
  const url = form ? form.action : step.href;
  const body = form ? new URLSearchParams(new FormData(form, step)) : undefined;
  const answer = await fetch(url, { method: form ? "POST" : "GET", body, headers: { accept: "text/html" } });
  const next = content(new DOMParser().parseFromString(await answer.text(), "text/html"));
  if (!answer.ok || !next) throw new Error(`the service answered ${answer.status}`);
  return [next, form ? null : url];
}

/** Makes a step; loads the next page instead if that fails. */
async function take(step) {
  const now = content(document);
  if (now.getAttribute("aria-busy") === "true" || step.getAttribute("aria-disabled") === "true") return;
  now.setAttribute("aria-busy", "true");
  try {
    const [next, url] = await fetched(step);
    const focused = document.activeElement?.closest(".play");
    const open = now.querySelector("details.position")?.open;
    for (const wish of next.querySelectorAll("[autofocus]")) wish.removeAttribute("autofocus");
    now.replaceWith(next);
    if (open) next.querySelector("details.position").open = true;
    if (url) history.replaceState(null, "", url);
    const current = next.querySelector("[aria-current=step]");
    const again = step.dataset.step ? next.querySelector(`[data-step=${step.dataset.step}]`) : current;
    if (focused) (again ?? current ?? next).focus({ preventScroll: true });
    current?.scrollIntoView({ block: "nearest" });
    said.textContent = next.querySelector("#board-title")?.textContent ?? "";
    ready();
  } catch {
    now.removeAttribute("aria-busy");
    if (step.form) HTMLFormElement.prototype.submit.call(withStep(step));
    else location.assign(step.href);
  }
}

/** The form of a step, with the step as a field: a form that a script sends has no button. */
function withStep(step) {
  const field = document.createElement("input");
  [field.type, field.name, field.value] = ["hidden", step.name, step.value];
  step.form.append(field);
  return step.form;
}

document.addEventListener("click", (event) => {
  const step = event.target.closest?.(".play button[type=submit], .play a.button, .play a.ply");
  if (!step || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  take(step);
});

document.addEventListener("keydown", (event) => {
  const name = KEYS[event.key];
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (!name || typing || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
  const step = document.querySelector(`.stepper [data-step=${name}]`);
  if (!step) return;
  event.preventDefault();
  take(step);
});

/** Shows the verdict that a link carries in its fragment, which browsers send to no server: it is posted as a form. */
function openLink() {
  const fields = new URLSearchParams(location.hash.slice(1));
  if (location.pathname !== "/" || !fields.has("packed")) return;
  const form = document.createElement("form");
  [form.method, form.action] = ["post", "/"];
  for (const name of ["packed", "variant", "style", "game", "ply"]) {
    const field = document.createElement("input");
    [field.type, field.name, field.value] = ["hidden", name, fields.get(name) ?? ""];
    if (fields.has(name)) form.append(field);
  }
  document.body.append(form);
  form.submit();
}

document.body.append(said);
ready();
openLink();
window.addEventListener("hashchange", openLink);
