/** Programs of one client take turns as one while they are read. */

import { deepEqual, equal } from "node:assert/strict";
import { createProgramReader } from "#runtime";
import { readRequest } from "../../../runtime/run/read_request.ts";

type Incoming = Parameters<typeof readRequest>[0];
type Deps = Parameters<typeof readRequest>[1];

/** A program that no worker reads in time. */
function endless(levels: number): string {
  return levels === 0 ? "1" : `1 as({a=${endless(levels - 1)}})=>b`;
}
const SLOW = `/*${" ".repeat(500)}*/${endless(38)}`;
/** One that the worker refuses at once. */
const WRONG = `${"1 + ".repeat(200)};`;

Deno.test("programs of one client take turns as one", async (t) => {
  for (const client of ["an agent", undefined]) {
    await t.step(client ?? "clients without a name", async () => {
      await using reader = createProgramReader();
      await reader.read({ kind: "command", command: `${"1 + ".repeat(200)}1` });
      const deps = {
        reader,
        catalog: { sync: () => {} },
        log: () => {},
      } as unknown as Deps;
      const end = new AbortController();
      const order: string[] = [];
      const read = (command: string, options: { client?: string; within?: string }) =>
        readRequest({
          request: { kind: "command", command, cwd: "/" },
          options: { signal: end.signal, ...options },
          signal: end.signal,
          record: {
            time: (_: string, work: () => unknown) => work(),
            fail: () => void order.push(options.within ?? options.client ?? "nameless"),
            warn: () => {},
          },
        } as unknown as Incoming, deps);
      const slow = Array.from(
        { length: 25 },
        (_, n) => read(`${SLOW}//${n}`, { client }).catch(() => {}), // ended below
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      const others = [{ client: "other" }, { client, within: "a run" }];
      await Promise.all(others.map((other) => read(`${WRONG}//${other.within}`, other)));
      deepEqual(order.filter((name) => name === "other" || name === "a run"), ["other", "a run"]);
      equal(order.length <= 4, true, order.join());
      end.abort();
      await Promise.all(slow);
    });
  }
});
