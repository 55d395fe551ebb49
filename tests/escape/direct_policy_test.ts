/** What is blocked does not exist for an MCP client, and what is on `ask` is not read unasked. */

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { dump } from "js-yaml";
import { createPolicy } from "#packs";
import { readAudit } from "#runtime/stats";
import { ERAS, newClient, overHttp, overStdio, textOf } from "../gateway/mcp/clients.ts";
import { openGateway } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";
import { statsFolder } from "../support/stats.ts";

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const SERVER = fileURLToPath(new URL("../fixtures/mcp/conformance_server.ts", import.meta.url));
const PROMPT = "test_simple_prompt";
const STATIC = "test://static-text";
const DYNAMIC = "test://template/7/data";

/** With `seen`, all that is sent to the server is written to this file as well. */
function configOf(security: Record<string, unknown>, seen = "/dev/null") {
  const { command, args } = fixture("good");
  const server = [
    Deno.execPath(),
    "run",
    "-A",
    "--quiet",
    "--no-check",
    `--config=${CONFIG}`,
    SERVER,
  ];
  return {
    servers: {
      my_docs: { command: "sh", args: ["-c", 'tee -a "$0" | "$@"', seen, ...server] },
      git: { command, args },
    },
    direct: ["my_docs", "git.echo", "git.pid"],
    security,
  };
}

async function open(security: Record<string, unknown>) {
  const gateway = await openGateway(configOf(security));
  await gateway.ready();
  return gateway;
}

/** A client whose person gives this answer to every question. */
function answering(era: (typeof ERAS)[number], allow: string) {
  const client = newClient(era, { capabilities: { elicitation: { form: {} } } });
  const questions: string[] = [];
  client.setRequestHandler("elicitation/create", ({ params }) => {
    questions.push(params.message);
    return { action: "accept", content: { allow } };
  });
  return { client, questions };
}

Deno.test("decidePack() holds a whole pack against the patterns that leave no tool out", () => {
  const rows: readonly [pattern: string, pack: string, level: string][] = [
    ["github", "github", "blocked"],
    ["github.*", "github", "blocked"],
    [" github.** ", "github", "blocked"],
    ["git*", "github", "blocked"],
    ["*.*", "github", "blocked"],
    ["my-docs.*", "my_docs", "blocked"],
    ["myDocs", "my_docs", "blocked"],
    ["github.delete_repo", "github", "allowed"],
    ["github.delete_*", "github", "allowed"],
    ["github.?", "github", "allowed"],
    ["github.*_repo", "github", "allowed"],
    ["github__delete_repo", "github", "allowed"],
    ["github.*", "gitlab", "allowed"],
  ];
  for (const [pattern, pack, level] of rows) {
    const decision = createPolicy({ blocked: [pattern] }).decidePack(pack);
    assert.deepEqual([decision.level, decision.pattern], [
      level,
      level === "allowed" ? undefined : pattern.trim(),
    ], pattern);
  }
  const ranks = createPolicy({ blocked: ["a"], ask: ["a.*", "b"], allow: ["b", "c"] });
  assert.deepEqual(["a", "b", "c"].map((pack) => ranks.decidePack(pack).level), [
    "blocked",
    "ask",
    "allowed",
  ]);
  assert.equal(createPolicy({ enabled: false, blocked: ["a"] }).decidePack("a").level, "allowed");
});

