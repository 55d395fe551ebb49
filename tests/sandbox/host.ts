/** A gateway as small as it can be: routes `/r/<secret>/…` to a sandbox and says what programs
 * import. */

import { silent } from "#base";
import {
  createSandbox,
  type ExecuteOptions,
  type Execution,
  type Form,
  type Lease,
  type Limits,
  type Sandbox,
  type SandboxOptions,
  type SandboxProgram,
  type SandboxSettings,
  type Visit,
} from "#sandbox";

const TOOLS = `
class ToolError extends Error {
  constructor(fields, message) { super(message); this.name = "ToolError"; Object.assign(this, fields); }
}
const base = Deno.env.get("TOOLSCRIPT_GATEWAY_URL") ?? "";
const send = fetch;
async function call(name, args) {
  const answer = await send(base + "/tools/" + name, {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(args),
  });
  return (await answer.json()).result;
}
const tools = { test: { echo: (args) => call("test__echo", args) } };
`;

export const LIMITS: Limits = {
  timeoutMs: 20_000,
  cpuSeconds: 10,
  memoryMb: 256,
  outputBytes: 4_000_000,
  stdinBytes: 1_000_000,
};

export interface Seen extends Execution {
  readonly stdout: string;
  readonly stderr: string;
  readonly secret: string;
}

export interface Host extends AsyncDisposable {
  readonly sandbox: Sandbox;
  readonly origin: string;
  /** Every request that came, as `METHOD /path?query`. */
  readonly requests: string[];
  /** How many processes have asked what programs import. */
  readonly preloads: number;
  /** Runs one program: a function body, or modules by path with `main.js` as the entry. */
  run(program: string | Record<string, string>, options?: RunOptions): Promise<Seen>;
}

export type RunOptions = Partial<ExecuteOptions> & {
  readonly lease?: Lease;
  /** How a function body is handed over; by itself, as the reader does it. */
  readonly form?: Form;
};

export interface HostOptions
  extends
    Partial<Pick<SandboxSettings, "concurrent" | "queue" | "pool">>,
    Partial<Omit<SandboxOptions, "settings">> {
  readonly limits?: Partial<Limits>;
  /** Called when a process asks what programs import, with how many did. */
  readonly onPreload?: (preloads: number) => void;
}

/** Starts the server and a sandbox behind it. */
export function createHost({ onPreload, limits, ...options }: HostOptions = {}): Host {
  const requests: string[] = [];
  let preloads = 0;
  const started = Promise.withResolvers<Sandbox>();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request, info) => {
      const url = new URL(request.url);
      requests.push(`${request.method} ${url.pathname}${url.search}`);
      const [, , secret = "", path = ""] = /^\/(r)\/([^/]+)\/(.*)$/.exec(url.pathname) ?? [];
      const visit = (await started.promise).visit(secret);
      const leave = () => visit?.[Symbol.dispose]();
      info.completed.then(leave, leave);
      return await answer(visit, path, request) ?? new Response("No", { status: 404 });
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const sandbox = createSandbox({
    origin,
    settings: () => ({ ...LIMITS, concurrent: 2, queue: 10, pool: 2, ...options, ...limits }),
    preload() {
      preloads++;
      onPreload?.(preloads);
      return `(() => {${TOOLS} return { ToolError, tools }; })()`;
    },
    log: silent,
    deno: Deno.execPath(),
    ...options,
  });
  started.resolve(sandbox);
  return {
    sandbox,
    origin,
    requests,
    get preloads() {
      return preloads;
    },
    run: (program, runOptions) => runOnce(sandbox, program, runOptions),
    async [Symbol.asyncDispose]() {
      await sandbox[Symbol.asyncDispose]();
      await server.shutdown();
    },
  };
}

async function answer(
  visit: Visit | undefined,
  path: string,
  request: Request,
): Promise<Response | undefined> {
  if (!visit) return undefined;
  if (path === "runtime/tools.ts") {
    const module = `${TOOLS} export { ToolError, tools };`;
    return new Response(module, { headers: { "content-type": "application/javascript" } });
  }
  if (path === "tools/test__echo") return Response.json({ result: await request.json() });
  return await visit.serve(path, request);
}

async function runOnce(
  sandbox: Sandbox,
  program: string | Record<string, string>,
  { form = "function", ...options }: RunOptions = {},
): Promise<Seen> {
  const own = options.lease ? undefined : await sandbox.lease();
  const lease = options.lease ?? own;
  if (!lease) throw new TypeError("Cannot run: no lease");
  const output = { stdout: "", stderr: "" };
  const decoder = new TextDecoder();
  try {
    const execution = await lease.execute(
      typeof program === "string" ? programOf(program, form) : modulesOf(program),
      {
        ready: Promise.resolve(),
        cwd: "/somewhere/else",
        args: [],
        onCall: ({ body }) => Promise.resolve({ status: 200, body: `{"result":${body}}` }),
        onOutput: (stream, data) => output[stream] += decoder.decode(data),
        ...options,
      },
    );
    return { ...execution, ...output, secret: lease.secret };
  } finally {
    await own?.[Symbol.asyncDispose]();
  }
}

function programOf(body: string, form: Form): SandboxProgram {
  const run = `async (nothing) => {\n${body}\nreturn nothing;\n}`;
  const text = form === "module"
    ? `export default ${run};`
    : `(function (toolscript) { "use strict"; return ${run}; })`;
  return { entry: "main.js", form, modules: new Map([["main.js", text]]) };
}

function modulesOf(modules: Record<string, string>): SandboxProgram {
  return { entry: "main.js", modules: new Map(Object.entries(modules)) };
}

/** The live processes of one host's sandbox. */
export async function processesOf(host: Pick<Host, "origin">): Promise<number[]> {
  const processes: number[] = [];
  for await (const entry of Deno.readDir("/proc")) {
    const pid = Number(entry.name);
    if (!Number.isInteger(pid) || pid === Deno.pid) continue;
    try {
      const line = await Deno.readTextFile(`/proc/${pid}/cmdline`);
      if (line.includes(`--allow-net=${new URL(host.origin).host}\0`)) processes.push(pid);
    } catch {
      // Gone meanwhile.
    }
  }
  return processes;
}
