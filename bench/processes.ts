/** Whole processes: start, work and end within one measurement. */

import { join } from "node:path";
import { cliCommand } from "../tests/support/cli.ts";
import type { BenchGateway, Place } from "./gateway.ts";
import { ratioOf, repeat, summarize, time } from "./measure.ts";
import { oneCall } from "./scripts.ts";
import type { Row } from "./table.ts";

/** Row that all others are compared with. */
export const BASELINE = "baseline: deno run --check, one call";

/** Plain Deno: an empty script, and a checked one that calls a tool. */
export async function measureBaseline(gateway: BenchGateway, runs: number): Promise<Row[]> {
  const folder = await Deno.makeTempDir({ prefix: "toolscript-baseline-" });
  try {
    const empty = join(folder, "empty.ts");
    await Deno.writeTextFile(empty, "");
    const flags = ["run", "--quiet", "--no-config", "--no-lock"];
    const env = environment(gateway, folder);
    const emptyTimes = await repeat(() => time(() => deno([...flags, empty], env)), {
      runs,
      warmUp: 1,
    });
    const checked = checkedRuns({ gateway, folder, flags });
    const cached = await repeat((turn) => checked(turn, ""), { runs, warmUp: 1 });
    const fresh = await repeat((turn) => checked(turn, `?_t=${turn}`), { runs: runs / 2 });
    return [
      { what: "empty deno run", unit: "ms", ...summarize(emptyTimes) },
      { what: BASELINE, unit: "ms", ...summarize(cached), ratio: 1 },
      { what: "the same, tools.ts at a new address", unit: "ms", ...summarize(fresh) },
    ];
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

interface CheckedOptions {
  readonly gateway: BenchGateway;
  readonly folder: string;
  readonly flags: readonly string[];
}

/** Script whose text is new each time, so that Deno cannot reuse an earlier check. */
function checkedRuns({ gateway, folder, flags }: CheckedOptions) {
  const map = join(folder, "import_map.json");
  const script = join(folder, "script.ts");
  const { host } = new URL(gateway.url);
  const allowed = [`--allow-net=${host}`, `--allow-import=${host}`, "--allow-env"];
  const args = [...flags, "--check", `--import-map=${map}`, ...allowed, script];
  return async (turn: number, query: string) => {
    const imports = { toolscript: `${gateway.url}/runtime/tools.ts${query}` };
    await Deno.writeTextFile(map, JSON.stringify({ imports }));
    await Deno.writeTextFile(script, oneCall(turn));
    return await time(() => deno(args, environment(gateway, folder)));
  };
}

function environment({ url, token }: BenchGateway, folder: string): Record<string, string> {
  return {
    DENO_DIR: join(folder, "deno"),
    DENO_AUTH_TOKENS: `${token}@${new URL(url).host}`,
    DENO_NO_UPDATE_CHECK: "1",
    TOOLSCRIPT_GATEWAY_URL: url,
    TOOLSCRIPT_TOKEN: token,
  };
}

/** The command line, each time as a process of its own. */
export async function measureCommandLine(
  { shared, alone, runs, baseline }: {
    /** Where a gateway runs, and where none does. */
    readonly shared: Place;
    readonly alone: Place;
    readonly runs: number;
    readonly baseline?: number;
  },
): Promise<Row[]> {
  async function measure(what: string, place: Place, args: readonly string[]): Promise<Row> {
    const { home, project: cwd } = place;
    const work = () => time(() => finish(cliCommand(args, { home, cwd })));
    const times = summarize(await repeat(work, { runs, warmUp: 1, pauseMs: 200 }));
    return { what, unit: "ms", ...times, ratio: ratioOf(baseline, times.median) };
  }
  return [
    await measure("--version", shared, ["--version"]),
    await measure("exec -e 1+1, shared gateway", shared, ["exec", "-e", "1+1"]),
    await measure("exec -e 1+1, gateway inside", alone, ["exec", "-e", "1+1"]),
  ];
}

/** Runs Deno to its end. */
export function deno(args: readonly string[], env: Record<string, string>): Promise<string> {
  return finish(new Deno.Command(Deno.execPath(), { args: [...args], env, stdin: "null" }));
}

async function finish(command: Deno.Command): Promise<string> {
  const { success, stdout, stderr } = await command.output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`Cannot measure: a process failed: ${new TextDecoder().decode(stderr).trim()}`);
}
