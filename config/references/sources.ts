/** Places outside the files that secrets come from: the system's keychain, 1Password, programs. */

import { abortable, endWith, SYSTEM_PATH } from "#base";
import { searchPath } from "#files";
import type { Lookup, LookupFailure } from "../tree/interpolate.ts";

export interface SourceOptions {
  /** Commands by name, each a program with its arguments. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder that the programs start in. */
  readonly cwd: string;
  /** Project whose programs are not started. */
  readonly outside?: string;
  readonly timeoutMs?: number;
}

const SERVICE = "toolscript";
/** Entry of this service that holds the key of all sign-ins. */
const KEY_OF_SIGN_INS = "credentials";
const TIMEOUT_MS = 10_000;
const MOST_BYTES = 64 * 1024;

/** Reads the value of `keychain:NAME`, `op://vault/item/field` or `cmd:NAME`. What a program prints
 * beside its first line is dropped, its errors too: they may hold the secret. */
export async function readSource(reference: string, options: SourceOptions): Promise<Lookup> {
  const signal = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  try {
    return await read(reference, options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    const seconds = (options.timeoutMs ?? TIMEOUT_MS) / 1000;
    return { reason: `there was no answer within ${seconds} s`, fix: "See why it waits" };
  }
}

async function read(
  reference: string,
  options: SourceOptions,
  signal: AbortSignal,
): Promise<Lookup> {
  if (reference.startsWith("op:")) {
    const words = ["op", "read", "--no-newline", reference];
    const fix = 'Sign in with "op signin", and see that the item is there';
    return await firstLine(words, { ...options, fix, signal });
  }
  const name = reference.slice(reference.indexOf(":") + 1);
  if (reference.startsWith("keychain:")) return await readKeychain(name, signal);
  const words = Object.hasOwn(options.commands, name) ? options.commands[name] ?? [] : [];
  if (words.length === 0) {
    return { reason: "no such command", fix: `Add commands: { ${name}: [program, argument] }` };
  }
  const fix = `Run the program of commands.${name} in a terminal`;
  return await firstLine(words, { ...options, fix, signal });
}

async function readKeychain(name: string, signal: AbortSignal): Promise<Lookup> {
  const fix = `Store a password for the service "${SERVICE}" and the account "${name}"`;
  if (name === KEY_OF_SIGN_INS) {
    return { reason: "it is the key of the sign-ins", fix: "Give the entry another name" };
  }
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const value = await abortable(new AsyncEntry(SERVICE, name).getPassword(), signal);
    return value || { reason: "the keychain has no such entry", fix };
  } catch {
    signal.throwIfAborted();
    // Its own words may name other entries.
    return { reason: "the system's keychain cannot be read", fix };
  }
}

interface LineOptions extends Omit<SourceOptions, "commands"> {
  readonly fix: string;
  readonly signal: AbortSignal;
}

async function firstLine(
  [program = "", ...args]: readonly string[],
  { env, cwd, outside, fix, signal }: LineOptions,
): Promise<Lookup> {
  const failed = (reason: string): LookupFailure => ({ reason, fix });
  let child: Deno.ChildProcess;
  try {
    child = new Deno.Command(program, {
      args,
      cwd,
      env: environment(env, outside),
      clearEnv: true,
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
  } catch {
    // Not there, or not a program.
    return failed(`the program ${JSON.stringify(program)} cannot be started`);
  }
  await using _end = endWith(child, signal);
  const text = await readStart(child.stdout, signal);
  if (text === undefined) return failed(`its program printed over ${MOST_BYTES} bytes`);
  const { success, code } = await child.status;
  signal.throwIfAborted();
  if (!success) return failed(`its program ended with exit code ${code}`);
  const [line = ""] = text.split(/\r?\n/, 1);
  return line === "" ? failed("its program printed nothing") : line;
}

function environment(
  env: SourceOptions["env"],
  outside: string | undefined,
): Record<string, string> {
  const path = searchPath(env.PATH ?? "", { env, outside });
  const entries = Object.entries({ ...env, PATH: path || SYSTEM_PATH });
  return Object.fromEntries(
    entries.flatMap(([name, value]) => value === undefined ? [] : [[name, value]]),
  );
}

/** The whole output; undefined where it is too long. */
async function readStart(
  stream: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = "";
  let bytes = 0;
  while (bytes <= MOST_BYTES) {
    const { done, value } = await abortable(reader.read(), signal);
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return undefined;
}
