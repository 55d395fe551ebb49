/** Opens an address in the person's browser: `BROWSER`, else the system's opener, never a shell. */

import { spawn } from "node:child_process";
import { basename, isAbsolute, parse } from "node:path";
import { within } from "#base";
import { findProject } from "#config";
import { isSameFolder, searchPath } from "#files";
import type { CliIo } from "../io.ts";

export interface OpenBrowserOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly os: typeof Deno.build.os;
  /** Folder whose programs are not started, unless it is the home folder. */
  readonly project: string;
  readonly home: string;
}

/** Time after which a program that still runs counts as a browser that has opened. */
const OPENED_MS = 1_500;

/** Options for the person at this command line. */
export async function browserOptions(io: CliIo): Promise<OpenBrowserOptions> {
  const { env, home } = io;
  return { env, os: Deno.build.os, project: await findProject(io), home };
}

/** Starts the first browser that works; resolves with false where none does. */
export async function openBrowser(
  url: string,
  { env: own, os, project, home }: OpenBrowserOptions,
): Promise<boolean> {
  const outside = isSameFolder(project, home) ? undefined : project;
  const env = own.PATH ? { ...own, PATH: searchPath(own.PATH, { env: own, outside }) } : own;
  const listed = listedIn(env.BROWSER, os);
  // In the project, it would load modules and run versions of that.
  const cwd = parse(project).root;
  if (os === "darwin" && listed.length === 0) {
    return await start({ words: ["osascript", "-"], env, cwd, input: openLocation(url) });
  }
  for (const words of listed.length > 0 ? listed : openersOf(os)) {
    if (await start({ words: commandOf(words, url), env, cwd })) return true;
  }
  return false;
}

/** A script in place of an argument of `open`, which every user of the machine could read. */
function openLocation(url: string): string {
  return `open location ${JSON.stringify(new URL(url).href)}\n`;
}

/** Commands of `BROWSER` in the order to be tried: a list with colons, in which `%s` is the address. */
function listedIn(browser: string | undefined, os: OpenBrowserOptions["os"]): string[][] {
  const listed = browser?.split(os === "windows" ? ";" : ":") ?? [];
  const commands = listed.map((command) => command.trim().split(/\s+/).filter(Boolean));
  return commands.filter((words) => words.length > 0);
}

function openersOf(os: OpenBrowserOptions["os"]): string[][] {
  if (os === "windows") return [["rundll32", "url.dll,FileProtocolHandler"]];
  return [["xdg-open"], ["gio", "open"], ["x-www-browser"]];
}

function commandOf(words: readonly string[], url: string): string[] {
  if (!words.some((word) => word.includes("%s"))) return [...words, url];
  return words.map((word) => word.replaceAll("%s", () => url));
}

/** Starts a program that outlives this one; resolves with false where it fails at once. */
async function start(
  { words: [program = "", ...args], env, cwd, input }: Pick<OpenBrowserOptions, "env"> & {
    readonly words: readonly string[];
    readonly cwd: string;
    readonly input?: string;
  },
): Promise<boolean> {
  // Its folder would be the open project.
  if (!isAbsolute(program) && program !== basename(program)) return false;
  const ended = Promise.withResolvers<number | null>();
  const child = spawn(program, args, {
    detached: true,
    stdio: [input === undefined ? "ignore" : "pipe", "ignore", "ignore"],
    env,
    cwd,
  });
  child.stdin?.on("error", () => {}); // a program that does not start reads nothing
  child.stdin?.end(input);
  child.once("error", () => ended.resolve(1));
  child.once("exit", (code) => ended.resolve(code));
  if (await within(ended.promise, OPENED_MS)) return await ended.promise === 0;
  child.unref();
  return true;
}
