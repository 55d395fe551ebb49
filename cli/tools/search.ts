/** `toolscript search QUERY`: tools, packs, snippets and aliases that match, best first. */

import { isObject } from "#base";
import { connect } from "../gateway_connection.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools } from "./ready.ts";
import { namesTable } from "./table.ts";

interface Result {
  readonly name: string;
  readonly kind: string;
  readonly description: string;
  readonly score: number;
}

/** Prints the matches; exit code 3 without a match. */
export async function search(context: Context): Promise<number> {
  const { operands, options, print, io } = context;
  const query = operands.join(" ").trim();
  if (query === "") {
    throw new CliError(2, "Cannot search: no query: use toolscript search QUERY");
  }
  const params = new URLSearchParams({ q: query, limit: limitOption(context) });
  await using connection = await connect(context);
  const { client } = connection;
  await fetchTools(client, print);
  const answer: unknown = await (await client.request(`/search?${params}`)).json();
  const results = isObject(answer) && Array.isArray(answer.results)
    ? answer.results.filter(isObject).map(readResult)
    : [];
  if (options.json === true) await print.json(results);
  else if (results.length > 0) await print.data(namesTable(results.map(rowOf), io.stdout.columns));
  if (results.length > 0) return 0;
  await print.say(`Nothing is like ${JSON.stringify(query)}: browse with toolscript list`);
  return 3;
}

function limitOption(context: Context): string {
  const limit = textOption(context, "limit") ?? "10";
  if (/^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100) return limit;
  throw new CliError(2, `Cannot take "--limit ${limit}": it must be a number from 1 to 100`);
}

function readResult(result: Record<string, unknown>): Result {
  return {
    name: String(result.name),
    kind: String(result.kind),
    description: String(result.description ?? ""),
    score: Number(result.score),
  };
}

/** Row of a match; anything but a tool has its kind in the description. */
function rowOf({ name, kind, description }: Result) {
  if (kind === "tool") return { name, description };
  return { name, description: `(${kind}) ${description}`.trimEnd() };
}
