/** Files of clients, with what is closed and what stays open because of them. */

import { join } from "node:path";
import { withProject } from "../support/project.ts";

export interface Case {
  /** Values by path; `<project>` in the home folder stands for the project's path. */
  readonly files: Readonly<Record<string, unknown>>;
  readonly closed: readonly string[];
  readonly open: readonly string[];
}

/** A server of the home folder: Toolscript takes none from `.mcp.json`. */
export const HOME = "servers:\n  home: { command: npx, args: [-y, some-server] }\n";

/** Hooks of Claude Code with one command. */
export function hook(command: string) {
  return { PostToolUse: [{ hooks: [{ type: "command", command }] }] };
}

/** A task of VS Code that starts when the folder is opened. */
export function onOpen(task: object) {
  const tasks = [{ ...task, runOptions: { runOn: "folderOpen" } }];
  return { ".vscode/tasks.json": { tasks } };
}

/** Tries to write each file; `isApart` is true for looks in a process of their own. */
export function checkCase({ files, closed, open }: Case, isApart = false): Promise<void> {
  const texts = Object.entries(files).map(([path, value]) => {
    return [path, typeof value === "string" ? value : JSON.stringify(value)];
  });
  const all = { "~/.onetool/onetool.yaml": HOME, ...Object.fromEntries(texts) };
  const prepare = async ({ home, project }: { home: string; project: string }) => {
    for (const [path, text] of Object.entries(all).filter(([path]) => path.startsWith("~/"))) {
      const real = join(home, path.slice(2));
      await Deno.writeTextFile(real, String(text).replaceAll("<project>", project));
    }
  };
  return withProject({ isApart, files: all, prepare }, async ({ call, refused }) => {
    for (const path of closed) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    for (const path of open) await call("file.write", { path, text: "x" });
  });
}
