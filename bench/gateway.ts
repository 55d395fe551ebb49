/** Gateway to measure: the program itself, in a process, home and project of its own. */

import { join } from "node:path";
import { dump } from "js-yaml";
import type { RunReply } from "#runtime";
import { cliCommand } from "../tests/support/cli.ts";
import { pinnedCommand } from "../tests/support/servers.ts";
import { pause } from "./measure.ts";

export interface Place extends AsyncDisposable {
  readonly home: string;
  readonly project: string;
}

export interface BenchGateway extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  /** From the start of its process until it printed its address. */
  readonly listeningMs: number;
  /** From the start of its process until every server was connected. */
  readonly readyMs: number;
  /** `POST /run`; throws when the run did not end well. */
  run(script: string): Promise<RunReply>;
  /** `POST /run` with a command, however it ends. */
  answer(command: string): Promise<RunReply>;
}

const READY_POLL_MS = 5;
/** Files that the filesystem server gives access to. */
export const FILES = 50;

/** A home and a project with these servers beside the real ones in its configuration. */
export async function makePlace(servers: Record<string, unknown> = {}): Promise<Place> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-bench-" });
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  const files = join(project, "files");
  for (const path of [home, files, join(project, ".onetool")]) {
    await Deno.mkdir(path, { recursive: true });
  }
  for (let n = 0; n < FILES; n++) {
    await Deno.writeTextFile(join(files, `note_${n}.txt`), `This is note ${n}.\n`.repeat(20));
  }
  const real = {
    everything: pinnedCommand("everything"),
    filesystem: pinnedCommand("filesystem", [files]),
  };
  const config = dump({
    servers: { ...real, ...servers },
    // Throughput is that of one run: it may make as many calls as it likes.
    sandbox: { calls: 100_000 },
  });
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), config);
  return {
    home,
    project,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Starts a gateway and waits until its servers are connected. */
export async function startBenchGateway({ home, project }: Place): Promise<BenchGateway> {
  const since = performance.now();
  const child = cliCommand(["gateway", "start"], { home, cwd: project }).spawn();
  const errors = drain(child.stderr);
  const [kept, read] = child.stdout.tee();
  const url = await readAddress(read);
  const listeningMs = performance.now() - since;
  const rest = drain(kept);
  const token = await readToken(home, child.pid);
  while (!(await isReady(url))) await pause(READY_POLL_MS);
  const readyMs = performance.now() - since;
  return {
    url,
    token,
    listeningMs,
    readyMs,
    run: (script) => run({ url, token, script }),
    answer: (command) => send({ url, token, request: { command } }),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, errors, rest]);
    },
  };
}

async function readAddress(stdout: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  for await (const part of stdout.pipeThrough(new TextDecoderStream())) {
    text += part;
    const address = /^Listening on (\S+)\n/.exec(text)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Cannot measure: the gateway did not start: it said "${text.trim()}"`);
}

async function readToken(home: string, pid: number): Promise<string> {
  const text = await Deno.readTextFile(join(home, ".onetool", "run", `${pid}.json`));
  return JSON.parse(text).token;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`);
  await response.body?.cancel();
  return response.ok;
}

async function run(
  { url, token, script }: { url: string; token: string; script: string },
): Promise<RunReply> {
  const reply = await send({ url, token, request: { script } });
  if (reply.ok && reply.warnings.length === 0) return reply;
  throw new Error(`Cannot measure: a run failed: ${JSON.stringify(reply)}`);
}

async function send(
  { url, token, request }: { url: string; token: string; request: Record<string, string> },
): Promise<RunReply> {
  const response = await fetch(`${url}/run`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
    body: JSON.stringify(request),
  });
  return await response.json();
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream) {
    // A full pipe would stop the process.
  }
}
