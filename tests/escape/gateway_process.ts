/** A gateway in a process of its own, whose memory can be measured. */

import { join } from "node:path";
import { dump } from "js-yaml";
import type { RunReply } from "#runtime";
import { cliCommand } from "../support/cli.ts";
import { delay, events } from "../support/gateway.ts";

export interface GatewayProcess extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly project: string;
  /** The most memory that was resident so far, megabytes. */
  peak(): Promise<number>;
  /** Processor time of its first thread, which answers requests, milliseconds. */
  processorMs(): Promise<number>;
  /** Begins a run that prints its own address; the address, and its reply when it has ended. */
  begin(script: string, options?: Record<string, unknown>): Promise<Begun>;
  run(script: string, options?: Record<string, unknown>): Promise<RunReply>;
}

export interface Begun {
  /** `http://…/r/<secret>`. */
  readonly address: string;
  readonly reply: Promise<RunReply>;
}

/** Waits for its end without doing anything; said first, so that a test knows its address. */
export const WAIT = 'console.log(Deno.env.get("TOOLSCRIPT_GATEWAY_URL"));' +
  "await new Promise((resolve) => setTimeout(resolve, 50_000));";

/** Starts a gateway in folders of its own. */
export async function startGatewayProcess(
  config: Record<string, unknown> = {},
): Promise<GatewayProcess> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const project = await Deno.makeTempDir({ prefix: "toolscript-project-" });
  await Deno.mkdir(join(project, ".onetool"));
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), dump(config));
  const options = { home, cwd: project, env: { TOOLSCRIPT_TRUST: "all" } };
  const child = cliCommand(["gateway", "start"], options).spawn();
  const output = Promise.all([drain(child.stdout), drain(child.stderr)]);
  const { url, token } = await runFile(join(home, ".onetool", "run"));

  function post(script: string, options: Record<string, unknown> = {}): Promise<Response> {
    return fetch(`${url}/run`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/x-ndjson",
        "content-type": "application/json",
      },
      body: JSON.stringify({ script, ...options }),
    });
  }

  async function begin(script: string, options?: Record<string, unknown>): Promise<Begun> {
    const address = Promise.withResolvers<string>();
    const reply = (async () => {
      let last: unknown;
      for await (const event of events(await post(script, options))) {
        if (event.type === "stdout") address.resolve(String(event.data).trim());
        last = event;
      }
      address.reject(new Error(`The run printed nothing: ${JSON.stringify(last)}`));
      return last as RunReply;
    })();
    return { address: await address.promise, reply };
  }

  return {
    url,
    token,
    project,
    begin,
    async run(script, options) {
      const all = await Array.fromAsync(events(await post(script, options)));
      return all.at(-1) as unknown as RunReply;
    },
    async peak() {
      const status = await Deno.readTextFile(`/proc/${child.pid}/status`);
      return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
    },
    async processorMs() {
      const stat = await Deno.readTextFile(`/proc/${child.pid}/task/${child.pid}/stat`);
      const fields = stat.split(") ")[1]?.split(" ") ?? [];
      return 10 * (Number(fields[11]) + Number(fields[12]));
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await output;
      await Deno.remove(home, { recursive: true });
      await Deno.remove(project, { recursive: true });
    },
  };
}

/** Does some work, and measures meanwhile for how much of its processor time the gateway's first thread
 * kept a request waiting, in milliseconds: others may compute beside it. */
export async function longestWait<T>(
  gateway: GatewayProcess,
  work: () => Promise<T>,
): Promise<{ result: T; longestMs: number }> {
  let isEnded = false;
  let longestMs = 0;
  async function watch(): Promise<void> {
    while (!isEnded) {
      const before = await gateway.processorMs();
      await (await fetch(`${gateway.url}/health`)).text();
      longestMs = Math.max(longestMs, await gateway.processorMs() - before);
      await delay(20);
    }
  }
  const watched = watch();
  const result = await work().finally(() => isEnded = true);
  await watched;
  return { result, longestMs };
}

async function drain(stream: ReadableStream<Uint8Array>): Promise<void> {
  await stream.pipeTo(new WritableStream());
}

async function runFile(folder: string): Promise<{ url: string; token: string }> {
  while (true) {
    try {
      for await (const { name } of Deno.readDir(folder)) {
        if (name.endsWith(".json")) return JSON.parse(await Deno.readTextFile(join(folder, name)));
      }
    } catch {
      // Not there yet, or not written yet.
    }
    await delay(50);
  }
}
