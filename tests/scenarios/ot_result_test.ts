/** OT: stored results are read on through `ot.result`. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { cli } from "../support/cli.ts";
import { type CommandRow, send, stepThrough } from "../support/commands.ts";
import { openGateway, type TestGateway } from "../support/gateway.ts";

const INLINE = 2_000;

interface Page {
  readonly lines: string[];
  readonly total_lines: number;
  readonly returned: number;
  readonly offset: number;
  readonly has_more: boolean;
  readonly cut?: boolean;
}

async function store(gateway: TestGateway, command: string, options = {}): Promise<string> {
  const { text } = await send(gateway, command, options);
  const handle = /"handle":"(\w+)"/.exec(text)?.[1];
  assert.ok(handle, text);
  return handle;
}

async function page(gateway: TestGateway, args: string): Promise<Page> {
  const reply = await send(gateway, `ot.result(${args})`);
  assert.ok(reply.ok, reply.text);
  assert.ok(reply.text.length <= INLINE + 300, `${reply.text.length}`);
  return reply.value as unknown as Page;
}

/** Makes a stored result older than any is kept. */
async function expire(gateway: TestGateway, handle: string): Promise<void> {
  const meta = join(gateway.project, ".onetool/tmp", `result-${handle}.meta.json`);
  const about = JSON.parse(await Deno.readTextFile(meta));
  about.created_at = "2020-01-01T00:00:00.000Z";
  await Deno.writeTextFile(meta, JSON.stringify(about));
}

