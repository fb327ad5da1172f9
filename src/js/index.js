// The referee's desk for chess and its variants. See index.d.ts for the interface.

const STOPPED = "ferz is not running; call and await init() first";

let wasm = null; // the exports of the module that runs
let starting = null;
let starts = 0;

/** Starts the module; after a trap, a fresh one. Further calls wait for the same start. */
export function init(module) {
  starting ??= start(module).catch((error) => {
    starting = null;
    throw error;
  });
  return starting;
}

async function start(module) {
  // Each start needs bindings without the state of the one before.
  const bindings = await import(starts === 0 ? "./ferz.js" : `./ferz.js?start=${starts}`);
  starts += 1;
  await bindings.default({ module_or_path: module ?? (await bytes()) });
  wasm = bindings;
}

/** The module's bytes: from a file in Node, from beside this script elsewhere. */
async function bytes() {
  const url = new URL("./ferz_bg.wasm", import.meta.url);
  if (url.protocol !== "file:") return url;
  const { readFile } = await import("node:fs/promises");
  return readFile(url);
}

/** Calls into the module, and reports a trap. */
function call(work) {
  if (wasm === null) throw new Error(STOPPED);
  try {
    return work(wasm);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) {
      wasm = null;
      starting = null;
      const stopped = new Error(`ferz stopped (${error.message}); call and await init() to go on`, { cause: error });
      stopped.name = "FerzStopped";
      throw stopped;
    }
    throw error;
  }
}

const encoder = new TextEncoder();

function textBytes(text) {
  if (typeof text === "string") return encoder.encode(text);
  if (text instanceof Uint8Array) return text;
  if (text instanceof ArrayBuffer) return new Uint8Array(text);
  throw new TypeError("records are a string, a Uint8Array or an ArrayBuffer");
}

/** User-defined games, in addition to the built-in ones. */
export class Registry {
  #inner;
  #of;

  constructor() {
    [this.#inner, this.#of] = call((module) => [new module.Games(), module]);
  }

  /** Adds the game or mutator of a definition file; returns the registry. */
  load(definition) {
    call(() => this.inner().load(definition));
    return this;
  }

  get games() {
    return call(() => this.inner().list());
  }

  /** @internal */
  inner() {
    if (this.#of !== wasm) throw new Error("this registry is of a module that stopped; make another");
    return this.#inner;
  }

  free() {
    this.#inner.free();
  }
}

/** The registry of the built-in games, in the module that runs. */
let builtIn = null;

function games(registry) {
  if (registry) return registry.inner();
  if (builtIn?.of !== wasm) builtIn = { of: wasm, games: new wasm.Games() };
  return builtIn.games;
}

/** What of the options is not a registry, as JSON. */
function plain({ registry: _, ...options } = {}) {
  return JSON.stringify(options);
}

export function validate(text, options = {}) {
  return call(() => games(options.registry).validate(textBytes(text), plain(options)));
}

export function validateToJson(text, options = {}) {
  return call(() => games(options.registry).validateToJson(textBytes(text), plain(options)));
}

export function convert(text, options) {
  return call(() => games(options.registry).convert(textBytes(text), plain(options)));
}

/** A position as a record without plies. */
function record({ variant = "chess", fen, tags = {} }) {
  const all = Object.entries({ Variant: variant, ...tags, ...(fen ? { SetUp: "1", FEN: fen } : {}) });
  const escaped = (value) => String(value).replace(/[\\"]/g, "\\$&");
  return `${all.map(([name, value]) => `[${name} "${escaped(value)}"]`).join("\n")}\n\n*\n`;
}

export function adjudicate(subject, claim, options = {}) {
  const isText = typeof subject === "string" || subject instanceof Uint8Array || subject instanceof ArrayBuffer;
  const text = textBytes(isText ? subject : record(subject));
  const { nodes, ...own } = claim;
  const { registry, game, policy, nodes: most = nodes, ...read } = options;
  const claimed = { claim: own, game, policy, nodes: most, read };
  return call(() => games(registry).adjudicate(text, JSON.stringify(claimed)));
}

export function checkCertificate(certificate, { record: given, full = false, registry } = {}) {
  const text = typeof certificate === "string" ? certificate : JSON.stringify(certificate);
  const kept = given === undefined ? undefined : textBytes(given);
  const [shows, ...restsOn] = call(() => games(registry).checkCertificate(text, kept, full));
  return { shows, restsOn };
}

export function version() {
  return call((module) => module.version());
}

const INNER = Symbol("inner");

/** A position of a game, with the plies that led to it. It never changes: `play` returns another. */
export class Position {
  #inner;
  #of;
  #seen = null;

  constructor(game = "chess", options = {}) {
    if (game?.[INNER]) {
      [this.#inner, this.#of] = [game[INNER], wasm];
      return;
    }
    const { variant = "chess", fen, tags = {}, registry } =
      typeof game === "string" ? { ...options, variant: game } : game;
    [this.#inner, this.#of] = call((module) => [
      new module.Position(games(registry), variant, fen, JSON.stringify(tags)),
      module,
    ]);
  }

  #call(work) {
    return call((module) => {
      if (this.#of !== module) throw new Error("this position is of a module that stopped; make another");
      return work(this.#inner);
    });
  }

  #now() {
    this.#seen ??= this.#call((inner) => inner.seen());
    return this.#seen;
  }

  /** The position after a ply: its text in any style, or one of `moves()`. */
  play(ply) {
    const text = typeof ply === "string" ? ply : ply.coord;
    return new Position({ [INNER]: this.#call((inner) => inner.play(text)) });
  }

  /** The position before the last ply; `null` at the start. */
  undo() {
    const before = this.#call((inner) => inner.undo());
    return before ? new Position({ [INNER]: before }) : null;
  }

  moves({ from } = {}) {
    return this.#call((inner) => inner.moves(from));
  }

  get plies() {
    return this.#call((inner) => inner.plies());
  }

  get fen() {
    return this.#now().fen;
  }

  get variant() {
    return this.#now().variant;
  }

  get rules() {
    return this.#now().rules;
  }

  get turn() {
    return this.#now().turn;
  }

  get actors() {
    return this.#now().actors;
  }

  get inCheck() {
    return this.#now().inCheck;
  }

  get checkers() {
    return this.#now().checkers;
  }

  get pieces() {
    return this.#now().pieces;
  }

  get hands() {
    return this.#now().hands;
  }

  get reserves() {
    return this.#now().reserves;
  }

  get end() {
    return this.#now().end;
  }

  get claimable() {
    return this.#now().claimable;
  }

  get identity() {
    return this.#now().identity;
  }

  equals(other) {
    const same = ({ digest, name, edition }) => `${name} ${edition} ${digest}`;
    return this.identity === other.identity && same(this.rules) === same(other.rules);
  }

  perft(depth) {
    return this.#call((inner) => inner.perft(depth));
  }

  svg() {
    return this.#call((inner) => inner.svg());
  }

  toString() {
    return this.#call((inner) => inner.drawn());
  }

  free() {
    this.#inner.free();
  }
}

// Older engines have no `using`.
if (Symbol.dispose) {
  for (const kind of [Position, Registry]) {
    kind.prototype[Symbol.dispose] = kind.prototype.free;
  }
}
