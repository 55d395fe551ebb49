/** `toolscript stats`: statistics of runs and calls, from the file of the project or from a named
 * gateway. */

import { basename, dirname, resolve } from "node:path";
import { isObject, type JsonObject } from "#base";
import type { StatsData } from "#runtime/stats";
import type { Client } from "../client.ts";
import { connectTo, logTo } from "../gateway_connection.ts";
import { type Context, gatewayOption, textOption } from "../context.ts";
import { CliError } from "../error.ts";
import { statsTable } from "./table.ts";

export async function stats(context: Context): Promise<number> {
  const { options, print, io } = context;
  const name = textOption(context, "period") ?? "all";
  const { invalidPeriod, periodOf } = await import("#runtime/stats");
  const period = periodOf(name);
  if (!period) throw new CliError(2, invalidPeriod(name).replace(/^Error: /, ""));
  const output = textOption(context, "output");
  const tool = textOption(context, "tool");
  const source = await findSource(context);
  const { value, reportPath } = "client" in source
    ? await fromGateway(source.client, { period, tool, output })
    : await fromFile(context, { ...source, period, tool, output });
  if (options.json === true) await print.json(value);
  else {
    const plain = options["no-color"] === true || (io.env.NO_COLOR ?? "") !== "";
    await print.raw(
      "stdout",
      statsTable(value, {
        columns: io.stdout.columns,
        colors: io.stdout.isTerminal && !plain,
        terminal: io.stdout.isTerminal,
      }),
    );
  }
  if (reportPath !== undefined) await print.say(`Written to ${reportPath}`);
  return 0;
}

type StatsSource = { readonly client: Client } | {
  readonly folder: string;
  readonly keepMs: number;
  readonly aliases: Readonly<Record<string, string>>;
  readonly project: string;
};

/** Chooses the named gateway, else the file of the project, even if a gateway runs. */
async function findSource(context: Context): Promise<StatsSource> {
  const url = gatewayOption(context);
  if (url !== undefined) return await connectTo(context, url);
  const { readConfig } = await import("../config.ts");
  const { stats, alias, project } = await readConfig(context);
  if (stats.enabled) return { ...stats, aliases: alias, project };
  const { DISABLED } = await import("#runtime/stats");
  throw new CliError(1, DISABLED.replace(/^Error: /, ""));
}

interface StatsQuery {
  readonly period: StatsData["period"];
  readonly tool: string | undefined;
  readonly output: string | undefined;
}

interface StatsResult {
  readonly value: JsonObject;
  /** Path of the report. */
  readonly reportPath?: string;
}

async function fromFile(
  context: Context,
  { period, tool, output, ...source }: StatsQuery & Exclude<StatsSource, { client: Client }>,
): Promise<StatsResult> {
  const { createStatsReader, summaryOf, writeReport } = await import("#runtime/stats");
  const { folder, keepMs, aliases, project } = source;
  await using reader = createStatsReader({
    folder,
    now: context.io.now,
    keepMs: () => keepMs,
    log: logTo(context),
  });
  const target = tool !== undefined && Object.hasOwn(aliases, tool) ? aliases[tool] : tool;
  const data = await reader.read({ period, tool: target });
  if (output === undefined) return { value: summaryOf(data) };
  // A person may write anywhere; the path is relative to their folder.
  const path = resolve(context.io.cwd, output);
  const report = await writeReport(data, path, {
    folder: dirname(path),
    project: basename(project),
  });
  if (report.kind === "refused") throw new CliError(1, report.message.replace(/^Error: /, ""));
  return { value: { ...summaryOf(data), html_report: report.path }, reportPath: report.path };
}

/** Asks a gateway, which may be on another machine and writes the report to its own project. */
async function fromGateway(
  client: Client,
  { period, tool, output }: StatsQuery,
): Promise<StatsResult> {
  const value = await client.callOt("stats", { period, tool, output });
  if (!isObject(value)) throw new CliError(1, String(value).replace(/^Error: /, ""));
  const { html_report: path } = value;
  return { value: value as JsonObject, reportPath: typeof path === "string" ? path : undefined };
}
