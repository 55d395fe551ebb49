import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";
import { askingCommand } from "../support/servers.ts";
import { caught } from "./io.ts";

async function open() {
  const gateway = await openGateway({ servers: { asking: askingCommand() } });
  await gateway.ready();
  const { home, project: cwd, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  return {
    run: (command: string, lines?: readonly string[], flags: readonly string[] = []) =>
      caught(["run", command, ...flags], { home, cwd, env, lines }),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

Deno.test("the person at the terminal answers the form of a server", async (t) => {
  await using gateway = await open();
  const ask = async (command: string, lines?: readonly string[]) => {
    const { code, stdout, stderr } = await gateway.run(command, lines, ["--format", "json"]);
    assert.equal(code, 0, stderr);
    return { stderr, ...JSON.parse(stdout) };
  };

  await t.step("field by field, again where a line does not fit", async () => {
    const { stderr, action, content } = await ask("asking.ask_all()", [
      "a",
      "coffee",
      "tea",
      "",
      "maybe",
      "y",
      "",
    ]);
    assert.equal(action, "accept");
    assert.deepEqual(content, { what: "tea", cups: 2, hot: true });
    assert.match(
      stderr,
      /^The server "asking" asks:\n> Your order\nThe server "asking" asks: \[a\]nswer, \[N\]o: /,
    );
    assert.match(stderr, /> What \(tea, milk\)\nThe server "asking" asks, your answer: /);
    assert.match(
      stderr,
      /> cups: How many \(integer, empty for 2\)\nThe server "asking" asks, your answer: /,
    );
    assert.ok(!stderr.includes("\u001b"));
    assert.equal(stderr.match(/: \[a\]nswer/gm)?.length, 1);
  });
  await t.step("every answer but an explicit yes is a decline", async () => {
    for (const lines of [[""], ["yes please"], ["n"], []]) {
      assert.equal((await ask("asking.ask()", lines)).action, "decline", JSON.stringify(lines));
    }
  });
  await t.step("a field that is left without a value is a decline", async () => {
    assert.equal((await ask("asking.ask()", ["a", "", "", ""])).action, "decline");
  });
  await t.step("a form with other fields is declined without a question", async () => {
    const { action, stderr } = await ask("asking.ask_list()", ["a"]);
    assert.deepEqual([action, stderr.includes("Several")], ["decline", false]);
  });
  await t.step("without a terminal it is declined", async () => {
    assert.equal((await ask("asking.ask()")).action, "decline");
  });
});

Deno.test("the command line shows what servers log, details with --verbose", async (t) => {
  await using gateway = await open();
  const log = (level: string, ...flags: string[]) =>
    gateway.run(`asking.log(level="${level}", data="one\\nWarning: two")`, undefined, flags);

  await t.step("a warning and more", async () => {
    const { stdout, stderr } = await log("error");
    assert.match(stdout, /logged/);
    assert.equal(stderr, "asking/fixture: error: one\n  Warning: two\n");
  });
  await t.step("debug and info", async () => {
    assert.equal((await log("info")).stderr, "");
    assert.match((await log("info", "--verbose")).stderr, /asking\/fixture: info: one\n/);
  });
  await t.step("nothing with --quiet, and with --json", async () => {
    assert.equal((await log("error", "--quiet")).stderr, "");
    assert.equal((await log("error", "--json")).stderr, "");
  });
});
