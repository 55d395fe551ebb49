/** Programs that try to fill the gateway's memory with copies of large files. */

import { equal, ok } from "node:assert/strict";
import { startGatewayProcess } from "./gateway_process.ts";

const COPIES = 40;
/** Megabytes that a gateway takes which reads no file as a whole. */
const BOUND = 900;

Deno.test("copies of large files are in no memory", async () => {
  await using gateway = await startGatewayProcess();
  const reply = await gateway.run(`import { tools } from "toolscript";
    const text = ("€".repeat(99) + "\\n").repeat(3400);
    await tools.file.write({ path: "big.txt", text });
    for (let i = 0; i < 29; i++) await tools.file.append({ path: "big.txt", text });
    await Promise.all(Array.from({ length: ${COPIES} }, (_, i) =>
      tools.file.copy({ from: "big.txt", to: "copies/" + i + ".txt" })));
    export default (await tools.file.list({ path: "copies" })).entries.map(({ size }) => size);`);
  equal(reply.ok, true, JSON.stringify(reply.error));
  const peak = await gateway.peak();
  ok(peak < BOUND, `${Math.round(peak)} MB`);
});