Deno.test("OT-55 to OT-64 a stored result is read page by page", async (t) => {
  await using gateway = await openGateway({ output: { max_inline_size: INLINE } });
  const lines = Array.from({ length: 500 }, (_, at) => at % 50 === 0 ? `error ${at}` : `l${at}`);
  const handle = await store(gateway, `${JSON.stringify(lines)}.join("\\n")`);

  await t.step("OT-55 OT-61 OT-62 the first hundred lines", async () => {
    const { lines: got, ...rest } = await page(gateway, `handle="${handle}"`);
    assert.deepEqual(got, lines.slice(0, 100));
    assert.deepEqual(rest, { total_lines: 500, returned: 100, offset: 1, has_more: true });
  });
  await t.step("OT-56 from an offset", async () => {
    const got = await page(gateway, `handle="${handle}", offset=101, limit=50`);
    assert.deepEqual(got.lines, lines.slice(100, 150));
    const last = await page(gateway, `handle="${handle}", offset=451, limit=50`);
    assert.deepEqual([last.returned, last.has_more], [50, false]);
    const beyond = await page(gateway, `handle="${handle}", offset=501`);
    assert.deepEqual([beyond.lines, beyond.has_more], [[], false]);
  });
  await t.step("OT-56 the command of the summary", async () => {
    const got = await page(gateway, `handle='${handle}', offset=1, limit=50`);
    assert.equal(got.returned, 50);
  });
  await t.step("OT-57 only lines that match", async () => {
    const got = await page(gateway, `handle="${handle}", search="err.r", offset=2, limit=3`);
    assert.deepEqual(got.lines, ["error 50", "error 100", "error 150"]);
    assert.deepEqual([got.has_more, got.total_lines], [true, 500]);
  });
  await t.step("OT-57 a broken pattern", async () => {
    const { error } = await send(gateway, `ot.result(handle="${handle}", search="(")`);
    assert.match(String(error?.message), /^Cannot search for "\(": .*fuzzy=true$/);
  });
  await t.step("OT-57 a catastrophic pattern is stopped, and others continue", async () => {
    const hostile = await store(gateway, `"${"a".repeat(40)}!\\n".repeat(100)`);
    // The engine makes lists of the product of both.
    const groups = JSON.stringify(`${"(?<a>)|".repeat(100)}${"\\k<a>".repeat(100)}`);
    const long = await send(gateway, `ot.result(handle="${handle}", search=${groups})`);
    assert.match(String(long.error?.message), /: it has over 1,000 characters: search for less$/);
    const slow = send(gateway, `ot.result(handle="${hostile}", search="^(a+)+$")`);
    assert.equal((await send(gateway, "1 + 1")).text, "2");
    assert.match(String((await slow).error?.message), /took longer than/);
  });
  await t.step("OT-58 lines like the search, best first", async () => {
    const text = '["nothing here\\n".repeat(300), "my confguration", "configuration"].join("\\n")';
    const like = await store(gateway, text);
    const got = await page(gateway, `handle="${like}", search="configuration", fuzzy=True`);
    assert.deepEqual(got.lines, ["configuration", "my confguration"]);
  });
  await t.step("OT-60 an expired handle", async () => {
    const old = await store(gateway, '"x\\n".repeat(2000)');
    await expire(gateway, old);
    const { text } = await send(gateway, `ot.result(handle="${old}")`);
    assert.match(text, new RegExp(`Cannot read the result "${old}": it has expired`));
  });
  await t.step("OT-63 OT-64 offset and limit count from one", async () => {
    const message = async (args: string) =>
      (await send(gateway, `ot.result(handle="${handle}", ${args})`)).error?.message;
    assert.equal(await message("offset=0"), "offset must be >= 1 (1-indexed), got 0");
    assert.equal(await message("offset=-3"), "offset must be >= 1 (1-indexed), got -3");
    assert.equal(await message("limit=0"), "limit must be >= 1, got 0");
  });
  await t.step("OT-61 a page that does not fit has fewer lines, and is not stored", async () => {
    const wide = await store(gateway, '("\\"w\'\\\\ ".repeat(50) + "\\n").repeat(100)');
    const before = [...Deno.readDirSync(join(gateway.project, ".onetool/tmp"))].length;
    const got = await page(gateway, `handle="${wide}", limit=50`);
    assert.ok(got.returned >= 1 && got.returned < 50 && got.has_more);
    assert.equal(got.returned, got.lines.length);
    assert.equal([...Deno.readDirSync(join(gateway.project, ".onetool/tmp"))].length, before);
  });
  await t.step("OT-61 a line larger than a page is cut", async () => {
    const long = await store(gateway, '"é".repeat(9000)');
    const got = await page(gateway, `handle="${long}"`);
    assert.deepEqual([got.cut, got.returned, got.has_more], [true, 1, false]);
  });
  await t.step("OT-61 a sanitized result stays sanitized", async () => {
    const foreign = '"$wsq q=1\\n".repeat(1000)';
    const { text } = await send(gateway, foreign, { sanitize: true });
    const handle = /"handle":"(\w+)"/.exec(text)?.[1];
    const got = await page(gateway, `handle="${handle}", limit=2`);
    assert.match(got.lines.join("\n"), /^<external-content-\w+ [^]*\n\\\$wsq q=1\n\\\$wsq/);
    assert.match(String(got.lines.at(-1)), /^<\/external-content-/);
  });
});

