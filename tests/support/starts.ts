/** Servers that write down where they are started, and with which words. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { openGateway, type TestGateway } from "./gateway.ts";

/** Stands for a package manager: writes down where it is started and with what. */
const RUNNER = `#!/bin/sh
{ pwd; printf '%s\\n' "$@"; } > "$OUT.new"
mv "$OUT.new" "$OUT"
`;

/** How a server was started. */
export interface Start {
  readonly cwd: string;
  readonly args: readonly string[];
}

interface Server {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** True for a server of the home folder's configuration. */
  readonly isHomes?: boolean;
}

/** Servers that were started behind one gateway. */
export interface Started extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly project: string;
  /** In the order of the servers. */
  readonly starts: readonly Start[];
}

/** Starts servers, each with a program of its own, behind one gateway; `files` are further files of
 * the project. */
export async function start(
  servers: readonly Server[],
  files: readonly string[] = [],
): Promise<Started> {
  await using stack = new AsyncDisposableStack();
  const folder = await Deno.realPath(await Deno.makeTempDir());
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  await Deno.mkdir(join(project, "data/in"), { recursive: true });
  await Deno.mkdir(join(home, ".onetool"), { recursive: true });
  for (const file of ["notes.db", ...files]) {
    await Deno.mkdir(dirname(join(project, file)), { recursive: true });
    await Deno.writeTextFile(join(project, file), "");
  }
  const entries = { homes: {} as Record<string, unknown>, projects: {} as Record<string, unknown> };
  for (const [index, { name, args, cwd, isHomes }] of servers.entries()) {
    const own = join(folder, String(index));
    await Deno.mkdir(own);
    const command = join(own, name);
    await Deno.writeTextFile(command, RUNNER, { mode: 0o755 });
    const server = { command, args, env: { OUT: join(own, "out") }, ...cwd && { cwd } };
    entries[isHomes ? "homes" : "projects"][`it${index}`] = server;
  }
  await Deno.writeTextFile(
    join(home, ".onetool/onetool.yaml"),
    JSON.stringify({ servers: entries.homes }),
  );
  const gateway = stack.use(await openGateway({ servers: entries.projects }, { home, project }));
  const texts = servers.map((_, index) => untilThere(join(folder, String(index), "out")));
  const starts = (await Promise.all(texts)).map((text) => {
    const [cwd = "", ...args] = text.trimEnd().split("\n");
    return { cwd, args };
  });
  const opened = stack.move();
  return { gateway, project, starts, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Name of a program, its arguments, and more that a test needs. */
export type Named = readonly [string, readonly string[], ...unknown[]];

/** Starts a server for each case, and checks each start in a step of its own. */
export async function eachStart<Case extends Named>(
  t: Deno.TestContext,
  cases: readonly Case[],
  { check, ...options }: {
    readonly isHomes?: boolean;
    readonly cwd?: string;
    readonly files?: readonly string[];
    check(start: Start, project: string, it: Case): Promise<void> | void;
  },
): Promise<void> {
  const { isHomes = false, cwd, files } = options;
  const servers = cases.map(([name, args]) => ({ name, args, isHomes, ...cwd && { cwd } }));
  await using started = await start(servers, files);
  for (const [index, it] of cases.entries()) {
    const at = started.starts[index];
    assert.ok(at);
    await t.step([it[0], ...it[1]].join(" "), () => check(at, started.project, it));
  }
}

async function untilThere(path: string): Promise<string> {
  while (true) {
    const text = await Deno.readTextFile(path).catch(() => undefined);
    if (text !== undefined) return text;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
