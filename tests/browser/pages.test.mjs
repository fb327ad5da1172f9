// The pages as a person meets them: a real Chromium, a real server, a real file.

import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";

const { CHROMIUM, FERZ, SHOTS } = process.env;
const fixtures = new URL("../../fixtures/games/", import.meta.url);
const fixture = (name) => readFile(new URL(name, fixtures), "utf8");
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const DESK = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

let folder, server, browser, origin;

/** Starts a service over an archive; gives the process and the address. */
async function serve(db) {
  const process_ = spawn(FERZ, ["serve", "--db", db, "--listen", "127.0.0.1:0", "--log", "off"]);
  process_.stderr.pipe(process.stderr);
  const address = await new Promise((found, failed) => {
    process_.once("exit", (code) => failed(new Error(`ferz serve ended with ${code}`)));
    process_.stdout.on("data", (text) => {
      const told = /http:\/\/\S+/.exec(text);
      if (told) found(told[0]);
    });
  });
  return [process_, address];
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ferz-pages-"));
  [server, origin] = await serve(join(folder, "games.ferz"));
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"];
  const quiet = ["--disable-background-networking", "--disable-component-update", "--disable-sync"];
  browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args: [...args, ...quiet] });
});

after(async () => {
  await browser?.close();
  server?.kill("SIGTERM");
  await rm(folder, { recursive: true, force: true });
});

/** A page that watches over itself: no complaint on the console, no request to anywhere else. */
async function visit(t, path, { viewport = DESK, colorScheme = "light", javaScriptEnabled = false } = {}) {
  const context = await browser.newContext({ viewport, colorScheme, javaScriptEnabled, acceptDownloads: true });
  const page = await context.newPage();
  const complaints = [];
  page.on("console", (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith("data:")) complaints.push(`request to ${url}`);
  });
  t.after(async () => {
    await context.close();
    assert.deepEqual(complaints.filter((text) => !/status of 4|net::ERR_FAILED/.test(text)), []);
  });
  const response = await page.goto(origin + path);
  return { page, context, response };
}

const shot = (page, name) => page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });

/** Presses the button that sends the form, and waits for the answer. */
const send = (page) => Promise.all([page.waitForNavigation(), page.click("button.primary")]);

async function check(page, record) {
  await page.fill("#record", record);
  await send(page);
}

const verdict = async (page) => (await page.textContent("#verdict")).trim();

/** Everything that can be reached with the Tab key, in its order. */
async function tabbed(page, most = 400) {
  const seen = [];
  for (let count = 0; count < most; count += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const { activeElement: e } = document;
      return e === document.body ? null : `${e.tagName}:${e.name ?? ""}:${(e.textContent || e.value || "").trim().slice(0, 30)}`;
    });
    if (focused === null) break;
    seen.push(focused);
  }
  return seen;
}

