// Steps through a game with the arrow keys, and without loading the page again; and opens links that carry a record.
// Without this script every step is a button or a link that loads the next page; it is also what happens here if an
// answer does not come. The first step fetches all positions of the game; no later one asks the service.
"use strict";

const KEYS = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "turn", F: "turn" };
const said = document.createElement("p");
said.className = "hidden";
said.setAttribute("role", "status");

/** The content of a page with a game; nothing if it has none. */
const content = (page) => page.querySelector(".play")?.closest("main");

/** Shows what only this script can do. */
function ready() {
  for (const hint of document.querySelectorAll("[data-keys]")) hint.hidden = false;
}

/** The positions of the game on the page: promised, had, or not to be had. */
let film = { state: "none" };
/** The position to show once they are there. */
let wanted = null;

/** The position that the board shows. */
const shown = () => Number(document.querySelector(".stepper [data-step=turn]").getAttribute("data-ply"));

/** Asks for all positions, once. */
async function load(play) {
  film = { state: "loading" };
  try {
    const form = play.querySelector("input[name=packed]");
    const body = form ? new URLSearchParams(new FormData(play)) : undefined;
    const answer = await fetch(play.dataset.film, { method: form ? "POST" : "GET", body, headers: { accept: "application/json" } });
    if (!answer.ok) throw new Error(`the service answered ${answer.status}`);
    film = { state: "there", ...(await answer.json()) };
  } catch {
    film = { state: "missing" };
  }
}

/** Shows a position of the film. */
function show(ply) {
  const play = document.querySelector(".play");
  const old = play.querySelector(".board");
  const open = [...old.querySelectorAll("details")].map((details) => details.open);
  const focused = old.contains(document.activeElement) ? document.activeElement.dataset.step : null;
  const part = document.createElement("template");
  part.innerHTML = film.boards[ply].map((piece) => film.pieces[piece]).join("");
  const board = part.content.querySelector(".board");
  old.replaceWith(board);
  board.querySelectorAll("details").forEach((details, index) => { details.open = open[index] ?? false; });
  if (focused) board.querySelector(`[data-step=${focused}]`)?.focus({ preventScroll: true });
  play.querySelector(".ply[aria-current]")?.removeAttribute("aria-current");
  const cell = play.querySelector(`.ply[data-ply="${ply}"]`);
  cell?.setAttribute("aria-current", "step");
  cell?.scrollIntoView({ block: "nearest" });
  for (const field of document.querySelectorAll("input[data-ply]")) field.value = ply;
  for (const link of document.querySelectorAll("a[data-ply]:not(.ply):not([data-step])")) link.href = link.href.replace(/ply=\d+/, `ply=${ply}`);
  const turn = board.querySelector("a[data-step=turn]");
  if (turn) {
    const url = new URL(location.href);
    for (const name of ["first", "back", "next", "last"]) url.searchParams.delete(name);
    url.searchParams.set("ply", ply);
    url.hash = "";
    history.replaceState(null, "", url);
  }
  said.textContent = board.querySelector("#board-title").textContent;
  ready();
}

/** Makes a step. What is pressed while the positions are fetched is not lost. */
async function take(step) {
  if (step.getAttribute("aria-disabled") === "true" && wanted === null) return;
  const play = step.closest(".play");
  if (step.dataset.step === "turn" || !play.dataset.film || film.state === "missing") return leave(step);
  const last = Number(play.querySelector("[data-step=last]").getAttribute("data-ply"));
  const from = wanted ?? shown();
  const by = { first: -from, back: -1, next: 1, last: last - from }[step.dataset.step];
  wanted = Math.min(Math.max(by === undefined ? Number(step.dataset.ply) : from + by, 0), last);
  if (film.state === "loading") return;
  if (film.state === "none") await load(play);
  const ply = wanted;
  wanted = null;
  if (film.state === "there") show(ply);
  else leave(document.querySelector(`.ply[data-ply="${ply}"]`) ?? step);
}

/** Makes a step by loading the page that follows. */
function leave(step) {
  if (step.form) HTMLFormElement.prototype.submit.call(withStep(step));
  else location.assign(step.href);
}

/** The form of a step, with the step as a field: a form that a script sends has no button. */
function withStep(step) {
  const field = document.createElement("input");
  [field.type, field.name, field.value] = ["hidden", step.name, step.value];
  step.form.append(field);
  return step.form;
}

document.addEventListener("click", (event) => {
  const step = event.target.closest?.(".play [data-step], .play .ply");
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
