/** A program changes files that clients name in other words than a plain path: by the home folder, by
 * a folder of a workspace, or by a variable. */

import { join } from "node:path";
import { type ProjectOptions, withProject } from "../support/project.ts";
import { type Case, checkCase, hook, onOpen } from "./client_cases.ts";

/** Places that lead to `repo` in the home folder, where Toolscript's project lies. */
const HOMES = ["$HOME", "${HOME}", '"$HOME"', '"${HOME}"', "~", "${HOME:-/root}", "%USERPROFILE%"];
/** The same as VS Code, Cursor and others write it. */
const CLIENT_HOMES = ["${HOME}", "${userHome}", "${env:HOME}", "{env:HOME}", "$HOME", "~"];

interface Reach extends Case {
  /** Where the project lies, from the folder above the home folder. */
  readonly place: string;
}

/** Tries to write each file, where the project lies in a home folder. */
function checkReach({ files, closed, open, place }: Reach): Promise<void> {
  const all = Object.entries(files).map(([path, value]) => {
    return [path, typeof value === "string" ? value : JSON.stringify(value)];
  });
  const prepare: ProjectOptions["prepare"] = async ({ home, project }) => {
    for (const [path = "", text = ""] of all.filter(([path = ""]) => path.startsWith("~/"))) {
      const real = text.replaceAll("<above>", join(project, "../.."))
        .replaceAll("<project>", project);
      await Deno.writeTextFile(join(home, path.slice(2)), real);
    }
  };
  return withProject({ place, files: Object.fromEntries(all), prepare }, async (stage) => {
    for (const path of closed) {
      await stage.refused("file.write", { path, text: "x", overwrite: true });
    }
    for (const path of open) await stage.call("file.write", { path, text: "x" });
  });
}

const IN_HOME = { place: "home/repo", open: ["src/a.ts", "srv/b.sh"] };

for (const home of HOMES) {
  const hooks = hook(`bash ${home}/repo/srv/s.sh`);
  for (const path of [".claude/settings.json", "~/.claude/settings.json"]) {
    Deno.test(`no program changes what ${path} names by ${home}`, async () => {
      const files = { [path]: { hooks }, "srv/s.sh": "" };
      await checkReach({ ...IN_HOME, files, closed: ["srv/s.sh"] });
      const alone = { [path]: { hooks: hook(`${home}/repo/s/3.rb`) }, "s/3.rb": "" };
      await checkReach({ ...IN_HOME, files: alone, closed: ["s/3.rb"] });
    });
  }
}

for (const home of CLIENT_HOMES) {
  const server = { command: "ruby", args: [`${home}/repo/srv/s.rb`] };
  for (const path of [".cursor/mcp.json", "~/.cursor/mcp.json", "~/.claude.json"]) {
    Deno.test(`no program changes what a server of ${path} is by ${home}`, async () => {
      const files = { [path]: { mcpServers: { a: server } } };
      await checkReach({ place: "home/repo", files, closed: ["srv/s.rb"], open: ["src/a.md"] });
      const entry = { command: `${home}/repo/s/1.rb`, args: ["--quiet"] };
      const alone = { [path]: { mcpServers: { a: entry } }, "s/1.rb": "" };
      await checkReach({ place: "home/repo", files: alone, closed: ["s/1.rb"], open: ["a.md"] });
    });
  }
}

const REACHES: Readonly<Record<string, Reach>> = {
  "a shell's text in a file of the home folder": {
    ...IN_HOME,
    files: {
      "~/.config/Code/User/mcp.json": {
        servers: { a: { command: "sh", args: ["-c", "exec $HOME/repo/s/1.rb"] } },
      },
      "s/1.rb": "",
    },
    closed: ["s/1.rb"],
    open: ["notes.md"],
  },
  "a home folder that holds none of these": {
    files: {
      "~/.claude.json": {
        mcpServers: { a: { command: "node", args: ["${HOME}/other/index.js"] } },
      },
      "~/.claude/settings.json": { hooks: hook('"$HOME"/.claude/hooks/a.sh; ls ~') },
    },
    place: "home/repo",
    closed: [],
    open: ["index.js", "src/a.ts", "other/index.js", "hooks/a.sh"],
  },
  "an existing script, from a monorepo": {
    files: {
      "~/.claude.json": {
        projects: {
          "<above>": { mcpServers: { a: { command: "bash", args: ["pk/a/srv/s.sh"] } } },
        },
      },
      "srv/s.sh": "",
    },
    place: "repo/pk/a",
    closed: ["srv/s.sh"],
    open: ["notes.md"],
  },
  "scripts that are not built yet, from a monorepo": {
    files: {
      "~/.claude.json": {
        projects: {
          "<above>": {
            mcpServers: {
              a: { command: "node", args: ["pk/a/dist/index.js"] },
              b: { command: "./pk/a/run", args: [] },
              c: { command: "python3", args: ["./srv.py"], cwd: "pk/a/py" },
            },
          },
        },
      },
    },
    place: "repo/pk/a",
    closed: ["dist/index.js", "dist/lib.js", "run", "py/srv.py"],
    open: ["notes.md"],
  },
  "another package of a monorepo": {
    files: {
      "~/.claude.json": {
        projects: {
          "<above>": { mcpServers: { a: { command: "node", args: ["pk/b/dist/index.js"] } } },
          "<above>/pk/b": { mcpServers: { a: { command: "npm", args: ["run", "mcp"] } } },
        },
      },
    },
    place: "repo/pk/a",
    closed: [],
    open: ["notes.md", "dist/index.js", "src/a.rb"],
  },
};

