/** Checks programs before and after its checker's processes were killed, and prints the last result: in
 * the process of the tests, others would lose theirs. */

import { silent } from "#base";
import { createChecker } from "#runtime";

await using checker = createChecker({ deno: Deno.execPath(), log: silent });
const check = (text: string) =>
  checker.check({ entry: "main.ts", files: new Map([["main.ts", text]]) });
if ((await check("1")).kind !== "passed") throw new Error("The first check did not pass");
for (const { name: task } of Deno.readDirSync(`/proc/${Deno.pid}/task`)) {
  const text = Deno.readTextFileSync(`/proc/${Deno.pid}/task/${task}/children`);
  for (const pid of text.split(" ").filter(Boolean).map(Number)) Deno.kill(pid, "SIGKILL");
}
const { kind } = await check("2");
const last = await check("3");
await Deno.stdout.write(new TextEncoder().encode(`${kind} ${last.kind}\n`));
