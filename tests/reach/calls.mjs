// Calls the package with hostile text: calls.mjs PACKAGE CALLS [SEED]. It must throw an error of its own or return, never
// stop; memory must not grow.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, calls, seed] = process.argv.slice(2);
const ferz = await import(pathToFileURL(resolve(folder, "index.js")));
await ferz.init();

let state = BigInt(seed ?? 1);
const draw = (below) => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
  return Number((state >> 33n) % BigInt(below));
};
const one = (list) => list[draw(list.length)];
const TOKENS = ["1.", "e4", "Nf3", "O-O", "=Q", "{", "}", "(", ")", "[", "]", '"', "\\", "\n", "$1", "&M", "@", "~", "x",
  '[Variant "', '[FEN "', "crazyhouse", "chaos+ichess", "8/8/8/8/8/8/8/8", " w - - 0 1", "\0", "ü", "\ud800", "1-0",
  "*", "9".repeat(30), "'", "<", ">", "=", "%", ";", "8", "/", "k", "K"];
const CLAIMS = ["checkmate", "fifty_moves", "dead_position", "illegal_ply", "cannot_win", "forced_mate", "time_win", ""];
const GAMES = ["chess", "ichess", "chaos+chess", "shogi", "augmented", "iago-m", "nothing", ""];
const text = () => Array.from({ length: draw(30) }, () => one(TOKENS) + one(["", " "])).join("");
const OWN = new Set(["FerzError", "IllegalPly", "UnknownGame", "BadPosition", "BadDefinition", "BadClaim", "NotAccepted"]);

const kinds = [
  () => ferz.validate(text()),
  () => ferz.convert(text(), { to: one(["san", "coord", "json", "iago", text()]) }),
  () => new ferz.Position({ variant: one(GAMES), fen: one([undefined, text()]) }).play(text()),
  () => ferz.adjudicate(text(), { kind: one(CLAIMS), by: one(["white", "black"]), nodes: 50 }),
  () => ferz.checkCertificate(text(), { record: text() }),
  () => new ferz.Registry().load(text()),
  () => {
    let position = new ferz.Position(one(["chess", "ichess"]));
    for (let ply = draw(12); ply > 0; ply -= 1) {
      const moves = position.moves();
      if (moves.length === 0) break;
      position = position.play(one(moves));
    }
    const again = new ferz.Position({ variant: position.variant, fen: position.fen });
    if (!again.equals(position)) throw new Error(`${position.fen} is another position`);
  },
];
let refused = 0;
let half = 0;
for (let call = 0; call < calls; call += 1) {
  try {
    one(kinds)();
  } catch (error) {
    if (!OWN.has(error.name)) throw error;
    refused += 1;
  }
  // Finalizers free positions between tasks.
  if (call % 500 === 0) await new Promise((done) => setImmediate(done));
  if (call === Math.floor(calls / 2)) half = process.memoryUsage().rss;
}
const grown = Math.round((process.memoryUsage().rss - half) / 1024);
console.log(`${calls} calls, ${refused} refused, ${grown} KiB more in the second half`);
if (grown > 150_000) throw new Error(`${grown} KiB`);
