/** Registries that answer with lists of millions of parts: each is refused, with little memory. */

import { equal, match, ok } from "node:assert/strict";
import type { JsonObject } from "#base";
import { readBounded } from "../../packs/builtin/kit/read_bounded.ts";
import { withServer } from "../support/builtin_pack.ts";
import { countTurns } from "../support/turns.ts";
import { startGatewayProcess } from "./gateway_process.ts";

const MEGABYTE = 2 ** 20;
/** Megabytes; without a limit the lists take more than three times as much. */
const BOUND = 1_000;
const LISTS = 4;

const JSON_ENDS = ['{"dist-tags":{"latest":"1.0.0"},"versions":{"1.0.0":{}},"q":[', "0]}"] as const;
const BODIES: Readonly<Record<string, { body: Blob; type?: string; says: RegExp }>> = {
  objects: {
    body: repeated("{},", 48 * MEGABYTE, JSON_ENDS),
    says: /the answer has more than 1000000 lists and objects/,
  },
  numbers: { body: repeated("1,", 12 * MEGABYTE, JSON_ENDS), says: /^none$/ },
  tags: {
    body: repeated('"b":"c",', 5 * MEGABYTE, [
      `{"versions":{"1.0.0":{}},"dist-tags":{"a":"${"x".repeat(5 * MEGABYTE)}",`,
      '"d":"e"}}',
    ]),
    says: /its versions take more than 4 MB/,
  },
  links: {
    body: repeated("<a>x</a>", 12 * MEGABYTE, ["", ""]),
    type: "text/html",
    says: /its page has more than 100000 links/,
  },
};

Deno.test("a list of versions takes little memory, whatever it has", async (t) => {
  const serve = (_: Request, path: string) => {
    const { body, type = "application/json" } = BODIES[path.replace(/\d|\//g, "")] ?? {};
    return new Response(body, { headers: { "content-type": type } });
  };
  await withServer(serve, async (origin) => {
    const settings = { registries: { npm: origin, pypi: origin } };
    await using gateway = await startGatewayProcess({ packs: { package: settings } });
    for (const [name, { says, type }] of Object.entries(BODIES)) {
      await t.step(name, async () => {
        const registry = type === undefined ? "npm" : "pypi";
        const packages = Array.from({ length: LISTS }, (_, at) => `${registry}:${name}${at}`);
        const reply = await gateway.run(`import { tools } from "toolscript";
          export default await tools.package.latest({ packages: ${JSON.stringify(packages)} });`);
        for (const { error } of reply.value as JsonObject[]) match(String(error ?? "none"), says);
        ok(await gateway.peak() < BOUND, `${await gateway.peak()} MB`);
      });
    }
  });
});

Deno.test("a body goes on beyond 8 MB when it may, and other work runs meanwhile", async () => {
  const chunks = (count: number) => Array.from({ length: count }, () => new Uint8Array(MEGABYTE));
  let questions = 0;
  const onLarge = () => Promise.resolve(void questions++);
  equal((await readBounded(chunks(8), 64 * MEGABYTE, onLarge))?.length, 8 * MEGABYTE);
  equal(questions, 0);
  const { result, turns } = await countTurns(() => readBounded(chunks(40), 64 * MEGABYTE, onLarge));
  equal(result?.length, 40 * MEGABYTE);
  equal(questions, 1);
  ok(turns > 0);
  equal(await readBounded(chunks(9), MEGABYTE), undefined);
});

function repeated(item: string, bytes: number, [start, end]: readonly [string, string]): Blob {
  const piece = item.repeat(Math.ceil(MEGABYTE / item.length));
  return new Blob([start, ...Array<string>(bytes / MEGABYTE).fill(piece), end]);
}
