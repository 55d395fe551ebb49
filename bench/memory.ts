/** Memory of a project's clients with all that they share: gateway, compiler and warm processes. */

import { type Connected, openStage, type Stage } from "../tests/gateway/mcp/bridge_stage.ts";
import { newClient, type Way } from "../tests/gateway/mcp/clients.ts";
import { pause, summarize } from "./measure.ts";
import type { Row } from "./table.ts";

const CLIENTS = 8;
/** Until the memory of starts and runs is given back. */
const SETTLE_MS = 30_000;
const TITLES: Readonly<Record<Way, string>> = { node: "npm package", deno: "clone" };

/** Memory with one client and with eight, as the npm package and a clone serve them; on Linux. */
export async function measureMemory(): Promise<Row[]> {
  if (Deno.build.os !== "linux") return [];
  const rows: Row[] = [];
  for (const way of ["node", "deno"] as const) rows.push(...await measureClients(way));
  return rows;
}

async function measureClients(way: Way): Promise<Row[]> {
  await using stage = await openStage();
  await using clients = new AsyncDisposableStack();
  const project = await stage.project({});
  const rows: Row[] = [];
  for (let count = 1; count <= CLIENTS; count++) {
    await work(clients.use(await stage.connect(newClient("legacy"), project, way)), count);
    if (count > 1 && count < CLIENTS) continue;
    await pause(SETTLE_MS);
    const what = `${count} ${count === 1 ? "client" : "clients"}, ${TITLES[way]}`;
    rows.push({ what, unit: "MB", ...summarize([await memoryOf(stage)]) });
  }
  return rows;
}

async function work({ client }: Connected, turn: number): Promise<void> {
  for (let n = 0; n < 5; n++) {
    const command = `const x: number = ${turn} + ${n}; text.count(text="a b"); x`;
    await client.callTool({ name: "run", arguments: { command } });
  }
}

/** Megabytes of all processes with the home of the stage, each shared page counted once. */
async function memoryOf({ home }: Stage): Promise<number> {
  let kilobytes = 0;
  for await (const { name } of Deno.readDir("/proc")) {
    const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
    if (!/^\d+$/.test(name) || !(await read("environ")).split("\0").includes(`HOME=${home}`)) {
      continue;
    }
    kilobytes += Number(/^Pss:\s+(\d+)/m.exec(await read("smaps_rollup"))?.[1] ?? 0);
  }
  return kilobytes / 1024;
}
