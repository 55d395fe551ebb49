/** Hostile commands: the time until each is answered, whatever the answer. */

import { HOSTILE_COMMANDS } from "../tests/support/hostile_commands.ts";
import type { BenchGateway } from "./gateway.ts";
import { repeat, summarize, time } from "./measure.ts";
import type { Row } from "./table.ts";

const CHARACTERS = 200_000;
const RUNS = 3;
const MEGABYTES = 5;

/** Sends each as `POST /run`. */
export async function measureHostile(gateway: BenchGateway): Promise<Row[]> {
  const rows: Row[] = [];
  const measure = async (what: string, command: string) => {
    const send = () => time(() => gateway.answer(command));
    rows.push({ what, unit: "ms", ...summarize(await repeat(send, { runs: RUNS, pauseMs: 200 })) });
  };
  await gateway.answer("1");
  await measure(`${MEGABYTES} MB`, `"${"x".repeat(MEGABYTES * 1024 * 1024)}"`);
  for (const { name, command } of HOSTILE_COMMANDS) {
    await measure(name, command(CHARACTERS).replaceAll("brave.search", "everything.echo"));
  }
  return rows;
}
