/** `toolscript audit`: questions with their answers, refusals and loans, from the project's file. */

import { escapeUnseen } from "#base";
import type { AuditRecord } from "#runtime/stats";
import { readConfig } from "../config.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";

const UNITS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Prints the events, oldest first. */
export async function audit(context: Context): Promise<number> {
  const { io, options, print } = context;
  const since = sinceOf(textOption(context, "since"), io.now());
  const { stats } = await readConfig(context);
  const { DISABLED, readAudit } = await import("#runtime/stats");
  if (!stats.enabled) throw new CliError(1, DISABLED.replace(/^Error: /, ""));
  const events = readAudit(stats.folder, { since });
  if (options.json === true) await print.json(events);
  else if (events.length === 0) await print.say("Nothing was asked, refused or lent");
  else for (const event of events) await print.data(lineOf(event));
  return 0;
}

/** Milliseconds since 1970 of `2h`, `7d` or an ISO date. */
function sinceOf(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  const [, count = "", unit = ""] = /^(\d{1,6})([mhdw])$/.exec(text) ?? [];
  const at = unit === "" ? Date.parse(text) : now - Number(count) * (UNITS[unit] ?? 0);
  if (Number.isFinite(at)) return at;
  throw new CliError(2, `Cannot take "--since ${text}": write 30m, 2h, 7d, 4w or a date`);
}

/** One line of foreign text. */
function lineOf({ at, kind, client, tool, answer, from, code, details }: AuditRecord): string {
  const parts = [
    at,
    kind,
    tool === "" ? "(program)" : tool,
    answer ?? code ?? "",
    from === null ? "" : `by ${from}`,
    client === null ? "" : `for ${client}`,
    details === null ? "" : JSON.stringify(details),
  ];
  return escapeUnseen(parts.filter((part) => part !== "").join("  "));
}
