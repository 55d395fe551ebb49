/** The client that programs call tools through, against a server that answers as the gateway. */

import assert from "node:assert/strict";
import type { JsonObject } from "#base";
import { generatorOf, packOf } from "../../support/generated.ts";
import { freePort } from "../../support/port.ts";
import { failure, type HostRun, openHost, result } from "./host.ts";

const generator = generatorOf([
  packOf("github", [{ name: "create_issue" }, { name: "list_issues" }]),
  packOf("atlassian", [{ name: "get_issue" }]),
]);

/** What a program printed as JSON; it must have ended well. */
function printed(run: HostRun): unknown {
  assert.equal(run.stderr, "");
  return JSON.parse(run.stdout);
}

const IMPORT = `import { tools, ToolError } from "toolscript";\n`;

Deno.test("TSX-28 TSX-29 a call is a POST to the tool's name on the wire", async () => {
  await using host = await openHost(generator, () => result(null));
  const run = await host.run(`${IMPORT}
    await tools.github.createIssue({ title: "a", body: undefined });
    await tools.github.list_issues();
    const { getIssue } = tools.atlassian;
    await getIssue({ id: 7, ["__proto__"]: { x: 1 } });`);
  assert.equal(run.stderr, "");
  assert.deepEqual(host.calls.map((call) => [call.wire, JSON.stringify(call.args)]), [
    ["github__create_issue", '{"title":"a"}'],
    ["github__list_issues", "{}"],
    ["atlassian__get_issue", '{"id":7,"__proto__":{"x":1}}'],
  ]);
});

Deno.test("TSX-30 the value of `result` is returned, whatever it is", async () => {
  const values = [null, 0, "", "text", [1, { a: null }], { error: { code: "x" } }, "x".repeat(2e6)];
  const left = [...values];
  await using host = await openHost(generator, () => result(left.shift() ?? null));
  const run = await host.run(`${IMPORT}
    const values: unknown[] = [];
    for (let count = 0; count < ${values.length}; count++) {
      values.push(await tools.github.createIssue());
    }
    console.log(JSON.stringify(values));`);
  assert.deepEqual(printed(run), values);
});

Deno.test("TSX-31 an error of the gateway is thrown as a ToolError with its facts", async () => {
  const error: JsonObject = {
    code: "invalid_arguments",
    message: 'Cannot call "github.create_issue": no title',
    retryable: false,
    tool: "github.create_issue",
    details: { problems: ["title"] },
  };
  await using host = await openHost(generator, () => failure(400, error));
  const run = await host.run(`${IMPORT}
    async function create() {
      await tools.github.createIssue({});
    }
    await create().catch((error) => {
      const { name, code, message, retryable, tool, details } = error;
      const branded = error[Symbol.for("toolscript.ToolError")];
      const known = error instanceof ToolError && error instanceof Error;
      const traced = /at async create .*\\.ts:4/.test(error.stack);
      const fields = { name, code, message, retryable, tool, details, branded, known, traced };
      console.log(JSON.stringify(fields));
    });`);
  assert.deepEqual(printed(run), {
    name: "ToolError",
    ...error,
    branded: true,
    known: true,
    traced: true,
  });
});

Deno.test("TSX-31 an invalid response is a ToolError too", async (t) => {
  const answers: Record<string, [answer: () => Response, code: string]> = {
    "no JSON": [() => new Response("<html>", { status: 502 }), "unavailable"],
    "no result": [() => Response.json({}), "internal"],
    "a list": [() => Response.json([1], { status: 500 }), "internal"],
    "an error of no shape": [() => Response.json({ error: 7 }, { status: 500 }), "internal"],
    "a redirect": [() => Response.redirect("http://127.0.0.1:9/"), "unavailable"],
  };
  for (const [name, [answer, code]] of Object.entries(answers)) {
    await t.step(name, async () => {
      await using host = await openHost(generator, answer);
      const run = await host.run(`${IMPORT}
        await tools.github.createIssue().catch((error) => {
          console.log(JSON.stringify([error.name, error.code, error.tool, error.details]));
        });`);
      assert.deepEqual(printed(run), ["ToolError", code, "github.create_issue", {}]);
    });
  }
});

