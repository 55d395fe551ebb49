/** First words of an MCP client to an entry that a manifest names. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { npmEnv } from "../support/npm.ts";
import { descendants, ended } from "../support/processes.ts";

export interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** Starts the entry, asserts that it offers `run`, and waits for the end of what it started; its
 * project is the folder where it looks. */
export async function assertGreets(
  { command, args }: Entry,
  { cwd, env, run = "1 + 1" }: {
    readonly cwd: string;
    readonly env: Record<string, string>;
    readonly run?: string;
  },
): Promise<string> {
  const transport = new StdioClientTransport({ command, args: [...args], cwd, env });
  const client = new Client({ name: "test", version: "1" });
  try {
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === "run"));
    const answer = await client.callTool({ name: "run", arguments: { command: run } });
    return JSON.stringify(answer.content);
  } finally {
    const started = await descendants(transport.pid ?? 0);
    await client.close();
    await ended(started);
  }
}

/** The entry as a client starts it: with values in place of its variables. */
export function expand(entry: unknown, values: Readonly<Record<string, string>>): Entry {
  const text = JSON.stringify(entry, ["command", "args"]);
  const filled = Object.entries(values).reduce(
    (rest, [name, value]) => rest.replaceAll(`\${${name}}`, JSON.stringify(value).slice(1, -1)),
    text,
  );
  assert.ok(!filled.includes("${"), filled);
  return JSON.parse(filled);
}

/** Environment of a client on this machine, with a home of its own. */
export function environmentOf(home: string, path = ""): Record<string, string> {
  const { PATH = "", DENO_DIR, HOME = "/" } = Deno.env.toObject();
  return {
    ...npmEnv(),
    PATH: path === "" ? PATH : `${path}:${PATH}`,
    HOME: home,
    DENO_DIR: DENO_DIR ?? join(HOME, ".cache", "deno"),
    TOOLSCRIPT_TRUST: "all",
  };
}

/** A project with a pack, a home folder, and a folder that is neither. */
export interface Place extends AsyncDisposable {
  readonly cwd: string;
  readonly home: string;
  readonly away: string;
  /** Folder with a command `toolscript` that starts the clone at `root`. */
  installed(root: string): Promise<string>;
  /** Copies a folder without what lies around it. */
  copy(folder: string): Promise<string>;
}

const PACK =
  "/** Makes a text loud. */\nexport function loud(text: string) {\n  return text.toUpperCase();\n}\n";

export async function openPlace(): Promise<Place> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript place " }));
  const [cwd, home, away, bin] = ["project", "home", "away", "bin"].map((name) =>
    join(root, name)
  ) as [string, string, string, string];
  const pack = join(cwd, ".onetool", "tools", "words");
  for (const path of [pack, home, away, bin]) await Deno.mkdir(path, { recursive: true });
  await Deno.writeTextFile(join(pack, "words_tools.ts"), PACK);
  const config = join(cwd, ".onetool", "onetool.yaml");
  await Deno.writeTextFile(config, "gateway: { share: false }\n");
  return {
    cwd,
    home,
    away,
    async installed(clone) {
      const [deno, main] = [Deno.execPath(), join(clone, "main.ts")];
      const flags = `run -A --quiet --no-check --config='${join(clone, "deno.json")}'`;
      const script = `#!/bin/sh\nexec '${deno}' ${flags} '${main}' "$@"\n`;
      await Deno.writeTextFile(join(bin, "toolscript"), script, { mode: 0o755 });
      return bin;
    },
    async copy(folder) {
      const target = join(root, "copy");
      const { success } = await new Deno.Command("cp", { args: ["-R", folder, target] }).output();
      assert.ok(success);
      return target;
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
