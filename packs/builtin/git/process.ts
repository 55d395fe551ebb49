/** Calls of git in which the configuration of a repository starts no program. */

import { dirname, parse } from "node:path";
import { ChunkReader, endWith, joinBytes, withinMemory } from "#base";
import { PackError } from "../../errors.ts";

export interface GitProgram {
  readonly path: string;
  readonly home: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  /** Takes the place of a process. */
  readonly enter?: (signal: AbortSignal) => Promise<Disposable>;
}

export interface RepositoryPlaces {
  /** Work tree. */
  readonly root: string;
  /** Folder of HEAD and the index. */
  readonly dir: string;
  /** Folder of objects and configuration, which the repository of a linked work tree shares. */
  readonly shared: string;
}

export interface GitCall {
  readonly cwd: string;
  readonly args: readonly string[];
  /** Places of the repository; git looks for one at `cwd` without them. */
  readonly places?: RepositoryPlaces;
  /** Configuration that overrides all other. */
  readonly config?: readonly (readonly [string, string])[];
  /** True if a part of the output is of use. */
  readonly mayCut?: boolean;
  readonly signal: AbortSignal;
}

export interface GitAnswer {
  readonly code: number;
  /** The answer as it is, for all by which something is decided. */
  readonly bytes: Uint8Array;
  /** The same for people: what is no UTF-8 is replaced, and a byte order mark is left out. */
  readonly text: string;
  /** Reason that git gives for its end, without ids that the call did not name: a ref may hold a word
   * of any file. Its other lines quote files that a configuration names. */
  readonly problem: string;
  /** True if the output exceeds the limit. */
  readonly cut: boolean;
}

/** Safe values for the keys by which git starts programs, reads other files, uses the network, changes
 * the form of its output or takes much memory. */
const SAFE: readonly (readonly [string, string])[] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.sshCommand", "false"],
  ["core.askPass", "false"],
  ["core.untrackedCache", "false"],
  // It may name packs of other repositories.
  ["core.multiPackIndex", "false"],
  // Git takes the work tree's file for an object of the index that looks as old.
  ["core.checkStat", "default"],
  ["core.trustctime", "true"],
  // A diff takes forty bytes for each line: larger files are binary to it.
  ["core.bigFileThreshold", "32m"],
  // To learn their ids, git compresses such files.
  ["pack.compression", "0"],
  ["credential.helper", ""],
  ["protocol.allow", "never"],
  ["diff.external", ""],
  ["diff.orderFile", "/dev/null"],
  ["diff.relative", "false"],
  ["diff.submodule", "short"],
  ["status.submoduleSummary", "false"],
  ["i18n.logOutputEncoding", "utf-8"],
  ["log.showRoot", "true"],
  ["log.showSignature", "false"],
  ["log.mailmap", "false"],
  ["mailmap.file", "/dev/null"],
  ["gpg.program", "false"],
  ["color.ui", "false"],
  ["core.quotePath", "false"],
  ["safe.bareRepository", "explicit"],
];
const MAX_PROBLEM = 4_096;
/** Memory of a process, without the packs, which git maps. A history of 300,000 commits takes less than
 * a quarter. */
const MOST_MEMORY = 1024 ** 3;
const OUT_OF_MEMORY = /^(?:fatal|error): (?:\w+: )?out of memory/im;

/** Runs git. Throws `PackError` on a timeout, where git takes too much memory, and for output over the
 * limit unless it may be cut. */
