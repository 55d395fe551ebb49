/** Program of its test, in a network of its own: the only name server is silent. Prints the time that
 * reading a file takes after many requests that were given up, and what a name of the system's files
 * leads to. */

import dgram from "node:dgram";
import { withBuiltinPack } from "../support/builtin_pack.ts";

const silent = dgram.createSocket("udp4");
await new Promise<void>((resolve) => silent.bind(53, "127.0.0.1", resolve));

await withBuiltinPack({ name: "web" }, async ({ pack }) => {
  for (let round = 0; round < 8; round++) {
    const options = { signal: AbortSignal.timeout(200), origin: { run: "hostile" } };
    const urls = Array.from({ length: 10 }, (_, at) => `http://a${round}-${at}.example/`);
    await Promise.all(urls.map((url) => pack.call("fetch", { url }, options).catch(() => {})));
  }
  const begun = performance.now();
  await Deno.readTextFile("/etc/hosts");
  const ms = Math.round(performance.now() - begun);
  const local = pack.call("fetch", { url: "http://localhost/" }, { origin: { run: "other" } });
  const message = await local.then(() => "", (error: Error) => error.message);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify({ ms, message })));
});
Deno.exit(0);
