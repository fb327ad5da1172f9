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

/** The legal plies of the viewer, each with the square it begins on, or the piece that is dropped, and its target. */
function legal() {
  const options = [...document.querySelectorAll("#choice option")].filter((option) => option.value);
  return options.map(({ value: coord, textContent: san }) => {
    const moved = /^~?([a-z]\d+)([a-z]\d+)/.exec(coord);
    const dropped = /^~?(.*)@([a-z]\d+)/.exec(coord);
    return { coord, san, from: moved?.[1] ?? null, to: moved?.[2] ?? dropped?.[2] ?? null };
  });
}

/** The square below a point of the screen; nothing outside of the board. */
function squareAt(x, y) {
  const board = document.querySelector(".play .ferz-board");
  const matrix = board?.getScreenCTM();
  if (!matrix) return null;
  const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
  const [files, ranks] = [Number(board.dataset.files), Number(board.dataset.ranks)];
  let [file, rank] = [Math.floor(point.x / 100), ranks - 1 - Math.floor(point.y / 100)];
  if (board.dataset.turned === "true") [file, rank] = [files - 1 - file, ranks - 1 - rank];
  return file >= 0 && rank >= 0 && file < files && rank < ranks ? String.fromCharCode(97 + file) + (rank + 1) : null;
}

/** Frames a square of the board. */
function frame(square) {
  document.querySelector(".ferz-board .picked")?.remove();
  const board = document.querySelector(".play .ferz-board");
  if (!square || !board) return;
  const [files, ranks] = [Number(board.dataset.files), Number(board.dataset.ranks)];
  let [file, rank] = [square.charCodeAt(0) - 97, Number(square.slice(1)) - 1];
  if (board.dataset.turned === "true") [file, rank] = [files - 1 - file, ranks - 1 - rank];
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const place = { x: file * 100 + 4, y: (ranks - 1 - rank) * 100 + 4, width: 92, height: 92, class: "picked", fill: "none", stroke: "#1a73c7", "stroke-width": 8 };
  for (const [name, value] of Object.entries(place)) rect.setAttribute(name, value);
  board.append(rect);
}

let picked = null;

/** Makes a ply: fills in the form, and sends it. */
function make(ply) {
  document.querySelector("#move").value = ply.coord;
  document.querySelector("button[name=wish][value=ply]").click();
}

/** Makes the only ply, or asks which of several. */
function choose(plies) {
  const choices = document.querySelector("#choices");
  choices.replaceChildren();
  choices.hidden = plies.length < 2;
  if (plies.length === 1) return make(plies[0]);
  for (const ply of plies) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = ply.san;
    button.addEventListener("click", () => make(ply));
    choices.append(button);
  }
  choices.querySelector("button")?.focus();
}

/** Picks a square up or, if a piece is picked up, makes the ply to it. Vacant squares offer what can be dropped there. */
function touch(square, released) {
  const plies = legal();
  if (picked && picked !== square) {
    const found = plies.filter((ply) => ply.from === picked && ply.to === square);
    picked = null;
    frame(null);
    if (found.length) return choose(found);
    if (released) return undefined;
  } else if (released) {
    return undefined;
  }
  const own = plies.some((ply) => ply.from === square);
  picked = own ? square : null;
  frame(picked);
  const drops = own ? [] : plies.filter((ply) => ply.from === null && ply.to === square);
  return drops.length ? choose(drops) : undefined;
}

document.addEventListener("pointerdown", (event) => {
  if (!document.querySelector("#choice") || event.button || !event.target.closest?.(".drawing")) return;
  const square = squareAt(event.clientX, event.clientY);
  if (!square) return;
  event.preventDefault();
  touch(square, false);
});

document.addEventListener("pointerup", (event) => {
  const square = picked && squareAt(event.clientX, event.clientY);
  if (square && square !== picked) touch(square, true);
});

/** Shows what the others do, as it happens. */
function listen() {
  const live = document.querySelector("[data-live]");
  const id = /^\/play\/([0-9a-f]{32})/.exec(location.pathname)?.[1];
  if (!live || !id) return;
  const events = new EventSource(`/api/v1/events?after=${live.dataset.live}`);
  const kinds = "accepted registered ply called declined offered agreed rejected corrected adjourned claimed answered dismissed " +
    "appealed granted taken left stoppage overstepped resigned ruled revealed committed seed-revealed ended time-out";
  const news = (event) => {
    if (JSON.parse(event.data).game !== id) return;
    events.close();
    const typed = document.querySelector("#move")?.value;
    if (!typed) location.replace(location.pathname);
  };
  for (const kind of kinds.split(" ")) events.addEventListener(kind, news);
  // What is sent is not cut off by what the others do.
  document.addEventListener("submit", () => events.close());
}

document.body.append(said);
ready();
listen();
openLink();
window.addEventListener("hashchange", openLink);
