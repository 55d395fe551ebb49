/** Languages of programs, and the files that they load as modules. */

import { nameOf } from "../program_name.ts";

export type Language =
  | "javascript"
  | "python"
  | "shell"
  | "native"
  | "other";

const JAVASCRIPT = "[cm]?[jt]sx?|node|wasm";
const PYTHON = "pyw?|py[cdizx]|so|dylib|dll";
const OTHER =
  "rb|ru|rake|erb|gemspec|pl|pm|pmc|php|phtml|phar|inc|lua|jar|class|psm?1|bat|cmd|r|jl|" +
  "exs?|clj[cs]?|groovy|kts?|scala|sc|tcl|awk|mk";
const SHELL = "(?:ba|z|k|fi)?sh";

/** Files that a server works on, not programs. */
export const DATA =
  /\.(?:csv|db\d?|gif|jpe?g|jsonl|log|md|ndjson|parquet|pdf|png|sqlite\d?|svg|tsv|txt|xlsx?)$/i;
/** Any but data and pages: a shell starts programs of every language, and tasks of every form. */
const EVERY = new RegExp(`^(?!.*${DATA.source}|.*\\.(?:html?|css)$).*\\.`, "is");

/** Endings of the modules that a program may load, by its language. */
export const MODULES: Readonly<Record<Language, RegExp>> = {
  javascript: endings(JAVASCRIPT),
  python: endings(PYTHON),
  native: endings("so(?:\\.\\d+)*|dylib|dll|node|wasm"),
  shell: EVERY,
  other: endings([JAVASCRIPT, PYTHON, OTHER, SHELL].join("|")),
};

/** Endings of what a program loads or starts from any folder of its package, by its language. */
export const PACKAGES: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: MODULES.javascript,
  python: MODULES.python,
  shell: EVERY,
  other: endings(OTHER),
};

/** Tells that the modules of a folder are those of every language. */
export function isEvery(ending: RegExp): boolean {
  return ending === EVERY;
}

const BY_ENDING: readonly (readonly [Language, RegExp])[] = [
  ["javascript", endings(JAVASCRIPT)],
  ["python", endings("pyw?|py[cz]")],
  ["shell", endings(SHELL)],
  ["native", endings("exe|dll|so|dylib")],
  ["other", endings(OTHER)],
];

const INTERPRETERS: readonly (readonly [Language, RegExp])[] = [
  ["javascript", /\b(?:node|deno|bun|tsx|ts-node)\b/],
  ["python", /\b(?:python|pypy|uv)\b|\bpython\d/],
  ["shell", /\b(?:ba|da|z|k|fi)?sh\b/],
  ["other", /\b(?:ruby|perl|php|lua|rscript|julia|elixir|tclsh|awk)\b/i],
];

const PYTHON_MANAGERS = "uv|poetry|pdm|pipenv|hatch|rye|pixi";
/** Programs that run or build what lies in the folder where they run: scripts, tasks, packages. */
const RUNNERS = new RegExp(
  "^(?:npm|pnpm|yarn|bun|nx|turbo|lerna|g?make|ninja|cmake|scons|just|(?:go-)?task|mise|rake|" +
    "(?:docker-|podman-)?compose|inv|invoke|fab|doit|tox|nox|nodemon|pm2|concurrently|watchexec|entr|" +
    "foreman|honcho|overmind|hivemind|supervisord|earthly|dagger|pants|moon|nix(?:-shell)?|devbox|" +
    "go|cargo|dotnet|mvnw?|gradlew?|javac?|kotlinc?|scala|scala-cli|sbt|mill|swift|zig|nim|nimble|" +
    "crystal|shards|dart|flutter|stack|cabal|runghc|ghc|dune|ocaml|mix|elixir|iex|lein|cljs?|clojure|" +
    `bb|bundle|rackup|bazel(?:isk)?|tinygo|air|${PYTHON_MANAGERS})$`,
);
/** Programs that load the Python modules of the folder where they run. */
const PYTHON_RUNNERS = new RegExp(
  `^(?:python|pypy|uvicorn|gunicorn|hypercorn|fastmcp|flask|streamlit|${PYTHON_MANAGERS})[\\d.]*$`,
);

/** Languages whose modules a program loads from the folder where it runs; "shell" where any file but
 * data may be one, or say what runs. A package that is fetched runs no scripts of that folder. */
export function languagesThere(
  programs: readonly string[],
  { args, isPackage }: { readonly args: readonly string[]; readonly isPackage: boolean },
): Language[] {
  const runsAny = args.includes("--run") || programs.some((name) => RUNNERS.test(name));
  return [
    ...(runsAny && !isPackage ? ["shell" as const] : []),
    ...(programs.some((name) => PYTHON_RUNNERS.test(name)) ? ["python" as const] : []),
  ];
}

/** Language of the scripts that a command runs; undefined where it is unknown. */
export function languageOfCommand(programs: readonly string[]): Language | undefined {
  const first = programs.find((name) => INTERPRETERS.some(([, program]) => program.test(name)));
  return INTERPRETERS.find(([, program]) => program.test(first ?? ""))?.[0];
}

/** Language of a program that is an interpreter, of any version, and not one that is named after it. */
export function languageOfInterpreter(program: string): Language | undefined {
  const name = nameOf(program).replace(/[\d.]+$/, "");
  return INTERPRETERS.find(([, { source }]) => new RegExp(`^(?:${source})$`, "i").test(name))?.[0];
}

/** Endings that a command or an import may leave out: `node server` runs `server.js`, and
 * `require("./addon")` takes `addon.node`. */
export const IMPLIED: readonly string[] = [
  ...["js", "mjs", "cjs", "ts", "mts", "cts", "jsx", "tsx", "json", "node", "wasm"],
  ...["py", "rb", "pl", "pm", "lua"],
];

/** Language of a file by its name; undefined if it is not a program. */
export function languageOfName(name: string): Language | undefined {
  return BY_ENDING.find(([, ending]) => ending.test(name))?.[0];
}

/** Language of a program by its first bytes, for names without a known ending. */
export function languageOfBytes(bytes: Uint8Array): Language | undefined {
  const [first, second] = bytes;
  if (first === 0x23 && second === 0x21) {
    const line = new TextDecoder().decode(bytes).split("\n", 1)[0] ?? "";
    return INTERPRETERS.find(([, name]) => name.test(line))?.[0];
  }
  const isElf = first === 0x7f && second === 0x45;
  const isMach = [0xcf, 0xce, 0xca, 0xfe].includes(first ?? 0) && (second ?? 0) >= 0xba;
  return isElf || isMach ? "native" : undefined;
}

function endings(pattern: string): RegExp {
  return new RegExp(`\\.(?:${pattern})$`, "i");
}
