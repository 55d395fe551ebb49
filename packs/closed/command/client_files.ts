/** Programs that other clients start by their files in a folder: servers, hooks of agents, tasks. */

import { readdir } from "node:fs/promises";
import { basename, extname, join, relative, resolve } from "node:path";
import { attempt, isObject } from "#base";
import { readRegularText } from "#files";
import { isOwnEntry } from "../../own_entry.ts";
import { runsPackage } from "../../runs_package.ts";
import type { StartedProgram } from "../../server_config.ts";
import { DATA } from "../languages.ts";
import { namesOf, realOf } from "../link_names.ts";
import { isBelow } from "../names.ts";
import { addServer } from "../programs.ts";
import { infoOf, noPrograms, type ProgramPlaces, type Programs } from "../scripts.ts";
import { entriesOf, filesAmong, pathsAmong, wordsOf as wordsIn } from "../words.ts";
import { CLIENT_FILES, CLIENT_FOLDERS, CONFIGURATIONS, WORKSPACE } from "./client_names.ts";
import { commandOf } from "./commands_behind.ts";

/** Files of the home folder, which may name scripts of a project. */
const OWN_FILES = (".claude.json .claude/settings.json .cursor/mcp.json .cursor/hooks.json " +
  ".codex/config.toml .codex/hooks.json .gemini/settings.json .copilot/mcp-config.json " +
  ".codeium/windsurf/mcp_config.json .config/opencode/opencode.json .config/zed/settings.json " +
  ".config/Code/User/mcp.json .config/Claude/claude_desktop_config.json").split(" ");
const MOST = {
  bytes: 1024 * 1024,
  ownBytes: 4 * 1024 * 1024,
  depth: 12,
  starts: 200,
  paths: 5_000,
  files: 100,
  folders: 500,
  aliases: 8,
};
const SERVERS = /^(?:mcp_?servers|servers|mcp|context_servers)$/i;
/** Keys of a program, or of a text that a shell runs. */
const COMMANDS =
  /^(?:command|initializeCommand|bash|powershell|notify|(?:apiKey|otelHeaders|headers)Helper|(?:aws|gcp)(?:AuthRefresh|CredentialExport)|\w*(?:discovery|call|server)Command)$/i;
const ARGUMENTS = /^arg(?:ument)?s$/;
/** The folder, by the names that clients give it, in quotes or not. */
const PLACEHOLDER = new RegExp(
  "([\"']?)\\$(?:\\{?(?:workspace(?:Folder|Root)|\\w+_PROJECT_DIR|PWD)\\b(?::-[^}]{0,100})?\\}?|" +
    "\\((?:pwd|git rev-parse --show-toplevel)\\))\\1",
  "g",
);

interface Start {
  readonly words: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
  /** False for hooks and tasks. */
  readonly isServer: boolean;
}

/** Folders in which clients are opened. */
export interface ClientPlaces extends ProgramPlaces {
  /** The project, whose configuration is read elsewhere. */
  readonly project: string;
  /** Folders above and below the allowed ones that a person may open in a client. */
  readonly folders: readonly string[];
}

/** Adds what servers load, but of hooks, tasks and other settings only the files that they name:
 * these often work on a whole project, and all of it would be closed with what they load. Returns
 * a reason if there are too many. */
export async function addClientFiles(
  programs: Programs,
  places: ClientPlaces,
): Promise<string | undefined> {
  const { allowed, folders, home, project } = places;
  let opened = 0;
  const own: unknown[] = [];
  for (const name of OWN_FILES) own.push(await read(join(home, name), MOST.ownBytes));
  for (const folder of new Set([...allowed, ...folders])) {
    const naming = { programs, folder, entries: await entriesOf(folder), places };
    const files = await filesIn(naming);
    const configurations = CONFIGURATIONS.map((name) => join(folder, name));
    if (folder !== project && folder !== realOf(home)) files.push(...configurations);
    const left = { starts: MOST.starts, paths: MOST.paths };
    let isOpened = false;
    for (const file of files) {
      const value = await read(file);
      isOpened ||= value !== undefined;
      const reason = await addFile(value, { ...naming, left });
      if (reason !== undefined) return reason;
    }
    // Most of the folders with such a name have none of the files: `.github` is usual.
    if (isOpened && ++opened > MOST.folders) {
      return `over ${MOST.folders} folders have files of clients`;
    }
    if (allowed.includes(folder)) await addOwn(own, naming);
  }
  return undefined;
}

