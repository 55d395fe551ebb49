/** Programs that the files of clients start. */

import { existsSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { attempt, isObject } from "#base";
import { readRegularText, resolvePath } from "#files";
import type { StartedProgram } from "../../server_config.ts";
import { WORKSPACE } from "./client_names.ts";
import { valueOfText, yamlOf } from "./client_texts.ts";
import { MOST_CHARACTERS } from "../words.ts";
import { commandOf } from "./commands_behind.ts";

const MOST = { bytes: 1024 * 1024, depth: 12, roots: 20 };
const SERVERS =
  /^(?:(?:[\w-]+\.)?mcp[_-]?servers|servers|mcp|context_servers|modelContextProtocolServers?|extensions)$/i;
/** Keys of a program, or of a text that a shell runs. */
const COMMANDS =
  /^(?:command|cmd|(?:lint|test)-cmd|notifications-command|initializeCommand|bash|powershell|windows|linux|osx|command_?windows|binary|notify|setup-worktree(?:-\w+)?|\w+Helper|(?:aws|gcp)(?:AuthRefresh|CredentialExport)|\w*(?:discovery|call|server)Command)$/i;
const ARGUMENTS = /^arg(?:ument)?s$/;
/** Names of the folder as variables. */
const FOLDER =
  "(?:(?:local|file)?[wW]orkspace(?:Folder|Root|Path)|\\w*PROJECT_DIR|PWD|ZED_WORKTREE_ROOT|" +
  "CLAUDE_PLUGIN_ROOT|extensionPath)";
/** The folder, by the names that clients and shells give it, in quotes or not; with the name of a folder
 * of the workspace. */
const PLACEHOLDER = new RegExp(
  `(["']?)(?:\\$(?:env:)?${FOLDER}\\b|\\$?\\{(?:env:)?(?:cwd|${FOLDER})\\b(?::([^}]{0,100}))?\\}|` +
    "%(?:\\w*PROJECT_DIR|CD)%|" +
    "(?:\\$\\(|`)(?:pwd|git rev-parse --show-toplevel)(?: 2> ?/dev/null)?(?: \\|\\| pwd)?(?:\\)|`))\\1",
  "gs",
);
/** The home folder, in the same way. */
const HOME = new RegExp(
  "([\"']?)(?:\\$(?:env:)?(?:HOME|USERPROFILE)\\b|" +
    "\\$?\\{(?:userHome|(?:env:)?(?:HOME|USERPROFILE))(?::?-[^}]{0,100})?\\}|" +
    "%(?:USERPROFILE|HOME)%|(?<![^\\s=:\"'])~(?=[/\\s;&|\"']|$))\\1",
  "gs",
);
const SEPARATOR = /\$\{(?:\/|pathSeparator)\}/g;
/** A home folder that a shell neither divides nor replaces. */
const PLAIN = /^[\w@%+=:,./-]*$/;

/** Program of a file. */
export interface Start {
  readonly words: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
  /** False for hooks and tasks. */
  readonly isServer: boolean;
}

/** Value of a file in JSON with comments, in TOML or in YAML, and of the head of one in Markdown; the
 * text of another; undefined where it cannot be read. */
export async function readEntries(path: string, most = MOST.bytes): Promise<unknown> {
  const text = attempt(() => readRegularText(path, most));
  if (text !== undefined && /\.md$/i.test(path)) return await valueOfText(text, path);
  if (text === undefined || !/\.(?:jsonc?|toml|ya?ml|code-workspace|hook)$/i.test(path)) {
    return text;
  }
  if (/\.ya?ml$/.test(path)) return await yamlOf(text) ?? text;
  // Most have no comments, and some are large.
  const value: unknown = attempt(() => JSON.parse(text));
  if (value !== undefined) return value;
  const { parse } = await (path.endsWith(".toml") ? import("smol-toml") : import("jsonc-parser"));
  return attempt((): unknown => parse(text));
}

/** Texts of a value, except the words of its servers, which `startsIn` reads. */
export function* textsIn(value: unknown, isServer = false, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null || depth > MOST.depth) return;
  for (const [key, child] of Object.entries(value)) {
    if (isServer && (COMMANDS.test(key) || ARGUMENTS.test(key))) continue;
    const inner = key === "tasks" ? openedAmong(child, value) : child;
    yield* textsIn(inner, isServer || SERVERS.test(key), depth + 1);
  }
}

