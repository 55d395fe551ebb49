/** A program makes a missing data file from which a shell or an interpreter reads what it runs. */

import { testCases } from "./server_cases.ts";

/** Texts of a shell, with what they run. */
const RUN: Readonly<Record<string, string>> = {
  "cat start.md | sh": "start.md",
  "cat conf/run.txt | python3 -": "conf/run.txt",
  "cat start.md | timeout 9 bash -s -- a b 2>/dev/null": "start.md",
  "cat start.md | sh 2>&1 | tee out": "start.md",
  "if true; then tac start.md | env A=1 node; fi": "start.md",
  "cat start.md | bash -eo pipefail": "start.md",
  "cat start.md | python3 -u -W ignore": "start.md",
  "cat start.md | deno run -A -": "start.md",
  "cat start.md | pwsh -NoProfile -Command -": "start.md",
  "< start.md sh": "start.md",
  "bash -s a b < start.md": "start.md",
  "sh 0<start.md": "start.md",
  "exec 0< start.md; exec sh": "start.md",
  "bash <(cat start.md)": "start.md",
  ". /dev/stdin < start.md": "start.md",
  'eval "$(cat start.md)"': "start.md",
  "eval `cat start.md`": "start.md",
  'bash -c "$(cat start.md)"': "start.md",
  "exec $(cat start.md)": "start.md",
  'while read -r l; do eval "$l"; done < start.md': "start.md",
  "xargs -a cmds.txt sh -c": "cmds.txt",
  "xargs -n 1 --arg-file=cmds.md npx -y": "cmds.md",
  "cat cmds.md | xargs -I{} sh -c {}": "cmds.md",
  "cat cmds.md | xargs -I X sh -c X": "cmds.md",
  "cat cmds.md | xargs node": "cmds.md",
  "parallel -j 4 < cmds.md": "cmds.md",
  "sh -e start.md": "start.md",
  "cat start.md | node -r ./hook.js": "start.md",
  "cat start.md | uv run --with requests -": "start.md",
  "cat start.md | bash -x - --flag": "start.md",
  "cd .\n$(cat start.md)": "start.md",
  "if true; then $(cat start.md); fi": "start.md",
};

/** Texts of a shell that start nothing from such a file. */
const READ: Readonly<Record<string, string>> = {
  "cat notes.md | my-server": "notes.md",
  "cat notes.md | node /opt/srv.js": "data.csv",
  "tail -f notes.md & exec my-server --db data.db --lang python": "notes.md data.db",
  "command -v node && exec my-server --db data.db": "data.db",
  "node --version; exec my-server --db data.db": "data.db",
  'eval "$(mise activate bash)"; exec my-server --db data.db': "data.db",
  "awk '{ print $1 }' | my-server --db data.db": "data.db",
  "perl -ne 'print' | my-server --db data.db": "data.db",
  "xargs -a names.txt -n 1 my-server": "names.txt",
  "cat names.md | xargs my-server": "names.md",
  "cat names.md | xargs -0 -I{} node /opt/srv.js {}": "names.md",
  "TOKEN=$(cat token.md) exec my-server --token $(cat other.md)": "token.md other.md",
};

const textsOf = (text: string) => ({ command: "sh", args: ["-c", text], cwd: "." });

testCases({
  ...Object.fromEntries(
    Object.entries(RUN).map(([text, started]) => [`missing input of a shell, ${text}`, {
      server: textsOf(text),
      files: { "a.md": "" },
      closed: started.split(" "),
      open: ["notes.md"],
    }]),
  ),
  ...Object.fromEntries(
    Object.entries(READ).map(([text, read]) => [`missing data of a program, ${text}`, {
      server: textsOf(text),
      files: { "a.md": "" },
      closed: [".mcp.json"],
      open: read.split(" "),
    }]),
  ),
  "missing words of a command": {
    server: { command: "xargs", args: ["-a", "cmds.txt", "sh", "-c"], cwd: "." },
    files: { "a.md": "" },
    closed: ["cmds.txt"],
    open: ["notes.md"],
  },
  "missing words of a plain program": {
    server: { command: "xargs", args: ["-a", "names.txt", "my-server"], cwd: "." },
    files: { "a.md": "" },
    closed: [".mcp.json"],
    open: ["names.txt"],
  },
});
