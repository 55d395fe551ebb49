/** A stub server as a process: MCP over JSON lines. `stub_server.ts NAME STATE_FILE` */

import { SERVERS } from "./servers.ts";
import { type Args, Mistake, type State } from "./tool.ts";

const [name = "", file = ""] = Deno.args;
const server = SERVERS[name];
if (!server) throw new Error(`Unknown server ${name}`);

/** Calls one tool; the state stays in the file between calls and processes. */
function callTool(params: { name: string; arguments?: Args }): object {
  const tool = server?.tools.find((tool) => tool.name === params.name);
  if (!tool) return failure(`Unknown tool ${params.name}`);
  const state: State = JSON.parse(Deno.readTextFileSync(file));
  try {
    const value = tool.call(state, params.arguments ?? {});
    Deno.writeTextFileSync(file, JSON.stringify(state));
    const content = [{ type: "text", text: JSON.stringify(value) }];
    return tool.outputSchema ? { content, structuredContent: value } : { content };
  } catch (error) {
    if (error instanceof Mistake) return failure(error.message);
    throw error;
  }
}

function failure(text: string): object {
  return { isError: true, content: [{ type: "text", text }] };
}

// deno-lint-ignore no-explicit-any -- messages of a client that the benchmark starts itself
function answer({ method, params }: any): object | undefined {
  if (method === "initialize") {
    return {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name, version: "1.0.0" },
      instructions: server?.instructions,
    };
  }
  if (method === "tools/list") {
    return { tools: server?.tools.map(({ call: _, ...tool }) => tool) };
  }
  if (method === "tools/call") return callTool(params);
  return method === "ping" ? {} : undefined;
}

const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
let rest = "";
for await (const chunk of lines) {
  const parts = (rest + chunk).split("\n");
  rest = parts.pop() ?? "";
  for (const line of parts.filter(Boolean)) {
    const message = JSON.parse(line);
    if (message.id === undefined) continue;
    const result = answer(message);
    const error = { code: -32601, message: `No method ${message.method}` };
    const reply = { jsonrpc: "2.0", id: message.id, ...(result ? { result } : { error }) };
    await Deno.stdout.write(new TextEncoder().encode(`${JSON.stringify(reply)}\n`));
  }
}
