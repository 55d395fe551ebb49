/** `toolscript completion`: its scripts in the shells that are installed. Bash is always there; where
 * zsh or fish is missing, its step says so. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { caught } from "./io.ts";

interface Row {
  /** Words before the cursor; the last one is being written. */
  readonly words: readonly string[];
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
}

const ROWS: readonly Row[] = [
  { words: ["gat"], has: ["gateway"], lacks: ["exec", "start"] },
  { words: ["gateway", ""], has: ["start", "status", "stop", "reload"], lacks: ["exec"] },
  { words: ["gateway", "start", "--p"], has: ["--port"], lacks: ["--detach", "--project"] },
  { words: ["--config", "exec", "gateway", "st"], has: ["start", "stop"], lacks: ["reload"] },
  { words: ["init", "pack", "--py"], has: ["--python"] },
  { words: ["init", "--claude"], has: ["--claude-desktop"] },
  { words: ["connect", "cl"], has: ["claude-code", "claude-desktop"], lacks: ["cursor"] },
  { words: ["completion", ""], has: ["bash", "zsh", "fish"] },
  { words: ["exec", "--gateway", ""], has: [], lacks: ["exec", "--timeout"] },
];

/** Program of each shell that prints its candidates: `$1` is the script, the words follow. */
const PROGRAMS = {
  bash: [
    'source "$1"',
    'COMP_WORDS=(toolscript "${@:2}")',
    "COMP_CWORD=$(($# - 1))",
    "_toolscript",
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ],
  zsh: [
    "compdef() { [[ $1 = _toolscript ]]; }",
    "_files() { :; }",
    "_describe() { print -rl -- ${(M)${(P)2}:#${words[CURRENT]}*}; }",
    "script=$1; shift",
    'source "$script"',
    'words=(toolscript "$@")',
    "CURRENT=$#words",
    "_toolscript",
  ],
  fish: ["source $argv[1]", 'complete -C "toolscript $argv[2..]"'],
} as const;

Deno.test("toolscript completion: each shell offers the words of the place", async (t) => {
  for (const [shell, program] of Object.entries(PROGRAMS)) {
    const ignore = shell !== "bash" && !hasShell(shell);
    await t.step({ name: shell, ignore, fn: () => checkOffers(shell, program.join("\n")) });
  }
});

async function checkOffers(shell: string, program: string): Promise<void> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-completion-" });
  const printed = await caught(["completion", shell], { cwd: home, home });
  assert.equal(printed.code, 0, printed.stderr);
  const script = join(home, "script");
  await Deno.writeTextFile(script, printed.stdout);
  const before = ["-c", program, ...(shell === "fish" ? [] : [shell]), script];
  for (const { words, has, lacks = [] } of ROWS) {
    const options = { args: [...before, ...words], cwd: home, env: { HOME: home } };
    const { stdout, stderr } = await new Deno.Command(shell, options).output();
    assert.equal(new TextDecoder().decode(stderr), "", words.join(" "));
    const lines = new TextDecoder().decode(stdout).split("\n");
    const offered = lines.map((line) => line.split(/[:\t]/)[0] ?? "");
    for (const word of has) assert.ok(offered.includes(word), `${words}: ${offered}`);
    for (const word of lacks) assert.ok(!offered.includes(word), `${words}: ${offered}`);
  }
  await Deno.remove(home, { recursive: true });
}

Deno.test("toolscript completion refuses another shell and names those that there are", async () => {
  const home = await Deno.makeTempDir();
  const { code, stderr } = await caught(["completion", "tcsh"], { cwd: home, home });
  assert.deepEqual([code, stderr], [
    2,
    'Error: Cannot complete in "tcsh": use one of bash, zsh, fish\n',
  ]);
  await Deno.remove(home, { recursive: true });
});

function hasShell(shell: string): boolean {
  try {
    return new Deno.Command(shell, { args: ["-c", "true"] }).outputSync().success;
  } catch {
    return false;
  }
}
