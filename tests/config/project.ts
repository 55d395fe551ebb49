/** A home and a project in temporary folders, for tests of the configuration. */

import { dirname, join } from "node:path";
import { type Config, ConfigError, loadConfig } from "#config";

export interface TestProject extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
  /** Loads from inside the project. */
  load(options?: LoadOverrides): Promise<Config>;
  /** The findings of a load that must fail, as `name:line:column message | fix`. */
  findings(options?: LoadOverrides): Promise<string[]>;
}

export interface LoadOverrides {
  readonly explicit?: string;
  readonly env?: Record<string, string>;
  readonly cwd?: string;
}

/** Writes files; names beginning with `~/` go below the home. */
export async function openProject(files: Record<string, string>): Promise<TestProject> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-config-" }));
  const home = join(root, "home");
  const project = join(root, "project");
  await Deno.mkdir(home);
  await Deno.mkdir(project);
  for (const [name, text] of Object.entries(files)) {
    const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
  const load = ({ explicit, env = {}, cwd = project }: LoadOverrides = {}) =>
    loadConfig({ explicit, env: { TOOLSCRIPT_TRUST: "all", ...env }, home, cwd });
  return {
    home,
    project,
    load,
    async findings(options) {
      try {
        await load(options);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return error.findings.map(({ file, line, column, message, fix }) => {
          const name = file.slice(root.length + 1).replace(/^project\//, "");
          return `${name}:${line ?? "-"}:${column ?? "-"} ${message} | ${fix ?? ""}`;
        });
      }
      throw new Error("The configuration was accepted");
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}
