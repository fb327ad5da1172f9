// Prints the reports on files of records, one JSON object a line: reports.mjs PACKAGE FILE...
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const ferz = await import(pathToFileURL(resolve(folder, "index.js")));
await ferz.init();
for (const file of files) process.stdout.write(ferz.validateToJson(readFileSync(file)));
