/** Searches in stored results leave the machine to others, whatever they search for. */

import { equal, ok } from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

Deno.test("searches in stored results wait for one another", async (t) => {
  await using gateway = await openGateway();
  const command = 'Array.from({ length: 3_000 }, () => "x".repeat(100))';
  const { text } = await (await gateway.post("/run", { command })).json();
  const { handle } = JSON.parse(text);
  using threads = countThreads("line search");
  const rows = {
    "a pattern that doubles": 'search: "(x+x+)+y"',
    "words that are alike": 'search: "xyxyxyxyxyxy", fuzzy: true',
    "a path": 'path: "$..*"',
  };
  for (const [name, args] of Object.entries(rows)) {
    await t.step(name, async () => {
      const reply = await gateway.run(
        `import { tools } from "toolscript";
         const read = () => tools.ot.result({ handle: "${handle}", ${args} });
         const answers = await Promise.allSettled(Array.from({ length: 6 }, read));
         export default answers.length;`,
      );
      equal(reply.value, 6, JSON.stringify(reply));
    });
  }
  ok(threads.most <= 2, `${threads.most} at once`);
  equal(threads.made, 18);
});

interface Threads extends Disposable {
  readonly made: number;
  readonly most: number;
}

/** Counts the threads of this name that live at once. */
function countThreads(name: string): Threads {
  const { Worker } = globalThis;
  let [made, living, most] = [0, 0, 0];
  globalThis.Worker = class extends Worker {
    readonly #counts: boolean;
    constructor(module: string | URL, options?: WorkerOptions) {
      super(module, options);
      this.#counts = options?.name === name;
      if (!this.#counts) return;
      made++;
      most = Math.max(most, ++living);
    }
    override terminate(): void {
      if (this.#counts) living--;
      super.terminate();
    }
  };
  return {
    get made() {
      return made;
    },
    get most() {
      return most;
    },
    [Symbol.dispose]: () => void (globalThis.Worker = Worker),
  };
}