/** Programs in a value, and texts of shells. */
export function* startsIn(value: unknown, isServer = false, depth = 0): Generator<Start> {
  if (typeof value !== "object" || value === null || depth > MOST.depth) return;
  const entry: Start["entry"] = { ...value };
  const { envFile } = entry;
  if (typeof envFile === "string") yield { words: ["source", envFile], entry, isServer: false };
  for (const [key, child] of Object.entries(entry)) {
    for (const words of commandsOf(key, child)) {
      const all = [...words, ...argumentsOf(entry)];
      yield { words: all, entry, isServer: isServer && /^(?:command|cmd)$/.test(key) };
    }
    if (/^env(?:ironment)?$/.test(key)) continue;
    const inner = key === "tasks" ? openedAmong(child, entry) : child;
    yield* startsIn(inner, isServer || SERVERS.test(key), depth + 1);
  }
}

/** Words of the commands of a key; files of containers, and those of Aider for languages, may name
 * several. */
function commandsOf(key: string, value: unknown): string[][] {
  if (!COMMANDS.test(key)) return [];
  const commands = /-cmd$|^setup-/.test(key)
    ? [value].flat().map((one) => typeof one === "string" ? one.replace(/^\w+:\s+/, "") : one)
    : key === "initializeCommand" && isObject(value)
    ? Object.values(value)
    : [value];
  return commands.map(wordsOf).filter((words) => words.length > 0);
}

function argumentsOf(entry: Start["entry"]): string[] {
  return textsOf(entry.args ?? entry.arguments);
}

function wordsOf(command: unknown): string[] {
  return isObject(command)
    ? textsOf([command.path ?? command.value, ...argumentsOf(command)])
    : textsOf([command].flat());
}

/** Texts of a list, also those in the form `{ value, … }`. */
function textsOf(list: unknown): string[] {
  const texts = Array.isArray(list) ? list.map((one) => isObject(one) ? one.value : one) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}

/** Tasks that start when the folder is opened; all where one of these needs others. In a workspace the
 * list stands in an object. */
function openedAmong(tasks: unknown, parent: object): unknown {
  if (isObject(tasks) && Array.isArray(tasks.tasks)) {
    return { options: tasks.options, tasks: tasks.tasks };
  }
  const all = [tasks].flat().filter(isObject).map((task) => asCommand(task, parent));
  const opened = all.filter(({ runOptions }) =>
    isObject(runOptions) && runOptions.runOn === "folderOpen"
  );
  return opened.some(({ dependsOn }) => dependsOn) ? all : opened;
}

/** Kinds of tasks whose name is that of the program, with their key of what it runs. */
const TASK_RUNNERS = /^(?:gulp|grunt|jake)$/;
const TASK_PROGRAMS = /^(?:bun|cargo|dart|deno|dotnet|flutter|go|gradle|mix|rake|swift|zig)$/;

/** Task with the command that its kind stands for, and the options of all. */
function asCommand(task: Readonly<Record<string, unknown>>, parent: object): Start["entry"] {
  const { type, script, task: name, file, tsconfig, command, path, options } = task;
  const shared = "options" in parent && isObject(parent.options) ? parent.options : {};
  const all = { ...task, options: { ...shared, ...isObject(options) ? options : {} } };
  if (type === "npm") return { ...all, command: "npm", args: ["run", script], cwd: path };
  if (type === "typescript") {
    return { ...all, command: "node_modules/.bin/tsc", args: ["-p", tsconfig] };
  }
  if (typeof type !== "string") return all;
  if (TASK_RUNNERS.test(type)) {
    return { ...all, command: `node_modules/.bin/${type}`, args: [name, file] };
  }
  if (!TASK_PROGRAMS.test(type)) return all;
  const words = [command, ...textsOf(task.args)].filter((word) => word !== type);
  return { ...all, command: type, args: words };
}

interface Opened {
  /** Folder where a client was opened. */
  readonly folder: string;
  readonly home: string;
}