for (const era of ERAS) {
  Deno.test(`VAL-32 a ${era} MCP client is offered nothing of a blocked server`, async (t) => {
    const patterns = ["my_docs", "myDocs.*", "my-*"];
    const rules = ["my_docs.*", "git.pid"].map((tool) => ({ tool, then: "blocked" }));
    const rows = [...patterns.map((pattern) => ({ blocked: [pattern, "git.pid"] })), { rules }];
    for (const security of rows) {
      await t.step(JSON.stringify(security), async () => {
        await using gateway = await open(security);
        await using connection = await overHttp(gateway, newClient(era));
        const { client } = connection;
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(({ name }) => name), ["run", "look", "echo"]);
        for (const name of ["test_simple_text", "my_docs__test_simple_text", "pid", "git__pid"]) {
          await assert.rejects(client.callTool({ name, arguments: {} }), /no such tool/, name);
        }
        assert.deepEqual((await client.listResources()).resources, []);
        const { resourceTemplates } = await client.listResourceTemplates();
        assert.deepEqual(
          resourceTemplates.map(({ uriTemplate }) => uriTemplate).filter((uri) =>
            uri.startsWith("test:")
          ),
          [],
        );
        assert.deepEqual((await client.listPrompts()).prompts, []);
        for (const uri of [STATIC, DYNAMIC]) {
          await assert.rejects(client.readResource({ uri }), /not found/i, uri);
        }
        await assert.rejects(client.getPrompt({ name: PROMPT }), /no such prompt/);
        const ref = { type: "ref/prompt", name: "test_prompt_with_arguments" } as const;
        const argument = { name: "arg1", value: "pari" };
        await assert.rejects(client.complete({ ref, argument }), /no such prompt or template/);
        assert.ok(!client.getInstructions()?.includes("my_docs"), client.getInstructions());
      });
    }
  });

  Deno.test(`VAL-32 a ${era} client keeps the tools that a pattern does not block`, async () => {
    await using gateway = await open({ blocked: ["my_docs.test_*_text"], ask: ["my_docs.test_*"] });
    await using connection = await overHttp(gateway, newClient(era));
    const { client } = connection;
    const names = (await client.listTools()).tools.map(({ name }) => name);
    assert.ok(!names.includes("test_simple_text") && names.includes("test_error_handling"));
    assert.ok((await client.readResource({ uri: STATIC })).contents.length > 0);
    assert.ok((await client.getPrompt({ name: PROMPT })).messages.length > 0);
  });

  Deno.test(`VAL-32 a ${era} MCP client is asked before a server on ask is read`, async (t) => {
    await using gateway = await open({ ask: ["my_docs.*"] });

    await t.step("and reads after a yes", async () => {
      const { client, questions } = answering(era, "call");
      await using _connection = await overHttp(gateway, client);
      const names = (await client.listPrompts()).prompts.map(({ name }) => name);
      assert.ok(names.includes(PROMPT));
      const { contents } = await client.readResource({ uri: STATIC });
      assert.ok(contents.length > 0);
      assert.match(JSON.stringify(await client.readResource({ uri: DYNAMIC })), /7/);
      const { messages } = await client.getPrompt({ name: PROMPT });
      assert.match(JSON.stringify(messages), /simple prompt/);
      assert.deepEqual(questions, [
        `Allow a call of my_docs.resources/read?\n  | "uri": "${STATIC}"`,
        `Allow a call of my_docs.resources/read?\n  | "uri": "${DYNAMIC}"`,
        `Allow a call of my_docs.prompts/get?\n  | "name": "${PROMPT}"`,
      ]);
    });
    await t.step("and does not after a no", async () => {
      const { client, questions } = answering(era, "no");
      await using _connection = await overHttp(gateway, client);
      await assert.rejects(client.readResource({ uri: STATIC }), /declined/);
      await assert.rejects(client.readResource({ uri: DYNAMIC }), /declined/);
      await assert.rejects(client.getPrompt({ name: PROMPT }), /declined/);
      assert.equal(questions.length, 3);
    });
    await t.step("and does not where no person can be asked", async () => {
      await using gateway = await open({ ask: ["my_docs.*"], page: false });
      await using connection = await overHttp(gateway, newClient(era));
      const { client } = connection;
      await assert.rejects(client.readResource({ uri: STATIC }), /needs confirmation/);
      await assert.rejects(client.getPrompt({ name: PROMPT }), /needs confirmation/);
    });
    await t.step("through toolscript mcp, too", async () => {
      const { client, questions } = answering(era, "call");
      await using _connection = await overStdio(gateway, client);
      assert.ok((await client.readResource({ uri: STATIC })).contents.length > 0);
      assert.equal(questions.length, 1);
    });
  });
}

Deno.test("a rule for what reads holds for resources and prompts, and no other rule", async (t) => {
  const rows = [
    [[{ effect: "read", then: "ask" }], /declined/],
    [[{ effect: "read", tool: "my_docs.*", then: "blocked" }], /blocked by 'my_docs\.\*'/],
    [[{ effect: "destroy", then: "blocked" }], undefined],
    [[{ effect: "read", tool: "git.*", then: "blocked" }], undefined],
  ] as const;
  for (const [rules, refusal] of rows) {
    await t.step(JSON.stringify(rules), async () => {
      await using gateway = await open({ rules });
      const { client } = answering("legacy", "no");
      await using _connection = await overHttp(gateway, client);
      const reads = [
        () => client.readResource({ uri: STATIC }),
        () => client.readResource({ uri: DYNAMIC }),
        () => client.getPrompt({ name: PROMPT }),
      ];
      for (const read of reads) {
        if (refusal) await assert.rejects(read(), refusal);
        else assert.ok(await read());
      }
      await gateway.close();
      const refusals = readAudit(statsFolder(gateway)).filter(({ kind, code }) =>
        kind === "refusal" && code === "blocked"
      );
      const tools = ["resources/read", "resources/read", "prompts/get"].map((name) =>
        `my_docs.${name}`
      );
      assert.deepEqual(refusals.map(({ tool }) => tool), refusal ? tools : []);
    });
  }
});

