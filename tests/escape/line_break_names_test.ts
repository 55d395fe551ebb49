/** Names with line breaks and other controls, which programs that read a folder take as any other. */

import { equal } from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../support/project.ts";

const BREAKS = ["\n", "\r", "\r\n", "\u2028", "\u2029", "a\nb\n", "\v\f", "\u0085"];
/** Names that are closed everywhere, with a place for any text. */
const CLOSED = [
  "x*.pth",
  "python*._pth",
  "x*.code-workspace",
  "x*.sublime-project",
  ".env.*",
  ".bashrc.*",
  ".vscode-*",
  ".husky.a*b",
  "jenkinsfile.*",
  "mise.*.toml",
];
/** Those beside a server's script. */
const BESIDE = [
  "n*-1.0.dist-info/entry_points.txt",
  "n*.egg-info/entry_points.txt",
  ".yarnrc.*",
  ".pnp.*",
  "tsconfig.*.json",
  "pipfile*",
  "pm2.*",
  "gemfile*",
  "wp-cli*.yml",
];

Deno.test("a line break in a name opens no closed name", (t) =>
  withProject({
    files: { "srv/server.py": "", "srv/lib/a.txt": "" },
    config: { servers: { own: { command: "python3", args: ["srv/server.py"] } } },
  }, async ({ project, refused }) => {
    for (const at of BREAKS) {
      await t.step(JSON.stringify(at), async () => {
        for (const name of CLOSED) {
          for (const folder of ["", "srv/lib/"]) {
            await refused("file.write", { path: folder + name.replace("*", at), text: "x" });
          }
        }
        for (const name of BESIDE) {
          await refused("file.write", { path: `srv/${name.replace("*", at)}`, text: "x" });
        }
        for (const name of ["secrets.yaml.*", "x*.before-toolscript"]) {
          await refused("file.write", { path: name.replace("*", at), text: "x" });
          Deno.writeTextFileSync(join(project, name.replace("*", at)), "x");
          await refused("file.read", { path: name.replace("*", at) });
        }
      });
    }
  }));

Deno.test("names that a line break makes no closed ones are open", (t) =>
  withProject({}, async ({ call }) => {
    for (const name of ["x.pth\n", "a\nb.txt", "notes\u2028.md", "x.md\r", "x\n.prettierrc"]) {
      await t.step(JSON.stringify(name), async () => {
        await call("file.write", { path: `docs/${name}`, text: "x" });
        equal((await call("file.read", { path: `docs/${name}` })).text, "x");
      });
    }
    // It is open at the root, with any ending.
    await call("file.write", { path: ".eslintrc.a\nb", text: "x" });
  }));
