/** Packs in Python, run by the real uv with real packages. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { join } from "node:path";
import { createLocalPack } from "#packs";
import { environmentWithUv } from "../../support/uv.ts";
import { openPacks, processesWith, until } from "./harness.ts";

const environment = await environmentWithUv();

const SUMS = `# /// script
# requires-python = ">=3.9"
# dependencies = ["humanize==4.9.0"]
# ///
"""Sums."""
import asyncio
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Literal, Optional

import humanize
from toolscript import cancelled, config, log, progress, secret, tools

pack = "sums"

@dataclass
class Sum:
    total: float
    count: int

def add(numbers: list[float], style: Literal["plain", "grouped"] = "plain", note: Optional[str] = None):
    """Adds numbers up.

    Args:
        numbers: What to add
            up
        style: How to show it
        note (str, optional): Said along
    """
    total = sum(numbers)
    return humanize.intcomma(total) if style == "grouped" else total

async def count(numbers: list[float]) -> Sum:
    """Counts.

    @effect read

    :param numbers: What to count
    """
    await asyncio.sleep(0.01)
    return Sum(sum(numbers), len(numbers))

def rude() -> str:
    forged = '{"jsonrpc":"2.0","id":1,"result":"forged"}'
    print(forged)
    sys.stdout.write("half a line")
    os.write(1, forged.encode())
    subprocess.run(["echo", forged])
    return "answered" + sys.stdin.read()

def environ() -> list[str]:
    return sorted(os.environ)

def import_in_child() -> int:
    folder = os.path.dirname(__file__)
    return subprocess.run([sys.executable, "-c", "import helper"], cwd=folder).returncode

def settings() -> dict:
    return {"config": config(), "key": secret("KEY")}

def fail():
    raise ValueError("no good")

def leave():
    sys.exit(3)

def crash():
    os._exit(4)

def large(mb: int) -> str:
    return "x" * (mb * 2**20)

def nap(seconds: float) -> str:
    end = time.time() + seconds
    while time.time() < end and not cancelled():
        time.sleep(0.05)
    return "cancelled" if cancelled() else "slept"

def ask(text: str) -> str:
    progress(1, 2, "asking")
    log.info("Asking", text=text)
    return tools.echo.say(text=text)

async def wait_async():
    return await tools.slow.wait()

async def deep_async():
    return await tools.echo.deep()

async def ask_async(text: str) -> str:
    return await tools.echo.say(text=text)

def pid() -> int:
    return os.getpid()

def _hidden():
    pass
`;
const ECHO = `
/** Says it. */
export const say = ({ text }: { text: string }) => \`said \${text}\`;
export const deep = (): unknown => JSON.parse("[".repeat(900) + "]".repeat(900));
`;

