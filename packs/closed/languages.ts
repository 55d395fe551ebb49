/** Languages of programs, and the files that they load as modules. */

import { extname } from "node:path";
import { nameOf, startsAnother } from "../program_name.ts";
import {
  type Language,
  languageOfCommand,
  languageOfInterpreter,
  unversioned,
} from "../interpreters.ts";
import { runsPackage } from "../runs_package.ts";

const JAVASCRIPT = "[cm]?[jt]sx?|node|wasm";
const PYTHON = "pyw?|py[cdizx]";
/** Shared libraries: a loader looks for most of them by a name with a version (`libx.so.6`). */
const LIBRARY = "so(?:[-.][\\d.]+)?|dylib|dll";
const OTHER =
  "rb|ru|rake|erb|gemspec|pl|pm|pmc|php|phtml|phar|inc|lua|jar|class|psm?1|bat|cmd|r|jl|" +
  "exs?|clj[cs]?|groovy|kts?|scala|sc|tcl|tm|awk|mk|raku(?:mod|test)?|p6|luau|[eh]rl|nu|xsh|elv|psd1|" +
  "rkt|scm|ss|lisp|cl|el|hy|(?:lit)?coffee|civet|[cf]sx|wls?|bs|al|ix|ph|beam|elc|zo|fasl|qlf";
/** Settings from which frameworks make objects of any class, or that they take as templates. */
const WIRING = "ya?ml|xml|neon|edn";
const SHELL = "(?:r?ba|z|da|m?k|ok|ya|a|fi|t?c|o)?sh";

/** Files that a server works on, not programs. */
export const DATA =
  /\.(?:csv|db\d?|gif|jpe?g|jsonl|log|md|ndjson|parquet|pdf|png|sqlite\d?|svg|tsv|txt|xlsx?)$/i;
/** Formats of settings and pages, not of programs. */
const SETTINGS = endings("json5?|jsonc|ya?ml|toml|ini|xml|conf|cfg|env|properties|html?|css|lock");
/** Any ending but those of data (without `.txt`) and pages: a shell starts programs of every
 * language, and tasks of every form. It also reads `.txt` files, and installs packages from lists
 * in them. */
const EVERY = new RegExp(`^(?!(?!.*\\.txt$).*${DATA.source}|.*\\.(?:html?|css)$).*\\.`, "is");

/** Endings of the modules that a program may load, by its language. */
export const MODULES: Readonly<Record<Language, RegExp>> = {
  javascript: endings(`${JAVASCRIPT}|${LIBRARY}`),
  python: endings(`${PYTHON}|${LIBRARY}`),
  native: endings(`${LIBRARY}|node|wasm`),
  shell: EVERY,
  other: endings([JAVASCRIPT, PYTHON, OTHER, SHELL, LIBRARY].join("|")),
};

/** Endings of what a program loads or starts from any folder of its package, by its language. */
export const PACKAGES: Readonly<Partial<Record<Language, RegExp>>> = {
  javascript: MODULES.javascript,
  python: MODULES.python,
  shell: EVERY,
  other: endings(`${OTHER}|${LIBRARY}|${WIRING}`),
};

/** True for the ending that stands for modules of every language. */
export function isEvery(ending: RegExp): boolean {
  return ending.source === EVERY.source;
}

const BY_ENDING: readonly (readonly [Language, RegExp])[] = [
  ["javascript", endings(JAVASCRIPT)],
  ["python", endings("pyw?|py[cz]")],
  ["shell", endings(SHELL)],
  ["native", endings(`exe|${LIBRARY}`)],
  ["other", endings(OTHER)],
];

const PYTHON_MANAGERS = "uv|poetry|pdm|pipenv|hatch|rye|pixi";
/** Programs that run something in their working folder even without arguments. */
const ALONE =
  /^(?:g?make|ninja|scons|just|(?:go-)?task|rake|tox|nox|doit|nodemon|mcpmon|overmind|hivemind|supervisord|gulp|grunt|jake|air|rackup|mvnw?|gradlew?|ant|mage)$/;
