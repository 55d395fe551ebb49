/** Start of a pack's process, which loads the pack's file. */

import { abortable, isObject, type Log, messageOf, type Tracer } from "#base";
import { childEnvironment } from "../../process/environment.ts";
import type { Watcher } from "../../process/watcher.ts";
import type { GroupCommand } from "../../process/process_group.ts";
import type { Closed } from "./closed_names.ts";
import type { ClosedNow } from "./closed_now.ts";
import { fetchPackages } from "./dependencies.ts";
import { loadFailure, PackUnusable } from "../failure.ts";
import type { PackHeader } from "../describe/header.ts";
import { findUv, launchDeno, type LaunchDeps, launchPython, moduleAddress } from "./launch.ts";
import type { PackFile, PackSettings } from "../types.ts";
import { WorkerProcess } from "./worker_process.ts";

export interface OpenDeps extends LaunchDeps {
  readonly watcher: Watcher;
  readonly log: Log;
  readonly tracer?: Tracer;
  /** Longest result of a tool, in characters of its JSON; 16 million. */
  readonly maxAnswerBytes?: number;
}

export interface PackToOpen {
  readonly file: PackFile;
  readonly header: PackHeader | undefined;
  readonly settings: PackSettings;
  readonly closedNow: ClosedNow;
}

export interface OpenOptions {
  readonly deps: OpenDeps;
  readonly signal: AbortSignal;
}

export interface OpenedWorker {
  readonly worker: WorkerProcess;
  /** Tools that a Python pack reports. */
  readonly tools: readonly unknown[];
  /** Names that were closed to a TypeScript pack at the start. */
  readonly closed?: Closed;
}

const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
/** Space for the message around a result. */
const ENVELOPE_BYTES = 64 * 1024;
/** JSON text of a character can have several bytes. */
const MOST_BYTES_PER_UNIT = 3;
/** Time limit of a start, installation of dependencies included. */
const START_MS = 180_000;

/** Starts and loads a pack. Throws `PackUnusable`, or the signal's reason. */
export async function openWorker(
  pack: PackToOpen,
  { deps, signal }: OpenOptions,
): Promise<OpenedWorker> {
  const { file, settings } = pack;
  const { maxAnswerBytes = MAX_ANSWER_BYTES } = deps;
  const limit = AbortSignal.any([signal, AbortSignal.timeout(START_MS)]);
  const hasHeader = pack.header !== undefined;
  let worker: WorkerProcess | undefined;
  try {
    const { command, closed } = await prepare(pack, { deps, signal: limit });
    await deps.watcher.turn();
    limit.throwIfAborted();
    worker = new WorkerProcess(command, {
      pack: file.name,
      watcher: deps.watcher,
      log: deps.log,
      maxLineBytes: maxAnswerBytes * MOST_BYTES_PER_UNIT + ENVELOPE_BYTES,
    });
    const answer = await worker.request("describe", {
      pack: file.name,
      file: file.file,
      module: moduleAddress(file),
      config: settings.config,
      secrets: settings.secrets,
      maxBytes: maxAnswerBytes,
    }, limit);
    const tools = isObject(answer) && Array.isArray(answer.tools) ? answer.tools : [];
    return { worker, tools, closed };
  } catch (error) {
    await worker?.end("it could not be loaded");
    signal.throwIfAborted();
    throw loadFailure(error, { file, hasHeader, stderr: worker?.stderr ?? "" });
  }
}

async function prepare(
  { file, header, settings, closedNow }: PackToOpen,
  { deps, signal }: OpenOptions,
): Promise<{ readonly command: GroupCommand; readonly closed?: Closed }> {
  if (file.language === "python") {
    const uv = await findUv(deps);
    if (uv !== undefined) return { command: launchPython(file, header, { uv, deps }) };
    throw new PackUnusable("Python packs need uv, which is not there", {
      phrase: "uv not found",
      fix: "install it (https://docs.astral.sh/uv) and have it in PATH",
    });
  }
  const environment = childEnvironment(deps.environment, {});
  const install = { deno: deps.deno, cacheDir: deps.cacheDir, environment };
  try {
    await fetchPackages(header?.dependencies ?? [], { deps: install, signal });
    const closed = await abortable(closedNow(header), signal);
    const { granted } = settings;
    return { command: launchDeno(file, header, { granted, closed, deps }), closed };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof PackUnusable) throw cause;
    const why = messageOf(cause);
    throw new PackUnusable(`its dependencies cannot be installed: ${why}`, {
      phrase: "dependencies cannot be installed",
      cause,
    });
  }
}
