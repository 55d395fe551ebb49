import assert from "node:assert/strict";
import { request, type RequestOptions } from "node:http";
import { createSessions } from "#gateway";
import { openGateway } from "../../support/gateway.ts";
import { issueCode, openSession } from "./browser_session.ts";

Deno.test("createSessions() takes a code once, and for 60 seconds", () => {
  let time = 0;
  let made = 0;
  const options = { now: () => time, newSecret: () => `secret${made++}`, port: () => 4711 };
  const sessions = createSessions(options);
  const [first, second] = [sessions.issueCode(), sessions.issueCode()];
  time = 59_999;
  assert.ok(sessions.isValid(first) && sessions.isValid(first));
  const cookie = sessions.begin(first);
  assert.equal(cookie, "toolscript_4711=secret2; Path=/; HttpOnly; SameSite=Strict");
  assert.ok(!sessions.isValid(first) && !sessions.isValid("unknown"));
  assert.equal(sessions.begin(first), undefined);
  time = 60_000;
  assert.ok(!sessions.isValid(second));
  assert.equal(sessions.begin(second), undefined);
  assert.equal(sessions.begin(second), undefined);

  const has = (cookie: string) => sessions.has(new Request("http://h/", { headers: { cookie } }));
  assert.ok(has("toolscript_4711=secret2"));
  assert.ok(has("other=1; toolscript_4711=secret2; more=x"));
  for (const wrong of ["toolscript_4711=secret1", "toolscript_4712=secret2", "x=secret2", ""]) {
    assert.ok(!has(wrong), wrong);
  }
});

Deno.test("createSessions() keeps a bounded number of codes and sessions", () => {
  let made = 0;
  const options = { now: () => 0, newSecret: () => `s${made++}`, port: () => 1 };
  const sessions = createSessions(options);
  const codes = Array.from({ length: 1_000 }, () => sessions.issueCode());
  assert.equal(sessions.begin(codes[0] ?? ""), undefined);
  assert.ok(sessions.begin(codes.at(-1) ?? ""));
});

Deno.test("a browser gets a cookie for a code, once", async (t) => {
  await using gateway = await openGateway();
  const visit = (path: string, init?: RequestInit) =>
    fetch(`${gateway.url}${path}`, { redirect: "manual", ...init });

  await t.step("the code becomes a cookie, and the address loses it", async () => {
    const code = await issueCode(gateway);
    const response = await visit(`/?code=${code}`);
    await response.body?.cancel();
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("location"), "/");
    const { port } = new URL(gateway.url);
    const pattern = new RegExp(
      `^toolscript_${port}=[\\w-]{32,}; Path=/; HttpOnly; SameSite=Strict$`,
    );
    assert.match(response.headers.get("set-cookie") ?? "", pattern);
    await expectRefused(visit(`/?code=${code}`), /used, or is too old/);
  });

  await t.step("a code is for a window that a person opens, and old scripts go", async () => {
    const code = await issueCode(gateway);
    const rows: HeadersInit[] = [
      { "sec-fetch-dest": "empty", "sec-fetch-mode": "navigate", "sec-fetch-site": "none" },
      { "sec-fetch-dest": "iframe", "sec-fetch-site": "cross-site" },
      { "sec-fetch-dest": "document", "sec-fetch-site": "same-origin" },
    ];
    for (const headers of rows) {
      await expectRefused(visit(`/?code=${code}`, { headers }), /A script asked for this page/);
    }
    const headers = { "sec-fetch-dest": "document", "sec-fetch-site": "none" };
    const response = await visit(`/?code=${code}`, { headers });
    await response.body?.cancel();
    assert.equal(response.status, 303);
    assert.equal(response.headers.get("clear-site-data"), '"storage", "cache"');
  });

  await t.step("what is no code is refused with the way out", async () => {
    await expectRefused(visit("/?code=nonsense"), /toolscript ui/);
    await expectRefused(visit("/?code="), /toolscript ui/);
    await expectRefused(visit(`/?token=${gateway.token}`), /not signed in/);
    await expectRefused(visit("/"), /toolscript ui --no-browser/);
    for (const path of ["/runs", "/runs/r_1", "/servers", "/servers/ot", "/stats", "/results/x"]) {
      await expectRefused(visit(path), /toolscript ui/);
    }
    await expectRefused(visit("/tools", { headers: { accept: "text/html" } }), /toolscript ui/);
  });

  await t.step("everything else is closed without it", async () => {
    for (const path of ["/page/style.css", "/page/script.js", "/tools", "/search?q=x", "/none"]) {
      const response = await visit(path);
      assert.equal(response.status, 401, path);
      assert.equal((await response.json()).error.code, "unauthorized", path);
    }
    const post = await visit("/page/servers/ot/restart", { method: "POST" });
    await post.body?.cancel();
    assert.equal(post.status, 401);
  });

  await t.step("only the token gets codes", async () => {
    const { cookie } = await openSession(gateway);
    const json = { "content-type": "application/json", origin: gateway.url };
    for (const headers of [json, { ...json, cookie }]) {
      const response = await visit("/code", { method: "POST", headers, body: "{}" });
      await response.body?.cancel();
      assert.equal(response.status, 401);
    }
  });
});

