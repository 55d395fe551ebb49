/** A project folder with the `git` pack. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { findProgram, type JsonObject } from "#base";
import type { Pack } from "#packs";
import { loadConfig } from "#config";
import { makeBuiltin } from "../../../support/builtin.ts";

/** True where git is not installed. */
export const ignore = findProgram("git") === undefined;

export interface Stage {
  readonly home: string;
  readonly project: string;
  git(...args: string[]): Promise<string>;
  put(path: string, text: string): Promise<void>;
  call(tool: string, args?: JsonObject): Promise<JsonObject>;
  refused(tool: string, args: JsonObject, message: RegExp): Promise<void>;
}

export async function withStage(work: (stage: Stage) => Promise<void>): Promise<void> {
  const home = await Deno.realPath(await Deno.makeTempDir());
  const project = join(home, "project");
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  const pack = await gitPack({ home, project });
  const call = async (tool: string, args: JsonObject = {}) =>
    (await pack.call(tool, args, {})).value as JsonObject;
  try {
    await work({
      home,
      project,
      call,
      refused: (tool, args, message) => assert.rejects(call(tool, args), { message }),
      async git(...args) {
        const env = { HOME: home, PATH: "/usr/bin:/bin:/usr/local/bin", LC_ALL: "C" };
        const who = ["-c", "user.name=Ana Lee", "-c", "user.email=ana@example.com"];
        const options = { args: [...who, ...args], cwd: project, env, clearEnv: true };
        const { code, stdout, stderr } = await new Deno.Command("git", options).output();
        assert.equal(code, 0, new TextDecoder().decode(stderr));
        return new TextDecoder().decode(stdout).trim();
      },
      async put(path, text) {
        await Deno.mkdir(join(project, path, ".."), { recursive: true });
        await Deno.writeTextFile(join(project, path), text);
      },
    });
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** Makes the project a repository with one commit. */
export async function commitFirst({ git, put }: Stage): Promise<void> {
  await git("init", "-q", "-b", "main");
  await put("a.txt", "one\n");
  await git("add", ".");
  await git("commit", "-qm", "First");
}

/** Makes the pack, with places of its own. */
export async function gitPack({ home, project }: Pick<Stage, "home" | "project">): Promise<Pack> {
  const config = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
  const pack = makeBuiltin(config, { project, home, environment: { HOME: home } })
    .find(({ name }) => name === "git");
  assert.ok(pack);
  return pack;
}
