import assert from "node:assert/strict";
import { createRedactor } from "../../telemetry/redact.ts";
import { longestTurn } from "../support/turns.ts";

const KNOWN = ["s3cr3t/value+1", "abc", '{"q": "x"}', "first line of a key\nsecond line of a key"];
const TOKEN = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl";

Deno.test("createRedactor() replaces known and recognizable secrets in text", async (t) => {
  const { text } = createRedactor(KNOWN);
  const rows: readonly [string, string][] = [
    ["a s3cr3t/value+1 here", "a [redacted] here"],
    ["?x=s3cr3t%2Fvalue%2B1&y=2", "?x=[redacted]&y=2"],
    ["abc is too short to be one", "abc is too short to be one"],
    ['said "{\\"q\\": \\"x\\"}"', 'said "[redacted]"'],
    ["has second line of a key alone", "has [redacted] alone"],
    ["Authorization: Bearer abcdef.123", "Authorization: Bearer [redacted]"],
    ["at /r/AAAAAAAAAAAAAAAAAAAAAAAA/tools/x", "at /r/[redacted]/tools/x"],
    ["http://h/?token=xyz&a=b", "http://h/?token=[redacted]&a=b"],
    ["https://user:pw@host/x", "https://[redacted]@host/x"],
    ["key ghp_0123456789abcdef0123", "key [redacted]"],
    [TOKEN, "[redacted]"],
    [`s-${TOKEN}; a.b`, "s-[redacted]; a.b"],
    [`${"x".repeat(300)}-${TOKEN}`, `${"x".repeat(300)}-[redacted]`],
    [`example.subdomain.${TOKEN}`, "example.subdomain.[redacted]"],
    [`eyJ${"a".repeat(300)}.${TOKEN}`, `eyJ${"a".repeat(300)}.[redacted]`],
    ["eyJhbGci.is too short.to be one", "eyJhbGci.is too short.to be one"],
  ];
  for (const [input, output] of rows) {
    await t.step(input, () => assert.equal(text(input), output));
  }
});

Deno.test("createRedactor() replaces secrets in facts, by name and at any depth", () => {
  const { facts, conceal } = createRedactor();
  conceal(["deep-secret"]);
  const itself: Record<string, unknown> = {};
  itself.itself = itself;
  assert.deepEqual(
    facts({
      api_key: "x",
      tokens: 5,
      nested: { list: ["deep-secret"] },
      gone: undefined,
      itself,
      long: "y".repeat(3_000),
    }),
    {
      api_key: "[redacted]",
      tokens: 5,
      nested: '{"list":["[redacted]"]}',
      itself: "[object]",
      long: `${"y".repeat(2_000)}… (1000 more)`,
    },
  );
});

Deno.test("createRedactor() is quick with hostile text", () => {
  const { whole } = createRedactor(["x".repeat(100)]);
  for (const piece of ["Bearer ", "eyJ", "-eyJ", "a.eyJ", "://a:", "&token", "x", "/r/"]) {
    const longest = longestTurn();
    whole(piece.repeat(Math.ceil(10_000_000 / piece.length)));
    assert.ok(longest() < 2_000, piece);
  }
});

Deno.test("createRedactor() reads one word of any length", () => {
  const { whole } = createRedactor();
  const word = "x".repeat(20_000_000);
  assert.equal(whole(`${"a".repeat(5_000)}-${TOKEN}`), `${"a".repeat(5_000)}-[redacted]`);
  for (const before of ["Bearer ", "/r/", "sk-", `${TOKEN}-`]) {
    assert.match(whole(before + word).slice(0, 100), /^(?:Bearer |\/r\/)?\[redacted\]/);
  }
});
