/** Places of look-ups: one run leaves some to the others. */

import assert from "node:assert/strict";
import { withBuiltinPack, withServer } from "../../../support/builtin_pack.ts";

const MOST_OF_RUN = 12;
const QUICK = { versions: { "1.0.0": {} } };

Deno.test("look-ups of one run leave places to those of another", async () => {
  const slow = new Map<string, () => void>();
  const serve = (_: Request, path: string) => {
    if (!path.includes("slow")) return Response.json(QUICK);
    const { promise, resolve } = Promise.withResolvers<Response>();
    slow.set(path, () => resolve(Response.json(QUICK)));
    return promise;
  };
  await withServer(serve, async (origin) => {
    const settings = { registries: { npm: `${origin}/` }, timeout: 300 };
    await withBuiltinPack({ name: "package", settings }, async ({ pack }) => {
      const latest = (packages: string[], run: string) =>
        pack.call("latest", { packages }, { origin: { run } });
      const names = (call: number) => Array.from({ length: 8 }, (_, at) => `slow-${call}-${at}`);
      const calls = [1, 2, 3].map((call) => latest(names(call), "r_a"));
      await until(() => slow.size >= MOST_OF_RUN);
      const { value } = await latest(["quick"], "r_b");
      assert.partialDeepStrictEqual(value, [{ version: "1.0.0" }]);
      assert.equal(slow.size, MOST_OF_RUN);
      for (let ended = 0; ended < 24; ended++) {
        await until(() => slow.size > 0);
        const [[path, end] = ["", () => {}]] = slow;
        slow.delete(path);
        end();
      }
      const versions = (await Promise.all(calls)).flatMap(({ value }) => value as object[]);
      assert.equal(versions.length, 24);
    });
  });
});

Deno.test("a large list that comes slowly holds up none of another run", async () => {
  const head = new TextEncoder().encode(JSON.stringify(QUICK).padEnd(9 * 2 ** 20));
  const sent = Promise.withResolvers<void>();
  const rest = Promise.withResolvers<void>();
  const serve = (_: Request, path: string) => {
    const body = ReadableStream.from(async function* () {
      yield head;
      if (!path.includes("slow")) return;
      sent.resolve();
      await rest.promise;
    }());
    return new Response(body, { headers: { "content-type": "application/json" } });
  };
  await withServer(serve, async (origin) => {
    const settings = { registries: { npm: `${origin}/` }, timeout: 300 };
    await withBuiltinPack({ name: "package", settings }, async ({ pack }) => {
      const latest = (name: string, run: string) =>
        pack.call("latest", { packages: [name] }, { origin: { run } });
      const slow = latest("slow", "r_a");
      await sent.promise;
      const { value } = await latest("large", "r_b");
      assert.partialDeepStrictEqual(value, [{ version: "1.0.0" }]);
      rest.resolve();
      assert.partialDeepStrictEqual((await slow).value, [{ version: "1.0.0" }]);
    });
  });
});

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
}
