/** A home folder and a project that is not trusted. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { isObject } from "#base";
import { readAudit } from "#runtime/stats";
import { type Caught, caught, type CaughtOptions } from "../cli/io.ts";
import { cli, type CliOptions } from "../support/cli.ts";
import { statsFolder } from "../support/stats.ts";

export const UNTRUSTED = { TOOLSCRIPT_TRUST: "" };

export interface Place extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  write(name: string, text: string): Promise<void>;
  /** Whether something of the project ran. */
  ran(): Promise<boolean>;
  cli(args: readonly string[], options?: Partial<CliOptions>): ReturnType<typeof cli>;
  /** The same in this process. */
  caught(args: readonly string[], options?: Partial<CaughtOptions>): Promise<Caught>;
  /** Answers to questions for trust in the audit, with the place that each came from; a gateway
   * writes them at its end at the latest. */
  trustAnswers(): readonly string[];
}

/** Writes files, those that begin with `~/` below the home; `MARK` becomes a file that a hostile
 * program makes. */
export async function openPlace(files: Record<string, string>): Promise<Place> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-trust-" }));
  const [home, project] = [join(root, "home"), join(root, "project")];
  const mark = join(root, "marks");
  for (const folder of [home, project, mark]) await Deno.mkdir(folder);
  async function write(name: string, text: string): Promise<void> {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text.replaceAll("MARK", join(mark, "ran")));
  }
  for (const [name, text] of Object.entries(files)) await write(name, text);
  return {
    home,
    project,
    write,
    ran: async () => (await Array.fromAsync(Deno.readDir(mark))).length > 0,
    cli: (args, options) => cli(args, { home, cwd: project, env: UNTRUSTED, ...options }),
    caught: (args, options) =>
      caught(args, {
        home,
        cwd: project,
        gateway: true,
        ...options,
        env: { PATH: Deno.env.get("PATH") ?? "", ...UNTRUSTED, ...options?.env },
      }),
    trustAnswers() {
      const rows = readAudit(statsFolder({ home, project }));
      const [questions, answers] = ["question", "answer"].map((kind) =>
        rows.filter((row) =>
          row.kind === kind && isObject(row.details) && row.details.kind === "trust"
        )
      );
      assert.equal(questions?.length, answers?.length);
      return (answers ?? []).map(({ answer, from }) => `${answer} ${from}`);
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