async function accessible(page, name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  const told = violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((n) => n.html).join(" | ")}`);
  assert.deepEqual(told, [], name);
}

test("a legal game is pasted, judged, stepped through and read in another notation", async (t) => {
  const { page } = await visit(t, "/");
  await shot(page, "start");
  await check(page, await fixture("ichess-sample.pgn"));
  assert.equal(await verdict(page), "✓Legal: 69 plies");
  assert.match(await page.textContent(".verdict"), /White wins by checkmate after ply 69/);
  assert.match(await page.textContent(".verdict"), /1-0 agrees with the board/);
  await shot(page, "legal");
  assert.match(await page.textContent("#board-title"), /After ply 69: Nb6#/);
  await page.click("button[name=back]");
  assert.match(await page.textContent("#board-title"), /After ply 68/);
  // The focus stays where the finger is.
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
  assert.match(await page.textContent("#board-title"), /After ply 67/);
  await page.click("button[name=first]");
  assert.match(await page.textContent("#board-title"), /Starting position/);
  await page.click("button[name=next]");
  assert.match(await page.textContent("#board-title"), /After ply 1: R=a1/);
  await page.click("button.ply >> text=BxNg5");
  assert.match(await page.textContent("#board-title"), /After ply 17: BxNg5/);
  await shot(page, "ply-17");
  await page.selectOption("#to", "san");
  await page.click("text=Show");
  assert.match(await page.textContent(".pgn"), /1\. R@a1 R@h8/);
  assert.match(await page.textContent("#board-title"), /After ply 17/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
  assert.equal(download.suggestedFilename(), "game-1-san.pgn");
  assert.match(await readFile(await download.path(), "utf8"), /1\. R@a1 R@h8/);
});

test("a script steps without loading the page again, with the arrow keys too", async (t) => {
  const { page } = await visit(t, "/", { javaScriptEnabled: true });
  await check(page, await fixture("ichess-sample.pgn"));
  await page.evaluate(() => { window.stays = true; });
  const title = (text) => page.waitForFunction((text) => document.querySelector("#board-title").textContent.includes(text), text);
  await page.click("button[name=back]");
  await title("After ply 68");
  assert.equal(await page.evaluate(() => document.activeElement.name), "back");
  await page.keyboard.press("ArrowLeft");
  await title("After ply 67");
  await page.keyboard.press("Home");
  await title("Starting position");
  await page.keyboard.press("ArrowRight");
  await title("After ply 1: R=a1");
  assert.match(await page.textContent("[role=status]"), /After ply 1/);
  await page.click("button.ply >> text=BxNg5");
  await title("After ply 17: BxNg5");
  assert.equal(await page.evaluate(() => window.stays), true);
  // The other forms of the page are at the same ply.
  await page.selectOption("#to", "san");
  await page.click("text=Show");
  assert.match(await page.textContent("#board-title"), /After ply 17/);
  // In the record's field the arrow keys move in the text.
  await page.focus("#record");
  await page.keyboard.press("ArrowLeft");
  assert.match(await page.textContent("#board-title"), /After ply 17/);
  // Without an answer the next page is loaded as without a script.
  await page.route("**/*", (route) => (route.request().resourceType() === "fetch" ? route.abort() : route.continue()));
  await page.evaluate(() => { window.stays = true; });
  await page.click("button[name=next]");
  await title("After ply 18");
  assert.equal(await page.evaluate(() => window.stays), undefined);
});

test("no key press is lost, and one answer has all positions", async (t) => {
  const { page } = await visit(t, "/", { javaScriptEnabled: true });
  await check(page, await fixture("ichess-sample.pgn"));
  const fetched = [];
  page.on("request", (request) => request.resourceType() === "fetch" && fetched.push(request.url()));
  // The answer takes its time.
  await page.route("**/positions", async (route) => {
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  for (let press = 0; press < 30; press += 1) await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => document.querySelector("#board-title").textContent.startsWith("After ply 39:"));
  for (let press = 0; press < 12; press += 1) await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#board-title"), /After ply 51:/);
  assert.equal(await page.textContent(".ply[aria-current]"), (await page.textContent("#board-title")).split(": ")[1]);
  assert.deepEqual(fetched.map((url) => new URL(url).pathname), ["/positions"]);
  await Promise.all([page.waitForNavigation(), page.keyboard.press("f")]);
  assert.equal(await page.getAttribute(".ferz-board", "data-turned"), "true");
  assert.match(await page.textContent("#board-title"), /After ply 51:/);
});

/** Fails unless board, buttons, verdict and plies are in the window at once. */
async function inOneView(page, name, parts = [".drawing svg", ".stepper", "#verdict", ".plies li >> nth=0"]) {
  const { height, width } = page.viewportSize();
  for (const part of parts) {
    const box = await page.locator(part).first().boundingBox();
    assert.ok(box && box.y >= 0 && box.x >= 0 && box.x + box.width <= width, `${name}: ${part} at ${JSON.stringify(box)}`);
    const seen = part.startsWith(".plies") || part === "#verdict" ? box.y + 20 : box.y + box.height;
    assert.ok(seen <= height, `${name}: ${part} ends at ${seen} of ${height}`);
  }
}

test("board, moves and verdict are in one view, at a desk and on a phone", async (t) => {
  const archived = new Set();
  for (const [place, viewport] of [["desk", { width: 1280, height: 800 }], ["phone", { width: 390, height: 844 }]]) {
    for (const colorScheme of ["light", "dark"]) {
      const { page } = await visit(t, "/", { viewport, colorScheme });
      const look = async (name, parts) => {
        await page.screenshot({ path: join(SHOTS, `view-${name}-${place}-${colorScheme}.png`) });
        await inOneView(page, `${name}, ${place}`, parts);
      };
      for (const name of ["ichess-sample.pgn", "iago-b-blocked.pgn", "chaos-short.pgn", "capablanca.pgn"]) {
        await page.goto(origin);
        await check(page, await fixture(name));
        if (await page.locator(".overview").count()) await page.click(".overview tbody button, .overview tbody a");
        await look(`check-${name.replace(".pgn", "")}`);
      }
      await page.goto(origin);
      await page.fill("#record", await fixture("ichess-sample.pgn"));
      await page.check("#keep");
      await send(page);
      await page.click(".kept a");
      archived.add(page.url());
      await look("archive");
      await page.goto(`${origin}/compare`);
      await page.fill("#record", "1. e4 e5 2. Nf3 *");
      await page.fill("#other", "1. e4 e5 2. Bc4 *");
      await send(page);
      await look("compare", ["#verdict", ".drawing svg"]);
      await page.goto(origin);
      await check(page, "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *");
      // One press: the claim that was open after ply 8 is judged.
      await Promise.all([page.waitForNavigation(), page.click(".claim >> nth=1")]);
      assert.match(await verdict(page), /UPHELD: threefold repetition by White at ply 8/);
      await look("adjudicate", ["#verdict", ".drawing svg"]);
    }
  }
  assert.equal(archived.size, 1);
});

test("two browsers play a game: by click, by drag, by typing and from the list", async (t) => {
  const db = join(folder, "club.ferz");
  const token = (name, scope) =>
    execFileSync(FERZ, ["archive", "token", "add", name, "--scope", scope, "--holder", name, "--db", db], { encoding: "utf8" }).match(/ferz_\S+/)[0];
  const [dora, ...secrets] = [token("Dora", "director"), token("Ann", "play,read"), token("Ben", "play")];
  const [club, address] = await serve(db);
  t.after(() => club.kill("SIGTERM"));
  const body = JSON.stringify({ variant: "iago-b", players: { white: "Ann", black: "Ben" }, clock: "days-per-move", tags: { Event: "Cup" } });
  const created = await fetch(`${address}/api/v1/correspondence`, { method: "POST", headers: { authorization: `Bearer ${dora}` }, body });
  assert.equal(created.status, 201);
  const seats = [{ viewport: { width: 1280, height: 800 } }, { viewport: { width: 390, height: 844 }, colorScheme: "dark" }];
  const [ann, ben] = await Promise.all(["Ann", "Ben"].map(async (username, seat) => {
    const context = await browser.newContext({ ...seats[seat], httpCredentials: { username, password: secrets[seat] } });
    t.after(() => context.close());
    const page = await context.newPage();
    page.on("pageerror", (error) => assert.fail(String(error)));
    await page.goto(`${address}/play`);
    await page.click("tbody a");
    await Promise.all([page.waitForNavigation(), page.click("button[value=accept]")]);
    return page;
  }));
  const mine = (page) => page.waitForFunction(() => document.querySelector("#verdict").textContent === "It is your turn");
  const at = (page, square) => page.evaluate((square) => {
    const board = document.querySelector(".ferz-board");
    let [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
    if (board.dataset.turned === "true") [file, rank] = [7 - file, 7 - rank];
    const point = new DOMPoint(file * 100 + 50, (7 - rank) * 100 + 50).matrixTransform(board.getScreenCTM());
    return [point.x, point.y];
  }, square);
  await mine(ann);
  await inOneView(ann, "play, desk", [".drawing svg", ".stepper", "#verdict", "#move"]);
  // A knight that leaves its square for the first time may have a piece gated in behind it: it is asked which.
  await ann.mouse.click(...(await at(ann, "g1")));
  assert.equal(await ann.locator(".picked").count(), 1);
  await ann.mouse.click(...(await at(ann, "f3")));
  assert.deepEqual((await ann.locator("#choices button").allTextContents()).sort(), ["Nf3", "Nf3/C", "Nf3/M"]);
  await ann.screenshot({ path: join(SHOTS, "view-play-desk-light.png") });
  await Promise.all([ann.waitForNavigation(), ann.click("#choices >> text=Nf3/M")]);
  assert.equal(await verdict(ann), "Black is to act");
  // The other player sees it without loading the page.
  await mine(ben);
  await inOneView(ben, "play, phone", [".drawing svg", "#verdict", ".stepper"]);
  await ben.screenshot({ path: join(SHOTS, "view-play-phone-dark.png") });
  await ben.mouse.move(...(await at(ben, "e7")));
  await ben.mouse.down();
  await ben.mouse.move(...(await at(ben, "e5")));
  await Promise.all([ben.waitForNavigation(), ben.mouse.up()]);
  assert.equal(await verdict(ben), "White is to act");
  await mine(ann);
  await ann.fill("#move", "Ke3");
  await Promise.all([ann.waitForNavigation(), ann.click("button[value=ply]")]);
  assert.match(await ann.textContent(".refused"), /does not go to e3 \(FIDE 3.8\)/);
  assert.equal(await ann.inputValue("#move"), "Ke3");
  await ann.fill("#move", "");
  await ann.selectOption("#choice", { label: "g3" });
  await Promise.all([ann.waitForNavigation(), ann.click("button[value=ply]")]);
  assert.deepEqual(await ann.locator(".plies .ply").allTextContents(), ["Nf3/M", "e5", "g3"]);
  await accessible(ann, "table");
  await mine(ben);
  await accessible(ben, "table on a phone");
  await ben.click(".more-acts summary");
  await Promise.all([ben.waitForNavigation(), ben.click("button[value=resign]")]);
  assert.equal(await verdict(ben), "Over: 1-0 by resignation");
  await ann.waitForFunction(() => document.querySelector("#verdict").textContent.startsWith("Over"));
  await ann.click("text=The game in the archive");
  assert.match(await ann.textContent("#players"), /Ann – Ben/);
});

test("a link carries the record, and shows the verdict again", async (t) => {
  const { page, context } = await visit(t, "/", { javaScriptEnabled: true });
  await check(page, await fixture("iago-b-blocked.pgn"));
  const told = await verdict(page);
  const link = await page.getAttribute("a[href^='/#packed=']", "href");
  const other = await context.newPage();
  await Promise.all([other.waitForSelector("#verdict"), other.goto(origin + link)]);
  assert.equal((await other.textContent("#verdict")).trim(), told);
  assert.ok(!other.url().includes("packed"), other.url());
});

test("repairs are shown with what they change, and the repaired record is checked", async (t) => {
  const { page } = await visit(t, "/");
  await check(page, "[White \"Ann\"\n\n1.e4 e5 2.Nf3 Nc6 4. Bc4\n");
  await Promise.all([page.waitForNavigation(), page.click("text=Show what can be repaired")]);
  assert.match(await verdict(page), /3 changes/);
  assert.equal(await page.locator("table.changes del").count(), 2);
  await shot(page, "repairs");
  await send(page);
  assert.match(await verdict(page), /Legal: 5 plies/);
});

test("two records are compared", async (t) => {
  const { page } = await visit(t, "/compare");
  await page.fill("#record", "1. e4 e5 2. Nf3 *");
  await page.fill("#other", "1. e4 e5 2. Bc4 *");
  await send(page);
  assert.match(await verdict(page), /diverge after 2 plies/);
  await shot(page, "compare");
});

test("an illegal ply is told with its reason, its rule, its place and its squares", async (t) => {
  const { page } = await visit(t, "/?example=illegal");
  await send(page);
  assert.equal(await verdict(page), "✗Illegal at ply 7 (move 4, White)");
  const told = await page.textContent(".verdict");
  for (const part of ["O-O is illegal", "a piece stands in the way of castling", "FIDE 3.8", "Ke1-f1", "Line 10, column 55"]) {
    assert.ok(told.includes(part), part);
  }
  assert.equal(await page.textContent("#L10 mark.bad"), "O-O");
  await shot(page, "illegal");
  await page.click(".verdict >> text=FIDE 3.8");
  assert.equal(new URL(page.url()).hash, "#FIDE_3.8");
  assert.ok(await page.isVisible('[id="FIDE_3.8"]'));
});

test("a packed file with many games gives a list, and each game opens", async (t) => {
  const { page } = await visit(t, "/");
  const many = [await fixture("ingols-whole-games.pgn"), await fixture("iago-b-blocked.pgn")].join("\n");
  const path = join(folder, "many.pgn.gz");
  await writeFile(path, gzipSync(many));
  await page.setInputFiles("#file", path);
  await send(page);
  const rows = await page.locator(".overview tbody tr").count();
  assert.ok(rows > 2, `${rows} games`);
  await shot(page, "many");
  await page.click(".overview >> text=Ann – Ben");
  assert.equal(await page.textContent("#players"), "Ann – Ben");
  await page.click("text=Previous game");
  assert.match(await page.textContent(".which"), new RegExp(`Game ${rows - 1} of ${rows}`));
  await page.click("text=All games");
  assert.equal(await page.locator(".overview tbody tr").count(), rows);
});

test("nothing that a record holds becomes part of the page", async (t) => {
  const { page } = await visit(t, "/", { javaScriptEnabled: true });
  const evil = "<script>window.evil=1</script><img src=x onerror=window.evil=1>\"'>";
  // Markup among the moves makes all of it a web page, whose markup is removed; without it, it is text.
  for (const movetext of ["2. <script>alert(1)</script> *", "*"]) {
    await page.goto(origin);
    await check(page, `[White "${evil.replaceAll('"', '\\"')}"]\n[Event "</textarea>${evil.replaceAll('"', '\\"')}"]\n\n` +
      `1. e4 {${evil}} e5 ${movetext}`);
    assert.equal(await page.evaluate(() => window.evil), undefined);
    assert.equal(await page.locator("main script, main img").count(), 0);
  }
  assert.ok((await page.textContent("#players")).includes("<script>"));
});

test("games are kept when that is asked for, and found again", async (t) => {
  const { page } = await visit(t, "/");
  await page.fill("#record", await fixture("iago-b-blocked.pgn"));
  await page.check("#keep");
  await send(page);
  await page.click(".kept a");
  assert.match(page.url(), /\/games\/[0-9a-f]+$/);
  assert.equal(await verdict(page), "✗Illegal at ply 7 (move 4, White)");
  await shot(page, "kept");
  await page.click("a.nav >> text=Back");
  assert.match(page.url(), /back=5/);
  await page.goto(`${origin}/`);
  await page.fill("#record", await fixture("ichess-sample.pgn"));
  await page.check("#keep");
  await send(page);
  await page.goto(`${origin}/games`);
  await shot(page, "archive");
  assert.equal(await page.locator("tbody tr").count(), 2);
  await page.click("summary:has-text('Search')");
  await page.fill("#player", "ann");
  await page.click("button:has-text('Search')");
  assert.equal(await page.locator("tbody tr").count(), 1);
  await page.click("tbody a");
  assert.equal(await page.textContent("#players"), "Ann – Ben");
  await page.selectOption("#to", "coord");
  await page.click("text=Show");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("text=Download")]);
  assert.match(await readFile(await download.path(), "utf8"), /e2e4/);
  await page.goto(`${origin}/games?player=nobody`);
  assert.match(await page.textContent("main"), /No game/);
});

const PAGES = ["/compare", "/", "/?example=ichess", "/games", "/events", "/variants", "/variants/ichess", "/rules", "/codes", "/nowhere"];

test("every page fits a phone, and none scrolls sideways", async (t) => {
  const { page } = await visit(t, "/", { viewport: PHONE });
  const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (const path of PAGES) {
    await page.goto(origin + path);
    assert.equal(await wide(), 0, path);
  }
  for (const name of ["ichess-sample.pgn", "iago-b-blocked.pgn", "chaos-short.pgn", "capablanca.pgn", "ingols-whole-games.pgn"]) {
    await page.goto(origin);
    await check(page, await fixture(name));
    assert.equal(await wide(), 0, name);
    await shot(page, `phone-${name.replace(".pgn", "")}`);
  }
});

test("pages have no fault that axe knows, light and dark", async (t) => {
  for (const colorScheme of ["light", "dark"]) {
    const { page } = await visit(t, "/", { colorScheme, javaScriptEnabled: true });
    for (const path of PAGES) {
      await page.goto(origin + path);
      await accessible(page, `${path}, ${colorScheme}`);
      await shot(page, `${colorScheme}${path.replaceAll(/[/?=]/g, "-")}`);
    }
    for (const name of ["ichess-sample.pgn", "iago-b-blocked.pgn", "chaos-native.pgn", "ingols-whole-games.pgn"]) {
      await page.goto(origin);
      await check(page, await fixture(name));
      await accessible(page, `${name}, ${colorScheme}`);
      await shot(page, `${colorScheme}-${name.replace(".pgn", "")}`);
    }
  }
});

test("the keyboard reaches everything, in the order of reading", async (t) => {
  const { page } = await visit(t, "/");
  const start = await tabbed(page);
  assert.match(start[0], /Skip to the content/);
  const order = ["TEXTAREA:record", "INPUT:file", "SELECT:variant", "SELECT:style", "INPUT:keep", "BUTTON::Check"];
  const places = order.map((what) => start.findIndex((seen) => seen.startsWith(what)));
  assert.deepEqual(places, [...places].sort((a, b) => a - b), start.join("\n"));
  assert.ok(!places.includes(-1), start.join("\n"));
  await check(page, await fixture("iago-b-blocked.pgn"));
  const game = await tabbed(page);
  for (const what of ["BUTTON:first", "BUTTON:back", "BUTTON:next", "BUTTON:last", "A::Skip the moves", "BUTTON:ply", "SELECT:to"]) {
    assert.ok(game.some((seen) => seen.startsWith(what)), `${what}\n${game.join("\n")}`);
  }
  // What is focused is seen to be.
  await page.focus("button[name=back]");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Tab");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
});

test("boards are told in words", async (t) => {
  const { page } = await visit(t, "/?example=nature");
  await send(page);
  const tree = await page.locator(".drawing").ariaSnapshot();
  assert.match(tree, /White/);
  assert.match(await page.textContent(".position"), /Nature's clock/);
});

test("a verdict prints on paper", async (t) => {
  const { page } = await visit(t, "/?example=ichess");
  await send(page);
  const pdf = await page.pdf({ format: "A4", path: join(SHOTS, "print.pdf") });
  assert.ok(pdf.length > 10_000);
  await page.emulateMedia({ media: "print" });
  assert.equal(await page.isVisible("form.card"), false);
  assert.equal(await page.isVisible(".drawing svg"), true);
});

test("a service with a token asks for it, and then works the same", async (t) => {
  const db = join(folder, "closed.ferz");
  const token = execFileSync(FERZ, ["archive", "token", "add", "desk", "--db", db], { encoding: "utf8" }).match(/ferz_\S+/)[0];
  const [closed, address] = await serve(db);
  t.after(() => closed.kill("SIGTERM"));
  const strange = await browser.newPage();
  assert.equal((await strange.goto(address).catch(() => null))?.status() ?? 401, 401);
  await strange.close();
  const context = await browser.newContext({ httpCredentials: { username: "desk", password: token } });
  const page = await context.newPage();
  await page.goto(address);
  await check(page, await fixture("iago-b-blocked.pgn"));
  assert.equal(await verdict(page), "✗Illegal at ply 7 (move 4, White)");
  // The style sheet is there, too.
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".play")).display), "grid");
  await context.close();
});

test("what cannot be done is told on a page", async (t) => {
  const { page, response } = await visit(t, "/nowhere");
  assert.equal(response.status(), 404);
  assert.match(await page.textContent("h1"), /nothing at this address/);
  await page.goto(origin);
  await page.fill("#record", "   ");
  await send(page);
  assert.match(await page.textContent("main"), /No game found/);
  const path = join(folder, "large.pgn");
  await writeFile(path, "{ }".repeat(3 << 20));
  await page.goto(origin);
  await page.setInputFiles("#file", path);
  const [large] = await Promise.all([page.waitForResponse((r) => r.request().method() === "POST"), page.click("button.primary")]);
  assert.equal(large.status(), 413);
  await shot(page, "too-large");
});
