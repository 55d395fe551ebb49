/** Runs a job that never ends, says how it ended, and stays until stdin ends. */

import { createJobWorkers } from "../../../packs/jobs/workers.ts";

const [kind = ""] = Deno.args;
const options = { what: "spin", signal: new AbortController().signal, run: undefined };
const module = new URL("./spinning_worker.ts", import.meta.url);
const workers = createJobWorkers({ module, timeoutMs: 300 });
const answer = await workers.run({ kind: "loadAndAnswer", input: 2 }, options);
const ended = await workers.run({ kind, input: null }, options).catch((error) => error.message);
const report = `${answer}, then ${ended}`;
await Deno.stdout.write(new TextEncoder().encode(`${report}\n`));
await Deno.stdin.read(new Uint8Array(1));
