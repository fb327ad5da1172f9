// The other side of worker.js: answers in a worker, so that a page stays alive while it judges.

import * as ferz from "./index.js";

const CALLS = new Set(["validate", "convert", "adjudicate", "checkCertificate"]);

async function answer(port, { id, call, given }) {
  try {
    await ferz.init();
    if (!CALLS.has(call)) throw new TypeError(`no call ${call}`);
    port.postMessage({ id, value: ferz[call](...given) });
  } catch (error) {
    const { name, message, ...members } = { name: error.name, message: error.message, ...error };
    port.postMessage({ id, error: { name, message, members } });
  }
}

if (typeof self === "undefined") {
  const { parentPort } = await import("node:worker_threads");
  parentPort.on("message", (request) => answer(parentPort, request));
} else {
  self.onmessage = ({ data }) => answer(self, data);
}
