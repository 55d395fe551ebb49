/** Long texts of which some patterns, orders and comparisons take the square of the length, for each
 * text that a built-in tool takes. */

import { ok } from "node:assert/strict";
import { join } from "node:path";
import { longestWait, startGatewayProcess } from "./gateway_process.ts";

const LENGTH = 60_000;
const PIECES = ["\u0301\u0316", "(", "\\", " ", "'", "-eyJ", "../", "{a,", "**/", "\ufdfa"];

/** Calls each tool of a pack with each text; the tools say themselves which they take. */
const script = (pack: string) => `
import { tools } from "toolscript";
const texts = ${JSON.stringify(PIECES)}.map((piece) =>
  "a" + piece.repeat(${LENGTH} / piece.length) + "x"
);
const listed: any[] = await tools.ot.tools({ info: "full", pack: "${pack}" });
const codes: Record<string, number> = {};
for (const { name, signature } of listed) {
  const params = [...signature.matchAll(/(\\w+)(\\??): (string|\\w+)/g)];
  const needed = params.filter(([, , mark]) => mark === "");
  const others = Object.fromEntries(needed.map(([, key, , type]) => [key, type === "string" ? "a" : 1]));
  const tool = (tools as any)["${pack}"][name.split(".")[1]];
  for (const [, key = ""] of params.filter(([, , , type]) => type === "string")) {
    for (const text of texts) {
      const code = await tool({ ...others, [key]: text }).then(() => "ok", ({ code }) => code);
      codes[code] = (codes[code] ?? 0) + 1;
    }
  }
}
export default codes;
`;

Deno.test("no long text holds up the gateway, whatever tool takes it", async (t) => {
  await using gateway = await startGatewayProcess();
  // Where there is no git, its tools refuse everything.
  const git = new Deno.Command("git", { args: ["init", "--quiet", gateway.project] });
  await git.output().catch(() => {});
  await Deno.writeTextFile(join(gateway.project, "a"), "a\n");
  await gateway.run("export default 1");
  for (const pack of ["ot", "file", "grep", "git", "data", "text", "db", "package", "web"]) {
    await t.step(pack, async () => {
      const run = () => gateway.run(script(pack), { timeout: 600 });
      const { result, longestMs } = await longestWait(gateway, run);
      ok(result.ok, JSON.stringify(result).slice(0, 500));
      const codes = Object.entries(result.value as Record<string, number>);
      ok(
        codes.reduce((sum, [, count]) => sum + count, 0) >= 2 * PIECES.length,
        JSON.stringify(codes),
      );
      ok(longestMs < 1_000, `${longestMs} ms`);
    });
  }
});
