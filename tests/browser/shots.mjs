// Screenshots of the pages with a game: node shots.mjs FOLDER
import { spawn, execFileSync } from "node:child_process";
import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium } from "playwright-core";
const { FERZ, CHROMIUM } = process.env;
const folder = await mkdtemp(join(tmpdir(), "shots-"));
const db = join(folder, "g.ferz");
const fx = (n) => new URL(`../../fixtures/games/${n}`, import.meta.url).pathname;
execFileSync(FERZ, ["archive", "import", "--db", db, fx("ichess-sample.pgn")]);
const p = spawn(FERZ, ["serve", "--db", db, "--listen", "127.0.0.1:0", "--log", "off"]);
const origin = await new Promise((ok) => p.stdout.on("data", (t) => { const m = /http:\/\/\S+/.exec(t); if (m) ok(m[0]); }));
const b = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"] });
for (const [name, viewport] of [["desk", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
  for (const scheme of ["light", "dark"]) {
    const page = await (await b.newContext({ viewport, colorScheme: scheme })).newPage();
    for (const record of ["iago-b-blocked.pgn", "chaos-short.pgn", "ichess-sample.pgn"]) {
      await page.goto(origin + "/");
      await page.fill("#record", await readFile(fx(record), "utf8"));
      await Promise.all([page.waitForNavigation(), page.click("button.primary")]);
      await page.screenshot({ path: join(process.argv[2], `check-${record}-${name}-${scheme}.png`) });
    }
  }
}
await b.close(); p.kill();
