/** Programs that other clients start by their files in a folder: servers, hooks of agents, tasks. */

import { basename, extname, join, relative, resolve } from "node:path";
import { attempt, isObject } from "#base";
import { readRegularText } from "#files";
import { isOwnEntry } from "../../own_entry.ts";
import type { StartedProgram } from "../../server_config.ts";
import { addServer } from "../programs.ts";
import { infoOf, noPrograms, type ProgramPlaces, type Programs } from "../scripts.ts";
import { commandOf } from "./commands_behind.ts";

const FILES = (".mcp.json opencode.json opencode.jsonc crush.json .crush.json " +
  ".claude/settings.json .claude/settings.local.json .gemini/settings.json .zed/settings.json " +
  ".qwen/settings.json .iflow/settings.json .factory/settings.json .codex/config.toml " +
  ".cursor/mcp.json .vscode/mcp.json .roo/mcp.json .kilocode/mcp.json .amazonq/mcp.json " +
  ".junie/mcp/mcp.json .kiro/settings/mcp.json .factory/mcp.json .trae/mcp.json " +
  ".cursor/hooks.json .codex/hooks.json .windsurf/hooks.json .vscode/tasks.json").split(" ");
const MOST = { bytes: 1024 * 1024, depth: 12, starts: 200 };
const SERVERS = /^(?:mcp_?servers|servers|mcp|context_servers)$/i;
/** Keys of a program, or of a text that a shell runs. */
const COMMANDS =
  /^(?:command|bash|powershell|notify|(?:apiKey|otelHeaders)Helper|aws(?:AuthRefresh|CredentialExport)|\w*(?:discovery|call)Command)$/i;
/** The folder, by the names that clients give it, in quotes or not. */
const FOLDER = new RegExp(
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

/** Adds what the servers load, and the files that hooks and tasks name: these often work on all of a
 * project, which what they load would close. Returns a reason if they are too many. */
export async function addClientFiles(
  programs: Programs,
  places: ProgramPlaces,
): Promise<string | undefined> {
  let left = MOST.starts;
  for (const path of places.allowed.flatMap((folder) => FILES.map((name) => [folder, name]))) {
    for (const start of startsIn(await read(join(...path)))) {
      if (isOwnEntry(start.words)) continue;
      if (--left < 0) return `files of clients start over ${MOST.starts} programs`;
      const add = start.isServer ? addServer : addNamed;
      await add(startedBy(start, path[0] ?? "/"), programs, places);
    }
  }
  return undefined;
}

/** Value of a file in JSON with comments, or in TOML; undefined where it cannot be read. */
async function read(path: string): Promise<unknown> {
  const text = attempt(() => readRegularText(path, MOST.bytes));
  if (text === undefined) return undefined;
  const { parse } = await (path.endsWith(".toml") ? import("smol-toml") : import("jsonc-parser"));
  return attempt((): unknown => parse(text));
}

function* startsIn(value: unknown, isServer = false, depth = 0): Generator<Start> {
  if (typeof value !== "object" || value === null || depth > MOST.depth) return;
  const entry: Start["entry"] = { ...value };
  for (const [key, child] of Object.entries(entry)) {
    const words = COMMANDS.test(key) ? wordsOf(child) : [];
    if (words.length > 0) yield { words: [...words, ...textsOf(entry.args)], entry, isServer };
    if (/^env(?:ironment)?$/.test(key)) continue;
    const inner = key === "tasks" ? openedAmong(child) : child;
    yield* startsIn(inner, isServer || SERVERS.test(key), depth + 1);
  }
}

function wordsOf(command: unknown): string[] {
  return isObject(command)
    ? textsOf([command.path, ...textsOf(command.args)])
    : textsOf([command].flat());
}

/** Texts of a list, those that have further properties too. */
function textsOf(list: unknown): string[] {
  const texts = Array.isArray(list) ? list.map((one) => isObject(one) ? one.value : one) : [];
  return texts.filter((text) => typeof text === "string" && text !== "");
}

/** Tasks that start when the folder is opened; all where one of these needs others. */
function openedAmong(tasks: unknown): unknown {
  const opened = [tasks].flat().filter(isObject).filter(({ runOptions }) =>
    isObject(runOptions) && runOptions.runOn === "folderOpen"
  );
  return opened.some(({ dependsOn }) => dependsOn) ? tasks : opened;
}

function startedBy({ words, entry, isServer }: Start, folder: string): StartedProgram {
  const { cwd: own, env } = { ...entry, ...isObject(entry.options) ? entry.options : {} };
  const cwd = typeof own === "string" ? resolve(folder, own.replaceAll(FOLDER, ".")) : folder;
  const inFolder = (text: string) => text.replaceAll(FOLDER, relative(cwd, folder) || ".");
  const texts = words.map(inFolder);
  const isText = /[\s;&|]/.test(texts[0] ?? "") && !(isServer && Array.isArray(entry.args));
  const [command = "", ...args] = isText ? commandOf(texts.join(" ")) : texts;
  const variables = [env, entry.environment].filter(isObject).flatMap((one) => Object.entries(one));
  const values = variables.map(([name, value]) => [name, inFolder(String(value))]);
  return { command, args, cwd, env: Object.fromEntries(values), isDefaultCwd: cwd === folder };
}

/** Adds the files that the words name: those that are there, and missing ones but for plain words. */
async function addNamed(
  ...[started, { files, texts }, places]: Parameters<typeof addServer>
): Promise<void> {
  const named = { ...noPrograms(), texts: { ...texts, isDone: () => true } };
  await addServer(started, named, places);
  const text = [started.command, ...started.args].join(" ");
  for (const file of named.files) {
    const name = basename(file);
    const isWritten = text.includes(extname(name) === "" ? `/${name}` : name);
    if (isWritten || await infoOf(file)) files.add(file);
  }
}