/** Programs that run or build what lies in the folder where they run: scripts, tasks, packages. */
const RUNNERS = new RegExp(
  "^(?:npm|pnpm|yarn|bun|composer|pipx?|nx|turbo|lerna|cmake|mise|(?:docker-|podman-)?compose|" +
    "direnv|run-parts|inv|invoke|fab|poe|nest|pm2|concurrently|run-[ps]|npm-run-all2?|watchexec|entr|" +
    "foreman|honcho|earthly|dagger|pants|moon|nix(?:-shell)?|devbox|" +
    "go|cargo|dotnet|javac?|kotlinc?|scala|scala-cli|sbt|mill|swift|zig|nim|nimble|" +
    "crystal|shards|dart|flutter|stack|cabal|runghc|ghc|dune|ocaml|mix|elixir|iex|lein|cljs?|clojure|" +
    "dnx|jbang|wp|symfony|drush|ddev|gleam|buck2|rushx?|" +
    "carton|thor|snakemake|nextflow|spin|tilt|vagrant|" +
    "bb|bundle|bazel(?:isk)?|tinygo|gow|rebar3|lune|rails|matlab|ansible(?:-\\w+)?|langgraph|xmcp|mastra|nuxi|" +
    `${PYTHON_MANAGERS})$`,
  "s",
);
/** Programs that load the Python modules of the folder where they run. */
const PYTHON_RUNNERS = new RegExp(
  `^(?:uvicorn|gunicorn|hypercorn|granian|daphne|fastapi|fastmcp|flask|streamlit|marimo|chainlit|litestar|django-admin|${PYTHON_MANAGERS})$`,
  "s",
);

/** True for a program that runs something in its working folder even without arguments. */
export function runsAlone(name: string): boolean {
  return ALONE.test(name);
}

/** True for a program that runs something in its working folder. */
export function isRunner(name: string): boolean {
  return [ALONE, RUNNERS, PYTHON_RUNNERS].some((names) => names.test(name));
}

/** True for the name of a program that belongs to no project, and starts what its words say. */
export function isTool(name: string): boolean {
  return isRunner(unversioned(name)) || startsAnother(name) ||
    languageOfInterpreter(name) !== undefined || runsPackage([name]) !== undefined;
}

/** Languages of the modules that programs load from their working folder; "shell" where any file
 * but data may be a module, or may say what runs. */
export function languagesThere(
  programs: readonly string[],
  args: readonly string[] = [],
): Language[] {
  const names = programs.flatMap((program) => [nameOf(program), unversioned(program)]);
  const runsAny = names.some((name) => ALONE.test(name) || RUNNERS.test(name));
  const isPython = names.some((name) =>
    PYTHON_RUNNERS.test(name) || languageOfInterpreter(name) === "python"
  );
  return [
    ...(runsAny || (names.length > 0 && args.includes("--run")) ? ["shell" as const] : []),
    ...(isPython ? ["python" as const] : []),
  ];
}

/** Endings that a command or an import may leave out: `node server` runs `server.js`, and
 * `require("./addon")` takes `addon.node`. */
export const IMPLIED: readonly string[] = [
  "js",
  "mjs",
  "cjs",
  "ts",
  "mts",
  "cts",
  "jsx",
  "tsx",
  "json",
  "node",
  "wasm",
  "py",
  "rb",
  "pl",
  "pm",
  "lua",
];

/** Language of a file by its name; undefined if it is not a program. */
export function languageOfName(name: string): Language | undefined {
  return BY_ENDING.find(([, ending]) => ending.test(name))?.[0];
}

/** Pattern of a file's ending where the file may be a program in an unknown language. */
export function unknownEnding(path: string): RegExp | undefined {
  const ending = extname(path).slice(1);
  const isKnown = languageOfName(path) || DATA.test(path) || SETTINGS.test(path);
  return ending === "" || isKnown ? undefined : endings(RegExp.escape(ending));
}

/** Language of a program by its first bytes, for names without a known ending. */
export function languageOfBytes(bytes: Uint8Array): Language | undefined {
  if (isScript(bytes)) {
    const line = new TextDecoder().decode(bytes).split("\n", 1)[0] ?? "";
    return languageOfCommand(line.replace(/\s-\w*S/, " ").split(/[\s"'=!]+/));
  }
  return isNative(bytes) ? "native" : undefined;
}

/** True for the first bytes of a file that names its interpreter, or is native. */
export function isProgram(bytes: Uint8Array): boolean {
  return isScript(bytes) || isNative(bytes);
}

/** True for the first bytes of a file that names its interpreter. */
export function isScript([first, second]: Uint8Array): boolean {
  return first === 0x23 && second === 0x21;
}

function isNative([first = 0, second = 0]: Uint8Array): boolean {
  const isElf = first === 0x7f && second === 0x45;
  const isMach = [0xcf, 0xce, 0xca, 0xfe].includes(first) && second >= 0xba;
  return isElf || isMach;
}

function endings(pattern: string): RegExp {
  return new RegExp(`\\.(?:${pattern})$`, "is");
}
