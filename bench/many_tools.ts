/** The same runs with many tools behind the gateway. */

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ToolSpec } from "#packs";
import { readCorpus } from "../tests/support/corpus.ts";
import { type BenchGateway, makePlace, startBenchGateway } from "./gateway.ts";
import { repeat, summarize } from "./measure.ts";
import { deno } from "./processes.ts";
import { measureRuns, timedRun } from "./runs.ts";
import { oneCall } from "./scripts.ts";
import type { Row } from "./table.ts";

const SERVERS = 10;
const LOADS = 10;

export interface ManyOptions {
  readonly tools: number;
  readonly runs: number;
  readonly baseline?: number;
}

/** Starts a gateway before this many tools, and measures its start, its module and its runs. */
export async function measureMany({ tools, runs, baseline }: ManyOptions): Promise<Row[]> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-tools-" });
  try {
    await using place = await makePlace(await generate(tools, folder));
    await using gateway = await startBenchGateway(place);
    const first = await timedRun(gateway, oneCall(-100));
    return [
      { what: "gateway start to ready", unit: "ms", ...summarize([gateway.readyMs]) },
      { what: "first run, one call", unit: "ms", ...summarize([first.ms]) },
      { what: "  of it check", unit: "ms", ...summarize([first.timing.check]) },
      ...await measureModule(gateway, folder),
      ...await measureRuns(gateway, {
        what: "warm run, one call",
        script: oneCall,
        runs,
        baseline,
        stages: true,
      }),
      ...await measureRuns(gateway, {
        what: "warm run, one call of a generated tool",
        script: generatedCall,
        runs,
        baseline,
      }),
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const generatedCall = (turn: number) =>
  `import { tools } from "toolscript"; await tools.many3.noArguments(); // ${turn}`;

/** Servers that share the tools among them; the schemas are those of public servers. */
async function generate(count: number, folder: string): Promise<Record<string, unknown>> {
  const tools = (await readCorpus()).flatMap((server) => server.tools);
  const servers: Record<string, unknown> = {};
  for (let server = 0; server < SERVERS; server++) {
    const file = join(folder, `${server}.json`);
    await Deno.writeTextFile(file, JSON.stringify(toolsOf(tools, server, count / SERVERS)));
    const program = fileURLToPath(new URL("many_tools_server.ts", import.meta.url));
    const flags = ["run", "-A", "--quiet", "--no-config", "--no-lock", "--no-check"];
    servers[`many${server}`] = { command: Deno.execPath(), args: [...flags, program, file] };
  }
  return servers;
}

function toolsOf(tools: readonly ToolSpec[], server: number, count: number): ToolSpec[] {
  const plain: ToolSpec = {
    name: "no_arguments",
    description: "Needs nothing and says that it is done",
    inputSchema: { type: "object", properties: {} },
  };
  const copies = Array.from({ length: count - 1 }, (_, n): ToolSpec[] => {
    const place = server * count + n;
    const spec = tools[place % tools.length];
    return spec ? [{ ...spec, name: `${spec.name}_${place}`.slice(-60) }] : [];
  });
  return [plain, ...copies.flat()];
}

/** The module as it is served, and how long a process without it takes to load it. */
async function measureModule(gateway: BenchGateway, folder: string): Promise<Row[]> {
  const { url, token } = gateway;
  const headers = { authorization: `Bearer ${token}` };
  const text = await (await fetch(`${url}/runtime/tools.ts`, { headers })).text();
  const script = join(folder, "load.ts");
  await Deno.writeTextFile(
    script,
    `const since = performance.now();
    await import(${JSON.stringify(`${url}/runtime/tools.ts`)} + "?_t=" + Deno.args[0]);
    console.log(performance.now() - since);`,
  );
  const { host } = new URL(url);
  const flags = ["run", "--quiet", "--no-check", "--no-config", "--no-lock"];
  const loads = await repeat(async (turn) => {
    const args = [...flags, `--allow-import=${host}`, "--allow-env", script, `${turn}`];
    const env = { DENO_DIR: join(folder, "deno"), DENO_AUTH_TOKENS: `${token}@${host}` };
    return Number(await deno(args, env));
  }, { runs: LOADS, warmUp: 1 });
  return [
    { what: "module tools.ts, size", unit: "kB", ...summarize([text.length / 1024]) },
    { what: "module tools.ts, load", unit: "ms", ...summarize(loads) },
  ];
}
