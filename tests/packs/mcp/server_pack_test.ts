/** Packs over real servers from npm, by stdio. */

import assert from "node:assert/strict";
import { join } from "node:path";
import type { PackError } from "#packs";
import { everything, filesystem, fixture, memory } from "../../support/servers.ts";
import { openPack, startPack } from "./harness.ts";

Deno.test("createServerPack() connects to server-everything and calls its tools", async (t) => {
  await using harness = await startPack(everything());
  const { pack } = harness;

  await t.step("status, tools, info", () => {
    assert.deepEqual(pack.status(), { state: "connected", transport: "stdio", error: null });
    assert.equal(pack.name, "everything");
    assert.equal(pack.source, "proxy:everything");
    assert.equal(pack.tools().length, 17);
    assert.deepEqual(pack.problems(), []);
    assert.equal(pack.info()?.name, "mcp-servers/everything");
    assert.match(pack.instructions() ?? "", /Everything/);
    const echo = pack.tools().find(({ name }) => name === "echo");
    assert.equal(echo?.inputSchema.type, "object");
    assert.equal(typeof echo?.description, "string");
  });

  await t.step("text", async () => {
    assert.deepEqual(await pack.call("echo", { message: "hi" }, {}), { value: "Echo: hi" });
  });

  await t.step("structured content is the value", async () => {
    const { value, content } = await pack.call("get-structured-content", {
      location: "New York",
    }, {});
    assert.deepEqual(value, { temperature: 33, conditions: "Cloudy", humidity: 82 });
    assert.equal(content, undefined);
  });

  await t.step("an image comes beside the text", async () => {
    const { value, content } = await pack.call("get-tiny-image", {}, {});
    assert.equal(typeof value, "string");
    const image = content?.find(({ type }) => type === "image");
    assert.equal(image?.mimeType, "image/png");
  });

  await t.step("resource links come beside the text", async () => {
    const { content } = await pack.call("get-resource-links", { count: 2 }, {});
    assert.equal(content?.filter(({ type }) => type === "resource_link").length, 2);
  });

  await t.step("progress is passed on", async () => {
    const seen: number[] = [];
    const args = { duration: 0.2, steps: 2 };
    await pack.call("trigger-long-running-operation", args, {
      onProgress: ({ progress, total }) => {
        assert.equal(total, 2);
        seen.push(progress);
      },
    });
    assert.deepEqual(seen, [1, 2]);
  });

  await t.step("a server's refusal of arguments is a tool error", async () => {
    await assert.rejects(pack.call("get-sum", { a: "x" }, {}), (error: PackError) => {
      assert.match(error.message, /everything\.get-sum/);
      return ["tool_error", "invalid_arguments"].includes(error.code);
    });
  });

  await t.step("a cancelled call", async () => {
    const cancel = new AbortController();
    const call = pack.call("trigger-long-running-operation", { duration: 30, steps: 30 }, {
      signal: cancel.signal,
      onProgress: () => cancel.abort(),
    });
    await assert.rejects(call, { code: "cancelled", retryable: false });
    await assert.rejects(pack.call("echo", { message: "x" }, { signal: cancel.signal }), {
      code: "cancelled",
    });
    assert.deepEqual(await pack.call("echo", { message: "on" }, {}), { value: "Echo: on" });
  });

  await t.step("an unknown tool names the others", async () => {
    await assert.rejects(pack.call("ecko", {}, {}), (error: PackError) => {
      assert.equal(error.code, "unknown_tool");
      assert.equal(error.details.total, 17);
      return true;
    });
  });
});

Deno.test("createServerPack() counts the start of a server as part of a call", async () => {
  await using harness = await openPack(fixture("sleeps-on-probe", { timeoutMs: 300 }));
  await assert.rejects(harness.pack.call("echo", {}, {}), {
    code: "timeout",
    retryable: true,
    details: { after_ms: 300 },
  });
});

Deno.test("include and exclude choose the tools of a server", async () => {
  const config = everything({ include: ["get-*", "echo"], exclude: ["*-env", "get-tiny*"] });
  await using harness = await startPack(config);
  const names = harness.pack.tools().map(({ name }) => name).sort();
  assert.deepEqual(names, [
    "echo",
    "get-annotated-message",
    "get-resource-links",
    "get-resource-reference",
    "get-roots-list",
    "get-structured-content",
    "get-sum",
  ]);
  await assert.rejects(harness.pack.call("get-env", {}, {}), { code: "unknown_tool" });
});

Deno.test("server-filesystem and server-memory do their work behind packs", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(join(folder, "note.txt"), "remember the milk");
  await using files = await startPack(filesystem(folder));
  await using graph = await startPack(memory(join(folder, "graph.jsonl")));
  const { value } = await files.pack.call("read_text_file", {
    path: join(folder, "note.txt"),
  }, {});
  assert.deepEqual(value, { content: "remember the milk" });
  const entity = { name: "milk", entityType: "thing", observations: ["remember it"] };
  await graph.pack.call("create_entities", { entities: [entity] }, {});
  const read = await graph.pack.call("read_graph", {}, {});
  assert.deepEqual(read.value, { entities: [entity], relations: [] });
  await assert.rejects(files.pack.call("read_text_file", { path: "/etc/passwd" }, {}), {
    code: "tool_error",
  });
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a server without instructions is known by its title and description", async () => {
  await using harness = await startPack(fixture("titled"));
  assert.equal(harness.pack.instructions(), "Post office. Parcels and letters");
});
