/** Secrets in the text of an answer, as they are and as writers of JSON and of addresses have them. */

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { concealIn } from "../../../../packs/mcp/auth/conceal.ts";

Deno.test("concealIn() covers a secret that chunks divide, and holds back nothing else", async () => {
  const secret = "aab-secret";
  const text = `x aab-secre ${secret} aaab-secret aab`;
  for (let size = 1; size <= text.length; size++) {
    const body = ReadableStream.from(chunksOf(new TextEncoder().encode(text), size));
    const response = concealIn(new Response(body, { headers: { echo: secret } }), () => [secret]);
    assert.equal(response.headers.get("echo"), "**********");
    assert.equal(await response.text(), "x aab-secre ********** a********** aab");
  }
  const open = new TransformStream<Uint8Array, Uint8Array>();
  const reader = concealIn(new Response(open.readable), () => [secret]).body?.getReader();
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
        const { body } = concealIn(new Response(ReadableStream.from(chunks)), () => [secret]);
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
    ...["SECRET1+8f6d-09e6+abc/def==", "+/+/=", "/a", "abc=", "u002b+", "2B+%2B", "<a&b>'c'"],
    ...["\u00e9+\u00e9", "a\\b+", "++++a"],
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
          const covered = concealIn(new Response(body), () => [secret, "other/one"]);
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
        const covered = await concealIn(new Response(body), () => [secret]).text();
        assert.equal(uncovered(covered, expected), "", `${secret} in ${text} by ${size}`);
      }
    }
  }
});

Deno.test("concealIn() leaves other escapes as they are, however long", async () => {
  const text = `${"\\".repeat(1_001)}u002B abc\\u002 abc%2 %zz abc\\u01b2c abc\\\\n \\u`;
  for (let size = 1; size <= text.length; size += 13) {
    const body = ReadableStream.from(chunksOf(Buffer.from(text), size));
    assert.equal(await concealIn(new Response(body), () => ["abc+d"]).text(), text);
  }
  const headers = { a: "x abc%2Bd", b: "abc\\u002bd abc%2" };
  const covered = concealIn(new Response("", { headers }), () => ["abc+d"]).headers;
  assert.equal(covered.get("a"), "x *******");
  assert.equal(covered.get("b"), "********** abc%2");
});

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
