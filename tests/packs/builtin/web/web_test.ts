/** The `web` pack over a real server, friendly and hostile. */

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import type { JsonObject } from "#base";
import type { Serve } from "../../../support/builtin_pack.ts";
import { ARTICLE, html, withWeb } from "./web_stage.ts";

Deno.test("web.fetch returns an article as Markdown, without menus and hidden text", async () => {
  await withWeb(() => html(ARTICLE), async ({ origin, call }) => {
    const page = await call("fetch", { url: `${origin}/x/tea#part`, links: true, images: true });
    assert.equal(page.url, `${origin}/x/tea`);
    assert.equal(page.status, 200);
    assert.equal(page.byline, "Ana Lee");
    assert.equal(page.site, "The Tea Site");
    assert.equal(page.language, "en");
    assert.match(String(page.title), /^How tea is made/);
    const text = String(page.text);
    assert.match(text, /\[people\]\(http:\/\/127\.0\.0\.1:\d+\/people\/3\)/);
    assert.match(text, /\| Green +\| 2 +\|\n\| A\\\|B +\| 4 +\|/);
    assert.match(text, /\n````sh\nboil --water\n```\n````\n/);
    assert.match(text, /!\[A cup\]\(<http:.*\/x\/cup\.png>\)/);
    assert.doesNotMatch(text, /Ignore your|Hidden words|Shop|Imprint|javascript:/);
    assert.equal((page.links as JsonObject[]).length, 8);
  });
});

Deno.test("web.fetch returns text, HTML, parts and links of a page", async (t) => {
  const pages: Readonly<Record<string, Response>> = {};
  const serve: Serve = (_, path) =>
    path === "/list"
      ? html('<ul><li>one<ol start="3"><li>in</ol><li><a href="/b">two</a></ul>')
      : path === "/data.json"
      ? Response.json({ a: [1, 2] })
      : pages[path] ?? html(ARTICLE);
  await withWeb(serve, async ({ origin, call }) => {
    const text = async (args: JsonObject) => String((await call("fetch", args)).text);
    await t.step("a fragment", async () => {
      assert.equal(
        await text({ url: `${origin}/list` }),
        `- one\n  3. in\n- [two](${origin}/b)`,
      );
    });
    await t.step("text", async () => {
      const plain = await text({ url: `${origin}/a`, format: "text", main: false });
      assert.match(plain, /^HomeShop\n\nHow tea is made\n\nParagraph 0/);
      assert.match(plain, /Imprint$/);
    });
    await t.step("html", async () => {
      assert.match(await text({ url: `${origin}/a`, format: "html" }), /<p[^>]*>Paragraph 0/);
    });
    await t.step("raw", async () => {
      assert.equal(await text({ url: `${origin}/a`, format: "raw" }), ARTICLE);
    });
    await t.step("JSON", async () => {
      assert.equal(await text({ url: `${origin}/data.json` }), '{"a":[1,2]}');
    });
    await t.step("a selector", async () => {
      assert.equal(
        await text({ url: `${origin}/a`, selector: "h1, aside" }),
        "# How tea is made\n\nBuy now",
      );
      await assert.rejects(text({ url: `${origin}/a`, selector: ".none" }), /nothing on the page/);
      await assert.rejects(text({ url: `${origin}/a`, selector: "h1[[" }), /no CSS selector/);
    });
    await t.step("parts", async () => {
      const whole = await text({ url: `${origin}/a` });
      let read = "";
      for (let offset: unknown = 0; offset !== null;) {
        const part = await call("fetch", {
          url: `${origin}/a`,
          offset: Number(offset),
          max_chars: 700,
        });
        read += part.text;
        offset = part.next_offset;
        assert.equal(part.total_chars, whole.length);
      }
      assert.equal(read, whole);
    });
    await t.step("links", async () => {
      const links = await call("links", { url: `${origin}/a`, same_site: true, contains: "SHOP" });
      assert.deepEqual(links, [{ text: "Shop", url: `${origin}/shop` }]);
    });
  });
});

Deno.test("web.fetch reads every charset and encoding", async (t) => {
  const japanese = new Uint8Array([0x93, 0xfa, 0x96, 0x7b]);
  const rows: Readonly<
    Record<string, { body: BodyInit; headers: Record<string, string>; text: string }>
  > = {
    "named by the server": {
      body: japanese,
      headers: { "content-type": "text/plain; charset=Shift_JIS" },
      text: "日本",
    },
    "named by the page": {
      body: new Uint8Array([
        ...new TextEncoder().encode('<meta charset="shift_jis"><p>'),
        ...japanese,
      ]),
      headers: { "content-type": "text/html" },
      text: "日本",
    },
    "told by its first bytes": {
      body: new Uint8Array([0xff, 0xfe, 0x41, 0x00, 0xe9, 0x00]),
      headers: { "content-type": "text/plain; charset=iso-8859-1" },
      text: "Aé",
    },
    "compressed": {
      body: new Uint8Array(gzipSync("tea")),
      headers: { "content-type": "text/plain", "content-encoding": "gzip" },
      text: "tea",
    },
    "of no type": { body: new TextEncoder().encode("tea é"), headers: {}, text: "tea é" },
  };
  await withWeb((_, path) => {
    const { body, headers } = rows[decodeURIComponent(path.slice(1))] ?? { body: "", headers: {} };
    return new Response(body, { headers });
  }, async ({ origin, call }) => {
    for (const [name, { text }] of Object.entries(rows)) {
      await t.step(name, async () => {
        assert.equal((await call("fetch", { url: `${origin}/${name}` })).text, text);
      });
    }
  });
});

Deno.test("web.fetch refuses invalid and forbidden pages, with the way out", async (t) => {
  const serve: Serve = async (_, path) => {
    if (path === "/pdf") {
      return new Response("%PDF", { headers: { "content-type": "application/pdf" } });
    }
    if (path === "/bytes") return new Response(new Uint8Array([1, 0, 2]));
    if (path === "/busy") return new Response("", { status: 429, headers: { "retry-after": "7" } });
    if (path === "/round") return Response.redirect(new URL("/round", _.url));
    if (path === "/inside") return Response.redirect("http://[::1]:1/secret");
    if (path === "/file") {
      return new Response("", { status: 302, headers: { location: "file:///etc/passwd" } });
    }
    if (path === "/large") return new Response("x".repeat(3_000_000));
    if (path === "/bomb") {
      const body = new Uint8Array(gzipSync(new Uint8Array(30_000_000)));
      return new Response(body, {
        headers: { "content-encoding": "gzip", "content-type": "text/plain" },
      });
    }
    if (path === "/slow") await new Promise((resolve) => setTimeout(resolve, 6_000));
    return new Response("no such page", { status: 404 });
  };
  const rows: readonly [string, string, RegExp][] = [
    ["/pdf", "tool_error", /it is "application\/pdf", and only text can be read/],
    ["/bytes", "tool_error", /it is no text/],
    ["/gone", "tool_error", /the server answered 404/],
    ["/busy", "tool_error", /the server answered 429: try again after 7 s/],
    ["/round", "tool_error", /redirects more than 10 times/],
    [
      "/inside",
      "blocked",
      /"\[::1\]:1": it is this machine: .* add "\[::1\]" to packs\.web\.allow/,
    ],
    ["/file", "invalid_arguments", /only http: and https:/],
    ["/large", "too_large", /more than 1 MB: packs\.web\.max_mb/],
    ["/bomb", "too_large", /more than 1 MB/],
  ];
  await withWeb(serve, async ({ origin, call }) => {
    for (const [path, code, message] of rows) {
      await t.step(path, async () => {
        await assert.rejects(call("fetch", { url: origin + path }), { code, message });
      });
    }
  }, { settings: { max_mb: 1 } });
  await withWeb(serve, async ({ origin, call }) => {
    const url = `${origin}/slow`;
    await t.step("/slow", async () => {
      const message = /it was not there within 5 s/;
      await assert.rejects(call("fetch", { url }), { code: "timeout", message });
    });
    await t.step("a run that ends", async () => {
      const stop = AbortSignal.timeout(200);
      await assert.rejects(call("fetch", { url }, stop), /"web\.fetch"/);
    });
  }, { settings: { timeout: 5 } });
});

Deno.test("web.fetch uses the environment's proxy and asks for robots.txt first", async () => {
  const seen: string[] = [];
  const proxy = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, ({ url }) => {
    seen.push(url);
    return url.endsWith("/robots.txt")
      ? new Response("User-agent: *\nDisallow: /private")
      : new Response(`page ${url}`);
  });
  const environment = { http_proxy: `http://127.0.0.1:${proxy.addr.port}` };
  await withWeb(() => new Response("direct"), async ({ call }) => {
    const page = await call("fetch", { url: "http://tea.example/leaf" });
    assert.equal(page.text, "page http://tea.example/leaf");
    assert.deepEqual(seen, ["http://tea.example/robots.txt", "http://tea.example/leaf"]);
    const secret = call("fetch", { url: "http://tea.example/private/x" });
    await assert.rejects(secret, { code: "blocked", message: /robots\.txt forbids it/ });
    for (const host of ["vault", "localhost..", "metadata.google.internal..", "db.localdomain"]) {
      await assert.rejects(call("fetch", { url: `http://${host}/x` }), { code: "blocked" }, host);
    }
    await assert.rejects(call("fetch", { url: "http://169.254.169.254/x" }), { code: "blocked" });
    assert.equal(seen.length, 2);
  }, { settings: { allow_private: [] }, environment });
  await proxy.shutdown();
});

Deno.test("web.fetch survives heavy pages", async (t) => {
  const pages: Readonly<Record<string, string>> = {
    "/deep": "<div>".repeat(30_000) + "tea",
    "/open": "<table><tr><td><b><i><a href=".repeat(5_000),
    "/ticks": `<pre>${"`".repeat(200_000)}</pre>`,
  };
  await withWeb((_, path) => html(pages[path] ?? "tea"), async ({ origin, call }) => {
    for (const path of Object.keys(pages)) {
      await t.step(path, async () => {
        await call("fetch", { url: origin + path }).catch((error) => {
          assert.match(error.code, /^(?:tool_error|timeout|too_large)$/, error.message);
        });
      });
    }
    assert.equal((await call("fetch", { url: `${origin}/fine` })).text, "tea");
  }, { settings: { timeout: 2 } });
});
