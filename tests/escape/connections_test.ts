/** Connections that send nothing, until the gateway may open no further file. */

import { equal, match, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delay } from "../support/gateway.ts";

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const LISTEN = new URL("../../gateway/listen.ts", import.meta.url).href;
const FILES = 200;
const HALF = new TextEncoder().encode("POST /mcp HTTP/1.1\r\nHost: x\r\nX-Half: ");
const PROGRAM = `const { listen } = await import(${JSON.stringify(LISTEN)});
  Deno.addSignalListener("SIGTERM", () => Deno.exit());
  const { port, handle } = await listen({ host: "127.0.0.1", port: 0 });
  handle(() => new Response("served"));
  console.log(port);`;

Deno.test("connections that take all files do not end the gateway, nor keep it", async () => {
  await using gateway = await open();
  using _held = await hold(gateway.port, 2 * FILES);
  equal(await answerOf(gateway.port), "served");
});

Deno.test("connections without a request leave the gateway files of its own", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using gateway = await open();
  using held = await hold(gateway.port, FILES * 0.8);
  const [first] = held.connections;
  equal(await first?.read(new Uint8Array(1)), null);
  const until = performance.now() + 60_000;
  let files = gateway.files();
  for (; files > FILES * 0.75 && performance.now() < until; files = gateway.files()) {
    await delay(50);
  }
  ok(files <= FILES * 0.75, `${files} files`);
  equal(await answerOf(gateway.port), "served");
});

Deno.test("files that are no connections do not close the port again and again", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using gateway = await open(
    `for (let n = 0; n < ${FILES * 0.8}; n++) Deno.openSync("/dev/null");`,
  );
  const isEnded = async () => {
    using connection = await Deno.connect({ port: gateway.port });
    const ended = connection.read(new Uint8Array(1)).then(() => true, () => true);
    return await Promise.race([ended, delay(2_000).then(() => false)]);
  };
  // The port is opened anew once, soon after the start.
  ok(!await isEnded() || !await isEnded());
  equal(await answerOf(gateway.port), "served");
});

Deno.test("no other program can take the port while connections are closed", {
  ignore: Deno.build.os !== "linux",
}, async () => {
  await using gateway = await open();
  let isTaken = false;
  for (let round = 0; round < 3; round++) {
    using held = await hold(gateway.port, FILES * 0.8);
    const ended = held.connections[0]?.read(new Uint8Array(1)).then(() => true, () => true);
    let isEnded = false;
    void ended?.then(() => isEnded = true);
    while (!isEnded && !isTaken) {
      isTaken = canListen(gateway.port);
      // The system gave some to the earlier listener, which has closed them.
      if (gateway.files() <= FILES * 0.75) await held.more();
      await new Promise(setImmediate);
    }
  }
  equal(isTaken, false);
  equal(await answerOf(gateway.port), "served");
});

Deno.test("a port that another gateway of the user has is not shared", async () => {
  await using gateway = await open();
  const listen = `const { listen } = await import(${JSON.stringify(LISTEN)});
    await listen({ host: "127.0.0.1", port: ${gateway.port} });`;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, toModule(listen)],
  }).output();
  equal(code, 1);
  match(new TextDecoder().decode(stderr), /AddrInUse/);
});

function toModule(code: string): string {
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** Tells that a program which shares no port gets it. */
function canListen(port: number): boolean {
  try {
    Deno.listen({ hostname: "127.0.0.1", port }).close();
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return false;
    throw error;
  }
}

interface Gateway extends AsyncDisposable {
  readonly port: number;
  /** Files that it has open. */
  files(): number;
}

/** Opens the port in a process that may open few files; `before` runs there first. */
async function open(before = ""): Promise<Gateway> {
  const deno = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, "-"];
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${FILES}; exec "$@"`, "sh", ...deno],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(before + PROGRAM));
  await input.close();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  return {
    port: Number(new TextDecoder().decode(value)),
    files: () => [...Deno.readDirSync(`/proc/${child.pid}/fd`)].length,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await reader.cancel();
      await child.status;
    },
  };
}

interface Held extends Disposable {
  readonly connections: readonly Deno.TcpConn[];
  /** Opens one more, if it is accepted. */
  more(): Promise<void>;
}

/** Opens connections, every second one with half a header, as many as are accepted. */
async function hold(port: number, count: number): Promise<Held> {
  const connections: Deno.TcpConn[] = [];
  let opened = 0;
  async function more(): Promise<void> {
    const isHalf = opened++ % 2 === 1;
    const connection = await Deno.connect({ port }).catch(() => undefined);
    if (!connection) return;
    connections.push(connection);
    if (isHalf) await connection.write(HALF).catch(() => {}); // closed by the gateway
  }
  while (opened < count) await more();
  return {
    connections,
    more,
    [Symbol.dispose]() {
      for (const connection of connections) connection.close();
    },
  };
}

/** The answer, as soon as there is one. */
async function answerOf(port: number): Promise<string> {
  const until = AbortSignal.timeout(60_000);
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: until }).catch(() => {
      until.throwIfAborted();
    });
    if (response) return await response.text();
    await delay(50);
  }
}
