/** Questions of servers: to which client they belong, and their limits. */

import assert from "node:assert/strict";
import { delay, openGateway } from "../../../support/gateway.ts";
import { askingCommand, askingOverHttp } from "../../../support/servers.ts";
import { ERAS, overHttp } from "../clients.ts";
import { ANA, type Person, person, run } from "./person.ts";

Deno.test("without a client each question is declined at once", async (t) => {
  await using gateway = await openGateway({
    servers: { asking: askingCommand(), newest: askingCommand("modern") },
  });
  const script = (call: string) => `import { tools } from "toolscript"; return await tools.${call}`;
  for (const server of ["asking", "newest"]) {
    await t.step(`${server}: one JSON answer`, async () => {
      const { value } = await gateway.run(script(`${server}.ask({})`));
      assert.deepEqual(value, { action: "decline" });
      const sampled = await gateway.run(script(`${server}.sample({})`));
      assert.doesNotMatch(JSON.stringify(sampled.value ?? sampled.error), /"model"/);
    });
    await t.step(`${server}: a stream`, async () => {
      const events = await Array.fromAsync(gateway.stream(script(`${server}.ask({})`)));
      assert.deepEqual(events.at(-1)?.value, { action: "decline" });
    });
    await t.step(`${server}: outside a run`, async () => {
      const response = await gateway.post(`/tools/${server}__ask`, {});
      assert.deepEqual((await response.json()).result, { action: "decline" });
    });
  }
});

Deno.test("a server over HTTP asks each client about its own call", async (t) => {
  for (const protocol of ERAS) {
    await using server = await askingOverHttp(protocol);
    await using gateway = await openGateway({ servers: { asking: { url: server.url } } });
    const [ana, ben] = [person("legacy"), person("modern", () => ({ action: "decline" }))];
    await using _one = await overHttp(gateway, ana.client);
    await using _two = await overHttp(gateway, ben.client);
    await t.step(`${protocol}: both at once`, async () => {
      const ask = ({ client }: Person, who: string) =>
        run(client, `for (let i = 0; i < 5; i++) await asking.ask(message="${who}"); 1`);
      await Promise.all([ask(ana, "for Ana"), ask(ben, "for Ben")]);
      assert.equal(ana.questions.length, 5);
      assert.equal(ben.questions.length, 5);
      assert.ok(ana.questions.every((message) => message.endsWith("> for Ana")));
      assert.ok(ben.questions.every((message) => message.endsWith("> for Ben")));
    });
  }
});

/** A file that a server's tool makes or waits for. */
interface Mark extends AsyncDisposable {
  readonly path: string;
  make(): Promise<void>;
  made(): Promise<string>;
}

async function mark(): Promise<Mark> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-mark-" });
  const path = `${folder}/mark`;
  return {
    path,
    make: () => Deno.writeTextFile(path, ""),
    async made() {
      for (;;) {
        const text = await Deno.readTextFile(path).catch(() => undefined);
        if (text !== undefined) return text;
        await delay(20);
      }
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

const call = (tool: string, args: Record<string, unknown>) =>
  `asking.${tool}(${Object.entries(args).map(([k, v]) => `${k}=${JSON.stringify(v)}`).join(", ")})`;

Deno.test("a question that may belong to another client's call is declined", async (t) => {
  await using gateway = await openGateway({ servers: { asking: askingCommand() } });
  const [ana, ben] = [person("legacy"), person("modern")];
  await using _one = await overHttp(gateway, ana.client);
  await using _two = await overHttp(gateway, ben.client);

  await t.step("while another run waits for the same server", async () => {
    await using begun = await mark();
    await using gate = await mark();
    const waiting = run(ben.client, call("wait", { begun: begun.path, gate: gate.path }));
    await begun.made();
    assert.deepEqual(JSON.parse(await run(ana.client, "asking.ask()")), { action: "decline" });
    await gate.make();
    await waiting;
    assert.deepEqual(JSON.parse(await run(ana.client, "asking.ask()")), ANA);
  });
  await t.step("while a call outside a run waits for it", async () => {
    await using begun = await mark();
    await using gate = await mark();
    const waiting = gateway.post("/tools/asking__wait", { begun: begun.path, gate: gate.path });
    await begun.made();
    assert.deepEqual(JSON.parse(await run(ana.client, "asking.ask()")), { action: "decline" });
    await gate.make();
    await (await waiting).body?.cancel();
  });
  const counts = [ana.questions.length, ben.questions.length];
  await t.step("when the call that it belongs to was cancelled", async () => {
    const marks = await Promise.all([mark(), mark(), mark(), mark(), mark()]);
    const [begun, gate, done, begunToo, gateToo] = marks;
    const cancel = new AbortController();
    const args = { begun: begun.path, gate: gate.path, done: done.path };
    const command = call("ask_late", args);
    const gone = ana.client.callTool({ name: "run", arguments: { command } }, {
      signal: cancel.signal,
    });
    await begun.made();
    cancel.abort();
    await assert.rejects(gone);
    const waiting = run(ben.client, call("wait", { begun: begunToo.path, gate: gateToo.path }));
    await begunToo.made();
    await gate.make();
    assert.match(await done.made(), /decline/);
    await gateToo.make();
    await waiting;
    assert.deepEqual([ana.questions.length, ben.questions.length], counts);
    for (const each of marks) await each[Symbol.asyncDispose]();
  });
  await t.step("the client that cancelled is asked again at once", async () => {
    assert.deepEqual(JSON.parse(await run(ana.client, "asking.ask()")), ANA);
  });
});

Deno.test("a question is bounded, and opens nothing but web addresses", async (t) => {
  await using gateway = await openGateway({ servers: { asking: askingCommand() } });
  const { client, questions } = person("legacy");
  await using _connection = await overHttp(gateway, client);
  await t.step("a text that is too long is cut", async () => {
    await run(client, "asking.ask(message='x'.repeat(20000))");
    assert.ok((questions[0]?.length ?? 0) < 5_000);
  });
  await t.step("one that is too large is declined", async () => {
    const reply = await run(client, "asking.ask(message='x'.repeat(200000))");
    assert.deepEqual(JSON.parse(reply), { action: "decline" });
  });
  await t.step("characters that change the direction of text are escaped", async () => {
    await run(client, "asking.ask(message='a\\u202eb\\u001b[2Jc')");
    assert.match(String(questions[1]), /> a\\u202eb\\u001b\[2Jc$/);
  });
  await t.step("addresses", async () => {
    for (const url of ["file:///etc/passwd", "javascript:alert(1)", "vscode://x", "//x", ""]) {
      const reply = await run(client, call("open", { url }));
      assert.doesNotMatch(reply, /accept/, url);
    }
    const before = questions.length;
    assert.match(await run(client, call("open", { url: "https://example.com/a" })), /accept/);
    assert.equal(questions.length, before + 1);
  });
  await t.step("a run is asked a hundred questions at most", async () => {
    const before = questions.length;
    await run(client, "for (let i = 0; i < 110; i++) await asking.ask(); 1");
    assert.equal(questions.length - before, 100);
  });
});
