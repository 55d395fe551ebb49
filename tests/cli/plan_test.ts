import assert from "node:assert/strict";
import { openShop } from "../support/shop.ts";
import { atTerminal } from "../support/terminal.ts";
import { caught } from "./io.ts";

const COMMAND = "for (const id of [1, 2, 3]) shop.refund(id=id)\n'done'";
const SCRIPT = 'import { tools } from "toolscript";\n' +
  "for (const id of [1, 2, 3]) await tools.shop.refund({ id });\n'done'";

async function open(security: Record<string, unknown> = {}) {
  const shop = await openShop({ security });
  const { home, project: cwd, url, token } = shop.gateway;
  const at = { home, cwd, env: { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token } };
  return {
    ...shop,
    at,
    cli: (args: readonly string[], lines?: readonly string[]) => caught(args, { ...at, lines }),
    [Symbol.asyncDispose]: () => shop[Symbol.asyncDispose](),
  };
}

Deno.test("run --plan and exec --plan make a plan, --plan=ID runs it", async (t) => {
  await using shop = await open();
  const rows = [["run", [COMMAND]], ["exec", ["-e", SCRIPT]]] as const;
  for (const [command, program] of rows) {
    await t.step(command, async () => {
      const before = (await shop.writes()).length;
      const json = await shop.cli([command, "--json", "--plan", ...program]);
      assert.equal(json.code, 0, json.stderr);
      const { plan, ok } = JSON.parse(json.stdout);
      assert.equal(ok, true);
      assert.deepEqual(
        plan.calls.map(({ arguments: args }: { arguments: unknown }) => args),
        [{ id: 1 }, { id: 2 }, { id: 3 }],
      );
      assert.equal((await shop.writes()).length, before);
      const run = await shop.cli([command, `--plan=${plan.id}`, ...program]);
      assert.equal(run.code, 0, run.stderr);
      assert.equal((await shop.writes()).length, before + 3);
      const again = await shop.cli([command, `--plan=${plan.id}`, ...program]);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /Cannot run the plan: it is used/);
    });
  }
  await t.step("no look is planned", async () => {
    const { code, stderr } = await shop.cli(["run", "--plan", "--look", COMMAND]);
    assert.equal(code, 2);
    assert.match(stderr, /Cannot plan a look/);
  });
  await t.step("in words", async () => {
    const { stdout } = await shop.cli(["run", "--plan", COMMAND]);
    assert.match(stdout, /^shop\.refund:\n {2}1\. line 1\n {4}\| "id": 1\n[\s\S]*\nPlan p_/);
    const script = await shop.cli(["exec", "--plan", "-e", SCRIPT]);
    assert.equal(JSON.parse(script.stdout).calls.length, 3);
  });
});

Deno.test("the person at the terminal is asked once about a program", async (t) => {
  await using shop = await open({ approve: "plan" });
  const rows: readonly (readonly [answer: string, count: number, code: number])[] = [
    ["a", 3, 0],
    ["ALL", 3, 0],
    ["1,3", 1, 1],
    ["1 2 3", 3, 0],
    ["", 0, 1],
    ["n", 0, 1],
    ["4", 0, 1],
    ["0", 0, 1],
    ["1-3", 0, 1],
    ["yes", 0, 1],
  ];
  for (const [answer, count, code] of rows) {
    await t.step(JSON.stringify(answer), async () => {
      const before = (await shop.writes()).length;
      const result = await shop.cli(["run", COMMAND], [answer]);
      assert.equal(result.code, code, result.stderr);
      assert.equal(result.stderr.match(/\[a\]ll, numbers like 1,3, \[N\]o: /g)?.length, 1);
      assert.equal((await shop.writes()).length, before + count);
      if (count === 0) {
        assert.match(result.stderr, /You declined all of it: nothing of the program/);
      }
    });
  }
});

Deno.test("with --wait the page allows some calls of a program", async () => {
  await using shop = await open({ approve: "plan" });
  const refused = await shop.cli(["run", COMMAND]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /needs confirmation|must be confirmed/);
  const result = shop.cli(["run", "--wait", COMMAND]);
  const { gateway } = shop;
  let questions: readonly { readonly id: string }[] = [];
  while (questions.length === 0) questions = await (await gateway.fetch("/questions")).json();
  const id = questions[0]?.id;
  const response = await gateway.post(`/questions/${id}`, { allow: "all", calls: [0] });
  assert.equal(response.status, 200, await response.text());
  const { code, stderr } = await result;
  assert.equal(code, 1);
  assert.match(stderr, /"shop\.refund": it was declined/);
  assert.deepEqual(await shop.writes(), ['refund {"id":1}']);
});

Deno.test("the person at the terminal is told the reason of a rule", async () => {
  const rules = [{ tool: "shop.note", then: "ask", because: "Notes are read by all" }];
  for (const [approve, answer] of [["call", "y"], ["plan", "a"]] as const) {
    await using shop = await open({ ask: [], rules, approve });
    const { code, stderr } = await shop.cli(["run", "shop.note(text='a')"], [answer]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Reason: .*Notes are read by all/);
  }
});

Deno.test("a real terminal asks about a plan", async () => {
  await using shop = await open({ approve: "plan" });
  const { code, screen } = await atTerminal(["run", COMMAND], {
    ...shop.at,
    typed: [{ after: "[N]o: ", text: "a\n" }],
  });
  assert.equal(code, 0, screen);
  assert.match(
    screen,
    /Allow these 3 calls\?\r\nshop\.refund:\r\n {2}1\. line 1\r\n {4}\| "id": 1/,
  );
  assert.deepEqual(await shop.writes(), ['refund {"id":1}', 'refund {"id":2}', 'refund {"id":3}']);
});

Deno.test("the input of a program is read once for its plan and its run", async () => {
  await using shop = await open({ approve: "plan" });
  const script = 'import { tools } from "toolscript";\n' +
    "const { id } = await new Response(Deno.stdin.readable).json();\n" +
    "await tools.shop.refund({ id });\nid";
  const options = { ...shop.at, stdin: '{"id": 2}', lines: ["a"] };
  const { code, stdout, stderr } = await caught(["exec", "-e", script], options);
  assert.deepEqual([code, stdout], [0, "2\n"], stderr);
  assert.deepEqual(await shop.writes(), ['refund {"id":2}']);
});
