/** Bridge of the npm package whose gateway ends: what of it the client still has in its hands. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findGateways } from "#gateway/running";
import { cli } from "../../../support/cli.ts";
import { pinnedCommand } from "../../../support/servers.ts";
import { INITIALIZE, mcpCommand, stdioEnvironment } from "../clients.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
}

/** Client that sees every message. */
interface LineClient extends AsyncDisposable {
  readonly home: string;
  send(message: Record<string, unknown>): Promise<void>;
  /** Resolves with the first message that matches, of those that came and come. */
  next(matches: (message: Message) => boolean): Promise<Message>;
}

async function openClient(config: Record<string, unknown>): Promise<LineClient> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-lines-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(home);
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), JSON.stringify(config));
  const { command, args } = await mcpCommand("node");
  const child = new Deno.Command(command, {
    args,
    cwd: project,
    env: stdioEnvironment({ home }),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const messages: Message[] = [];
  const arrived = new EventTarget();
  const reading = readMessages(child.stdout, (message) => {
    messages.push(message);
    arrived.dispatchEvent(new Event("message"));
  });
  const ended = reading.then(() => {
    throw new Error("The bridge has ended");
  });
  ended.catch(() => {}); // who waits then gets it
  return {
    home,
    send: (message) =>
      writer.write(
        new TextEncoder().encode(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`),
      ),
    async next(matches) {
      for (;;) {
        const message = messages.find(matches);
        if (message) return message;
        const another = Promise.withResolvers<void>();
        arrived.addEventListener("message", () => another.resolve(), { once: true });
        await Promise.race([another.promise, ended]);
      }
    },
    async [Symbol.asyncDispose]() {
      await writer.close().catch(() => {}); // it may have ended
      await child.status;
      await reading;
      await cli(["gateway", "stop", "--all"], { home, cwd: project });
      await Deno.remove(root, { recursive: true });
    },
  };
}

async function readMessages(
  stdout: ReadableStream<Uint8Array>,
  onMessage: (message: Message) => void,
): Promise<void> {
  let rest = "";
  for await (const text of stdout.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onMessage(JSON.parse(line));
  }
}

Deno.test("a question of a gateway that ended is cancelled, and its answer is nobody else's", async () => {
  await using client = await openClient({
    servers: { everything: pinnedCommand("everything") },
    direct: ["everything"],
    gateway: { linger: 1 },
  });
  const isQuestion = (message: Message) => message.method === "elicitation/create";
  const params = { ...INITIALIZE, capabilities: { elicitation: { form: {} } } };
  await client.send({ id: 1, method: "initialize", params });
  await client.send({ method: "notifications/initialized" });
  const call = { name: "trigger-elicitation-request", arguments: {} };
  await client.send({ id: 2, method: "tools/call", params: call });
  const first = await client.next(isQuestion);
  const [gateway] = await findGateways(client.home);
  Deno.kill(gateway?.pid ?? 0, "SIGKILL");
  const cancelled = await client.next(({ method }) => method === "notifications/cancelled");
  assert.equal(cancelled.params?.requestId, first.id);
  const lost = await client.next(({ id, result }) => id === 2 && result !== undefined);
  assert.equal(lost.result?.isError, true);

  await client.send({ id: 3, method: "tools/call", params: call });
  const second = await client.next((message) => isQuestion(message) && message !== first);
  assert.notEqual(second.id, first.id);
  await client.send({ id: first.id, result: { action: "accept", content: { name: "Eve" } } });
  await client.send({ id: second.id, result: { action: "decline" } });
  const { result } = await client.next(({ id, result }) => id === 3 && result !== undefined);
  assert.match(JSON.stringify(result?.content), /declined/);
});

Deno.test("a subscription goes on at the next gateway", async () => {
  await using client = await openClient({
    servers: { everything: pinnedCommand("everything") },
    direct: ["everything"],
    gateway: { linger: 1 },
  });
  await client.send({ id: 1, method: "initialize", params: INITIALIZE });
  await client.send({ method: "notifications/initialized" });
  await client.send({ id: 2, method: "resources/list" });
  const { result } = await client.next(({ id }) => id === 2);
  const [{ uri }] = result?.resources as [{ uri: string }];
  await client.send({ id: 3, method: "resources/subscribe", params: { uri } });
  await client.next(({ id }) => id === 3);
  const [gateway] = await findGateways(client.home);
  Deno.kill(gateway?.pid ?? 0, "SIGKILL");
  const toggle = { name: "toggle-subscriber-updates", arguments: {} };
  let updated: Message | undefined;
  for (let id = 4; updated === undefined && id < 10; id++) {
    await client.send({ id, method: "tools/call", params: toggle });
    const answer = await client.next((message) => message.id === id);
    if (answer.result?.isError === true) continue; // it was lost with the first gateway
    updated = await client.next(({ method }) => method === "notifications/resources/updated");
  }
  assert.equal(updated?.params?.uri, uri);
});
