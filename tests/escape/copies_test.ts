/** Programs that try to fill the gateway's memory with copies of large files. */

import { deepEqual, equal, ok } from "node:assert/strict";
import { startGatewayProcess } from "./gateway_process.ts";

const COPIES = 40;
/** Of 30 times 3,400 lines of 99 characters with three bytes. */
const BYTES = 30 * 3_400 * (99 * 3 + 1);
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
    const { entries } = await tools.file.list({ path: "copies" });
    export default entries.map(({ size }) => size);`);
  equal(reply.ok, true, JSON.stringify(reply.error));
  deepEqual(reply.value, Array(COPIES).fill(BYTES));
  const peak = await gateway.peak();
  ok(peak < BOUND, `${Math.round(peak)} MB`);
});