Deno.test("the cookie opens the page and the API, from the page alone", async (t) => {
  await using gateway = await openGateway();
  const browser = await openSession(gateway);
  const { url } = gateway;

  await t.step("every page has the headers that keep it to itself", async () => {
    const paths = [
      "/",
      "/servers",
      "/servers/ot",
      "/tools?q=help",
      "/tools?tool=ot__help",
      "/stats",
    ];
    for (const path of [...paths, "/nothing", "/servers/none"]) {
      const response = await browser.fetch(path, { headers: { accept: "text/html" } });
      const text = await response.text();
      const isMissing = path === "/nothing" || path === "/servers/none";
      assert.equal(response.status, isMissing ? 404 : 200, text);
      if (path === "/nothing") continue;
      const { headers } = response;
      assert.equal(headers.get("content-security-policy"), "default-src 'self'");
      assert.equal(headers.get("x-content-type-options"), "nosniff");
      assert.equal(headers.get("x-frame-options"), "DENY");
      assert.equal(headers.get("referrer-policy"), "same-origin");
      assert.match(text, /^<!DOCTYPE html><html lang="en">/);
      for (const [, address = ""] of text.matchAll(/(?:src|href|action)="([^"]*)"/g)) {
        assert.match(address, /^[/#](?!\/)/, path);
      }
    }
  });

  await t.step("its files are there, and may be kept", async () => {
    const home = await (await browser.fetch("/")).text();
    for (const name of ["style.css", "script.js", "icon.svg"]) {
      const [address] = new RegExp(`/page/${name}\\?v=\\w+`).exec(home) ?? [];
      const response = await browser.fetch(address ?? "/missing");
      await response.body?.cancel();
      assert.equal(response.status, 200, name);
      assert.match(response.headers.get("cache-control") ?? "", /immutable/);
    }
  });

  const json = { "content-type": "application/json" };
  const own = { ...json, origin: url };
  const rows: { name: string; headers: HeadersInit; status: number }[] = [
    { name: "its own origin", headers: own, status: 200 },
    { name: "its own site", headers: { ...own, "sec-fetch-site": "same-origin" }, status: 200 },
    { name: "no origin", headers: json, status: 403 },
    { name: "a null origin", headers: { ...json, origin: "null" }, status: 403 },
    { name: "a foreign origin", headers: { ...json, origin: "http://evil.example" }, status: 403 },
    {
      name: "another name of this host",
      headers: { ...json, origin: url.replace("127.0.0.1", "localhost") },
      status: 403,
    },
    {
      name: "another port of this host",
      headers: { ...json, origin: "http://127.0.0.1:1" },
      status: 403,
    },
    { name: "another site", headers: { ...own, "sec-fetch-site": "cross-site" }, status: 403 },
    { name: "the same site", headers: { ...own, "sec-fetch-site": "same-site" }, status: 403 },
    { name: "no site", headers: { ...own, "sec-fetch-site": "none" }, status: 403 },
  ];
  for (const { name, headers, status } of rows) {
    await t.step(`POST with ${name}`, async () => {
      const body = JSON.stringify({ command: "1 + 1" });
      const response = await browser.fetch("/run", { method: "POST", headers, body });
      const text = await response.text();
      assert.equal(response.status, status, text);
      assert.equal(status === 200, text.includes('"value":2'));
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const form = await browser.fetch("/page/tools/ot__help", {
        method: "POST",
        headers: { ...headers, ...type },
        body: "p.query=ot",
      });
      await form.body?.cancel();
      assert.equal(form.status, status);
    });
  }

  await t.step("a page of another port reads nothing", async () => {
    const headers = { "sec-fetch-site": "same-site", "sec-fetch-mode": "no-cors" };
    const response = await browser.fetch("/search?q=x", { headers });
    await response.body?.cancel();
    assert.equal(response.status, 403);
  });

  await t.step("a page that another one led to shows no button", async () => {
    const navigation = { "sec-fetch-mode": "navigate", accept: "text/html" };
    for (const path of ["/", "/servers/ot", "/tools?tool=ot__help", "/results/x"]) {
      for (const site of ["same-site", "cross-site"]) {
        const headers = { ...navigation, "sec-fetch-site": site };
        const response = await browser.fetch(path, { headers });
        const text = await response.text();
        assert.equal(response.status, 403, path);
        assert.match(text, /follow the link below, or type the address.*href="\/">open the page</s);
        assert.doesNotMatch(text, /<form|<button/);
      }
    }
    for (const site of ["none", "same-origin"]) {
      const response = await browser.fetch("/", { headers: { "sec-fetch-site": site } });
      await response.body?.cancel();
      assert.equal(response.status, 200, site);
    }
    const search = await browser.fetch("/search?q=x", {
      headers: { ...navigation, "sec-fetch-site": "same-site" },
    });
    await search.body?.cancel();
    assert.equal(search.status, 403);
  });

  await t.step("a page of another port opens no stream", async () => {
    const headers = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
    for (const [path, status] of [["/events", 403], ["/attach", 401]] as const) {
      const response = await browser.fetch(path, { headers });
      await response.body?.cancel();
      assert.equal(response.status, status, path);
    }
  });

  await t.step("the page's own cookie attaches nothing", async () => {
    const headers = { origin: url, "sec-fetch-site": "same-origin" };
    for (const [path, method] of [["/attach", "GET"], ["/stay", "POST"]] as const) {
      const response = await browser.fetch(path, { method, headers });
      await response.body?.cancel();
      assert.equal(response.status, 401, path);
    }
  });

  await t.step("however the path of a stream is written", async () => {
    const visit = { "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" };
    const own = { origin: url, "sec-fetch-site": "same-origin" };
    for (const path of ["/events", "/stay", "/attach"]) {
      for (const spelling of spellings(path)) {
        for (const [method, headers] of [["GET", visit], ["POST", own]] as const) {
          const fields = { ...headers, cookie: browser.cookie };
          const answer = await rawFetch(url, spelling, { method, headers: fields });
          const isRefused = [401, 403, 404, 405].includes(answer);
          assert.ok(isRefused, `${method} ${spelling}: ${answer}`);
        }
      }
    }
  });

  await t.step("forms are of one type and of bounded size", async () => {
    const wrong = await browser.fetch("/page/tools/ot__help", {
      method: "POST",
      headers: own,
      body: "{}",
    });
    await wrong.body?.cancel();
    assert.equal(wrong.status, 415);
    const large = await browser.submit("/page/tools/ot__help", { x: "x".repeat(17_000_000) });
    await large.body?.cancel();
    assert.equal(large.status, 413);
  });

  await t.step("GET /tools is the page for a browser, the list for a program", async () => {
    assert.match(await (await browser.fetch("/tools")).text(), /^<!DOCTYPE html>/);
    assert.ok(Array.isArray(await (await gateway.fetch("/tools")).json()));
    const json = await browser.fetch("/tools", { headers: { accept: "application/json" } });
    assert.ok(Array.isArray(await json.json()));
  });
});

Deno.test("a program gets nothing from the page", async () => {
  await using gateway = await openGateway();
  const code = await issueCode(gateway);
  const { cookie } = await openSession(gateway);
  const reply = await gateway.run(`
    const { origin } = new URL(Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "");
    const paths = ["/", "/?code=guess", "/?token=x", "/runs", "/servers", "/stats", "/tools",
      "/page/script.js", "/page/style.css", "/events", "/questions"];
    const seen = [];
    for (const path of paths) {
      const response = await fetch(origin + path, { headers: { accept: "text/html" } });
      seen.push([path, response.status, response.headers.get("set-cookie"), await response.text()]);
    }
    for (const path of ["/code", "/page/code", "/page/servers/ot/restart", "/questions/1"]) {
      for (const base of [origin, Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? ""]) {
        const response = await fetch(base + path, { method: "POST", body: "{}",
          headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" } });
        seen.push([path, response.status, response.headers.get("set-cookie"),
          await response.text()]);
      }
    }
    return seen;
  `);
  assert.ok(reply.ok, reply.text);
  const seen = reply.value as [string, number, string | null, string][];
  assert.equal(seen.length, 19);
  for (const [path, status, set, text] of seen) {
    assert.ok(status === 401 || status === 404, `${path}: ${status}`);
    assert.equal(set, null, path);
    for (const secret of [code, cookie.split("=")[1] ?? "-", gateway.project]) {
      assert.ok(!text.includes(secret), path);
    }
  }
});

/** Ways to write a path of one segment that a router may take for the same. */
function spellings(path: string): string[] {
  const name = path.slice(1);
  const encode = (text: string) =>
    [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join("");
  const first = encode(name.slice(0, 1)) + name.slice(1);
  return [
    `/${first}`,
    `/${encode(name)}`,
    `/${name.slice(0, -1)}${encode(name.slice(-1))}`,
    `/${first.replace("%", "%25")}`,
    `/%2f${name}`,
    `/${name}%2f`,
    `/${name.toUpperCase()}`,
    `/${encode(name.toUpperCase())}`,
    `/${first}?x=%`,
    `/${first}%`,
    `//${name}`,
    `/./${first}`,
    `/x/../${first}`,
    `/%2e/${first}`,
    `/${first}/`,
    `/${name}/`,
    `/${first};x`,
    `/${name};`,
    `/${name}%3b`,
    `/${name}%00`,
    `/${name}%20`,
    `/${first}#x`,
  ];
}

/** Status of the answer to a request whose path is sent as it is written. */
function rawFetch(url: string, path: string, options: RequestOptions): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, ...options }, (answer) => {
      resolve(answer.statusCode ?? 0);
      sent.destroy();
    });
    sent.on("error", reject).end();
  });
}

async function expectRefused(answer: Promise<Response>, text: RegExp): Promise<void> {
  const response = await answer;
  assert.equal(response.status, 401, response.url);
  assert.equal(response.headers.get("set-cookie"), null);
  assert.equal(response.headers.get("content-security-policy"), "default-src 'self'");
  assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
  assert.match(await response.text(), text, response.url);
}
