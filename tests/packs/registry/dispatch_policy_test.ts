import { deepEqual, equal, match, rejects } from "node:assert/strict";
import type { Log } from "#base";
import {
  type CallOptions,
  type CallQuestion,
  createLocalPack,
  createPolicy,
  createRegistry,
  type LocalTool,
  PackError,
  type PolicyLists,
} from "#packs";

/** A registry of one pack whose tools say what they were called with. */
function open(lists: PolicyLists) {
  const called: unknown[] = [];
  const logged: string[] = [];
  const properties = { name: { type: "string" } };
  const inputSchema = { type: "object", properties, additionalProperties: false };
  const tool = (name: string): LocalTool => ({
    spec: { name, description: "", inputSchema },
    call: (args) => {
      called.push([name, args]);
      return Promise.resolve({ value: "done" });
    },
  });
  const pack = createLocalPack("github", [tool("delete_repo"), tool("get_repo")]);
  const log: Log = (level, text) => logged.push(`${level}: ${text}`);
  const registry = createRegistry([pack], { log, policy: createPolicy(lists) });
  return {
    called,
    logged,
    call: (wire: string, options: CallOptions = {}, args: unknown = { n: "a" }) =>
      registry.call(wire, args, options),
  };
}

Deno.test("Registry.call() refuses a blocked call, and names the pattern", async () => {
  const { call, called } = open({ blocked: ["github.delete_*"] });
  await rejects(call("github__delete_repo"), (error) => {
    assertPackError(error, "blocked");
    match(error.message, /^Cannot call "github\.delete_repo": not allowed \(matches 'github\.del/);
    deepEqual(error.details, { pattern: "github.delete_*" });
    return true;
  });
  equal((await call("github__get_repo")).value, "done");
  equal(called.length, 1);
});

Deno.test("Registry.call() checks arguments before it asks", async () => {
  const { call } = open({ ask: ["github.*"] });
  await rejects(call("github__delete_repo", {}, { other: 1 }), { code: "invalid_arguments" });
});

Deno.test("Registry.call() asks with the arguments that the tool would get", async () => {
  const { call, called } = open({ ask: ["github.delete_*"] });
  const questions: CallQuestion[] = [];
  const answer = (verdict: "allowed" | "declined" | "unanswerable") => (question: CallQuestion) => {
    questions.push(question);
    return Promise.resolve(verdict);
  };
  equal((await call("github__delete_repo", { ask: answer("allowed") })).value, "done");
  equal(questions[0]?.tool, "github.delete_repo");
  equal(questions[0]?.pattern, "github.delete_*");
  deepEqual({ ...questions[0]?.arguments }, { name: "a" });
  await rejects(call("github__delete_repo", { ask: answer("declined") }), (error) => {
    assertPackError(error, "blocked");
    deepEqual(error.details, { reason: "declined", pattern: "github.delete_*" });
    return true;
  });
  for (const ask of [answer("unanswerable"), undefined]) {
    await rejects(call("github__delete_repo", { ask }), (error) => {
      assertPackError(error, "needs_confirmation");
      match(error.message, /security\.ask/);
      equal(
        JSON.stringify(error.details.calls),
        '[{"tool":"github.delete_repo","arguments":{"name":"a"}}]',
      );
      return true;
    });
  }
  equal(called.length, 1);
});

Deno.test("Registry.call() warns the caller, else the log", async () => {
  const { call, called, logged } = open({ warned: ["github"] });
  const warnings: string[] = [];
  await call("github__get_repo", { onWarning: ({ message }) => warnings.push(message) });
  await call("github__get_repo");
  deepEqual(warnings, ["Potentially unsafe function 'github.get_repo'"]);
  deepEqual(logged, ["warning: Potentially unsafe function 'github.get_repo'"]);
  equal(called.length, 2);
});

Deno.test("Registry.call() asks no question where the lists are switched off", async () => {
  const { call } = open({ enabled: false, blocked: ["github"], ask: ["github.*"] });
  equal((await call("github__delete_repo")).value, "done");
});

function assertPackError(error: unknown, code: string): asserts error is PackError {
  equal(error instanceof PackError && error.code, code);
}