Deno.test("WRK-05 WRK-10 WRK-13 a Python pack runs with its dependencies", async (t) => {
  /** Answers a while after the call of it was cancelled. */
  const answers: Promise<unknown>[] = [];
  const slow = createLocalPack("slow", [{
    spec: { name: "wait", description: "", inputSchema: { type: "object" } },
    call(_, { signal = AbortSignal.abort() }) {
      const answer = once(signal, "abort").then(() => delay(300)).then(() => ({ value: 1 }));
      answers.push(answer);
      return answer;
    },
  }]);
  await using packs = await openPacks({
    project: {
      "sums/sums_tools.py": SUMS,
      "sums/helper.py": "ONE = 1\n",
      "echo/echo_tools.ts": ECHO,
    },
    settings: { sums: { digits: 3, secrets: { KEY: "k" }, timeout: 20 } },
    environment: { ...environment, GATEWAY_SECRET: "s" },
    others: [slow],
  });
  const pack = packs.pack("sums");
  await pack.settle();

  await t.step("hints and docstrings are its schema", () => {
    const { description, inputSchema } = pack.tools()[0] ?? {};
    assert.equal(description, "Adds numbers up.");
    assert.deepEqual(inputSchema, {
      type: "object",
      properties: {
        numbers: { type: "array", items: { type: "number" }, description: "What to add up" },
        style: { enum: ["plain", "grouped"], description: "How to show it", default: "plain" },
        note: { type: ["string", "null"], description: "Said along", default: null },
      },
      required: ["numbers"],
      additionalProperties: false,
    });
    const count = pack.tools().find(({ name }) => name === "count");
    assert.deepEqual([count?.effect, count?.description], ["read", "Counts."]);
    assert.deepEqual(count?.outputSchema, {
      type: "object",
      properties: { total: { type: "number" }, count: { type: "integer" } },
    });
    assert.ok(!pack.tools().some(({ name }) => name === "_hidden" || name === "dataclass"));
  });

  await t.step("it is described, and not kept running for that", async () => {
    await until(() => pack.status().state === "idle");
  });

  await t.step("sync and async functions answer", async () => {
    assert.equal(
      await packs.call("sums__add", { numbers: [1000, 234], style: "grouped" }),
      "1,234",
    );
    assert.deepEqual(await packs.call("sums__count", { numbers: [1, 2] }), { total: 3, count: 2 });
    assert.equal(pack.status().state, "connected");
  });

  await t.step("RUN-47 abbreviated parameters are resolved", async () => {
    assert.equal(await packs.call("sums__add", { num: [1, 2], st: "plain" }), 3);
    assert.equal(await packs.call("echo__say", { t: "it" }), "said it");
  });

  await t.step("prints are no answers, stdin is empty", async () => {
    assert.equal(await packs.call("sums__rude"), "answered");
  });

  await t.step("the environment is clean, config and secrets are its own", async () => {
    const allowed =
      /^(PATH|HOME|TMPDIR|LANG|PYTHONPYCACHEPREFIX|LC_.*|.*PROXY|.*proxy|.*CERT.*|.*CA.*BUNDLE)$/;
    const names = await packs.call("sums__environ") as string[];
    assert.deepEqual(names.filter((name) => !allowed.test(name)), []);
    assert.deepEqual(await packs.call("sums__settings"), { config: { digits: 3 }, key: "k" });
  });

  await t.step("nothing is compiled beside its modules, in its own programs either", async () => {
    assert.equal(await packs.call("sums__import_in_child"), 0);
    const folder = join(packs.project, ".onetool/tools/sums");
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
    assert.deepEqual(names, ["helper.py", "sums_tools.py"]);
  });

  await t.step("it calls other tools through the registry", async () => {
    assert.equal(await packs.call("sums__ask", { text: "a" }), "said a");
    assert.equal(await packs.call("sums__ask_async", { text: "b" }), "said b");
    assert.ok(packs.logged.some((line) => line.includes("Asking")));
  });

  await t.step(
    "a call that ends while it waits for a tool takes nothing from the others",
    async () => {
      const pid = await packs.call("sums__pid");
      const caller = new AbortController();
      const calls = Array.from({ length: 5 }, () => {
        const call = packs.call("sums__wait_async", {}, caller.signal);
        return assert.rejects(call, { code: "cancelled" });
      });
      await packs.call("sums__ask_async", { text: "c" }); // they have asked for the tool before
      caller.abort();
      await Promise.all(calls);
      await Promise.all(answers);
      assert.equal(answers.length, 5);
      assert.equal(await packs.call("sums__ask_async", { text: "d" }), "said d");
      assert.equal(await packs.call("sums__pid"), pid);
    },
  );

  await t.step("a result that is nested deep reaches it, and comes back", async () => {
    const pid = await packs.call("sums__pid");
    const value = await packs.call("sums__deep_async");
    assert.equal(JSON.stringify(value).length, 1_800);
    assert.equal(await packs.call("sums__pid"), pid);
  });

  await t.step("errors have class and line, and nothing ends it", async () => {
    const pid = await packs.call("sums__pid");
    const line = SUMS.split("\n").findIndex((text) => text.includes("no good")) + 1;
    await assert.rejects(packs.call("sums__fail"), {
      code: "tool_error",
      message: `Tool "sums.fail" failed: ValueError: no good (line ${line})`,
    });
    await assert.rejects(packs.call("sums__leave"), { message: /SystemExit/ });
    await assert.rejects(packs.call("sums__large", { mb: 100 }), { code: "too_large" });
    const caller = new AbortController();
    const nap = assert.rejects(packs.call("sums__nap", { seconds: 30 }, caller.signal), {
      code: "cancelled",
    });
    setTimeout(() => caller.abort(), 200);
    await nap;
    assert.equal(await packs.call("sums__pid"), pid);
    await assert.rejects(packs.call("sums__crash"), { code: "unavailable" });
    assert.notEqual(await packs.call("sums__pid"), pid);
  });
});