/** Command line of an entry. */
export function startedBy({ words, entry, isServer }: Start, opened: Opened): StartedProgram {
  const { folder } = opened;
  const { cwd: place, env } = { ...entry, ...isObject(entry.options) ? entry.options : {} };
  const own = place ?? entry.working_directory ?? entry.workingDirectory;
  const cwd = typeof own === "string" ? resolvePath(folder, inPlace(own, opened)) : folder;
  const isText = !(isServer && Array.isArray(entry.args)) &&
    (isServer ? /[\s;&|]/ : /[\s;&|$"'`<>()]/).test(inPlace(words[0] ?? "", opened));
  const texts = words.map((text) => inPlace(text, { ...opened, cwd, isText }));
  const [command = "", ...args] = isText ? commandOf(texts.join(" ")) : texts;
  const variables = variablesOf({ env, environment: entry.environment }, { ...opened, cwd });
  return { command, args, cwd, env: variables, isDefaultCwd: cwd === folder };
}

/** Variables of a program, or of all programs of a file. */
export function variablesOf(value: unknown, place: Place): Readonly<Record<string, string>> {
  const { env, environment } = isObject(value) ? value : {};
  const all = [env, environment].filter(isObject).flatMap((one) => Object.entries(one));
  return Object.fromEntries(all.map(([name, text]) => [name, inPlace(String(text), place)]));
}

interface Place extends Opened {
  /** Folder that paths are relative to (the same). */
  readonly cwd?: string;
  /** True for a text of a shell. */
  readonly isText?: boolean;
}

/** Text with the paths of the folder and of the home folder in the place of their names. */
export function inPlace(text: string, { folder, home, cwd = folder, isText }: Place): string {
  const own = isText && !PLAIN.test(home) ? "~" : home;
  return text.replaceAll(SEPARATOR, "/")
    .replaceAll(PLACEHOLDER, (_, _quote, name) => relative(cwd, rootOf(folder, name)) || ".")
    .replaceAll(HOME, () => own);
}

/** Folder of a workspace by its name. */
function rootOf(folder: string, name: string | undefined): string {
  if (name === undefined || /^-|\//.test(name) || basename(folder) === name) return folder;
  const below = join(folder, name);
  return existsSync(below) ? below : join(dirname(folder), name);
}

/** Folders in which what a file of a client names starts: those of a workspace, and that of a container's
 * file, too. */
export function rootsOf(file: string, value: unknown, folder: string): string[] {
  if (/\.devcontainer\/[^/]*$/i.test(file)) return [folder, dirname(file)];
  if (!WORKSPACE.test(file)) return [folder];
  const { folders } = isObject(value) ? value : {};
  const paths = (Array.isArray(folders) ? folders : []).filter(isObject).map(({ path }) => path);
  const texts = paths.filter((path) => typeof path === "string").slice(0, MOST.roots);
  return [...new Set([folder, ...texts.map((path) => resolvePath(folder, path))])];
}

/** A plain value that a text of a shell gives to a variable, or the use of one. */
const VARIABLE = new RegExp(
  `(?<=^|[\\s;&|({"'])(?:\\$(?:env:)?(?=\\w+ ?=))?(\\w+) ?= ?("[^"\`$]*"|'[^']*'|[\\w@%+:,./~-]+)` +
    "(?=[\\s;&|)}\"']|$)|" +
    "([\"']?)(?:\\$(?:env:)?(\\w+)|\\$\\{(?:env:)?(\\w+)(?::?-([^}$`]*))?\\})\\3",
  "gs",
);
/** Part of a path that only a shell can tell. */
const UNCLEAR = /(?<![\w./-])(["']?)(?:\$(?:\w+|\{[^}]{0,100}\}|\([^()]{0,200}\))|%\w+%)\1(?=\/)/g;
const MOST_PASSES = 4;

/** Ways to read a command line of a hook: with the values that its text gives to variables last, with the
 * first ones, and with the folder in the place of all others before a path. */
export function variantsOf(started: StartedProgram): StartedProgram[] {
  const last = mapWords(started, (text) => withValues(text, { isFirst: false }));
  const first = mapWords(started, (text) => withValues(text, { isFirst: true }));
  const all = [last, first].flatMap((one) => [
    one,
    mapWords(one, (text) => text.replaceAll(UNCLEAR, ".")),
  ]);
  return [...new Map(all.map((one) => [JSON.stringify([one.command, one.args]), one])).values()];
}

function mapWords(started: StartedProgram, change: (text: string) => string): StartedProgram {
  return { ...started, command: change(started.command), args: started.args.map(change) };
}

/** Text with the plain values of its variables: a value may be made of others. */
function withValues(text: string, { isFirst }: { readonly isFirst: boolean }): string {
  let value = text;
  for (let pass = 0; pass < MOST_PASSES && value.length <= MOST_CHARACTERS; pass++) {
    const next = valued(value, isFirst);
    if (next === value) break;
    value = next;
  }
  return value;
}

function valued(text: string, isFirst: boolean): string {
  const values = new Map<string, string>();
  return text.replaceAll(VARIABLE, (all, name, value, _quote, bare, braced, usual) => {
    if (name === undefined) return values.get(bare ?? braced) ?? usual ?? all;
    if (!isFirst || !values.has(name)) values.set(name, value.replaceAll(/["']/g, ""));
    return all;
  });
}