interface Naming {
  readonly programs: Programs;
  readonly folder: string;
  /** Names in it. */
  readonly entries: ReadonlySet<string>;
  readonly places: ProgramPlaces;
}

interface FileNaming extends Naming {
  /** Programs and paths that may still be looked at. */
  readonly left: { starts: number; paths: number };
}

async function addFile(value: unknown, naming: FileNaming): Promise<string | undefined> {
  const { programs, folder, places, left } = naming;
  for (const start of startsIn(value)) {
    if (isOwnEntry(start.words) && !await isThere(start, naming)) continue;
    if (--left.starts < 0) return `files of clients start over ${MOST.starts} programs`;
    const add = start.isServer ? addServer : addNamed;
    await add(startedBy(start, folder), programs, places);
  }
  for (const text of textsIn(value)) {
    const paths = pathsIn(text, naming);
    left.paths -= paths.length;
    if (left.paths < 0) return `files of clients name over ${MOST.paths} paths`;
    for (const file of await filesAmong(paths)) if (!DATA.test(file)) addNames(file, programs);
  }
  return undefined;
}

async function filesIn({ folder, entries }: Naming): Promise<string[]> {
  const names = new Set([...entries].map((name) => name.toLowerCase()));
  const isThere = (path: string) => names.has(path.split("/")[0] ?? path);
  const below = CLIENT_FOLDERS.filter(isThere).map(async (name) => {
    const names = await readdir(join(folder, name)).catch(() => []);
    return names.slice(0, MOST.files).map((file) => join(folder, name, file));
  });
  const files = CLIENT_FILES.filter(isThere).map((name) => join(folder, name));
  const workspaces = [...entries].filter((name) => WORKSPACE.test(name)).slice(0, MOST.files);
  return [
    ...files,
    ...workspaces.map((name) => join(folder, name)),
    ...(await Promise.all(below)).flat(),
  ];
}

/** Adds files of a folder that are named by programs in the person's own files. */
async function addOwn(values: readonly unknown[], naming: Naming): Promise<void> {
  for (const value of values) {
    for (const start of startsIn(value)) {
      const { command, args, env } = startedBy(start, naming.folder);
      // Words behind a package that is fetched are data.
      const words = runsPackage([command, ...args]) === undefined ? [command, ...args] : [];
      const paths = [...words, ...Object.values(env)].flatMap((text) => pathsIn(text, naming));
      for (const file of await filesAmong(paths)) addNames(file, naming.programs);
    }
  }
}

/** Paths that the words of a text may be. */
function pathsIn(text: string, { folder, entries, places: { home } }: Naming): string[] {
  return pathsAmong(wordsIn([text.replaceAll(PLACEHOLDER, ".")]), { folder, entries, home });
}

function addNames(file: string, { files }: Programs): void {
  for (const name of namesOf(file)) files.add(name);
}

/** True for an entry whose program, or a word of it, is a file of the folder. */
async function isThere(start: Start, naming: Naming): Promise<boolean> {
  const { command, args } = startedBy(start, naming.folder);
  if (command.startsWith(".")) return true;
  const files = await filesAmong(pathsIn([command, ...args].join(" "), naming));
  return files.some((file) => naming.places.allowed.some((folder) => isBelow(file, folder)));
}

/** Value of a file in JSON with comments, in TOML or in YAML; the text of another; undefined where it
 * cannot be read. */
async function read(path: string, most = MOST.bytes): Promise<unknown> {
  const text = attempt(() => readRegularText(path, most));
  if (text === undefined || !/\.(?:jsonc?|toml|ya?ml|code-workspace)$/i.test(path)) return text;
  if (/\.ya?ml$/.test(path)) {
    const { load } = await import("js-yaml");
    return attempt((): unknown => load(text, { maxAliases: MOST.aliases }), text);
  }
  // Most have no comments, and some are large.
  const value: unknown = attempt(() => JSON.parse(text));
  if (value !== undefined) return value;
  const { parse } = await (path.endsWith(".toml") ? import("smol-toml") : import("jsonc-parser"));
  return attempt((): unknown => parse(text));
}

