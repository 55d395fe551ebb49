/** Starts a job that never ends, prints the id of its process, and kills its own. */

import { sleep } from "#base";
import { createJobWorkers } from "../../../packs/jobs/workers.ts";

const [kind = ""] = Deno.args;
const options = { what: "spin", signal: new AbortController().signal, run: undefined };
const module = new URL("./spinning_worker.ts", import.meta.url);
const workers = createJobWorkers({ module, timeoutMs: 2_000 });
await workers.run({ kind: "loadAndAnswer", input: 2 }, options);
void workers.run({ kind, input: null }, options);
await sleep(200);
await Deno.stdout.write(new TextEncoder().encode(childOf(Deno.pid)));
Deno.kill(Deno.pid, "SIGKILL");

function childOf(pid: number): string {
  const tasks = [...Deno.readDirSync(`/proc/${pid}/task`)];
  const ids = tasks.map(({ name }) => Deno.readTextFileSync(`/proc/${pid}/task/${name}/children`));
  return ids.join("").trim();
}
