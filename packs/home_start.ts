/** Commands that run what lies in the folder where they start. A server of the home folder starts in
 * whatever project is open, and a stranger's project would choose what runs. */

import { delimiter, isAbsolute } from "node:path";
import { nameOf, startsAnother } from "./program_name.ts";
import { runsPackage } from "./runs_package.ts";

export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const names = (text: string) => new Set(text.split(" "));

/** Interpreters that look for the modules of a script beside it, not where they start; as those below
 * without the version behind their name. */
const BESIDE_SCRIPT = names(
  "python py pypy node nodejs deno ruby perl sh bash zsh dash ksh ash fish csh tcsh",
);
/** Programs that run the file in their arguments. */
const INTERPRETERS = new Set([
  ...BESIDE_SCRIPT,
  ..."php tclsh wish java groovy dotnet mono julia elixir escript racket guile osascript".split(
    " ",
  ),
  ..."nu xonsh pwsh powershell busybox kotlin scala jshell jruby iex erl runghc ocaml".split(" "),
]);
/** Programs that run what is configured in a folder, or load modules and settings from it. */
const OF_FOLDER = names(
  "npm pnpm yarn bun tsx vite-node make gmake just task rake cargo go gradle gradlew mvn mvnw " +
    "poetry pipenv hatch rye pdm pixi bundle composer docker-compose podman-compose mix nix " +
    "nix-shell nix-build devenv turbo nx lerna wrangler ant sbt lein stack cabal swift zig dart " +
    "flutter foreman honcho invoke inv fab nox tox lua luajit r rscript octave cmd " +
    "dotenv dotenvx env-cmd direnv doppler varlock teller summon ts-node nodemon babel-node electron " +
    "clj clojure bb jbang dnx mcp panel irb bazel bazelisk",
);
/** Scripts of such programs. */
const RUNNER_SCRIPT =
  /[\\/](?:np[mx]-cli|npm|pnpm|yarn|tsx|ts-node|vite-node|nodemon|dotenvx?)(?:[\\/]|\.[cm]?js$)/;
/** Programs of Python that load a module by its name. */
const PYTHON_SERVERS = names("uvicorn gunicorn hypercorn fastmcp flask streamlit");
/** Options without a value that load nothing. */
const HARMLESS =
  /^(?:-(?:[uBIEsSOqAv]+|jar)|--(?:quiet|no-[\w-]+|allow-[\w-]+(?:=.*)?|unstable[\w-]*|cached-only|enable-source-maps|experimental-strip-types|max-[\w-]+=\d+|stack-[\w-]+=\d+))$/;
/** Variables with folders and files that a program loads before its own. */
const LOADING =
  /^(?:PATH|PYTHON(?:PATH|HOME|STARTUP|USERBASE)|VIRTUAL_ENV|NODE_PATH|PERL5?LIB|PERL_USE_UNSAFE_INC|RUBYLIB|GEM_(?:PATH|HOME)|BUNDLE_GEMFILE|CLASSPATH|LD_\w+|DYLD_\w+|BASH_ENV|ENV|ZDOTDIR|LUA_C?PATH|PHPRC|JULIA_\w+PATH)$/i;
/** Variables with options of a program. */
const OPTIONS = /^(?:NODE_OPTIONS|RUBYOPT|PERL5OPT|(?:_?JAVA|JDK_JAVA)_(?:TOOL_)?OPTIONS)$/i;

/** Returns true for a command that runs or loads files of the folder where it starts. */
export function searchesStart({ command, args, env }: StartCommand): boolean {
  return isRelative(command) || searches([command, ...args]) ||
    Object.entries(env).some(([name, value]) => loads(name, value));
}

/** Index of the last argument that may say what runs; those after it are data. */
export function lastOfProgram({ command, args }: StartCommand): number {
  const words = [command, ...args];
  const isKnown = (word: string) => isInterpreter(word) || PYTHON_SERVERS.has(nameOf(word));
  if (words.some((word) => OF_FOLDER.has(unversioned(word)))) return Infinity;
  const from = words.findLastIndex((word) => isKnown(word) || nameOf(word) === "uv");
  if (from < 0) return Infinity;
  const script = words.findIndex((_, at) =>
    at > from && (takesProgram(words[at - 1] ?? "") || isScript(words, at))
  );
  return script < 0 ? Infinity : script - 1;
}