/** Of a list of 300 objects, 1202 lines of JSON. */
function rowsFor(handle: string): CommandRow[] {
  const result = (args: string) => `ot.result(handle="${handle}", ${args})`;
  const caught = (args: string) =>
    `let e: any\ntry { ${result(args)} } catch (thrown) { e = thrown }\n` +
    "[e instanceof RangeError, e.name, e.message, e.code]";
  const refused = (message: string) => [true, "RangeError", message, "invalid_arguments"];
  return [
    {
      name: "OT-56 the last lines",
      command: result("tail=3"),
      value: {
        lines: ['    "name": "n299"', "  }", "]"],
        total_lines: 1202,
        returned: 3,
        offset: 1200,
        has_more: false,
      },
    },
    {
      name: "OT-57 lines around each that matches",
      command: `${result('search="\\"id\\": (7|50),", context=1')}.lines`,
      value: ["  {", '    "id": 7,', '    "name": "n7"', "--"].concat(
        ["  {", '    "id": 50,', '    "name": "n50"'],
      ),
    },
    {
      name: "OT-57 the last of those that match",
      command: `${result('search="name", tail=2')}.lines`,
      value: ['    "name": "n298"', '    "name": "n299"'],
    },
    {
      name: "OT-55 one value by its path",
      command: `${result('path="$[5].name"')}.lines`,
      value: ["n5"],
    },
    {
      name: "OT-55 what a path selects",
      command: `${result('path="$[?@.id > 297].name"')}.lines`,
      value: ["[", '  "n298",', '  "n299"', "]"],
    },
    {
      name: "OT-57 a search in what a path selects",
      command: `${result('path="$[*].name", search="n1.7"')}.lines.length`,
      value: 10,
    },
    {
      name: "OT-55 a broken path",
      command: result('path="$["'),
      code: "tool_error",
      text: /Cannot follow the path "\$\[": .*write a path such as \$\.items/,
    },
    {
      name: "OT-55 a path to nothing",
      command: result('path="$[999]"'),
      code: "tool_error",
      text: /Cannot follow the path "\$\[999\]": nothing is there/,
    },
    {
      name: "OT-63 a script gets a RangeError",
      command: caught("offset=-3"),
      value: refused("offset must be >= 1 (1-indexed), got -3"),
    },
    {
      name: "OT-64 a script gets a RangeError",
      command: caught("limit=0"),
      value: refused("limit must be >= 1, got 0"),
    },
    {
      name: "OT-63 uncaught it is named as such",
      command: result("offset=0"),
      code: "tool_error",
      text: /^RangeError: offset must be >= 1 \(1-indexed\), got 0\n/,
    },
    {
      name: "OT-59 every other error is a ToolError",
      command:
        'let e: any\ntry { ot.result(handle="0123456789abcdef") } catch (thrown) { e = thrown }\n' +
        "[e instanceof RangeError, e.name, e.details.reason]",
      value: [false, "ToolError", "missing"],
    },
    {
      name: "OT-59 an unknown handle",
      command: 'ot.result(handle="nonexistent")',
      code: "tool_error",
      text: /Cannot read the result "nonexistent": [^]*not? .*found/,
    },
    {
      name: "OT-59 a handle that is a path",
      command: 'ot.result(handle="../../../etc/passwd")',
      code: "tool_error",
      text: /no result of that handle was found/,
    },
  ];
}

Deno.test("OT-55 to OT-64 the end, a match, a path, a wrong number", async (t) => {
  await using gateway = await openGateway({ output: { max_inline_size: INLINE } });
  const list = "Array.from({length: 300}, (_, id) => ({id, name: `n${id}`}))";
  await stepThrough(t, gateway, rowsFor(await store(gateway, list)));
});

Deno.test("OT-55 OT-60 results survive a restart of the gateway until they expire", async (t) => {
  const config = { output: { max_inline_size: INLINE, result_ttl: 600 } };
  await using first = await openGateway(config);
  const handle = await store(first, '"line\\n".repeat(1000)');
  await first.close();
  const at = { home: first.home, cwd: first.project };

  await t.step("OT-55 without a gateway the command line reads the store", async () => {
    const { code, stdout, stderr } = await cli(["result", handle, "--tail", "2"], at);
    assert.deepEqual([code, stdout], [0, "line\nline\n"], stderr);
    assert.match(stderr, /lines 999 to 1000, 1000 are stored/);
  });
  await t.step("OT-59 OT-63 exit codes", async () => {
    const code = async (...args: string[]) => (await cli(["result", ...args], at)).code;
    assert.equal(await code("0123456789abcdef"), 3);
    assert.equal(await code("../../etc/passwd"), 3);
    assert.equal(await code(handle, "--offset", "0"), 2);
    assert.equal(await code(handle, "--offset", "x"), 2);
    assert.equal(await code(), 2);
  });
  await t.step("OT-55 OT-60 another gateway of the project has it, until it expires", async () => {
    await using second = await openGateway(config, first);
    const got = await page(second, `handle="${handle}", offset=999`);
    assert.deepEqual([got.lines, got.total_lines], [["line", "line"], 1000]);
    const { code, stdout } = await cli(
      ["result", handle, "--gateway", second.url, "--limit", "1", "--json"],
      { ...at, env: { TOOLSCRIPT_TOKEN: second.token } },
    );
    assert.deepEqual([code, JSON.parse(stdout).lines], [0, ["line"]]);
    await expire(second, handle);
    assert.match((await send(second, `ot.result(handle="${handle}")`)).text, /it has expired/);
  });
});