/** What reached the server, in order, when there is as much of it. */
async function seenIn(file: string, count: number): Promise<readonly string[]> {
  for (;;) {
    const lines = (await Deno.readTextFile(file)).split("\n").slice(0, -1);
    const seen = lines.flatMap((line) => {
      const { method, params } = JSON.parse(line);
      if (method === "completion/complete") return ["complete"];
      if (method === "notifications/cancelled") return ["unwatch"];
      const uris: readonly string[] = params?.notifications?.resourceSubscriptions ?? [];
      return uris.map((uri) => `watch ${uri}`);
    });
    if (seen.length >= count) return seen;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

Deno.test("VAL-32 a server on ask is neither watched nor asked for completions", async (t) => {
  const complete = {
    ref: { type: "ref/prompt", name: "test_prompt_with_arguments" },
    argument: { name: "arg1", value: "pari" },
  } as const;
  const file = await Deno.makeTempFile();
  await using gateway = await openGateway(configOf({}, file));
  await gateway.ready();
  const { client, questions } = answering("legacy", "call");
  await using _connection = await overHttp(gateway, client);
  const reload = async (security: Record<string, unknown>) => {
    const path = join(gateway.project, ".onetool", "onetool.yaml");
    await Deno.writeTextFile(path, dump(configOf(security, file)));
    await client.callTool({ name: "run", arguments: { command: "ot.reload()" } });
  };
  await t.step("it is where no list names it", async () => {
    await client.subscribeResource({ uri: STATIC });
    assert.deepEqual(await seenIn(file, 1), [`watch ${STATIC}`]);
    assert.deepEqual((await client.complete(complete)).completion.values, ["paris"]);
    assert.deepEqual((await seenIn(file, 2)).slice(1), ["complete"]);
  });
  await t.step("it is left alone once it is on ask", async () => {
    await reload({ ask: ["my_docs.*"] });
    assert.deepEqual((await seenIn(file, 3)).slice(2), ["unwatch"]);
    await client.subscribeResource({ uri: DYNAMIC });
    await assert.rejects(client.complete(complete), /Cannot complete.*'my_docs\.\*'/);
    await client.readResource({ uri: STATIC });
    assert.equal(questions.length, 1);
    assert.equal((await seenIn(file, 3)).length, 3);
  });
  await t.step("what was subscribed to is watched once it is off the list", async () => {
    await reload({});
    assert.deepEqual((await seenIn(file, 5)).slice(3), [`watch ${STATIC}`, `watch ${DYNAMIC}`]);
  });
  await Deno.remove(file);
});

Deno.test("VAL-32 a snippet that is offered beside run asks about its calls", async () => {
  const snippets = { copy: { params: { n: {} }, body: "git.echo(name={{ n }})" } };
  const config = { ...configOf({ ask: ["git.echo"] }), snippets, direct: ["snippets"] };
  await using gateway = await openGateway(config);
  await gateway.ready();
  const { client, questions } = answering("modern", "call");
  await using _connection = await overHttp(gateway, client);
  const result = await client.callTool({ name: "copy", arguments: { n: "a" } });
  assert.ok(!result.isError, textOf(result));
  assert.deepEqual(questions, ['Allow a call of git.echo (line 1)?\n  | "name": "a"']);
});

Deno.test("VAL-32 clients lose a server that is blocked later", async () => {
  await using gateway = await open({});
  await using connection = await overHttp(gateway, newClient("legacy"));
  const { client } = connection;
  const notified = Promise.withResolvers<void>();
  client.setNotificationHandler("notifications/prompts/list_changed", () => notified.resolve());
  assert.ok((await client.listPrompts()).prompts.length > 0);
  assert.ok((await client.readResource({ uri: STATIC })).contents.length > 0);
  const config = configOf({ blocked: ["my_docs", "git.pid"] });
  await Deno.writeTextFile(join(gateway.project, ".onetool", "onetool.yaml"), dump(config));
  const reloaded = await client.callTool({ name: "run", arguments: { command: "ot.reload()" } });
  assert.ok(!reloaded.isError, textOf(reloaded));
  await notified.promise;
  assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), [
    "run",
    "look",
    "echo",
  ]);
  await assert.rejects(client.readResource({ uri: STATIC }), /not found/i);
  await assert.rejects(client.getPrompt({ name: PROMPT }), /no such prompt/);
});
