/** Cases of what a server loads, and of what programs may change beside it. */

import { join } from "node:path";
import type { JsonObject } from "#base";
import { withProject } from "../support/project.ts";

export interface Case {
  readonly server: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

/** Defines a test of each case. Files that begin with `#!` may be executed. */
export function testCases(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { server, files, closed, open }] of Object.entries(cases)) {
    Deno.test(`no program changes what a server loads: ${name}`, () =>
      withProject({
        config: { servers: { mine: server } },
        files,
        async prepare({ project }) {
          await Deno.mkdir(join(project, String(server.cwd ?? "")), { recursive: true });
          for (const [name, text] of Object.entries(files)) {
            if (text.startsWith("#!")) await Deno.chmod(join(project, name), 0o755);
          }
        },
      }, async ({ call, refused }) => {
        for (const path of closed) {
          await refused("file.write", { path, text: "x", overwrite: true });
        }
        for (const path of open) await call("file.write", { path, text: "x" });
      }));
  }
}
