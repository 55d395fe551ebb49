/** Commands of servers of the home folder. Such a server starts in whatever project is open: one that
 * looks for a module, a task or a setting there would run what a stranger's project has. */

import { basename, delimiter, dirname, isAbsolute } from "node:path";
import { languageOfInterpreter, looksBeside, unversioned } from "./interpreters.ts";
import { nameOf } from "./program_name.ts";

export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Further programs whose words may be a script, or a folder that they run. */
const MAKERS = /^(?:g?make|just)$/;
/** A script that is no part of an installed package: that may be a program such as gulp or uvicorn. */
const OWN_SCRIPT = /^(?!.*[\\/](?:node_modules|site-packages|dist-packages)[\\/]).*\.[a-z]\w*$/i;
/** Options of interpreters, without a value, that load nothing. */
const HARMLESS =
  /^(?:-(?:[uBIEsSOqAv]+|jar)|--(?:quiet|no-[\w-]+|allow-[\w-]+(?:=.*)?|unstable[\w-]*|cached-only|enable-source-maps|experimental-strip-types|max-[\w-]+=\d+|stack-[\w-]+=\d+))$/;
/** Words that name no program, module, task or file of a folder. */
const DATA =
  /^(?:-[A-Za-z]|--[\w-]+|--[\w-]+=(?:\/.*|[A-Za-z]:[\\/].*)|(?:--[\w-]+=)?(?:\d+|true|false|https?:\/\/\S+|\.))$/;
/** Variables with folders and files that a program of those above reads before its own. */
const LOADING =
  /^(?:(?:PATH|HOME|ENV|CLASSPATH|VIRTUAL_ENV|ZDOTDIR|FPATH)$|PYTHON(?!IOENCODING$|HASHSEED$)|NODE_(?!ENV$)|DOCKER_(?!HOST$)|DENO_|PERL|RUBY|GEM_|BUNDLE_|LD_|DYLD_|BASH_|XDG_|OPENSSL_)/i;
/** Variables with options of a program. */
const OPTIONS = /^(?:NODE_OPTIONS|RUBYOPT|PERL5OPT|(?:_?JAVA|JDK_JAVA)_(?:TOOL_)?OPTIONS)$/i;

/** Returns true unless a command is known to look for nothing in the folder where it starts. */
export function searchesStart({ command, args, env }: StartCommand): boolean {
  const isKnown = isFixed(command) && (runsScript(command, args) || runsContainer(command, args));
  return !isKnown || Object.entries(env).some(([name, value]) => loads(name, value));
}

/** Index of the last argument that may say what runs; those after it are data. */
export function lastOfProgram({ command, args }: StartCommand): number {
  const words = [command, ...args];
  const from = words.findLastIndex(isInterpreter);
  if (from < 0) return args.every((word) => DATA.test(word) || isAbsolute(word)) ? -1 : Infinity;
  const script = words.findIndex((_, at) =>
    at > from && (takesProgram(words[at - 1] ?? "") || isScript(words, at))
  );
  const isWrapper = languageOfInterpreter(words[from] ?? "") === "shell" &&
    !takesProgram(words[script - 1] ?? "");
  // A script of a shell usually starts what the words after it say.
  return script < 0 || isWrapper ? Infinity : script - 1;
}

/** True for programs whose words may be a script; what follows the script is data. */
function isInterpreter(word: string): boolean {
  return languageOfInterpreter(word) !== undefined || MAKERS.test(unversioned(word));
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

/** True for a program on `PATH` or by its whole path, which no version manager stands for. */
function isFixed(command: string): boolean {
  if (!isAbsolute(command)) return !/[\\/]/.test(command);
  return basename(dirname(command)) !== "shims";
}

/** True for a script by its whole path that finds its modules beside itself, with nothing but data
 * behind it; a `.jar` of Java is one. */
function runsScript(command: string, args: readonly string[]): boolean {
  const name = unversioned(command);
  const words = name === "deno" && args[0] === "run" ? args.slice(1) : args;
  const at = words.findIndex((word) => !HARMLESS.test(word));
  const script = words[at] ?? "";
  const isBeside = looksBeside(command) || (name === "java" && words[at - 1] === "-jar");
  return isBeside && isAbsolute(script) && OWN_SCRIPT.test(script) &&
    words.slice(at + 1).every((word) => DATA.test(word));
}

/** True for a container: its programs are its own, where no file of the folder sets their variables. */
function runsContainer(command: string, args: readonly string[]): boolean {
  const files = args.flatMap((word, at) => {
    const [option, value = args[at + 1] ?? ""] = word.split("=");
    return /^--(?:env|label)-file$/.test(option ?? "") ? [value] : [];
  });
  return /^(?:docker|podman)$/.test(nameOf(command)) &&
    /^(?:run|exec|start)$/.test(args[0] ?? "") && files.every((file) => isAbsolute(file));
}

function loads(name: string, value: string): boolean {
  if (OPTIONS.test(name)) return value.split(/\s+/).some((word) => !HARMLESS.test(word));
  if (!LOADING.test(name) || (/^\d+$/.test(value) && !/^PERL/i.test(name))) return false;
  return value.split(delimiter).some((entry) => !isAbsolute(entry));
}
