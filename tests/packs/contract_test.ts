/** The contract of packs, for all three kinds: local, in a worker, and an MCP server. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { abortable } from "#base";
import { createLocalPack, createRegistry, type Pack, PackError, type Registry } from "#packs";
import { fixture } from "../support/servers.ts";
import { openPack } from "./mcp/harness.ts";
import { openPacks } from "./worker/harness.ts";

interface OpenPack extends AsyncDisposable {
  readonly pack: Pack;
  readonly registry: Registry;
}

interface Kind {
  readonly source: string;
  readonly transport: string;
  open(): Promise<OpenPack>;
}

const EMPTY = { type: "object", properties: {}, additionalProperties: false };
const MESSAGE = {
  type: "object",
  properties: { message: { type: "string" } },
  required: ["message"],
  additionalProperties: false,
};
const WORKER = `
import { signal } from "toolscript";
/** Returns its arguments. */
export function echo(message: string): { message: string } {
  return { message };
}
/** Fails. */
export function fail(): string {
  throw new Error("failed on purpose");
}
/** Never returns by itself. */
export async function hang(): Promise<string> {
  const { promise, reject } = Promise.withResolvers<string>();
  signal().addEventListener("abort", () => reject(new Error("stopped")));
  return await promise;
}
`;
const SERVER = fileURLToPath(new URL("../fixtures/mcp/contract_server.ts", import.meta.url));

const KINDS: Readonly<Record<string, Kind>> = {
  "local pack": { source: "local", transport: "local", open: openLocal },
  "worker pack": { source: "worker", transport: "worker", open: openWorker },
  "MCP server pack": { source: "proxy:sums", transport: "stdio", open: openServer },
};

function openLocal(): Promise<OpenPack> {
  const pack = createLocalPack("sums", [
    {
      spec: { name: "echo", description: "Returns its arguments", inputSchema: MESSAGE },
      call: (args) => Promise.resolve({ value: { ...args } }),
    },
    {
      spec: { name: "fail", description: "Fails", inputSchema: EMPTY },
      call: () => Promise.reject(new PackError("tool_error", "failed", { tool: "sums.fail" })),
    },
    {
      spec: { name: "hang", description: "Never returns", inputSchema: EMPTY },
      async call(_, { signal = new AbortController().signal }) {
        const cancelled = new PackError("cancelled", "Cannot call: cancelled");
        return await abortable(new Promise(() => {}), signal, { onAbort: () => cancelled });
      },
    },
  ]);
  const registry = createRegistry([pack], { log: () => {} });
  return Promise.resolve({
    pack,
    registry,
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  });
}

async function openWorker(): Promise<OpenPack> {
  const packs = await openPacks({ project: { "sums/sums_tools.ts": WORKER } });
  return {
    pack: packs.pack("sums"),
    registry: packs.registry,
    [Symbol.asyncDispose]: () => packs[Symbol.asyncDispose](),
  };
}

async function openServer(): Promise<OpenPack> {
  const args = ["run", "--quiet", "--no-config", "--no-lock", SERVER];
  const harness = await openPack(fixture("", { name: "sums", args }));
  const registry = createRegistry([harness.pack], { log: () => {} });
  return {
    pack: harness.pack,
    registry,
    async [Symbol.asyncDispose]() {
      await registry[Symbol.asyncDispose]();
      await harness[Symbol.asyncDispose]();
    },
  };
}

for (const [kind, { source, transport, open }] of Object.entries(KINDS)) {
  Deno.test(`${kind} keeps the contract of packs`, async (t) => {
    await using opened = await open();
    const { pack, registry } = opened;
    await registry.settle(null);

    await t.step("name and source", () => {
      assert.equal(pack.name, "sums");
      assert.equal(pack.source, source);
      const wires = registry.entries().map(({ wire }) => wire);
      assert.deepEqual(wires, ["sums__echo", "sums__fail", "sums__hang"]);
    });

    await t.step("tools() describes each tool with an object schema", () => {
      const tools = pack.tools();
      assert.deepEqual(tools.map(({ name }) => name), ["echo", "fail", "hang"]);
      for (const { description, inputSchema } of tools) {
        assert.ok(description.length > 0);
        assert.equal(inputSchema.type, "object");
      }
    });

    await t.step("settle() resolves again", () => pack.settle());

    await t.step("a call expands prefixes of arguments", async () => {
      const { value } = await registry.call("sums__echo", { mess: "hi" }, {});
      assert.deepEqual(JSON.parse(JSON.stringify(value)), { message: "hi" });
    });

    await t.step("invalid arguments are refused", async () => {
      for (const args of [{}, { message: 1 }, { message: "hi", other: 1 }]) {
        const error = { code: "invalid_arguments", tool: "sums.echo" };
        await assert.rejects(registry.call("sums__echo", args, {}), error);
      }
    });

    await t.step("an unknown tool is refused", async () => {
      await assert.rejects(registry.call("sums__nothing", {}, {}), { code: "unknown_tool" });
    });

    await t.step("an error of the tool is a tool_error", async () => {
      const error = { code: "tool_error", tool: "sums.fail" };
      await assert.rejects(registry.call("sums__fail", {}, {}), error);
    });

    await t.step("a cancelled call ends, and the pack serves the next", async () => {
      const cancel = new AbortController();
      const hanging = registry.call("sums__hang", {}, { signal: cancel.signal });
      const ended = assert.rejects(hanging, { code: "cancelled" });
      await registry.call("sums__echo", { message: "before" }, {});
      cancel.abort();
      await ended;
      const { value } = await registry.call("sums__echo", { message: "after" }, {});
      assert.deepEqual(JSON.parse(JSON.stringify(value)), { message: "after" });
    });

    await t.step("status() is connected after a call", () => {
      assert.deepEqual(pack.status(), { state: "connected", transport, error: null });
    });

    await t.step("onChange() returns the function that unsubscribes", () => {
      pack.onChange(() => {})();
    });

    await t.step("disposal can be repeated", async () => {
      await pack[Symbol.asyncDispose]();
      await pack[Symbol.asyncDispose]();
    });
  });
}
