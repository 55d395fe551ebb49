/** Opens an address in the person's browser: `BROWSER`, else the system's opener, never a shell. */

import { spawn } from "node:child_process";
import { within } from "#base";

export interface OpenBrowserOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly os: typeof Deno.build.os;
}

/** Time after which a program that still runs counts as a browser that has opened. */
const OPENED_MS = 1_500;

/** Starts the first browser that works; resolves with false where none does. */
export async function openBrowser(
  url: string,
  { env, os }: OpenBrowserOptions,
): Promise<boolean> {
  for (const words of browsersOf(env.BROWSER, os)) {
    if (await start(commandOf(words, url), env)) return true;
  }
  return false;
}

/** Commands in the order to be tried; `BROWSER` is a list with colons, in which `%s` is the address. */
function browsersOf(browser: string | undefined, os: OpenBrowserOptions["os"]): string[][] {
  const listed = browser?.split(os === "windows" ? ";" : ":") ?? [];
  const commands = listed.map((command) => command.trim().split(/\s+/).filter(Boolean));
  const own = commands.filter((words) => words.length > 0);
  if (own.length > 0) return own;
  if (os === "darwin") return [["open"]];
  if (os === "windows") return [["rundll32", "url.dll,FileProtocolHandler"]];
  return [["xdg-open"], ["gio", "open"], ["x-www-browser"]];
}

function commandOf(words: readonly string[], url: string): string[] {
  if (!words.some((word) => word.includes("%s"))) return [...words, url];
  return words.map((word) => word.replaceAll("%s", () => url));
}

/** Starts a program that outlives this one; resolves with false where it fails at once. */
async function start(
  [program = "", ...args]: readonly string[],
  env: OpenBrowserOptions["env"],
): Promise<boolean> {
  const ended = Promise.withResolvers<number | null>();
  const child = spawn(program, args, { detached: true, stdio: "ignore", env: { ...env } });
  child.once("error", () => ended.resolve(1));
  child.once("exit", (code) => ended.resolve(code));
  if (await within(ended.promise, OPENED_MS)) return await ended.promise === 0;
  child.unref();
  return true;
}
