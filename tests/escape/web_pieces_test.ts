/** Pages whose bytes come one by one, for ever, and unpack to nothing: each takes the gateway's thread. */

import { equal, rejects } from "node:assert/strict";
import type { JsonObject } from "#base";
import { withBuiltinPack } from "../support/builtin_pack.ts";

const TEXT = new TextEncoder();
/** Bytes that unpack to nothing or little, again and again, behind those that begin. */
const ENDLESS: Readonly<Record<string, readonly [begin: string, again: string]>> = {
  "identity": ["", "a"],
  "deflate": ["\x78\x9c", "\0\0\0\xff\xff"],
  "gzip": ["\x1f\x8b\x08\0\0\0\0\0\0\x03", "\0\0\0\xff\xff"],
  "br": ["\x0b\0\x80", "\x0c"],
};

/** Bytes as chunks of one each. */
function chunked(bytes: string): Uint8Array {
  const chunks = Array.from(bytes, (byte) => `1\r\n${byte}\r\n`).join("");
  return Uint8Array.from(chunks, (character) => character.charCodeAt(0));
}

/** A server that answers each request for a path that is an encoding with a page without an end. */
function serve() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answers = (async () => {
    const open: Promise<void>[] = [];
    for await (const connection of listener) open.push(answer(connection).catch(() => {}));
    await Promise.all(open);
  })();
  return {
    origin: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await answers;
    },
  };
}

/** Fails once the client has left. */
async function answer(connection: Deno.Conn): Promise<void> {
  using _connection = connection;
  const writer = connection.writable.getWriter();
  const request = new Uint8Array(1_000);
  const count = await connection.read(request) ?? 0;
  const [, path = ""] = /^GET \/(\S*)/.exec(new TextDecoder().decode(request.subarray(0, count))) ??
    [];
  const [encoding, begin, again] = pageOf(path);
  const head = `HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: ${encoding}\r\n`;
  await writer.write(TEXT.encode(`${head}transfer-encoding: chunked\r\n\r\n`));
  await writer.write(chunked(begin));
  for (const chunks = chunked(again.repeat(2_000));;) await writer.write(chunks);
}

function pageOf(path: string): [encoding: string, begin: string, again: string] {
  const encoding = path in ENDLESS ? path : "identity";
  const [begin, again] = ENDLESS[encoding] ?? ["", ""];
  return [encoding, begin, again];
}

Deno.test("a page that comes byte by byte is given up", async (t) => {
  await using server = serve();
  const settings: JsonObject = { allow_private: ["127.0.0.1"], timeout: 120 };
  await withBuiltinPack({ name: "web", settings }, async ({ call }) => {
    for (const encoding of Object.keys(ENDLESS)) {
      await t.step(encoding, async () => {
        await rejects(call("fetch", { url: `${server.origin}/${encoding}` }), {
          code: "tool_error",
          message: /its response comes in too many tiny pieces$/,
        });
      });
    }
  });
});

Deno.test("a page whose pieces are small is read", async () => {
  const text = "a line of a page\n".repeat(20_000);
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, () => {
    return new Response(
      ReadableStream.from(text.match(/.+\n/g) ?? []).pipeThrough(new TextEncoderStream()),
    );
  });
  const settings: JsonObject = { allow_private: ["127.0.0.1"] };
  await withBuiltinPack({ name: "web", settings }, async ({ call }) => {
    const page = await call("fetch", {
      url: `http://127.0.0.1:${server.addr.port}/`,
    }) as JsonObject;
    equal(String(page.text).slice(0, 1_000), text.slice(0, 1_000));
  });
  await server.shutdown();
});
