/** The person at a keyboard that is played, with its clock. */

import { deepEqual, equal } from "node:assert/strict";
import { createPerson } from "../../../cli/terminal/person.ts";

/** A keyboard on which texts are typed at times, in milliseconds. */
function keyboard(keys: readonly (readonly [at: number, text: string])[]) {
  let [time, next] = [0, 0];
  const modes: string[] = [];
  const person = createPerson({
    read() {
      const due = keys.slice(next).filter(([at]) => at <= time);
      next += due.length;
      return new TextEncoder().encode(due.map(([, text]) => text).join(""));
    },
    setRaw: (isRaw, options) => void modes.push(`${isRaw} ${options?.cbreak ?? false}`),
    now: () => time,
    pause: (ms) => Promise.resolve(void (time += ms)),
  });
  return { person, modes, time: () => time };
}

Deno.test("settle() drops what is typed until no key came for 0.7 s", async (t) => {
  const rows = [
    ["a yes at once", [[0, "y\n"], [2_000, "n\n"]], 700],
    ["a yes after 0.6 s, which begins the wait again", [[654, "y\n"], [1_300, "y\n"], [
      3_000,
      "n\n",
    ]], 2_000],
    ["a half line", [[400, "y"], [1_000, "y"], [2_500, "n\n"]], 1_700],
    ["no key", [[730, "n\n"]], 700],
  ] as const;
  for (const [name, keys, least] of rows) {
    await t.step(name, async () => {
      const { person, modes, time } = keyboard(keys);
      await person.settle();
      equal(time() >= least && time() < least + 100, true, `${time()} ms`);
      // What is dropped is not echoed, and Ctrl-C keeps its meaning.
      deepEqual(modes, ["true true", "false false"]);
      equal(await person.readLine(), "n");
    });
  }
});

Deno.test("settle() ends with its question", async () => {
  const { person, modes, time } = keyboard([]);
  await person.settle(AbortSignal.abort());
  deepEqual([time(), modes.at(-1)], [0, "false false"]);
});
