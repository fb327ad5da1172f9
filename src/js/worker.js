// Judges in a worker: the same calls as index.js, with promises.

/** Starts a worker. Its calls are answered in their order. */
export async function startWorker() {
  const url = new URL("./thread.js", import.meta.url);
  const inNode = typeof Worker === "undefined";
  const worker = inNode
    ? new (await import("node:worker_threads")).Worker(url)
    : new Worker(url, { type: "module" });
  const waiting = new Map();
  let calls = 0;
  let broken = null;

  const receive = ({ id, value, error }) => {
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (!error) return resolve(value);
    const thrown = Object.assign(new Error(error.message), error.members);
    thrown.name = error.name;
    reject(thrown);
  };
  const fail = (error) => {
    broken = error instanceof Error ? error : new Error(error.message ?? "the worker stopped");
    waiting.forEach(({ reject }) => reject(broken));
    waiting.clear();
  };
  if (inNode) {
    worker.on("message", receive);
    worker.on("error", fail);
  } else {
    worker.onmessage = ({ data }) => receive(data);
    worker.onerror = fail;
  }

  const ask = (call) => (...given) => {
    if (broken) return Promise.reject(broken);
    const id = calls++;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, call, given });
    });
  };
  return {
    validate: ask("validate"),
    convert: ask("convert"),
    adjudicate: ask("adjudicate"),
    checkCertificate: ask("checkCertificate"),
    terminate: () => {
      fail(new Error("the worker was terminated"));
      return worker.terminate();
    },
  };
}
