/** Commands of servers of the home folder. In whatever project is open, one that looks for a module, a
 * task or a setting where it starts would run or read what a stranger's project has. */

import { basename, delimiter, dirname, isAbsolute } from "node:path";
import { languageOfName } from "./closed/languages.ts";
import { languageOfInterpreter, unversioned } from "./interpreters.ts";
import { nameOf } from "./program_name.ts";

export interface StartCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Further programs whose words may be a script, or a folder that they run. */
const MAKERS = /^(?:g?make|just)$/;
/** Options of interpreters behind which no value stands. */
const FLAGS =
  /^(?:-(?:[uBIEsSOqAv]+|jar)|--(?:quiet|no-[\w-]+|allow-[\w-]+|unstable[\w-]*|cached-only|enable-source-maps|experimental-strip-types))$/;
/** Words that name no program, module, task or file of a folder. */
const DATA =
  /^(?:-[A-Za-z]|--[\w-]+|--[\w-]+=(?:\/.*|[A-Za-z]:[\\/].*)|(?:--[\w-]+=)?(?:\d+|true|false|https?:\/\/\S+|\.))$/;
/** Variables with folders and files that a client of containers reads, or takes programs from. */
const LOADING =
  /^(?:(?:PATH|HOME|ENV|BASH_ENV|REGISTRY_AUTH_FILE|GNUPGHOME)$|(?:DOCKER|CONTAINERS?)_(?!HOST$)|PODMAN_|LD_|DYLD_|XDG_|OPENSSL_|SSL_CERT_)/i;

/** Returns true unless a command is known to look for nothing in the folder where it starts, as a
 * container is. A script is not: its libraries may read settings there. */
export function searchesStart({ command, args, env }: StartCommand): boolean {
  const isKnown = isFixed(command) && runsContainer(command, args);
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
  const isShell = languageOfInterpreter(words[from] ?? "") === "shell" &&
    !takesProgram(words[script - 1] ?? "");
  return script < 0 || (isShell && startsWords(words.slice(script))) ? Infinity : script - 1;
}

/** True for a script of a shell that may start what the words after it say, as most do. */
function startsWords([script = "", ...words]: readonly string[]): boolean {
  const isOwn = isAbsolute(script) && languageOfName(script) === "shell";
  return !isOwn || !words.every((word) => DATA.test(word));
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
  return !before.startsWith("-") || before.includes("=") || FLAGS.test(before);
}

/** True for a program on `PATH` or by its whole path, which no version manager stands for. */
function isFixed(command: string): boolean {
  if (!isAbsolute(command)) return !/[\\/]/.test(command);
  return basename(dirname(command)) !== "shims";
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
  if (!LOADING.test(name) || /^\d+$/.test(value)) return false;
  return value.split(delimiter).some((entry) => !isAbsolute(entry));
}