/** True for `-m`, `-c` and `-e`, whose value is the program. */
function takesProgram(word: string): boolean {
  return /^-[A-Za-z]*[mce]$/.test(word);
}

function isScript(words: readonly string[], at: number): boolean {
  const [before = "", word = ""] = [words[at - 1], words[at]];
  if (word.startsWith("-") || /^(?:run|serve)$/.test(word)) return false;
  return !before.startsWith("-") || before.includes("=") || HARMLESS.test(before);
}

function searches(words: readonly string[]): boolean {
  const [first = "", ...args] = words;
  const name = nameOf(first);
  if (OF_FOLDER.has(unversioned(first))) return true;
  if (startsAnother(first)) {
    return fetches(args) || args.some((word, at) => isRelative(word) || searches(args.slice(at)));
  }
  if (name === "docker" || name === "podman") return args.includes("compose");
  if (name === "uv") return searchesOfUv(args);
  if (PYTHON_SERVERS.has(name)) return !args.some((word) => word.startsWith("/"));
  return isInterpreter(first)
    ? !namesScript(unversioned(first), name === "deno" ? args.slice(1) : args)
    : startsWithin(args);
}

/** True where the first word is a script by its whole path, that runs nothing else and finds its modules
 * beside itself; a `.jar` of Java does. */
function namesScript(interpreter: string, args: readonly string[]): boolean {
  const at = args.findIndex((word) => !HARMLESS.test(word));
  const script = args[at] ?? "";
  const isBeside = BESIDE_SCRIPT.has(interpreter) || args[at - 1] === "-jar";
  return isBeside && isAbsolute(script) && !RUNNER_SCRIPT.test(script);
}

/** True where a program that is not known may start another: one that fetches a package, also in
 * quotes, or one behind `--`. */
function startsWithin(args: readonly string[]): boolean {
  const words = args.flatMap((word) => word.split(/\s+/));
  const end = words.indexOf("--");
  return fetches(words) || (end >= 0 && searches(words.slice(end + 1)));
}

function fetches(words: readonly string[]): boolean {
  return words.some((_, at) => runsPackage(words.slice(at)) !== undefined);
}

/** uv reads the project in the folder that it is given, and Python the modules where it starts. */
function searchesOfUv(args: readonly string[]): boolean {
  const folder = (option: string) => {
    const at = args.findIndex((word) => word === option || word.startsWith(`${option}=`));
    return at < 0 ? undefined : args[at]?.split("=")[1] ?? args[at + 1] ?? "";
  };
  const directory = folder("--directory");
  if (directory !== undefined) return !isAbsolute(directory);
  const project = folder("--project");
  if (project === undefined || !isAbsolute(project)) return true;
  const python = args.findIndex(isInterpreter);
  const isLoose = (word: string) => isRelative(word) || /^[^/-].*\.pyw?$/.test(word);
  return args.some(isLoose) || (python >= 0 && searches(args.slice(python)));
}

function isInterpreter(word: string): boolean {
  return INTERPRETERS.has(unversioned(word));
}

/** Name of a program without its version: `lua` for `lua5.4`. */
function unversioned(word: string): string {
  return nameOf(word).replace(/[\d.]+w?$/, "");
}

/** True for a path with a folder that is below the folder of the start. */
function isRelative(word: string): boolean {
  return /^[^-/\\~@=:][^=:]*\//.test(word) && !/^[A-Za-z]:[\\/]/.test(word);
}

function loads(name: string, value: string): boolean {
  if (OPTIONS.test(name)) return value.split(/\s+/).some((word) => !HARMLESS.test(word));
  if (!LOADING.test(name)) return false;
  return value.split(delimiter).some((entry) => !isAbsolute(entry));
}