Deno.test("TSX-32 calls run in the order in which they are awaited, and side by side", async () => {
  await using host = await openHost(generator, ({ args }) => result(args));
  const run = await host.run(`${IMPORT}
    const values = [];
    for (let n = 0; n < 20; n++) values.push((await tools.github.createIssue({ n })).n);
    const many = Array.from({ length: 20 }, (_, n) => tools.github.createIssue({ n }));
    values.push(...(await Promise.all(many)).map((value) => value.n));
    console.log(JSON.stringify(values));`);
  const order = Array.from({ length: 20 }, (_, n) => n);
  assert.deepEqual(printed(run), [...order, ...order]);
  const called = host.calls.map((call) => call.args as { n: number }).slice(0, 20);
  assert.deepEqual(called.map(({ n }) => n), order);
});

Deno.test("names unknown to the gateway are sent unchanged", async () => {
  const unknown = ({ wire }: { wire: string }) =>
    failure(404, { code: "unknown_tool", tool: wire });
  await using host = await openHost(generator, unknown);
  const run = await host.run(`${IMPORT}
    const any = tools as any;
    const codes: string[] = [];
    const calls = [any.github.nope, any.gitlab.create_issue, any.github["a/b c"], any.x["\\ud800"]];
    for (const call of calls) await call({}).catch((error: any) => codes.push(error.code));
    const still = [any.gitlab.then, any.gitlab.toJSON, "nope" in any.github, any.github.x === any];
    console.log(JSON.stringify([codes, await any.gitlab === 1, still]));`);
  const code = "unknown_tool";
  assert.deepEqual(printed(run), [[code, code, code, code], false, [null, null, false, false]]);
  assert.deepEqual(host.calls.map((call) => call.wire), [
    "github__nope",
    "gitlab__create_issue",
    "github__a/b c",
    "x__\ufffd",
  ]);
});

Deno.test("tools use the fetch of load time and cannot be replaced", async () => {
  await using host = await openHost(generator, () => result("real"));
  const run = await host.run(`${IMPORT}
    globalThis.fetch = () => Promise.reject(new Error("replaced"));
    const any = tools as any;
    for (const change of [() => any.github = 1, () => any.github.createIssue = 1]) {
      try { change(); } catch { /* refused */ }
    }
    console.log(JSON.stringify(await tools.github.createIssue()));`);
  assert.equal(printed(run), "real");
});

Deno.test("outside a run the token is sent if it is readable, without a permission prompt", async (t) => {
  const program = `${IMPORT}console.log(JSON.stringify(await tools.github.createIssue()));`;
  const rows = [
    { prefix: "", env: ["TOOLSCRIPT_GATEWAY_URL", "TOOLSCRIPT_TOKEN"], sent: "Bearer t0ken" },
    { prefix: "", env: ["TOOLSCRIPT_GATEWAY_URL"], sent: null },
    { prefix: "", env: [], sent: null },
    { prefix: "/r/abc", env: ["TOOLSCRIPT_GATEWAY_URL", "TOOLSCRIPT_TOKEN"], sent: null },
  ];
  for (const { prefix, env, sent } of rows) {
    await t.step(`${prefix || "/"} with ${env.join(" and ") || "no environment"}`, async () => {
      await using host = await openHost(generator, () => result(1), { prefix });
      const allowed = env.map((name) => `--allow-env=${name}`);
      const permissions = ["--allow-net=127.0.0.1", ...allowed.slice(-1)];
      if (env.length === 2) permissions[1] = `--allow-env=${env.join()}`;
      const run = await host.run(program, { permissions, env: { TOOLSCRIPT_TOKEN: "t0ken" } });
      assert.equal(printed(run), 1);
      assert.deepEqual(host.calls.map((call) => call.authorization), [sent]);
    });
  }
});

Deno.test("a call to an ended gateway throws a retryable ToolError", async () => {
  await using host = await openHost(generator, () => result(1));
  const run = await host.run(
    `${IMPORT}await tools.github.createIssue().catch((error) => {
      console.log(JSON.stringify([error.code, error.retryable, error.tool]));
    });`,
    {
      env: { TOOLSCRIPT_GATEWAY_URL: `http://127.0.0.1:${await freePort()}/` },
      permissions: ["--allow-net=127.0.0.1", "--allow-env=TOOLSCRIPT_GATEWAY_URL"],
    },
  );
  assert.deepEqual(printed(run), ["unavailable", true, "github.create_issue"]);
});
