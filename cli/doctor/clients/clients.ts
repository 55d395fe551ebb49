/** Check of the MCP clients: the handshake of each whose file has Toolscript's entry. */

import { isAbsolute } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createSemaphore, isObject, type JsonObject, messageOf, type Semaphore } from "#base";
import {
  type Client,
  CLIENT_TABLE,
  CLIENTS,
  type Entry,
  OWN_NAME,
  type Start,
} from "../../connect/clients.ts";
import { serversIn } from "../../connect/edit.ts";
import { isInstalled, readTarget, startOf, type Target, targetsOf } from "../../connect/targets.ts";
import type { Context } from "../../context.ts";
import { exists, nearPath } from "../../paths.ts";
import { countTokens, definitionOf } from "../../tokens.ts";
import { bad, type Finding, good, worth } from "../types.ts";
import { type Greeting, shakeHands } from "./handshake.ts";

export interface ClientOptions {
  readonly project: string;
  readonly signal: AbortSignal;
}

/** Handshakes at once: each starts a gateway, and more would be slower than a client is. */
const AT_ONCE = 3;
const LONGEST_MS = 600_000;
/** A project's file may be anyone's. */
const MOST_PROJECT_BYTES = 4 * 1024 * 1024;
const MOST_NAMES = 8;
/** Variables that a client passes on where it does not pass all. */
const BARE =
  /^(HOME|LOGNAME|PATH|SHELL|TERM|USER|LANG|LC_ALL|TMPDIR|TZ|APPDATA|HOMEDRIVE|HOMEPATH|LOCALAPPDATA|PROCESSOR_ARCHITECTURE|SYSTEMDRIVE|SYSTEMROOT|TEMP|TMP|USERNAME|USERPROFILE|PATHEXT|COMSPEC|PROGRAMFILES)$/i;

/** Checks every file of a client that names Toolscript. */
export async function checkClients(context: Context, options: ClientOptions): Promise<Finding[]> {
  const { project } = options;
  const places = createSemaphore(AT_ONCE, AT_ONCE);
  const targets = CLIENTS.flatMap((name) => targetsOf(name, context, project));
  const checks = targets.map((target) => checkTarget(target, { ...options, context, places }));
  const findings = (await Promise.all(checks)).filter((finding) => finding !== undefined);
  if (findings.length > 0) return findings;
  const names = CLIENTS.filter((name) => isInstalled(CLIENT_TABLE[name], { context, project }));
  const text = names.length === 0
    ? "No MCP client is found"
    : `None of ${names.join(", ")} has Toolscript`;
  return [worth("clients", text, "Put it in: toolscript connect")];
}

interface CheckOptions extends ClientOptions {
  readonly context: Context;
  readonly places: Semaphore;
}

/** Undefined where the file does not name Toolscript. */
async function checkTarget(target: Target, options: CheckOptions): Promise<Finding | undefined> {
  const { context: { io } } = options;
  const check = `client ${target.name}`;
  const place = nearPath(target.file, io.cwd);
  try {
    const entry = entryIn(target);
    if (!entry) return undefined;
    const start = startOf(target, options.context);
    const state = stateOf(entry, { client: target.client, start });
    const fix = `Write it anew: ${commandFor(target)}`;
    switch (state.kind) {
      case "off":
        return worth(check, `${place}: the entry is switched off`, "Switch it on in the client");
      case "gone":
        return bad(check, `${place}: out of date: ${state.path} is gone`, fix);
      case "different":
        return worth(
          check,
          `${place}: differs from what connect writes, and was not started`,
          fix,
        );
      case "same":
        return await tryEntry({ ...target, entry, place, fix }, { ...options, start: state.start });
    }
    state satisfies never;
  } catch (error) {
    // the text of another program's file: any error means that it cannot be read
    const why = messageOf(error);
    return worth(check, `${place}: ${why}`, "Correct the file");
  }
}

function entryIn(target: Target): Entry | undefined {
  const { text } = readTarget(target, target.isUser ? undefined : MOST_PROJECT_BYTES);
  return serversIn(text, target.client).get(OWN_NAME);
}

function commandFor({ name, client, isUser }: Target): string {
  const isFirst = client.project === undefined || isUser === (client.isUserFirst === true);
  return `toolscript connect ${name}${isFirst ? "" : isUser ? " --user" : " --project"}`;
}

interface Written extends Target {
  readonly entry: Entry;
  readonly place: string;
  readonly fix: string;
}

