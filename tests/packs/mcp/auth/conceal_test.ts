/** Secrets in the text of an answer, as they are and as writers of JSON and of addresses have them. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { concealIn, GivenTokens } from "../../../../packs/mcp/auth/conceal.ts";
import { formsOf } from "../../../../packs/mcp/auth/cover.ts";
import { createBoundedFetch } from "../../../../packs/mcp/connect/bounded_fetch.ts";
import { longestTurn } from "../../../support/turns.ts";

Deno.test("concealIn() covers a secret that chunks divide, and holds back nothing else", async () => {
  const secret = "aab-secret";
  const text = `x aab-secre ${secret} aaab-secret aab`;
  for (let size = 1; size <= text.length; size++) {
    const body = ReadableStream.from(chunksOf(new TextEncoder().encode(text), size));
    const response = coverAll(new Response(body, { headers: { location: secret } }), [secret]);
    assert.equal(response.headers.get("location"), "**********");
    assert.equal(await response.text(), "x aab-secre ********** a********** aab");
  }
  const open = new TransformStream<Uint8Array, Uint8Array>();
  const reader = coverAll(new Response(open.readable), [secret]).body?.getReader();
  const writer = open.writable.getWriter();
  void writer.write(new TextEncoder().encode("data: 1\n\n"));
  assert.equal(new TextDecoder().decode((await reader?.read())?.value), "data: 1\n\n");
  await reader?.cancel();
});

Deno.test("concealIn() covers what a plain search covers, of nearly periodic secrets", async () => {
  const secrets = ["aaab", "baaa", "abab", "ababc", "aabaaa", "a", "*", "***", "\u00e9\u00e9a"];
  const texts = secrets.map((secret) => [...secret].sort().join("") + secret.repeat(3));
  for (const secret of secrets) {
    for (const text of [...texts, ...texts.map((text) => `${secret.slice(0, -1)}${text}aaaaab`)]) {
      const expected = coverPlainly(Buffer.from(text), Buffer.from(secret)).toString("latin1");
      for (let size = 1; size <= secret.length + 2; size++) {
        const chunks = chunksOf(Buffer.from(text), size);
        const { body } = coverAll(new Response(ReadableStream.from(chunks)), [secret]);
        const covered = Buffer.from(await new Response(body).arrayBuffer()).toString("latin1");
        assert.equal(covered, expected, `${secret} in ${text} by ${size}`);
      }
    }
  }
});

/** Writers of a text, as the servers of others have them. */
const asJson = (text: string) => JSON.stringify(text).slice(1, -1);
const asPhp = (text: string) => asJson(text).replaceAll("/", "\\/");
const asDotnet = (text: string) =>
  asJson(text).replace(/[+<>&'`\u007f-\uffff]/g, (unit) => escapeOf(unit).toUpperCase())
    .replaceAll("\\U", "\\u");
const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const asEscapes = (text: string) => text.replace(/[^]/g, escapeOf);

Deno.test("concealIn() covers a secret as others write it in JSON and in addresses", async (t) => {
  const writers: Record<string, (text: string) => string> = {
    "PHP": asPhp,
    "PHP in JSON": (text) => asJson(asPhp(text)),
    "PHP in PHP in PHP": (text) => asPhp(asPhp(asPhp(text))),
    ".NET": asDotnet,
    ".NET in JSON": (text) => asJson(asDotnet(text)),
    ".NET in PHP, six times": (text) => {
      let written = asDotnet(text);
      for (let level = 0; level < 6; level++) written = asPhp(written);
      return written;
    },
    "escapes of small letters": (text) =>
      asDotnet(text).replace(/\\u..../g, (all) => all.toLowerCase()),
    "escapes alone": asEscapes,
    "escapes alone, in .NET": (text) => asDotnet(asEscapes(text)),
    "an address": encodeURIComponent,
    "an address of small letters": (text) =>
      encodeURIComponent(text).replace(/%../g, (all) => all.toLowerCase()),
    "an address in .NET": (text) => asDotnet(encodeURIComponent(text)),
    "Markdown": (text) => text.replace(/[^\w\u0080-\uffff]/g, "\\$&"),
  };
  const secrets = [
    "SECRET1+8f6d-09e6+abc/def==",
    "+/+/=",
    "/a",
    "abc=",
    "u002b+",
    "2B+%2B",
    "<a&b>'c'",
    "\u00e9+\u00e9",
    "a\\b+",
    "++++a",
  ];
  for (const [name, write] of Object.entries(writers)) {
    await t.step(name, async () => {
      for (const secret of secrets) {
        const part = write(secret);
        const text = `x\\n${part}" % \\u ${part}${part.slice(0, -1)}\n\n${part}`;
        const stars = "*".repeat(Buffer.byteLength(part));
        const end = part.slice(0, -1);
        const expected = `x\\n${stars}" % \\u ${stars}${end}\n\n${stars}`;
        for (let size = 1; size <= Math.min(part.length + 2, 40); size++) {
          const body = ReadableStream.from(chunksOf(Buffer.from(text), size));
          const covered = coverAll(new Response(body), [secret, "other/one"]);
          assert.equal(await covered.text(), expected, `${secret} by ${size}`);
        }
      }
    });
  }
});

Deno.test("concealIn() covers a secret behind what may begin an escape, and before the end", async () => {
  for (const secret of ["ab+c", "u0041b", "0041", "%", "\\", "a%2", "a\\u00", "\\\\"]) {
    for (const before of ["", "%", "%4", "\\u", "\\u00", "\\ ", "\\\\".repeat(300)]) {
      const text = `${before}${secret} ${secret}`;
      const expected = coverPlainly(Buffer.from(text), Buffer.from(secret)).toString();
      for (const size of [1, 2, 7, 1_000]) {
        const body = ReadableStream.from(chunksOf(Buffer.from(text), size));
        const covered = await coverAll(new Response(body), [secret]).text();
        assert.equal(uncovered(covered, expected), "", `${secret} in ${text} by ${size}`);
      }
    }
  }
});

Deno.test("concealIn() leaves other escapes as they are, however long", async () => {
  const text = `${"\\".repeat(1_001)}u002B abc\\u002 abc%2 %zz abc\\u01b2c abc\\\\n \\u`;
  for (let size = 1; size <= text.length; size += 13) {
    const body = ReadableStream.from(chunksOf(Buffer.from(text), size));
    assert.equal(await coverAll(new Response(body), ["abc+d"]).text(), text);
  }
  const headers = { location: "x abc%2Bd", "www-authenticate": "abc\\u002bd abc%2" };
  const covered = coverAll(new Response("", { headers }), ["abc+d"]).headers;
  assert.equal(covered.get("location"), "x *******");
  assert.equal(covered.get("www-authenticate"), "********** abc%2");
});

Deno.test("answers have no headers but those that are read, which are covered", async (t) => {
  const tokens = Array.from({ length: 10 }, (_, at) => `${"%41".repeat(5_300)}${at}`);
  const token = tokens[3] ?? "";
  const tokensOfHost = new GivenTokens();
  for (const each of [...tokens, "token+of/the-server"]) tokensOfHost.add(each, { account: "" });
  const rows: Record<string, [value: string, expected: string]> = {
    "one of the server": ["token+of/the-server", "*".repeat(19)],
    "one with escapes": ["token%2Bof/the-server", "*".repeat(21)],
    "one that is short without its escapes": [`${"A".repeat(5_300)}3`, "*".repeat(5_301)],
    "the beginning of one": ["%41%41", "%41%41"],
    "no token": ["application/json", "application/json"],
  };
  for (const [name, [value, expected]] of Object.entries(rows)) {
    await t.step(name, () => {
      const headers = new Headers(Array.from({ length: 85 }, (_, at) => [`x-${at}`, value]));
      for (const read of ["Content-Type", "WWW-Authenticate", "mcp-session-id"]) {
        headers.set(read, value);
      }
      const covered = tokensOfHost.conceal(new Response("", { headers })).headers;
      assert.deepEqual(Object.fromEntries(covered), {
        "content-type": expected,
        "mcp-session-id": expected,
        "www-authenticate": expected,
      });
    });
  }
  await t.step("one that no server needs so long", () => {
    const headers = { location: `/${"A".repeat(8_192)}`, "mcp-session-id": token };
    assert.deepEqual([...tokensOfHost.conceal(new Response(null, { headers })).headers], []);
  });
});

Deno.test("other work runs while answers of a server are covered", async (t) => {
  const repeated = (text: string) => Buffer.alloc(200_000, text);
  const rows: Record<
    string,
    [tokens: string[], text: Uint8Array<ArrayBuffer>, headers: HeadersInit]
  > = {
    "tokens that stand everywhere": [upToTen((at) => "Q".repeat(8 + at)), repeated("Q"), {}],
    "tokens that nearly stand there": [
      upToTen((at) => `${"a".repeat(15_000 - at)}b`),
      ...[repeated("a"), {}] as const,
    ],
    "escapes of such tokens": [upToTen((at) => "%41".repeat(8 + at)), repeated("\\u0041"), {}],
    "many headers": [
      upToTen((at) => `${"%41".repeat(5_300)}${at}`),
      repeated("x"),
      Array.from({ length: 85 }, (_, at) => [`x-${at}`, "%41%41"]),
    ],
    "long headers": [
      upToTen((at) => `${"a".repeat(7_000 - at)}b`),
      repeated("x"),
      ["location", "www-authenticate"].map((name): [string, string] => [name, "a".repeat(8_000)]),
    ],
  };
  for (const [name, [tokens, text, headers]] of Object.entries(rows)) {
    await t.step(name, async () => {
      const tokensOfHost = new GivenTokens();
      for (const token of tokens) tokensOfHost.add(token, { account: "" });
      const send = createBoundedFetch(() => Promise.resolve(new Response(text, { headers })), {
        maxBytes: 1_000_000,
        conceal: (response, _init, turn) => tokensOfHost.conceal(response, { turn }),
      });
      const answer = async () => (await (await send("http://localhost/")).bytes()).length;
      assert.equal(await answer(), text.length);
      const longest = longestTurn();
      const lengths = await Promise.all(Array.from({ length: 20 }, answer));
      const ms = longest();
      assert.deepEqual(new Set(lengths), new Set([text.length]));
      assert.ok(ms < 150, `${ms} ms`);
    });
  }
});

Deno.test("a text that is too short for a secret is not covered", async () => {
  const tokensOfHost = new GivenTokens();
  for (const token of ["Q", "QQQQQQQ", "%41%42%43", "QQQQQQQR"]) {
    tokensOfHost.add(token, { account: "" });
  }
  const text = "Q QQQQQQQQ ABC %41%42%43 QQQQQQQR";
  const covered = await tokensOfHost.conceal(new Response(text), { own: "QQ" }).text();
  assert.equal(covered, "Q QQQQQQQQ ABC ********* ********");
});

function upToTen(token: (at: number) => string): string[] {
  return Array.from({ length: 10 }, (_, at) => token(at));
}

function coverAll(response: Response, secrets: readonly string[]): Response {
  const forms = secrets.flatMap(formsOf);
  return concealIn(response, () => forms);
}

function chunksOf(bytes: Uint8Array, size: number): Uint8Array[] {
  return Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, at) => bytes.slice(at * size, (at + 1) * size),
  );
}

function coverPlainly(bytes: Buffer, secret: Buffer): Buffer {
  for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, at + secret.length)) {
    bytes.fill("*", at, at + secret.length);
  }
  return bytes;
}

/** Characters that stand in `text` where `expected` has them covered. */
function uncovered(text: string, expected: string): string {
  assert.equal(text.length, expected.length);
  return [...text].filter((unit, at) => expected[at] === "*" && unit !== "*").join("");
}
