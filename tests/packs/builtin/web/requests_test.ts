/** Requests of the `web` pack: addresses, cache, proxy and batches. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import type { Serve } from "../../../support/builtin_pack.ts";
import { html, type WebOptions, withWeb } from "./web_stage.ts";

Deno.test("web.fetch requests no private address, in any notation", async (t) => {
  const addresses = [
    "http://127.0.0.1/",
    "http://localhost/",
    "http://localhost./",
    "http://2130706433/",
    "http://0177.0.0.1/",
    "http://0x7f.1/",
    "http://127.1/",
    "http://0/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:a00:1]/",
    "http://[::7f00:1]/",
    "http://[64:ff9b::10.0.0.1]/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://[ff02::1]/",
    "http://[2002:7f00:1::]/",
    "http://10.1.2.3/",
    "http://172.16.0.1/",
    "http://192.168.0.1/",
    "http://100.100.100.200/",
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://224.0.0.1/",
    "http://255.255.255.255/",
    "http://①②⑦.⓪.⓪.①/",
  ];
  await withWeb(() => html("secret"), async ({ call, requests }) => {
    for (const url of addresses) {
      await t.step(url, async () => {
        await assert.rejects(call("fetch", { url }), { code: "blocked", message: /allow_private/ });
      });
    }
    for (
      const url of ["file:///etc/passwd", "data:text/html,x", "http://a:b@example.com/", "tea"]
    ) {
      await t.step(url, async () => {
        await assert.rejects(call("fetch", { url }), { code: "invalid_arguments" });
      });
    }
    assert.deepEqual(requests, []);
  }, { settings: { allow_private: ["db.internal"], timeout: 10 } });
});

Deno.test("web.fetch requests no public address of this machine", async (t) => {
  const real = Deno.networkInterfaces;
  const base = { name: "eth9", mac: "", netmask: "", cidr: "", scopeid: null };
  Deno.networkInterfaces = () => [
    { ...base, family: "IPv4", address: "93.184.215.14" },
    { ...base, family: "IPv6", address: "2a01:4f8:c17:1::1" },
  ];
  const addresses = [
    "93.184.215.14",
    "[2a01:4f8:c17:1::1]",
    "[2A01:4f8:0c17:1:0::1]",
    "1572394766",
  ];
  try {
    await withWeb(() => html("secret"), async ({ call }) => {
      for (const address of addresses) {
        await t.step(address, async () => {
          const fetched = call("fetch", { url: `http://${address}:1/` });
          await assert.rejects(fetched, { code: "blocked", message: /is this machine/ });
        });
      }
    });
  } finally {
    Deno.networkInterfaces = real;
  }
});

Deno.test("packs.web.allow_private allows the named hosts only", async (t) => {
  const rows: readonly [readonly string[], string, boolean][] = [
    [["localhost"], "localhost", true],
    [["localhost:1"], "localhost", false],
    [["127.0.0.0/8"], "localhost", true],
    [["10.0.0.0/8", "::1"], "127.0.0.1", false],
    [["*.internal", "local*"], "localhost", true],
    [[], "127.0.0.1", false],
  ];
  for (const [patterns, host, passes] of rows) {
    await t.step(`${patterns} for ${host}`, async () => {
      const options: WebOptions = { settings: { allow_private: [...patterns] } };
      await withWeb(() => new Response("tea"), async ({ origin, call }) => {
        const url = origin.replace("127.0.0.1", host);
        const fetched = call("fetch", { url });
        if (passes) assert.equal((await fetched).text, "tea");
        else await assert.rejects(fetched, { code: "blocked" });
      }, options);
    });
  }
});

Deno.test("web.fetch caches a page as long as its server and the config allow", async () => {
  const serve: Serve = (_, path) =>
    html("tea", path === "/no-store" ? { "cache-control": "no-store" } : {});
  await withWeb(serve, async ({ origin, call, requests }) => {
    for (const path of ["/a", "/a", "/no-store", "/no-store"]) {
      await call("fetch", { url: origin + path });
    }
    await call("fetch", { url: `${origin}/a`, fresh: true });
    assert.deepEqual(requests, ["/a", "/no-store", "/no-store", "/a"]);
  });
});

Deno.test("the cache counts the addresses of its pages", async () => {
  await withWeb(() => html("tea"), async ({ origin, call, requests }) => {
    const first = `${origin}/a#${"x".repeat(7_000)}`;
    for (let at = 0; at < 100; at++) await call("fetch", { url: first + at });
    assert.equal(requests.length, 100);
    await call("fetch", { url: `${first}99` });
    assert.equal(requests.length, 100);
    await call("fetch", { url: `${first}0` });
    assert.equal(requests.length, 101);
  }, { settings: { cache_mb: 1 } });
});

Deno.test("web.batch fetches in order, a few at a time, with an error for each failure", async () => {
  let open = 0;
  let most = 0;
  await withWeb(async (_, path) => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 30));
    open--;
    return path === "/3" ? new Response("", { status: 500 }) : new Response(`page ${path}`);
  }, async ({ origin, call }) => {
    const urls = Array.from({ length: 9 }, (_, at) => `${origin}/${at}`);
    const pages = await call("batch", {
      urls: [...urls, "http://10.0.0.1/"],
    }) as unknown as JsonObject[];
    assert.equal(most, 2);
    assert.deepEqual(pages.map(({ ok }) => ok), [...urls.map((url) => !url.endsWith("/3")), false]);
    assert.equal(pages[8]?.text, "page /8");
    assert.deepEqual(pages[3]?.error, {
      code: "tool_error",
      message: `Cannot fetch "${origin}/3": the server answered 500`,
      retryable: true,
    });
    assert.equal((pages[9]?.error as JsonObject).code, "blocked");
  }, { settings: { concurrent: 2 } });
});

Deno.test("the pages of one batch are bounded together", async () => {
  await withWeb(() => new Response("x".repeat(3_000_000)), async ({ origin, call }) => {
    const url = `${origin}/long`;
    const reading = { format: "raw", max_chars: 10_000_000 };
    const pages = await call("batch", { urls: Array(5).fill(url), ...reading });
    const listed = pages as unknown as JsonObject[];
    assert.equal(listed.filter(({ ok }) => ok).length, 2);
    const [failed] = listed.filter(({ ok }) => !ok);
    assert.equal(failed?.url, url);
    assert.partialDeepStrictEqual(failed?.error, { code: "too_large", retryable: false });
    assert.equal((await call("fetch", { url, ...reading })).total_chars, 3_000_000);
  });
});

Deno.test("web.fetch reads a bounded number of pages at once", async () => {
  let open = 0;
  let most = 0;
  const serve: Serve = async () => {
    most = Math.max(most, ++open);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open--;
    return html("page");
  };
  await withWeb(serve, async ({ origin, call }) => {
    const urls = Array.from({ length: 30 }, (_, at) => `${origin}/${at}`);
    await Promise.all(urls.map((url) => call("fetch", { url })));
    assert.ok(most > 1 && most <= 12, `${most} at once`);
  });
});

/** Serves answers as they are written here, and leaves each connection open. */
function serveRaw(answers: Readonly<Record<string, string>>) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open: Deno.Conn[] = [];
  const answer = async (connection: Deno.Conn) => {
    open.push(connection);
    const bytes = new Uint8Array(4_096);
    const length = await connection.read(bytes) ?? 0;
    const path = new TextDecoder().decode(bytes.subarray(0, length)).split(" ")[1] ?? "";
    await connection.write(new TextEncoder().encode(answers[path] ?? ""));
  };
  const serving = (async () => {
    for await (const connection of listener) void answer(connection).catch(() => {}); // it is gone
  })();
  return {
    origin: `http://127.0.0.1:${listener.addr.port}`,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
      for (const connection of open) connection.close();
    },
  };
}

Deno.test("web.fetch ends with every answer that is none", async (t) => {
  const page = "Content-Length: 3\r\n\r\ntea";
  await using server = serveRaw({
    ...Object.fromEntries(
      ["constructor", "toString", "__proto__", "x"].map((encoding) => [
        `/${encoding}`,
        `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\n${page}`,
      ]),
    ),
    "/upgrade": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
  });
  await withWeb(() => new Response("tea"), async ({ call }) => {
    for (const encoding of ["constructor", "toString", "__proto__", "x"]) {
      await t.step(encoding, async () => {
        assert.equal((await call("fetch", { url: `${server.origin}/${encoding}` })).text, "tea");
      });
    }
  });
  await withWeb(() => new Response("tea"), async ({ call }) => {
    for (const path of ["upgrade", "nothing"]) {
      await t.step(path, async () => {
        await assert.rejects(call("fetch", { url: `${server.origin}/${path}` }));
      });
    }
  }, { settings: { timeout: 2 } });
});