/** Texts of a value, except the words of its servers, which `startsIn` reads. */
function* textsIn(value: unknown, isServer = false, depth = 0): Generator<string> {
  if (typeof value === "string") yield value;
  if (typeof value !== "object" || value === null || depth > MOST.depth) return;
  for (const [key, child] of Object.entries(value)) {
    if (isServer && (COMMANDS.test(key) || ARGUMENTS.test(key))) continue;
    const inner = key === "tasks" ? openedAmong(child) : child;
    yield* textsIn(inner, isServer || SERVERS.test(key), depth + 1);
  }
}

function* startsIn(value: unknown, isServer = false, depth = 0): Generator<Start> {
  if (typeof value !== "object" || value === null || depth > MOST.depth) return;
  const entry: Start["entry"] = { ...value };
  const { envFile } = entry;
  if (typeof envFile === "string") yield { words: ["source", envFile], entry, isServer: false };
  for (const [key, child] of Object.entries(entry)) {
    for (const words of commandsOf(key, child)) {
      const all = [...words, ...argumentsOf(entry)];
      yield { words: all, entry, isServer: isServer && key === "command" };
    }
    if (/^env(?:ironment)?$/.test(key)) continue;
    const inner = key === "tasks" ? openedAmong(child) : child;
    yield* startsIn(inner, isServer || SERVERS.test(key), depth + 1);
  }
}

/** Words of the commands of a key; a container's file may name several. */
function commandsOf(key: string, value: unknown): string[][] {
  if (!COMMANDS.test(key)) return [];
  const commands = key === "initializeCommand" && isObject(value) ? Object.values(value) : [value];
  return commands.map(wordsOf).filter((words) => words.length > 0);
}

function argumentsOf(entry: Start["entry"]): string[] {
  return textsOf(entry.args ?? entry.arguments);
}

function wordsOf(command: unknown): string[] {
  return isObject(command)
    ? textsOf([command.path, ...argumentsOf(command)])
    : textsOf([command].flat());
}

/** Texts of a list, also those in the form `{ value, … }`. */
function textsOf(list: unknown): string[] {
  const texts = Array.isArray(list) ? list.map((one) => isObject(one) ? one.value : one) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}

/** Tasks that start when the folder is opened; all where one of these needs others. In a workspace the
 * list stands in an object. */
function openedAmong(tasks: unknown): unknown {
  if (isObject(tasks) && Array.isArray(tasks.tasks)) return { tasks: tasks.tasks };
  const opened = [tasks].flat().filter(isObject).filter(({ runOptions }) =>
    isObject(runOptions) && runOptions.runOn === "folderOpen"
  );
  return opened.some(({ dependsOn }) => dependsOn) ? tasks : opened;
}

function startedBy({ words, entry, isServer }: Start, folder: string): StartedProgram {
  const { cwd: own, env } = { ...entry, ...isObject(entry.options) ? entry.options : {} };
  const cwd = typeof own === "string" ? resolve(folder, own.replaceAll(PLACEHOLDER, ".")) : folder;
  const inFolder = (text: string) => text.replaceAll(PLACEHOLDER, relative(cwd, folder) || ".");
  const texts = words.map(inFolder);
  const isText = /[\s;&|]/.test(texts[0] ?? "") && !(isServer && Array.isArray(entry.args));
  const [command = "", ...args] = isText ? commandOf(texts.join(" ")) : texts;
  const variables = [env, entry.environment].filter(isObject).flatMap((one) => Object.entries(one));
  const values = variables.map(([name, value]) => [name, inFolder(String(value))]);
  return { command, args, cwd, env: Object.fromEntries(values), isDefaultCwd: cwd === folder };
}

/** Adds the files that the words name: those that are there, and missing ones but for plain words. Of a
 * runner, each manifest counts. */
async function addNamed(
  ...[started, { files, texts }, places]: Parameters<typeof addServer>
): Promise<void> {
  const named = { ...noPrograms(), texts: { ...texts, isDone: () => true } };
  await addServer(started, named, places);
  for (const path of [...named.manifests].flatMap(namesOf)) files.add(path);
  const text = [started.command, ...started.args].join(" ");
  for (const file of named.files) {
    const name = basename(file);
    const isWritten = text.includes(extname(name) === "" ? `/${name}` : name);
    if (isWritten || await infoOf(file)) files.add(file);
  }
}
