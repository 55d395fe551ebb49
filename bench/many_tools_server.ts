/** An MCP server on stdio that lists the tools of a file, in pages, and answers any call at once.
 * Written by hand and without dependencies, so that its own start costs little. */

import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly cursor?: string; readonly protocolVersion?: string };
}

const PAGE = 500;
const [file = ""] = Deno.args;
const tools: readonly unknown[] = JSON.parse(await Deno.readTextFile(file));
const encoder = new TextEncoder();

function answer({ method, params }: Message): Record<string, unknown> {
  switch (method) {
    case "initialize":
      return {
        result: {
          protocolVersion: params?.protocolVersion,
          serverInfo: { name: "many-tools", version: "1.0.0" },
          capabilities: { tools: {} },
        },
      };
    case "tools/list": {
      const from = Number(params?.cursor ?? 0);
      const to = from + PAGE;
      const next = to < tools.length ? { nextCursor: String(to) } : {};
      return { result: { tools: tools.slice(from, to), ...next } };
    }
    case "tools/call":
      return { result: { content: [{ type: "text", text: "done" }] } };
    case "ping":
      return { result: {} };
    default:
      return { error: { code: -32601, message: "Method not found" } };
  }
}

for await (const line of createInterface({ input: (await import("node:process")).stdin })) {
  const message: Message = JSON.parse(line);
  if (message.id === undefined) continue;
  const text = JSON.stringify({ jsonrpc: "2.0", id: message.id, ...answer(message) });
  let rest = encoder.encode(`${text}\n`);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
