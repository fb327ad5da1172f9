// The package in Chromium, behind a strict content security policy: reports on a file as the program gives them, a
// worker, an error. browser.mjs PACKAGE FILE EXPECTED, with the reports of FILE in EXPECTED.
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join, normalize, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [folder, file, expected] = process.argv.slice(2);
const tools = resolve(fileURLToPath(import.meta.url), "../../browser/package.json");
const { chromium } = createRequire(tools)("playwright-core");

const PAGE = `<!doctype html><meta charset="utf-8"><title>ferz</title><script type="module" src="/page.js"></script>`;
const SCRIPT = `
import { init, validateToJson, Position } from "/package/index.js";
import { startWorker } from "/package/worker.js";
try {
  await init();
  const text = new Uint8Array(await (await fetch("/file")).arrayBuffer());
  const worker = await startWorker();
  const [report] = await worker.validate("1. e4 e5 2. Ke3 *");
  let fault = null;
  try { new Position("crazyhouse").play("Ke3"); } catch (error) { fault = error.name + " " + error.rule; }
  window.done = { reports: validateToJson(text), verdict: report.verdict, fault };
} catch (error) {
  window.done = { error: error.name + ": " + error.message };
}
`;
const TYPES = { ".js": "text/javascript", ".wasm": "application/wasm" };
const server = createServer((request, response) => {
  const path = new URL(request.url, "http://local").pathname;
  response.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'",
  );
  const send = (type, body) => response.setHeader("Content-Type", type).end(body);
  if (path === "/") return send("text/html", PAGE);
  if (path === "/page.js") return send("text/javascript", SCRIPT);
  if (path === "/file") return send("application/octet-stream", readFileSync(file));
  const name = normalize(path).replace(/^\/package\//, "");
  try {
    const body = readFileSync(join(resolve(folder), name));
    send(TYPES[name.slice(name.lastIndexOf("."))] ?? "text/plain", body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((ready) => server.on("listening", ready));

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
try {
  const page = await browser.newPage();
  const refused = [];
  page.on("console", (message) => message.type() === "error" && refused.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.waitForFunction(() => window.done, null, { timeout: 60_000 });
  const { reports, verdict, fault, error } = await page.evaluate(() => window.done);
  if (error) throw new Error(error);
  if (reports !== readFileSync(expected, "utf8")) throw new Error("other reports than the program's");
  if (verdict !== "illegal" || fault !== "IllegalPly FIDE 3.8") throw new Error(`${verdict}, ${fault}`);
  if (refused.length > 0) throw new Error(refused.join("; "));
  console.log("Chromium: equal reports behind a strict policy, in the page and in a worker");
} finally {
  await browser.close();
  server.close();
}
