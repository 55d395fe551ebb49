/** A gateway reduced to what generated modules need: it serves them, and answers calls. */

import { join } from "node:path";
import type { JsonObject, JsonValue } from "#base";
import type { ModuleGenerator } from "#runtime";

export interface HostCall {
  readonly wire: string;
  readonly args: JsonValue;
  readonly authorization: string | null;
}

export interface Host extends AsyncDisposable {
  readonly url: string;
  /** What was called, in the order of arrival. */
  readonly calls: readonly HostCall[];
  /** Runs a program that imports `toolscript`, in a process of its own. */
  run(program: string, options?: RunOptions): Promise<HostRun>;
}

export interface RunOptions {
  readonly check?: boolean;
  readonly env?: Record<string, string>;
  /** Instead of permission for the network and the gateway's address. */
  readonly permissions?: readonly string[];
  /** What comes after `tools.ts`. */
  readonly query?: string;
}

export interface HostRun {
  readonly success: boolean;
  readonly stdout: string;
  readonly stderr: string;
}

type Answer = (call: HostCall) => Response | Promise<Response>;

/** Answers a call as the gateway does. */
export function result(value: JsonValue): Response {
  return Response.json({ result: value });
}

/** Answers with an error as the gateway does. */
export function failure(status: number, error: JsonObject): Response {
  return Response.json({ error }, { status });
}

export async function openHost(
  generator: ModuleGenerator,
  answer: Answer,
  { prefix = "/r/s3cret" } = {},
): Promise<Host> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-host-" });
  const calls: HostCall[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const path = decodeURIComponent(pathname.slice(prefix.length));
    if (path.startsWith("/runtime/")) {
      const filter = searchParams.get("filter")?.split(",") ?? [];
      const text = await generator.filtered(path.slice("/runtime/".length), filter);
      const headers = { "content-type": "application/typescript" };
      return new Response(text ?? "", { status: text === undefined ? 404 : 200, headers });
    }
    const call = {
      wire: path.slice("/tools/".length),
      args: await request.json(),
      authorization: request.headers.get("authorization"),
    };
    calls.push(call);
    return answer(call);
  });
  const url = `http://127.0.0.1:${server.addr.port}${prefix}`;
  return {
    url,
    calls,
    run: (program, options) => runProgram(program, { folder, url, ...options }),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

interface ProgramPlace extends RunOptions {
  readonly folder: string;
  readonly url: string;
}

async function runProgram(
  program: string,
  { folder, url, check = false, env, permissions, query = "" }: ProgramPlace,
): Promise<HostRun> {
  const host = new URL(url).host;
  const file = join(folder, `${crypto.randomUUID()}.ts`);
  const map = join(folder, "map.json");
  const imports = { toolscript: `${url}/runtime/tools.ts${query}` };
  await Deno.writeTextFile(file, program);
  await Deno.writeTextFile(map, JSON.stringify({ imports }));
  const allowed = permissions ?? [`--allow-net=${host}`, "--allow-env=TOOLSCRIPT_GATEWAY_URL"];
  const checked = check ? "--check" : "--no-check";
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-config", "--no-lock", checked, "--no-npm"]
      .concat(`--import-map=${map}`, `--allow-import=${host}`, "--reload", ...allowed, file),
    env: { NO_COLOR: "1", TOOLSCRIPT_GATEWAY_URL: url, DENO_DIR: join(folder, "deno"), ...env },
  });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
