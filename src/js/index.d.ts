/** The text of records. */
export type Records = string | Uint8Array | ArrayBuffer;
export type Player = "white" | "black" | "nature";
export type Result = "1-0" | "0-1" | "1/2-1/2" | "*";

/**
 * Starts the module; after a trap (`FerzStopped`), a fresh one. It loads `ferz_bg.wasm` from its own folder, in Node
 * and in browsers; pass bytes, a URL or a compiled module to load another.
 */
export function init(module?: BufferSource | URL | string | WebAssembly.Module | Response): Promise<void>;

/** The version of the package. */
export function version(): string;

/** How records are read. */
export interface ReadOptions {
  /** The game, which overrides the tag Variant. */
  variant?: string;
  /** The only accepted style. */
  style?: string;
  /** The language of the piece letters: its code or name, `en` for the game's own, or `auto`. */
  language?: string;
  /** Lets illegal plies stand: each is reported, and the replay continues. */
  letStand?: boolean;
  registry?: Registry;
}

export interface Rules {
  name: string;
  edition: string;
  digest: string;
}

export interface Illegal {
  /** The board, in a game on two. */
  board?: "A" | "B";
  ply: number;
  text: string;
  code: string;
  reason_id: string;
  reason: string;
  rule: string;
  squares: string[];
  candidates: string[];
  line: number;
  column: number;
  /** Bytes of the UTF-8 text, first and past the last. */
  span: [number, number];
  cannot_stand?: string;
}

export interface End {
  result: Result;
  reason: string;
  board?: "A" | "B";
  ply: number;
  points?: unknown;
}

/** The report on one board of a game on two. */
export interface BoardReport {
  board: "A" | "B";
  plies: number;
  illegal?: Illegal;
  let_stand?: Illegal[];
  end?: End;
  final_fen: string;
}

export interface Claimable {
  kind: string;
  by: Player;
  ply: number;
  plies: number[];
  intended?: string;
}

export interface Diagnostic {
  code: string;
  severity: "info" | "warning" | "error";
  line: number;
  column: number;
  span: [number, number];
  board?: "A" | "B";
  ply?: number;
  message: string;
  notes?: string[];
  spelling?: string;
}

/** The report on one game; formats/REPORT.md of the project describes each key. */
export interface Report {
  game: number;
  path?: number[];
  variant: string;
  rules: Rules | null;
  style: string;
  style_evidence?: { style: string; plies: number }[];
  language?: string;
  plies: number;
  verdict: "legal" | "illegal" | "unreadable" | "not_judged" | "no_record";
  legal: boolean;
  illegal: Illegal | null;
  let_stand?: Illegal[];
  end: End | null;
  end_rule?: string;
  result_tag: Result | null;
  agreement: "confirmed" | "contradicted" | "unverifiable";
  final_fen: string;
  claims?: Claimable[];
  claimable?: Claimable[];
  decided_by?: unknown[];
  /** What became of each board of a game on two. */
  boards?: [BoardReport, BoardReport];
  variations?: Report[];
  diagnostics: Diagnostic[];
}

/** Judges the records of a text. One game that is wrong, or unknown, harms no other. */
export function validate(text: Records, options?: ReadOptions & { strict?: boolean }): Report[];

/** The reports as `ferz validate --format ndjson` writes them. */
export function validateToJson(text: Records, options?: ReadOptions & { strict?: boolean }): string;

/** Writes records in another style of notation, or as JSON. What that loses is in `losses`. */
export function convert(
  text: Records,
  options: Omit<ReadOptions, "language"> & {
    /** The style, or `json`. */
    to: string;
    /** The language of the piece letters to write. */
    language?: string;
    /** The language of the piece letters in the records. */
    fromLanguage?: string;
  },
): { records: string; losses: Diagnostic[] };

/** A claim; formats/CLAIMS.md of the project lists the kinds. */
export interface Claim {
  kind: string;
  by?: Player;
  ply?: number;
  intended?: string;
  within?: number;
  at?: string;
  premises?: string[];
  /** Positions that a search may visit. */
  nodes?: number;
}

export interface Verdict {
  claim: Claim;
  rules: Rules | null;
  verdict: "upheld" | "rejected" | "undetermined" | "ambiguous";
  result: Result | null;
  strength: string;
  explanation: string;
  articles: string[];
  plies: number[];
  premises?: string[];
  line: string[];
  fen: string;
  certificate: object | null;
  [key: string]: unknown;
}

/** A position as the subject of a claim. */
export interface Subject {
  variant?: string;
  fen?: string;
  tags?: Record<string, string>;
}

/** Judges a claim about a game of a text, which counts its games from 1, or about a position. */
export function adjudicate(
  subject: Records | Subject,
  claim: Claim,
  options?: ReadOptions & { game?: number; policy?: string; nodes?: number },
): Verdict;

/** Checks a certificate, and that its record is in a text if one is given. Throws `NotAccepted`. */
export function checkCertificate(
  certificate: string | object,
  options?: { record?: Records; full?: boolean; registry?: Registry },
): { shows: string; restsOn: string[] };

/** User-defined games, in addition to the built-in ones. */
export class Registry {
  constructor();
  /** Adds the game or mutator of a definition file. Throws `BadDefinition` with `mistakes`. */
  load(definition: string): this;
  readonly games: { name: string; title: string; edition: string; mutator: boolean }[];
  free(): void;
}

/** A legal ply: as text, and as what a board has to do. */
export interface Move {
  actor: Player;
  san: string;
  coord: string;
  uci: string | null;
  piece: string;
  from: string | null;
  to: string;
  captures: string | null;
  promotion: string | null;
  drop: boolean;
  castles: boolean;
  pass: boolean;
  gates: { piece: string; square: string }[];
}

/** What `play` throws: why a text names no legal ply. */
export interface IllegalPly extends Error {
  name: "IllegalPly";
  reason: string;
  rule: string;
  squares: string[];
  nearest: string[];
}

/** A position of a game, with the plies that led to it. It never changes: `play` returns another. */
export class Position {
  constructor(game?: string, options?: Omit<Subject, "variant"> & { registry?: Registry });
  constructor(subject: Subject & { registry?: Registry });
  play(ply: string | Move): Position;
  undo(): Position | null;
  moves(options?: { from?: string }): Move[];
  readonly plies: string[];
  readonly fen: string;
  readonly variant: string;
  readonly rules: Rules;
  readonly turn: "white" | "black";
  /** Who may act now: the player on move, Nature, both, or no one. */
  readonly actors: Player[];
  readonly inCheck: boolean;
  readonly checkers: string[];
  /** Letters of a FEN by squares. */
  readonly pieces: Record<string, string>;
  readonly hands: { white: string[]; black: string[] };
  readonly reserves: { white: string[]; black: string[] };
  readonly end: End | null;
  readonly claimable: Claimable[];
  /** All that makes two positions the same (COM-3). */
  readonly identity: string;
  equals(other: Position): boolean;
  perft(depth: number): number;
  svg(): string;
  toString(): string;
  free(): void;
}