export async function callGit(program: GitProgram, call: GitCall): Promise<GitAnswer> {
  using _place = await program.enter?.(call.signal);
  const limit = AbortSignal.any([call.signal, AbortSignal.timeout(program.timeoutMs)]);
  limit.throwIfAborted();
  const [command, ...bounds] = withinMemory(program.path, MOST_MEMORY);
  const child = new Deno.Command(command, {
    args: [...bounds, "-C", call.cwd, "--no-pager", "--no-optional-locks", ...call.args],
    // A version manager runs what files of the folder name.
    cwd: parse(call.cwd).root,
    env: environment(program, call),
    clearEnv: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  await using end = endWith(child, limit);
  const [output, problem] = await Promise.all([
    take(child.stdout, program.maxOutputBytes, end.kill),
    take(child.stderr, MAX_PROBLEM, () => {}),
  ]);
  const { code } = await child.status;
  call.signal.throwIfAborted();
  if (limit.aborted) throw tooSlow(program.timeoutMs);
  if (output.cut && !call.mayCut) throw tooLarge(program, call);
  const messages = textOf(problem);
  if (code !== 0 && OUT_OF_MEMORY.test(messages)) throw outOfMemory(call);
  const reason = /^fatal: (.*)$/m.exec(messages)?.[1] ?? "";
  return {
    code: output.cut ? 0 : code,
    ...output,
    get text() {
      return textOf(output);
    },
    problem: withoutIds(reason, call.args),
  };
}

/** Leaves out what looks like an id, whole or short, unless it stands in the arguments. */
function withoutIds(reason: string, args: readonly string[]): string {
  const isKnown = (id: string) => args.some((arg) => arg.includes(id));
  return reason.replace(/[0-9a-f]{7,}/gi, (id) => isKnown(id) ? id : "(an id)");
}

function environment({ path, home }: GitProgram, { config = [], places }: GitCall) {
  const all = [...SAFE, ...config];
  const pairs = all.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    PATH: [...new Set([dirname(path), "/usr/bin", "/bin"])].join(":"),
    HOME: home,
    LC_ALL: "C.UTF-8",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_LAZY_FETCH: "1",
    // A repository's own protocol.ext.allow would go before protocol.allow.
    GIT_ALLOW_PROTOCOL: "",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_CONFIG_COUNT: String(all.length),
    ...Object.fromEntries(pairs),
    // The work tree may hold another repository, with filters of its own.
    ...places &&
      { GIT_DIR: places.dir, GIT_COMMON_DIR: places.shared, GIT_WORK_TREE: places.root },
  };
}

/** Reads up to a limit, then calls `onMore` and drops the rest. */
async function take(stream: ReadableStream<Uint8Array>, maxBytes: number, onMore: () => void) {
  const parts: Uint8Array[] = [];
  let length = 0;
  await new ChunkReader(stream).each((chunk) => {
    const left = Math.max(0, maxBytes - length);
    if (left > 0) parts.push(chunk.slice(0, left));
    length += chunk.length;
    if (length > maxBytes) onMore();
  });
  return { bytes: joinBytes(parts), cut: length > maxBytes };
}

/** Leaves out a character that the limit cuts. */
function textOf({ bytes, cut }: { readonly bytes: Uint8Array; readonly cut: boolean }): string {
  return new TextDecoder().decode(bytes, { stream: cut });
}

function tooLarge({ maxOutputBytes }: GitProgram, { args: [command] }: GitCall): PackError {
  const limit = `${maxOutputBytes / 2 ** 20} MB, packs.git.max_output_mb`;
  const message = `Cannot ask git: the answer of "git ${command}" is larger than ${limit}: ` +
    "ask for one file or folder, or raise the limit";
  return new PackError("too_large", message);
}

function outOfMemory({ args: [command] }: GitCall): PackError {
  const limit = `${MOST_MEMORY / 2 ** 30} GB of memory`;
  const message = `Cannot ask git: "git ${command}" needs more than ${limit}: ` +
    "ask for one file or folder, or for less at once";
  return new PackError("too_large", message);
}

function tooSlow(timeoutMs: number): PackError {
  const limit = `it took longer than ${timeoutMs / 1_000} s`;
  return new PackError("timeout", `Cannot ask git: ${limit}: ask for less at once`, {
    details: { after_ms: timeoutMs },
  });
}
