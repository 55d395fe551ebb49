/** Pipe to a server in a child process: JSON lines on stdin and stdout. */

import { dirname, join } from "node:path";
import {
  BatchWriter,
  ChunkReader,
  idle,
  type LineEnds,
  LineTooLong,
  type Log,
  readLines,
  sleep,
} from "#base";
import { openStateFolder, resolvePath } from "#files";
import { argumentsFrom, startsApart } from "../../package_runner.ts";
import type { StdioServer } from "../../server_config.ts";
import { choosesPrograms } from "../../version_manager.ts";
import type { ConnectDeps } from "./connection.ts";
import { childEnvironment } from "../../process/environment.ts";
import { ConnectError, type Failure } from "./failure.ts";
import { Tail } from "../../process/tail.ts";
import { answerFor } from "./long_messages.ts";
import type { Pipe } from "./pipe.ts";
import { leadsOut } from "./project_links.ts";
import { type GroupCommand, type ProcessGroup, startGroup } from "../../process/process_group.ts";
import type { Watcher } from "../../process/watcher.ts";

interface StdioPipeDeps {
  readonly watcher: Watcher;
  readonly log: Log;
  readonly maxLineBytes: number;
  /** True where the working directory is ours to make. */
  readonly isOwn: boolean;
  /** Reason why the program must not start now. */
  readonly refuse: () => Promise<string | undefined>;
}

const STDERR_TAIL_BYTES = 8_192;
const LOGGED_RUBBISH = 20;
/** Messages after which the gateway yields. */
const MESSAGES_AT_ONCE = 50;
/** Characters that count as a message. */
const CHARACTERS_AT_ONCE = 10_000;
/** Messages of maximum length that a process may leave unread; the arguments of calls that were given
 * up stay among them. */
const MESSAGES_UNREAD = 4;
/** Time for output in the pipe to arrive after the end of a process. */
const DRAIN_MS = 300;

/** Makes the pipe to a server's process; `start` starts the process. */
export function createStdioPipe(config: StdioServer, deps: ConnectDeps): Pipe {
  const place = config.isHomes ? { project: deps.project } : { base: config.cwd };
  const env = childEnvironment(deps.environment, config.env, place);
  const log: Log = (level, message, facts) =>
    deps.log(level, message, { ...facts, server: config.name });
  const { watcher, maxMessageBytes: maxLineBytes } = deps;
  const { cwd, ...command } = startOf(config, { env, cacheDir: deps.cacheDir });
  const isOwn = cwd !== config.cwd;
  const { project, environment: { HOME: home = "" } } = deps;
  const refuse = async () => project && await leadsOut(config, { project, home, isApart: isOwn });
  return new StdioPipe({ ...command, env, cwd }, { watcher, log, maxLineBytes, isOwn, refuse });
}

interface StartOptions extends Pick<GroupCommand, "env"> {
  readonly cacheDir?: string;
}

/** Command and working directory. A fetched package starts in its own folder: settings of package
 * managers in the project could choose the program. So does a server of the home folder where version
 * managers could. */
function startOf(
  config: StdioServer,
  { env: { PATH: path, HOME: home }, cacheDir }: StartOptions,
): Omit<GroupCommand, "env"> {
  const { command, args, cwd, name, isHomes = false, isDefaultCwd = false } = config;
  const isChosen = isHomes && isDefaultCwd && choosesPrograms({ path, home, cwd, command });
  const isApart = startsApart(config) || isChosen;
  if (cacheDir === undefined || !isApart) return { command, args, cwd };
  return {
    command: command.includes("/") && !isHomes ? resolvePath(cwd, command) : command,
    args: argumentsFrom(config),
    cwd: join(cacheDir, "cwd", name),
  };
}

/** Makes the folder. Its manifest stops a package manager's search in parent folders. */
async function makeStartFolder(folder: string): Promise<void> {
  openStateFolder(folder, { root: dirname(dirname(folder)) });
  await Deno.writeTextFile(join(folder, "package.json"), "{}\n", { mode: 0o600 });
}

/** The pipe to one process. It closes when the process ends or closes its stdout. */
class StdioPipe implements Pipe {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  ontext?: (text: string) => Promise<unknown>;
  readonly #command: GroupCommand;
  readonly #deps: StdioPipeDeps;
  readonly #tail = new Tail(STDERR_TAIL_BYTES);
  #group?: ProcessGroup;
  #writer?: BatchWriter;
  #closing?: Promise<void>;
  #readers: readonly ChunkReader[] = [];
  #rubbish = 0;
  readonly #encoder = new TextEncoder();
  /** The reading of the last line. */
  #reading: Promise<void> | undefined;
  /** Bytes of messages that the process has not read. */
  #unread = 0;