async function tryEntry(
  { name, client, entry, place, fix }: Written,
  { context: { io }, project, places, signal, start }: CheckOptions & {
    readonly start: { readonly command: string; readonly args: readonly string[] };
  },
): Promise<Finding> {
  const check = `client ${name}`;
  const { protocol, isBareEnv } = client.handshake;
  const limitMs = limitOf({ client, entry }, io.env);
  const release = await places.acquire(signal, undefined).catch(() => undefined); // the check has no time left
  if (!release) return worth(check, `${place}: no time left to start it`, "Raise --timeout");
  const began = io.now();
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  try {
    const greeting = await shakeHands({
      // A gateway of its own: one for all clients would stay behind.
      start: { ...start, args: [...start.args, "--private"] },
      client: name,
      protocol,
      signal: deadline,
      now: io.now,
      cwd: client.project === undefined ? io.home : project,
      env: environment(io.env, isBareEnv === true),
    });
    const seconds = `answered in ${inSeconds(greeting.ms)} of ${inSeconds(limitMs)} s`;
    const { text, isAlwaysLoaded } = await describe(greeting, entry);
    const message = `${place}: ${text}, ${seconds}`;
    return isAlwaysLoaded ? good(check, message) : worth(check, message, fix);
  } catch (error) {
    const why = error === deadline.reason
      ? `no answer in ${inSeconds(signal.aborted ? io.now() - began : limitMs)} s, its time limit`
      : messageOf(error);
    return bad(check, `${place}: ${why}`, `Look at the other checks first; then: ${fix}`);
  } finally {
    release();
  }
}

function limitOf(
  { client: { handshake }, entry }: Pick<Written, "client" | "entry">,
  env: Context["io"]["env"],
): number {
  const own = handshake.ownLimitMs?.(entry, env) ?? NaN;
  return Math.min(own >= 1 ? own : handshake.limitMs, LONGEST_MS);
}

function environment(env: Context["io"]["env"], isBare: boolean): Record<string, string> {
  const set = Object.entries(env).filter((pair): pair is [string, string] =>
    pair[1] !== undefined && (!isBare || BARE.test(pair[0]))
  );
  return Object.fromEntries(set);
}

/** Says what the model gets to see, and what of its context that takes. */
async function describe(
  { tools, instructions }: Greeting,
  entry: Entry,
): Promise<{ readonly text: string; readonly isAlwaysLoaded: boolean }> {
  const names = tools.map(({ name }) => String(name).slice(0, 64));
  const more = names.length > MOST_NAMES ? ", …" : "";
  const list = names.slice(0, MOST_NAMES).join(", ") + more;
  const tokens = await countTokens([instructions, ...tools.map(definitionOf)].join("\n"));
  const isAlwaysLoaded = entry.alwaysLoad === true || tools.some(isLoaded);
  const loaded = isAlwaysLoaded ? "always loaded" : "perhaps hidden behind its tool search";
  const count = tools.length === 1 ? "1 tool" : `${tools.length} tools`;
  return { text: `${count} (${list}), ${tokens} tokens, ${loaded}`, isAlwaysLoaded };
}

function isLoaded({ _meta: meta }: JsonObject): boolean {
  return isObject(meta) && meta["anthropic/alwaysLoad"] === true;
}

function inSeconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

/** Result of the comparison, before anything is started. */
export type EntryState =
  | { readonly kind: "same"; readonly start: Start }
  | { readonly kind: "off" }
  | { readonly kind: "gone"; readonly path: string }
  | { readonly kind: "different" };

/** Fields that change nothing about the process: an entry that differs in them alone is ours. */
const INERT = new Set([
  "alwaysAllow",
  "alwaysLoad",
  "autoApprove",
  "description",
  "disabled",
  "disabledTools",
  "disabled_tools",
  "enabled",
  "enabledTools",
  "enabled_tools",
  "excludeTools",
  "includeTools",
  "source",
  "startup_timeout_sec",
  "timeout",
  "tool_timeout_sec",
  "trust",
  "type",
]);
const MOST_WORDS = 64;

/** Compares an entry with the one that `connect` would write for `start`. Only one that is the same is
 * safe to start: a project's file may be anyone's. */
export function stateOf(
  entry: Entry,
  { client, start }: { readonly client: Client; readonly start: Start },
): EntryState {
  const own = client.read?.(entry) ?? entry;
  if (own.disabled === true || own.enabled === false) return { kind: "off" };
  const words = wordsOf(own);
  const expected = { ...start, args: withFolder(start.args, words) };
  const written = client.entry(expected);
  const gone = words.find((word) => isAbsolute(word) && !exists(word));
  if (gone !== undefined) return { kind: "gone", path: gone };
  const isSame = isDeepStrictEqual(launchOf(own), launchOf(client.read?.(written) ?? written));
  return isSame ? { kind: "same", start: expected } : { kind: "different" };
}

/** Command line of an entry; what is not text in it is left out. */
function wordsOf({ command, args }: Entry): readonly string[] {
  const words = [command, ...Array.isArray(args) ? args.slice(0, MOST_WORDS) : []];
  return words.filter((word) => typeof word === "string");
}

/** Arguments with the folder that the entry names, where `connect` writes one. */
function withFolder(args: readonly string[], words: readonly string[]): readonly string[] {
  const at = args.indexOf("--project") + 1;
  const folder = words.at(-1);
  if (at === 0 || folder === undefined || !isAbsolute(folder)) return args;
  return args.with(at, folder);
}

/** The fields that make the process; an empty environment counts as missing. */
function launchOf(entry: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(([name, value]) =>
      !INERT.has(name) &&
      !(name === "env" && isObject(value) && Object.keys(value).length === 0)
    ),
  );
}
