/** No name or path of a stranger writes a line of its own into a message. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { formatFinding } from "#config";
import { createScreen } from "#cli";
import { createPrinter } from "../../cli/print.ts";
import type { Caught } from "../cli/io.ts";
import { openPlace, type Place } from "./trust_place.ts";

/** Line ends and what else may begin a row of its own, each before a row that a person would believe. */
const ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const FORGED = `x"${ENDS.map((end) => `${end}FORGED: server docs: npx docs`).join("")}`;
const MAIN = ".onetool/onetool.yaml";
const TAGGED = "servers: {evil: {command: touch, args: [MARK], cwd: !a '.'}}\n";

const mcpJson = (name: string) => JSON.stringify({ mcpServers: { [name]: { foo: 1 } } });

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** Folder below the project. */
  readonly below?: string;
  /** Some word of the message. */
  readonly has: RegExp;
}

const CASES: readonly Case[] = [
  {
    name: "a server that init leaves out",
    files: { ".mcp.json": mcpJson(FORGED) },
    args: ["init"],
    has: /Left out the server "x\\"/,
  },
  {
    name: "a server that connect leaves",
    files: { ".mcp.json": mcpJson(FORGED) },
    args: ["connect", "claude-code", "--move"],
    has: /Left the server "x\\"/,
  },
  {
    name: "a server that connect calls by another name",
    files: {
      ".mcp.json": JSON.stringify({
        mcpServers: { [FORGED]: { command: "a" }, [FORGED + "!"]: { command: "b" } },
      }),
    },
    args: ["connect", "claude-code", "--move"],
    has: /another one has its name/,
  },
  ...["trust", "list", "trust --revoke"].map((words) => ({
    name: `an included file, ${words}`,
    files: { [MAIN]: `include: ${JSON.stringify(FORGED)}\n`, [`.onetool/${FORGED}`]: TAGGED },
    args: words.split(" "),
    has: words === "trust --revoke" ? /Not trusted/ : /unknown tag/,
  })),
  {
    name: "a broken file",
    files: { [FORGED]: "servers: [" },
    args: ["list", "--config", FORGED],
    has: /Error.*Cannot read this as YAML/,
  },
  {
    name: "an unknown key",
    files: { "a.yaml": JSON.stringify({ [FORGED]: 1 }) },
    args: ["list", "--config", "a.yaml"],
    has: /Unknown key/,
  },
  {
    name: "the folder of a project that is set up already",
    files: { [`${FORGED}/${MAIN}`]: "", [`${FORGED}/sub/a.txt`]: "" },
    args: ["init"],
    below: `${FORGED}/sub`,
    has: /it exists already/,
  },
  {
    name: "the folder of a project that is not trusted",
    files: { [`${FORGED}/${MAIN}`]: "servers: { e: { command: 'true' } }\n" },
    args: ["list"],
    below: FORGED,
    has: /Cannot start what/,
  },
  {
    name: "the folder of a project that is trusted",
    files: { [`${FORGED}/${MAIN}`]: "servers: { e: { command: 'true' } }\n" },
    args: ["trust", "--yes"],
    below: FORGED,
    has: /Trusted: /,
  },
  {
    name: "the folder of a client's broken file",
    files: { [`${FORGED}/.mcp.json`]: "{" },
    args: ["init"],
    below: FORGED,
    has: /Cannot take servers/,
  },
];

async function run(place: Place, { args, below = "." }: Case): Promise<Caught> {
  const cwd = join(place.project, below);
  return await place.caught(args, { terminal: true, lines: ["y", "n"], cwd });
}

Deno.test("a stranger's names and paths write no line of their own", async (t) => {
  for (const one of CASES) {
    await t.step(one.name, async () => {
      await using place = await openPlace(one.files);
      const { stderr, stdout } = await run(place, one);
      const all = (stderr + stdout).replaceAll("\r\x1b[K", "");
      assert.match(all, one.has);
      assert.doesNotMatch(all, /^\s*FORGED/m);
      assert.doesNotMatch(all, /[\r\v\f\u0085\u2028\u2029]/);
    });
  }
});

Deno.test("a finding is one line", () => {
  const finding = { severity: "error", file: FORGED, line: 1, column: 2 } as const;
  const line = formatFinding({ ...finding, message: FORGED, fix: `${FORGED}\u202e` });
  assert.doesNotMatch(line, /[\p{C}\u2028\u2029]/u);
  assert.match(line, /FORGED.*:1:2: .*FORGED.*\. .*FORGED.*\\u202e$/);
});

Deno.test("rows of a warning or an error after the first are set in", async () => {
  for (const isTerminal of [true, false]) {
    let text = "";
    const stderr = {
      isTerminal,
      columns: 80,
      write: (data: Uint8Array) => {
        text += new TextDecoder().decode(data);
        return Promise.resolve();
      },
    };
    const screen = createScreen({ stdout: stderr, stderr });
    const sinks = { stdout: stderr, stderr, screen };
    const print = createPrinter(sinks, { quiet: false, noColor: true });
    await print.warn("a\nFORGED\n");
    await print.error("a\r\n\nFORGED");
    assert.equal(text.replaceAll("\r", ""), "Warning: a\n  FORGED\nError: a\n  \n  FORGED\n");
  }
});
