/** A program changes what a shell starts, where a text of that shell does not name it plainly. */

import { testCases } from "./server_cases.ts";
import { withProject } from "../support/project.ts";

const SCRIPT = "#!/bin/sh\n";
const FILES = { "bin/mcp": SCRIPT, "scripts/run.sh": SCRIPT, "my tools/mcp": SCRIPT, "a.md": "" };

/** Texts with what they start; all but data is closed then. */
const TEXTS: Readonly<Record<string, string>> = {
  'exec "$PWD/bin/mcp"': "bin/mcp",
  'exec b""in/mcp': "bin/mcp",
  'exec bash "$PWD/bin/mcp"': "bin/mcp",
  'exec "$(git rev-parse --show-toplevel)/bin/mcp"': "bin/mcp",
  'exec "$(git rev-parse --show-toplevel)/scripts/run.sh"': "scripts/run.sh",
  "exec `pwd`/bin/mcp": "bin/mcp",
  'ROOT=$(pwd); exec "$ROOT/bin/mcp"': "bin/mcp",
  'HOME=$PWD; exec "$HOME/bin/mcp"': "bin/mcp",
  'cd "$OLDPWD" && exec ./mcp': "bin/mcp",
  "$PWD/bin/mcp": "bin/mcp",
  'exec "./my tools/mcp"': "my tools/mcp",
  "exec ./my\\ tools/mcp": "my tools/mcp",
  "exec bin/m?p": "bin/mcp",
  "exec b''in/mcp": "bin/mcp",
  "exec $'bin/m\\x63p'": "bin/mcp",
  "exec {bin,}/mcp": "bin/mcp",
  'A=1 B="$(date)" exec "$PWD/bin/mcp"': "bin/mcp",
  'npx -y server "$(bash "$PWD/bin/mcp")"': "bin/mcp",
  'exec "$TOOLS/mcp"': "bin/mcp",
  'exec uvx --from "$WORK/pkg" srv': "pkg/srv/__init__.py",
  'exec uvx --from "$PKG" srv': "pkg/srv/__init__.py",
  'npx -y "$PKG"': "packages/js/main.js",
  'npx -y "$R/packages/js"': "packages/js/main.js",
  'uvx --from "mcp[cli]" mcp run "$REPO/srv/server.py"': "srv/server.py",
  'npx -y dotenv-cli -- "$REPO/bin/mcp"': "bin/mcp",
  'npx -y dotenv-cli -- "$TOOL"': "bin/mcp",
  "npx -y cross-env A=1 ./b*/mcp": "bin/mcp",
  "exec ~+/bin/mcp": "bin/mcp",
  [`exec /opt/mcp ${"x ".repeat(3_000)}`]: "other/x",
  "exec ~root/p/bin/mcp": "bin/mcp",
};

testCases({
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([text, started]) => [`a text of a shell, ${text}`, {
      server: { command: "bash", args: ["-c", text], cwd: ".", env: { TOOLS: "bin" } },
      files: FILES,
      closed: [started],
      open: ["notes.md"],
    }]),
  ),
  "a text of a shell behind a package": {
    server: {
      command: "npx",
      args: ["-y", "cross-env-shell", 'exec "$(git rev-parse --show-toplevel)/bin/mcp"'],
      cwd: ".",
    },
    files: FILES,
    closed: ["bin/mcp", "other/x"],
    open: ["notes.md"],
  },
  ...Object.fromEntries(
    ([
      ["npx", "-y", "cross-env-shell", '"$PWD/bin/mcp" --stdio'],
      ["npx", "-y", "cross-env-shell", '"$PWD/bin/mcp"'],
      ["npx", "-y", "cross-env-shell", "A=1", "$PWD/bin/mcp"],
      ["npx", "-y", "cross-env-shell", "`pwd`/bin/mcp"],
      ["npx", "-y", "tool", "--exec=$PWD/bin/mcp"],
      ["npx", "-y", "cross-env-shell", '"$(git rev-parse --show-toplevel)/bin/mcp" --x'],
      ["bash", "-c", "-o", "pipefail", 'exec "$(pwd)/bin/mcp"'],
      ["env", "-S", "bash -c 'exec \"$PWD/bin/mcp\"'"],
      ["direnv", "exec", "./", "mcp"],
      ["run-parts", "./bin"],
    ] as const).map(([command, ...args]) => [`not a plain command, ${args.join(" ")}`, {
      server: { command, args, cwd: "." },
      files: FILES,
      closed: ["bin/mcp", "other/x"],
      open: ["notes.md"],
    }]),
  ),
  "a program that a text names before it changes to its folder": {
    server: { command: "bash", args: ["-c", "trap ./stop EXIT; cd tools/sub"], cwd: "." },
    files: { "tools/sub/stop": "" },
    closed: ["tools/sub/stop"],
    open: ["notes.md"],
  },
  "a text of a shell behind other options": {
    server: { command: "su", args: ["me", "--command", 'exec "$PWD/bin/mcp"'], cwd: "." },
    files: FILES,
    closed: ["bin/mcp"],
    open: ["notes.md"],
  },
  "a text of a shell behind several options": {
    server: { command: "bash", args: ["-c", "-e", "--", 'exec "$PWD/bin/mcp"'], cwd: "." },
    files: FILES,
    closed: ["bin/mcp"],
    open: ["notes.md"],
  },
  "words that no shell reads behind a package": {
    server: {
      command: "npx",
      args: ["-y", "server", "$HOME", "$5", "postgres://me:pa$s@host/db", "/api/.*$", "./docs"],
      cwd: ".",
    },
    files: FILES,
    closed: [".mcp.json"],
    open: ["other/x", "src/x.js"],
  },
  "a text of a shell in a container": {
    server: {
      command: "docker",
      cwd: ".",
      args: ["run", "-i", "image", "sh", "-c", 'exec node "$APP/server.js"'],
    },
    files: FILES,
    closed: [".mcp.json"],
    open: ["lib/x.py", "docs/a"],
  },
  "a text of another interpreter": {
    server: { command: "/usr/bin/perl", args: ["-wc", 'print "$x/y"'], cwd: "." },
    files: FILES,
    closed: ["lib/x.pl"],
    open: ["bin/other", "lib/x.py"],
  },
  ...Object.fromEntries([
    'TOKEN=$(cat ~/.token) exec npx -y some-server --token "$TOKEN"',
    'source "$HOME/.nvm/nvm.sh" && npx -y some-server "$WIKI"',
    "npx -y some-server --header 'Authorization: Bearer x' 2>/dev/null",
    "uvx some-server --out data/in || true",
  ].map((text) => [`a text of a shell that starts nothing here, ${text}`, {
    server: { command: "bash", args: ["-lc", text], cwd: "." },
    files: FILES,
    closed: [".mcp.json"],
    open: ["bin/other", "src/x.js", "lib/x.py", "docs/a"],
  }])),
});

Deno.test("no program changes what a server loads: a text of a shell in a folder elsewhere", () =>
  withProject({
    config: {
      servers: {
        mine: { command: "bash", args: ["-lc", 'exec uvx --from "$WORK/pkg" s'], cwd: "/usr" },
      },
    },
    files: { "pkg/s/__init__.py": "" },
  }, async ({ call, refused }) => {
    const change = { path: "pkg/s/__init__.py", text: "x", overwrite: true };
    await refused("file.write", change);
    await call("file.write", { path: "notes.md", text: "x" });
  }));
