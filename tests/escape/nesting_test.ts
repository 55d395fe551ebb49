/** JSON that is nested without end, from programs and from servers, ends nothing but its own call. */

import { equal, match, ok, rejects } from "node:assert/strict";
import { isNestedOver, MOST_LEVELS } from "#base";
import { createBoundedFetch } from "../../packs/mcp/connect/bounded_fetch.ts";
import { type GatewayProcess, startGatewayProcess } from "./gateway_process.ts";
import { hostileCommand } from "../support/servers.ts";

/** One of these alone kept the gateway busy for seconds, or ended it. */
const ANSWERS: readonly [what: string, message: RegExp][] = [
  ["deep value", /connection closed/],
  ["deep failure", /connection closed/],
  ["deep error", /connection closed/],
  ["deep log", /connection closed/],
  ["deep text", /^none$/],
];

async function answerOf(gateway: GatewayProcess, args: object): Promise<string> {
  const reply = await gateway.run(
    `import { tools } from "toolscript";
     let message = "none";
     try {
       await tools.hostile.call(${JSON.stringify(args)});
     } catch (error) {
       message = error instanceof Error ? error.message : "";
     }
     export default message;`,
  );
  return String(reply.value);
}

Deno.test("a server that answers with endless nesting fails its own call", async (t) => {
  await using gateway = await startGatewayProcess({ servers: { hostile: hostileCommand() } });
  for (const [what, message] of ANSWERS) {
    await t.step(what, async () => match(await answerOf(gateway, { what }), message));
  }
  equal(await answerOf(gateway, { what: "none" }), "none");
});

Deno.test("a program that calls with a million levels is refused before they are read", async (t) => {
  await using gateway = await startGatewayProcess();
  const send = `const url = Deno.env.get("TOOLSCRIPT_GATEWAY_URL");
    const headers = { "content-type": "application/json" };
    const send = (body: string) =>
      fetch(url + "/tools/text__count", { method: "POST", headers, body }).then((r) => r.text());\n`;
  const bodies = {
    lists: '\'{"text":\' + "[".repeat(499_000) + "]".repeat(499_000) + "}"',
    objects: '\'{"a":\'.repeat(160_000) + "1" + "}".repeat(160_000)',
    "lists behind a quote": '\'{"\\\\"[":\' + "[".repeat(499_000) + "]".repeat(499_000) + "}"',
  };
  for (const [name, body] of Object.entries(bodies)) {
    await t.step(name, async () => {
      const all = "await Promise.all(Array.from({ length: 100 }, () => send(body)))";
      const reply = await gateway.run(
        `${send} const body = ${body}; export default [...new Set(${all})];`,
      );
      match(JSON.stringify(reply.value), /nested more than 1000 levels deep/);
    });
  }
});

Deno.test("isNestedOver() counts levels, but not inside texts", () => {
  const levels = (count: number, inside = "") => "[".repeat(count) + inside + "]".repeat(count);
  ok(!isNestedOver(levels(MOST_LEVELS), MOST_LEVELS));
  ok(isNestedOver(levels(MOST_LEVELS + 1), MOST_LEVELS));
  ok(!isNestedOver(JSON.stringify({ text: `\\"${levels(5_000)}` }), MOST_LEVELS));
  ok(!isNestedOver(`[${"[],".repeat(5_000)}1]`, MOST_LEVELS));
  ok(isNestedOver(JSON.stringify(["\\", '\\"']) + levels(5_000), MOST_LEVELS));
});

const DEEP = "[".repeat(2_000);
const LINES = "data: [\n".repeat(2_000);
const BODIES: readonly [name: string, type: string, text: string, passes: boolean][] = [
  ["one answer", "application/json", DEEP, false],
  ["an answer with empty lines", "application/json", "[\n\n".repeat(2_000), false],
  ["one event", "text/event-stream", `data: ${DEEP}\n\n`, false],
  ["an event of many lines", "text/event-stream", LINES, false],
  ["with both ends of a line", "text/event-stream", LINES.replaceAll("\n", "\r\n"), false],
  ["a quote in a comment", "text/event-stream", `: "\ndata: ${DEEP}\n\n`, false],
  ["an event that never ends", "text/event-stream", `data: ${"x".repeat(200_000)}`, false],
  ["many events", "text/event-stream", "data: [\n\n".repeat(20_000), true],
  ["many events of another end", "text/event-stream", "data: [\r\n\r\n".repeat(20_000), true],
];

Deno.test("createBoundedFetch() passes on no body that is too deep or too long", async (t) => {
  for (const [name, type, text, passes] of BODIES) {
    await t.step(name, async () => {
      const headers = { "content-type": type };
      const fetch = createBoundedFetch(
        () => Promise.resolve(new Response(text, { headers })),
        { maxBytes: 100_000 },
      );
      const response = await fetch("http://127.0.0.1/");
      if (passes) equal(await response.text(), text);
      else await rejects(response.text());
    });
  }
});
