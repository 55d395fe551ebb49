/** A project on the disk with the packs that come with Toolscript, as the gateway makes them. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { dump } from "js-yaml";
import { type JsonObject, silent } from "#base";
import { loadConfig } from "#config";
import { createRegistry, PackError } from "#packs";
import { makeBuiltin } from "./builtin.ts";
import { closedOf } from "./closed.ts";

export interface ProjectStage {
  readonly home: string;
  readonly project: string;
  /** The answer of a tool: `file.read`. */
  call(tool: string, args: JsonObject): Promise<JsonObject>;
  /** Fails unless the call is refused since what it wants is closed. */
  refused(tool: string, args: JsonObject): Promise<PackError>;
  read(path: string): Promise<string>;
}

export interface ProjectOptions {
  /** What `onetool.yaml` says. */
  readonly config?: JsonObject;
  /** Whether a person has said yes to what the project starts (true). */
  readonly trusted?: boolean;
  /** Texts by path; paths that begin with `~/` lie in the home folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Limit of the folders that one search reads. */
  readonly mostSearched?: number;
  /** True for looks in a process of their own, as the gateway makes them (false). */
  readonly isApart?: boolean;
  /** False for a machine without git (true). */
  readonly hasGit?: boolean;
  /** Variables that decide what is closed, beside those of this process (none). */
  readonly variables?: (home: string) => Readonly<Record<string, string>>;
  /** Where the project lies, from the folder that holds the home folder, too (`project`). */
  readonly place?: string;
  /** Changes the disk before the first call. */
  readonly prepare?: (stage: Pick<ProjectStage, "home" | "project">) => Promise<unknown>;
}

/** Runs `work` in a home and a project of its own. */
export async function withProject(
  { config = {}, files = {}, trusted = true, place = "project", hasGit = true, ...more }:
    ProjectOptions,
  work: (stage: ProjectStage) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [home, project] = [join(root, "home"), join(root, place)];
  const all = { "~/.keep": "", ".onetool/onetool.yaml": dump(config), ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  await more.prepare?.({ home, project });
  const env: Record<string, string> = trusted ? { TOOLSCRIPT_TRUST: "all" } : {};
  const loaded = await loadConfig({ env, home, cwd: project });
  await using closed = closedOf(loaded, {
    isApart: more.isApart,
    mostSearched: more.mostSearched,
    variables: more.variables?.(home),
    ...(hasGit ? {} : { findGit: () => undefined }),
  });
  const environment = Deno.env.toObject();
  const packs = makeBuiltin(loaded, { project, home, environment, closed });
  const registry = createRegistry(packs, { log: silent });
  async function call(tool: string, args: JsonObject): Promise<JsonObject> {
    return (await registry.call(tool.replace(".", "__"), args, {})).value as JsonObject;
  }
  try {
    await work({
      home,
      project,
      call,
      async refused(tool, args) {
        const text = `${tool} ${JSON.stringify(args)}`;
        const error = await call(tool, args).then(() => undefined, (error: unknown) => error);
        assert.ok(error instanceof PackError, `${text} went through`);
        assert.equal(error.code, "blocked", `${text}: ${error.message}`);
        assert.deepEqual(error.details, { reason: "protected" }, text);
        return error;
      },
      read: (path) => Deno.readTextFile(join(project, path)),
    });
  } finally {
    await registry[Symbol.asyncDispose]();
    await Deno.remove(root, { recursive: true });
  }
}
