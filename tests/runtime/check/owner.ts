/** A process with a checker of its own, to be killed: prints its compiler's id, then works on. */

import { silent } from "#base";
import { createChecker } from "#runtime";

const checker = createChecker({ deno: Deno.execPath(), log: silent });
const check = (text: string) =>
  checker.check({ entry: "script.ts", files: new Map([["script.ts", text]]) });
await check("1");
const children = await Deno.readTextFile(`/proc/${Deno.pid}/task/${Deno.pid}/children`);
await Deno.stdout.write(new TextEncoder().encode(`${children.trim()}\n`));
await check(Deno.args[0] ?? "1");