  constructor(command: GroupCommand, deps: StdioPipeDeps) {
    this.#command = command;
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const group = await this.#spawn();
    this.#group = group;
    this.#writer = new BatchWriter(group.stdin);
    const stderr = new ChunkReader(group.stderr);
    const stdout = new ChunkReader(group.stdout);
    this.#readers = [stdout, stderr];
    void this.#tail.follow(stderr).catch(() => {}); // the pipe breaks when the group is ended
    void this.#read(group, stdout);
  }

  async send(message: unknown): Promise<void> {
    if (!this.#writer || this.#closing) throw new Error("Cannot send: the process has ended");
    const bytes = this.#encoder.encode(`${JSON.stringify(message)}\n`);
    const most = MESSAGES_UNREAD * this.#deps.maxLineBytes;
    if (this.#unread > 0 && this.#unread + bytes.length > most) {
      void this.close();
      throw new Deno.errors.BrokenPipe("Cannot send: the process does not read");
    }
    this.#unread += bytes.length;
    try {
      await this.#writer.write(bytes);
    } finally {
      this.#unread -= bytes.length;
    }
  }

  close(): Promise<void> {
    return this.#closing ??= this.#close();
  }

  async #spawn(): Promise<ProcessGroup> {
    await this.#deps.watcher.turn();
    const why = await this.#deps.refuse();
    if (this.#closing) throw new ConnectError({ kind: "closed" });
    if (why) throw new ConnectError({ kind: "link", why });
    try {
      if (this.#deps.isOwn) await makeStartFolder(this.#command.cwd);
      return startGroup(this.#command, this.#deps.watcher);
    } catch (error) {
      throw new ConnectError(await describeSpawnError(error, this.#command.cwd), { cause: error });
    }
  }

  async #close(): Promise<void> {
    // Pending until the group is ended, where the process no longer reads.
    void this.#writer?.close().catch(() => {});
    try {
      await this.#group?.[Symbol.asyncDispose]();
      // A descendant outside the group may still hold the other ends.
      for (const reader of this.#readers) void reader.cancel().catch(() => {});
    } finally {
      this.onclose?.();
    }
  }

  async #read(group: ProcessGroup, stdout: ChunkReader): Promise<void> {
    const drained = group.status.then(() => sleep(DRAIN_MS)).then(() => this.#reading);
    try {
      await Promise.race([this.#readMessages(stdout), drained]);
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
    if (!this.#closing) {
      await this.close();
      const { code, signal } = await group.status;
      this.#deps.log("warning", "A server's process ended", {
        code,
        signal,
        stderr: this.#tail.text,
      });
    }
  }

  async #readMessages(stdout: ChunkReader): Promise<void> {
    let count = 0;
    const onLong = (ends: LineEnds) => this.#refuse(ends);
    for await (const line of readLines(stdout, this.#deps.maxLineBytes, onLong)) {
      await (this.#reading = this.#take(line));
      count += 1 + line.length / CHARACTERS_AT_ONCE;
      if (count < MESSAGES_AT_ONCE) continue;
      count = 0;
      await idle();
    }
  }

  /** Answers for a server whose answer is too long to be read. */
  #refuse(ends: LineEnds): void {
    const answer = answerFor(ends, this.#deps.maxLineBytes);
    if (answer === undefined) throw new LineTooLong("Cannot read a message: it is too long");
    this.onmessage?.(answer);
  }

  async #take(line: string): Promise<void> {
    if (line.trim() === "") return;
    try {
      await this.ontext?.(line);
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      if (this.#rubbish++ >= LOGGED_RUBBISH) return;
      this.#deps.log("debug", "A server wrote something else than a message", {
        line: line.slice(0, 200),
      });
    }
  }
}

async function describeSpawnError(error: unknown, cwd: string): Promise<Failure> {
  if (error instanceof Deno.errors.NotFound) {
    const folder = await Deno.stat(cwd).catch(() => undefined);
    return { kind: "not_found", what: folder?.isDirectory ? "command" : "folder" };
  }
  return { kind: "not_executable" };
}
