/** Program of a test: a journal in which each text of each run is large. Prints the number of runs. */

import { createJournal, type RunReply } from "#runtime";

const RUNS = 20;
const LENGTH = 2_000_000;

const journal = createJournal({ nameOf: (wire) => wire, redact: (text) => text, now: Date.now });
const large = () => "x".repeat(LENGTH);
for (let index = 0; index < RUNS; index++) {
  const run = `r_${index}`;
  const request = { kind: "command", command: large(), cwd: "/" } as const;
  const watch = journal.watch({ run, request, client: large() });
  const call = { wire: "a__b", args: { text: large() }, origin: { run } };
  journal.witness(call)({ result: { value: large() } });
  journal.witness(call)({ error: new Error(large()) });
  watch.event({ type: "stdout", data: large() });
  watch.ended(replyOf(run));
  // Ended calls are taken apart a moment later.
  await new Promise((resolve) => setTimeout(resolve, 120));
}
await Deno.stdout.write(new TextEncoder().encode(`${journal.list({}, { limit: 0 }).total}\n`));
journal[Symbol.dispose]();

function replyOf(run: string): RunReply {
  const details = { text: large() };
  return {
    run,
    ok: false,
    text: large(),
    value: large(),
    stdout: large(),
    stderr: large(),
    warnings: [large()],
    calls: 2,
    ms: 1,
    plan: { text: large() } as never,
    error: { code: "thrown", name: large(), message: large(), retryable: false, details },
    timing: { parse: 0, check: 0, hand_over: 0, execute: 0, serialise: 0 },
  };
}
