/** Files of clients, with what is closed and what stays open because of them. */

import { withProject } from "../support/project.ts";

export interface Case {
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

/** Tries to write each file; `isApart` is true for looks in a process of their own. */
export function checkCase({ files, closed, open }: Case, isApart = false): Promise<void> {
  const texts = Object.entries(files).map(([path, value]) => {
    return [path, typeof value === "string" ? value : JSON.stringify(value)];
  });
  const all = { "~/.onetool/onetool.yaml": HOME, ...Object.fromEntries(texts) };
  return withProject({ isApart, files: all }, async ({ call, refused }) => {
    for (const path of closed) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    for (const path of open) await call("file.write", { path, text: "x" });
  });
}
