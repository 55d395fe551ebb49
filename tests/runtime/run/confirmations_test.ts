import { deepEqual, equal, notEqual } from "node:assert/strict";
import { createConfirmations, type RunRequest } from "#runtime";
import { canonicalJson } from "#base";
import type { Args } from "#packs";
import { KEEPER } from "../../support/call_keeper.ts";
import { subjectOfRun } from "../../../runtime/run/approval/confirmations.ts";

const CALLS = [await KEEPER.keep({ tool: "git.push", arguments: {}, line: 1 })];

function open() {
  let time = 1_000;
  let ids = 0;
  const confirmations = createConfirmations({ now: () => time, newId: () => `id${++ids}` });
  return { ...confirmations, wait: (ms: number) => time += ms };
}

Deno.test("createConfirmations() gives ids that are good once, for one subject, for 5 minutes", () => {
  const { issue, take, wait } = open();
  const id = issue("a", CALLS);
  equal(take(id, "b"), undefined);
  equal(take("id99", "a"), undefined);
  deepEqual(take(id, "a"), CALLS);
  equal(take(id, "a"), undefined);
  const late = issue("a", CALLS);
  wait(299_999);
  const later = issue("a", CALLS);
  deepEqual(take(late, "a"), CALLS);
  wait(300_000);
  equal(take(later, "a"), undefined);
});

Deno.test("createConfirmations() holds a bounded number, and a bounded size", async () => {
  const { issue, take } = open();
  const first = issue("a", []);
  const ids = Array.from({ length: 1_000 }, () => issue("a", []));
  equal(take(first, "a"), undefined);
  deepEqual(take(String(ids[0]), "a"), []);
  const large = [
    await KEEPER.keep({ tool: "git.push", arguments: { text: "x".repeat(20_000_000) } }),
  ];
  const one = issue("a", large);
  const two = issue("a", large);
  equal(take(one, "a"), undefined);
  deepEqual(take(two, "a"), large);
});

Deno.test("subjectOfRun() is another for another program, or another input to it", async () => {
  const script: RunRequest = {
    kind: "script",
    script: "1",
    file: "a.ts",
    files: { "b.ts": "2" },
    args: [],
    cwd: "/",
  };
  const requests: RunRequest[] = [
    { kind: "command", command: "1", cwd: "/" },
    { kind: "command", command: "2", cwd: "/" },
    { kind: "command", command: "1", cwd: "/home" },
    { kind: "command", command: "1", cwd: "/", stdinText: "" },
    { kind: "command", command: "1", cwd: "/", stdinText: "a" },
    script,
    { ...script, script: "2" },
    { ...script, file: "b.ts" },
    { ...script, files: { "b.ts": "3" } },
    { ...script, files: {} },
    { ...script, args: ["x"] },
  ];
  const subjects = new Set(await Promise.all(requests.map(subjectOfRun)));
  equal(subjects.size, requests.length);
  const [first] = requests;
  if (first) equal(await subjectOfRun({ ...first, confirm: "id", timeoutMs: 1 }), [...subjects][0]);
});

Deno.test("keyOf() is the same for the same call", async () => {
  const keyOf = (tool: string, args: Args) => KEEPER.keyOf({ tool, arguments: args });
  equal(await keyOf("a", { x: 1, y: 2 }), await keyOf("a", { y: 2, x: 1 }));
  notEqual(await keyOf("a", { x: 1 }), await keyOf("b", { x: 1 }));
});

Deno.test("canonicalJson() is the same for the same value", async (t) => {
  const rows: [unknown, string][] = [
    [{ b: [1, { d: 2, c: null }], a: "x" }, '{"a":"x","b":[1,{"c":null,"d":2}]}'],
    [JSON.parse('{"__proto__": {"a": 1}}'), '{"__proto__":{"a":1}}'],
    [{ 'q"': true }, '{"q\\"":true}'],
    [[], "[]"],
  ];
  for (const [value, text] of rows) {
    await t.step(
      text,
      () => equal(canonicalJson(value as Parameters<typeof canonicalJson>[0]), text),
    );
  }
});
