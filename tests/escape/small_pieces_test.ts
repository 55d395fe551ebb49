/** Bodies that come byte by byte: each read takes 64 KB of memory, which must not be kept. */

import { equal, ok } from "node:assert/strict";
import { readBytes } from "../../gateway/body.ts";
import { readBounded } from "../../packs/builtin/kit/read_bounded.ts";
import { createBoundedFetch } from "../../packs/mcp/connect/bounded_fetch.ts";

const COUNT = 10_000;
/** Megabytes; kept as they are read, the pieces take 650. */
const BOUND = 200;
const PIECES = `${"1\r\nx\r\n".repeat(COUNT)}0\r\n\r\n`;
const MOST = { maxBytes: COUNT };

const READERS = {
  "a response of a pack": async (url: string) =>
    (await readBounded((await fetch(url)).body ?? [], COUNT))?.length,
  "a response of a server": async (url: string) =>
    (await (await createBoundedFetch(fetch, MOST)(url)).bytes()).length,
  "a request": async (url: string) => {
    // The body of a response has the same pieces.
    const { body } = await fetch(url);
    return (await readBytes(new Request(url, { method: "POST", body }), COUNT)).length;
  },
};

for (const [name, read] of Object.entries(READERS)) {
  Deno.test(`the pieces of ${name} are not kept`, async () => {
    await using server = serve();
    let most = 0;
    const timer = setInterval(() => most = Math.max(most, Deno.memoryUsage().external), 5);
    try {
      equal(await read(server.url), COUNT);
    } finally {
      clearInterval(timer);
    }
    const megabytes = Math.max(most, Deno.memoryUsage().external) / 1e6;
    ok(megabytes < BOUND, `${Math.round(megabytes)} MB`);
  });
}

/** A server that answers every connection with one-byte chunks. */
function serve() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answers = (async () => {
    for await (const connection of listener) {
      await connection.read(new Uint8Array(1_000));
      const head = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n";
      const answer = new Blob([head, PIECES]).stream();
      await answer.pipeTo(connection.writable).catch(() => {}); // the client may have left
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await answers;
    },
  };
}
