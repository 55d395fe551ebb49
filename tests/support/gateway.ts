/** A whole gateway in a temporary home and project, as `gateway start` would bring it up. */

import { join } from "node:path";
import { dump } from "js-yaml";
import { silent } from "#base";
import { loadConfig } from "#config";
import type { RunReply } from "#runtime";
import { startGateway } from "../../main.ts";
import { removeTree } from "./files.ts";

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly home: string;
  readonly project: string;
  /** A request with the client token. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** `POST /run` with a script; the answer must be 200. */
  run(script: string, options?: Record<string, unknown>): Promise<RunReply>;
  /** The same as a stream: every event, the answer last. */
  stream(script: string, options?: Record<string, unknown>): AsyncGenerator<StreamEvent>;
  /** Resolves when every server has connected or finally failed. */
  ready(): Promise<void>;
  /** Resolves when no run has a process; throws after a minute. */
  idle(): Promise<void>;
  /** Ends the gateway; its folders stay until disposal. */
  close(): Promise<void>;
}

export interface StreamEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Writes the configuration, loads it as the program does, and starts the gateway over it; in the
 * folders of another gateway where one is given, which removes them. */
export async function openGateway(
  config: Record<string, unknown> = {},
  at: Partial<Pick<TestGateway, "home" | "project">> & {
    readonly env?: Record<string, string>;
  } = {},
): Promise<TestGateway> {
  const home = at.home ?? await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const project = at.project ?? await Deno.makeTempDir({ prefix: "toolscript-project-" });
  await Deno.mkdir(join(project, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(project, ".onetool", "onetool.yaml"), dump(config));
  const env = { TOOLSCRIPT_TRUST: "all", ...Deno.env.toObject(), ...at.env };
  const load = () => loadConfig({ env, home, cwd: project });
  const loaded = await load();
  const options = { load, shared: true, lazy: false, session: null, log: silent };
  const gateway = await startGateway({ config: loaded, home, ...options });
  const { url, token } = gateway;

  function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${token}`);
    return fetch(`${url}${path}`, { ...init, headers });
  }

  function post(path: string, body: unknown, headers = {}): Promise<Response> {
    return request(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
  }

  return {
    url,
    token,
    home,
    project,
    fetch: request,
    post,
    async run(script, options = {}) {
      const response = await post("/run", { script, ...options });
      const body = await response.json();
      if (response.status !== 200) throw new Error(JSON.stringify(body));
      return body;
    },
    async *stream(script, options = {}) {
      const accept = { accept: "application/x-ndjson" };
      const response = await post("/run", { script, ...options }, accept);
      yield* events(response);
    },
    async ready() {
      while (!(await passed(fetch(`${url}/ready`)))) await delay(20);
    },
    async idle() {
      for (let tries = 0; tries < 1_200; tries++) {
        const { sandbox } = await (await request("/status")).json();
        if (sandbox.running === 0) return;
        await delay(50);
      }
      throw new Error("A run still has a process after a minute");
    },
    close: () => gateway.close(),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      if (at.home) return;
      await removeTree(home);
      await removeTree(project);
    },
  };
}

/** The objects of an NDJSON answer, as they come. */
export async function* events(response: Response): AsyncGenerator<StreamEvent> {
  let rest = "";
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

async function passed(response: Promise<Response>): Promise<boolean> {
  const { ok, body } = await response;
  await body?.cancel();
  return ok;
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