for (const [name, reach] of Object.entries(REACHES)) {
  Deno.test(`no program changes what clients name: ${name}`, () => checkReach(reach));
}

const FOLDERS: Readonly<Record<string, Case>> = {
  "the folder by its name": {
    files: {
      ...onOpen({ type: "shell", command: "bash ${workspaceFolder:project}/s/k.sh" }),
      ".cursor/mcp.json": {
        mcpServers: { a: { command: "ruby", args: ["${workspaceFolder:project}/r/m.rb"] } },
      },
    },
    closed: ["s/k.sh", "r/m.rb"],
    open: ["s/b.sh", "notes.md"],
  },
  "folders of a workspace": {
    files: {
      "a.code-workspace": {
        folders: [{ path: "web" }, { path: "api" }],
        tasks: {
          tasks: [
            { command: "./watch.sh", runOptions: { runOn: "folderOpen" } },
            {
              command: "bash ${workspaceFolder:api}/s/k.sh",
              runOptions: { runOn: "folderOpen" },
            },
          ],
        },
      },
      "web/a.md": "",
      "api/a.md": "",
    },
    closed: ["web/watch.sh", "api/s/k.sh"],
    open: ["api/s/b.sh", "web/notes.md"],
  },
  "folders by further names": {
    files: {
      ...onOpen({ command: "${cwd}${/}s${pathSeparator}1.sh" }),
      ".claude/settings.json": { hooks: hook("%CLAUDE_PROJECT_DIR%/s/2.rb") },
      ".codex/hooks.json": {
        hooks: hook('bash "$(git rev-parse --show-toplevel 2>/dev/null || pwd)/s/3.sh"'),
      },
      ".cursor/hooks.json": { hooks: { stop: [{ command: "`pwd`/s/4.sh" }] } },
      ".devcontainer.json": { initializeCommand: "${localWorkspaceFolder}/s/5.sh" },
      ".github/hooks/a.json": {
        hooks: { x: [{ powershell: "& $env:CLAUDE_PROJECT_DIR/s/6.ps1" }] },
      },
    },
    closed: ["s/1.sh", "s/2.rb", "s/3.sh", "s/4.sh", "s/5.sh", "s/6.ps1"],
    open: ["s/7.sh"],
  },
};

for (const [name, one] of Object.entries(FOLDERS)) {
  Deno.test(`no program changes what clients name: ${name}`, () => checkCase(one));
}

/** Hooks that keep a part of a path in a variable; behind `|` what stays open. */
const VARIABLES: Readonly<Record<string, string>> = {
  'ROOT="$CLAUDE_PROJECT_DIR"; bash "$ROOT/s/h.sh"': "s/h.sh | s/b.sh",
  "d=scripts; bash $d/x.sh": "scripts/x.sh | x.txt scripts/b.sh",
  "export D='scripts' && sh ${D}/x.sh": "scripts/x.sh | scripts/b.sh",
  'A=scripts; B=$A/deep\nif [ -d "$B" ]; then python3 "$B"/y.py; fi': "scripts/deep/y.py | y.txt",
  "if a; then d=one; else d=two; fi; bash $d/x.sh": "one/x.sh two/x.sh | three/x.sh",
  "bash ${HOOKS:-scripts}/x.sh": "scripts/x.sh | scripts/b.sh",
  'ROOT=$(git rev-parse --show-toplevel 2>/dev/null || pwd); "$ROOT"/scripts/9.rb': "scripts/9.rb",
  'cd "${SOME_ROOT}" && $SOME_ROOT/scripts/9.sh': "scripts/9.sh | scripts/b.sh",
  "%SOME_ROOT%/scripts/9.rb": "scripts/9.rb | scripts/b.rb",
  'TOP="$(dirname "$(pwd)")"; bash -c "F=tools/f; sh $F.sh"': "tools/f.sh | tools/g.sh",
  "$d = 'scripts'; & \"$d/w.ps1\"": "scripts/w.ps1 | scripts/v.ps1",
  'echo "a=b $x"; git log --format=%h $range': "CLAUDE.md | b/x.sh src/a.ts",
};

for (const [command, names] of Object.entries(VARIABLES)) {
  const [closed = [], open = []] = names.split(" | ").map((list) => list.split(" "));

  Deno.test(`no program changes what a hook names by a variable: ${command}`, () =>
    checkCase({ files: { ".claude/settings.json": { hooks: hook(command) } }, closed, open }));
}
