/** Connections that send nothing, until the gateway may open no further file. */

import { equal } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { delay } from "../support/gateway.ts";

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));
const LISTEN = new URL("../../gateway/listen.ts", import.meta.url).href;
const FILES = 200;
const PROGRAM = `const { listen } = await import(${JSON.stringify(LISTEN)});
  Deno.addSignalListener("SIGTERM", () => Deno.exit());
  const { port, handle } = listen({ host: "127.0.0.1", port: 0 });
  handle(() => new Response("served"));
  console.log(port);`;

Deno.test("connections that take all files do not end the gateway", async () => {
  const deno = [Deno.execPath(), "run", "-A", "--quiet", "--no-check", `--config=${CONFIG}`, "-"];
  const child = new Deno.Command("sh", {
    args: ["-c", `ulimit -n ${FILES}; exec "$@"`, "sh", ...deno],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  await input.write(new TextEncoder().encode(PROGRAM));
  await input.close();
  const reader = child.stdout.getReader();
  const { value } = await reader.read();
  const port = Number(new TextDecoder().decode(value));
  try {
    const connections: Deno.TcpConn[] = [];
    for (let n = 0; n < 2 * FILES; n++) {
      const connection = await Deno.connect({ port }).catch(() => undefined);
      if (connection) connections.push(connection);
    }
    await delay(500);
    for (const connection of connections) connection.close();
    equal(await answerOf(port), "served");
  } finally {
    child.kill("SIGKILL");
    await reader.cancel();
    await child.status;
  }
});

/** The answer, as soon as there is one. */
async function answerOf(port: number): Promise<string> {
  const until = AbortSignal.timeout(30_000);
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: until }).catch(() => {
      until.throwIfAborted();
    });
    if (response) return await response.text();
    await delay(50);
  }
}