Deno.test("no process of a Python pack outlives its gateway", async () => {
  let project: string;
  {
    await using packs = await openPacks({
      project: { "sums/sums_tools.py": SUMS },
      settings: { sums: { secrets: { KEY: "k" } } },
      environment,
    });
    ({ project } = packs);
    await packs.call("sums__pid");
    assert.notDeepEqual(await processesWith(project), []);
  }
  await until(async () => (await processesWith(project)).length === 0);
});

Deno.test("WRK-06 WRK-14 a Python pack whose header is missing or malformed still loads", async () => {
  await using packs = await openPacks({
    project: {
      "plain/plain_tools.py": "def one() -> int:\n    return 1\n",
      "bad/bad_tools.py":
        '# /// script\n# dependencies = ["humanize"\n# ///\ndef one(): return 1\n',
      "lacks/lacks_tools.py": "import humanize_that_is_not_there\ndef one(): return 1\n",
      "broken/broken_tools.py": "def one():\n    return (\n",
      "throws/throws_tools.py": "def one(): return 1\n\nraise RuntimeError('not today')\n",
      "lists/lists_tools.py": '__all__ = ["two"]\ndef one(): return 1\ndef two(): return 2\n',
    },
    environment,
  });
  assert.equal(await packs.call("plain__one"), 1);
  assert.equal(await packs.call("bad__one"), 1);
  const [malformed] = packs.pack("bad").findings();
  assert.match(malformed?.message ?? "", /Cannot read the script header/);
  await packs.pack("lists").settle();
  assert.deepEqual(packs.pack("lists").tools().map(({ name }) => name), ["two"]);
  const problems = [
    ["lacks", /lacks_tools.py:1: ModuleNotFoundError.*has no `# \/\/\/ script` header that names/],
    ["broken", /broken_tools.py:2: SyntaxError/],
    ["throws", /throws_tools.py:3: RuntimeError: not today/],
  ] as const;
  for (const [name, message] of problems) {
    await assert.rejects(packs.call(`${name}__one`), { code: "unavailable", message });
  }
});

Deno.test("without uv a Python pack is unavailable, and says why", async () => {
  await using packs = await openPacks({
    project: { "plain/plain_tools.py": "def one(): return 1\n" },
    environment: { PATH: "/nowhere", HOME: "/nowhere" },
  });
  await assert.rejects(packs.call("plain__one"), {
    code: "unavailable",
    message: /Python packs need uv, which is not there: install it/,
    details: { reason: "uv not found" },
  });
  assert.deepEqual(packs.pack("plain").status().error, "uv not found");
});

Deno.test("WRK-11 packs of the home folder count where the project has none of the name", async () => {
  await using packs = await openPacks({
    project: { "same/same_tools.ts": 'export const from = () => "project";\n' },
    home: {
      "same/same_tools.ts": 'export const from = () => "home";\n',
      "own/own_tools.py": 'def origin() -> str:\n    return "home"\n',
    },
    environment,
  });
  assert.equal(await packs.call("same__from"), "project");
  assert.equal(await packs.call("own__origin"), "home");
  assert.deepEqual(packs.findings, []);
});

Deno.test("a Python pack runs without the project's Python and uv settings", async () => {
  await using packs = await openPacks({
    environment,
    home: { "where/where_tools.py": "import os\n\ndef here() -> str:\n    return os.getcwd()\n" },
    start: false,
  });
  const { project } = packs;
  await Deno.mkdir(`${project}/.venv/bin`, { recursive: true });
  await Deno.writeTextFile(`${project}/.venv/pyvenv.cfg`, "home = /usr/bin\n");
  const python = `#!/bin/sh\ntouch "${project}/started"\nexec python3 "$@"\n`;
  await Deno.writeTextFile(`${project}/.venv/bin/python`, python, { mode: 0o755 });
  await Deno.writeTextFile(`${project}/uv.toml`, "this is no TOML");
  assert.equal(await packs.call("where__here"), await Deno.realPath(project));
  await assert.rejects(Deno.stat(`${project}/started`), Deno.errors.NotFound);
});
