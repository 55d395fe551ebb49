import { deepEqual, equal, match, rejects } from "node:assert/strict";
import { silent } from "#base";
import { createPolicy, createRegistry, type ToolEntry } from "#packs";
import {
  type Answer,
  createConfirmations,
  type Question,
  RunRefused,
  type RunRequest,
  validateCode,
} from "#runtime";
import { subjectOfRun } from "../../../runtime/run/approval/confirmations.ts";
import { KEEPER } from "../../support/call_keeper.ts";
import { approve, type ApproveOptions } from "../../../runtime/run/approval/approve.ts";

const CODE = `git.push({ to: "main" });
open("x");
fetch(url);
git.push({ to });
fetch("again");`;
const LISTS = { ask: ["git.push", "fetch"], warned: ["open"] };
const REQUEST: RunRequest = { kind: "command", command: CODE, cwd: "/" };

function validation(code = CODE, lists: Parameters<typeof createPolicy>[0] = LISTS) {
  return validateCode(code, { policy: createPolicy(lists), packs: new Set(["git"]) });
}

function optionsFor(answers?: readonly Answer[], more: Partial<ApproveOptions> = {}) {
  const questions: Question[] = [];
  const registry = createRegistry([], { log: silent });
  const events: string[] = [];
  const options: ApproveOptions = {
    request: REQUEST,
    file: "command.ts",
    repeatable: true,
    inbox: { address: () => undefined },
    confirmations: createConfirmations({ now: Date.now, newId: () => crypto.randomUUID() }),
    keeper: KEEPER,
    entries: registry.entries,
    decide: registry.decide,
    origin: {},
    beforeQuestions: () => Promise.resolve(void events.push("checked")),
    record: { started: () => void events.push("started") },
    signal: new AbortController().signal,
    ...(answers
      ? {
        ask: (question: Question) => {
          questions.push(question);
          return Promise.resolve(answers[questions.length - 1] ?? "no");
        },
      }
      : {}),
    ...more,
  };
  return { options, questions, events };
}

Deno.test("approve() lets a program without findings begin without a question", async () => {
  const { options, events } = optionsFor();
  equal((await approve(validation("1 + 1"), options)).kind, "approved");
  deepEqual(events, []);
});

Deno.test("approve() refuses a blocked call, even where a person can be asked", async () => {
  const { options, questions } = optionsFor(["run", "run"]);
  const result = await approve(
    validation(`${CODE}\neval("1")`, { ...LISTS, blocked: ["eval"] }),
    options,
  );
  if (result.kind !== "refused") throw new Error("approved");
  const { text, error } = result.explained;
  equal(text, "Dangerous builtin 'eval' is not allowed (matches 'eval') at command.ts:6:1");
  deepEqual([error.code, error.line, error.details.pattern], ["blocked", 6, "eval"]);
  equal(questions.length, 0);
});

Deno.test("approve() asks about each call in the order of the code", async () => {
  const { options, questions, events } = optionsFor(["call", "call"]);
  const result = await approve(validation(), options);
  equal(result.kind, "approved");
  deepEqual(questions, [
    { tool: "git.push", arguments: { to: "main" }, line: 1 },
    { kind: "code" as const, tool: "fetch", arguments: {}, line: 3 },
  ]);
  deepEqual(events, ["checked", "started", "started"]);
});

Deno.test("approve() ends at the first no", async () => {
  const { options, questions } = optionsFor(["no"]);
  const result = await approve(validation(), options);
  if (result.kind !== "refused") throw new Error("approved");
  const { text, error } = result.explained;
  match(text, /^Cannot run: "git\.push" at line 1 was declined: /);
  deepEqual(error.details, { reason: "declined", pattern: "git.push" });
  equal(questions.length, 1);
});

Deno.test("approve() asks no more about a tool that is allowed for the run", async () => {
  const code = "git.push({ a: 1 });\ngit.push({ a: 2 });";
  const { options, questions } = optionsFor(["run"]);
  equal((await approve(validation(code), options)).kind, "approved");
  equal(questions.length, 1);
});

Deno.test("approve() asks nothing about a program that cannot run", async () => {
  const wrong = new TypeError("wrong");
  const { options, questions } = optionsFor(["call"], {
    beforeQuestions: () => Promise.reject(wrong),
  });
  await rejects(approve(validation(), options), wrong);
  equal(questions.length, 0);
});

Deno.test("approve() gives an id where the request can be sent again, good once", async () => {
  const { options } = optionsFor();
  const refused = await refusal(options);
  match(
    refused.message,
    /^Cannot run: "git\.push" at line 1, "fetch" at line 3 must be confirmed \(matches 'git\.push', 'fetch'\) and no person can be asked here: send it again .*, or take/,
  );
  const calls = [
    { tool: "git.push", arguments: { to: "main" }, line: 1 },
    { kind: "code" as const, tool: "fetch", arguments: {}, line: 3 },
  ];
  deepEqual(refused.details.calls, calls);
  const again = { ...options, request: { ...REQUEST, confirm: String(refused.details.confirm) } };
  const result = await approve(validation(), again);
  if (result.kind !== "approved") throw new Error("refused");
  deepEqual(await KEEPER.read(result.calls), calls);
  match((await refusal(again)).message, /used, too old, or of another request: send it again/);
});

Deno.test("approve() issues no id where the request cannot be repeated", async () => {
  const { message, details } = await refusal(optionsFor(undefined, { repeatable: false }).options);
  equal(details.confirm, undefined);
  match(message, /no person can be asked here: take the pattern out of security\.ask/);
});

Deno.test("approve() asks about the calls that a confirmation does not cover", async () => {
  const { options, questions } = optionsFor(["call"]);
  const call = { tool: "git.push", arguments: { to: "main" }, line: 1 };
  const kept = await KEEPER.keep(call);
  const confirm = options.confirmations.issue(await subjectOfRun(REQUEST), [kept]);
  const result = await approve(validation(), { ...options, request: { ...REQUEST, confirm } });
  equal(result.kind, "approved");
  deepEqual(questions.map(({ tool }) => tool), ["fetch"]);
});

Deno.test("approve() waits for a person no longer than the run does", async () => {
  const leaving = new AbortController();
  const { options } = optionsFor([], { ask: () => new Promise(() => {}), signal: leaving.signal });
  const waiting = approve(validation(), options);
  setTimeout(() => leaving.abort());
  await rejects(waiting, { name: "RunRefused", code: "cancelled" });
});

async function refusal(options: ApproveOptions): Promise<RunRefused> {
  try {
    await approve(validation(), options);
  } catch (error) {
    if (error instanceof RunRefused && error.code === "needs_confirmation") return error;
    throw error;
  }
  throw new Error("It was not refused");
}

Deno.test("approve() ends with its run while rules decide about a call", async () => {
  const entry = { wire: "git__push", pack: "git", packKey: "git", tool: "push", toolKey: "push" };
  const stop = new AbortController();
  const { options } = optionsFor([], {
    entries: () => [{ ...entry, spec: { name: "push", inputSchema: {} } } as ToolEntry],
    decide() {
      stop.abort();
      return new Promise(() => {});
    },
    signal: stop.signal,
  });
  await rejects(approve(validation('git.push({ to: "main" })'), options), { code: "cancelled" });
});
