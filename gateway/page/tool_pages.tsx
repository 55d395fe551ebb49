/** Pages of tools, and the call that their form makes. */

import type { JsonObject } from "#base";
import { PackError, type ToolEntry } from "#packs";
import { excerpt, wholeTool } from "#runtime";
import { readForm } from "../body.ts";
import { callTool, type ConfirmDetails } from "../call_tool.ts";
import { HttpError, problemOf } from "../problem.ts";
import { findAll } from "../search_route.ts";
import type { PageParts } from "./deps.ts";
import { fieldsOf, readArguments } from "./tool_form.ts";
import { framed } from "./views/layout.tsx";
import { toolPath } from "./views/paths.ts";
import { type Outcome, Search, Tool } from "./views/tools.tsx";

const RESULTS = 30;
const HELP = 20_000;
const RESULT = 50_000;
const MOST_QUERY = 400;
/** Name of the page, as a client of tools. */
const CLIENT = "page";

/** Responds with a search, or with the tool that `?tool=` names. */
export async function toolsPage(request: Request, parts: PageParts): Promise<Response> {
  const { deps, frame } = parts;
  const { searchParams } = new URL(request.url);
  const wire = searchParams.get("tool");
  if (wire !== null) return await toolPage(entryOf(wire, parts), parts);
  const query = (searchParams.get("q") ?? "").trim().slice(0, MOST_QUERY);
  const results = query === "" ? [] : await findAll(deps, { query, limit: RESULTS });
  const entries = deps.registry.entries();
  const children = <Search query={query} results={results} entries={entries} />;
  return await framed(frame(), { title: "Tools", section: "/tools", children });
}

/** Calls a tool with the fields of a form, and responds with its page and the outcome. */
export async function callFromForm(
  wire: string,
  request: Request,
  parts: PageParts,
): Promise<Response> {
  const sent = await readForm(request, parts.deps.limits().bodyBytes);
  const entry = entryOf(wire, parts);
  const outcome = await call(entry, { sent, signal: request.signal, parts });
  return await toolPage(entry, parts, { sent, outcome });
}

function entryOf(wire: string, { deps }: PageParts): ToolEntry {
  const entry = deps.registry.entries().find((entry) => entry.wire === wire);
  if (entry) return entry;
  throw new HttpError("not_found", `There is no tool "${wire.slice(0, 100)}"`);
}

async function toolPage(
  entry: ToolEntry,
  { deps, frame }: PageParts,
  done: { readonly sent?: URLSearchParams; readonly outcome?: Outcome } = {},
): Promise<Response> {
  const learned = (entry: ToolEntry) => deps.shapes.resultOf(entry);
  const help = wholeTool(entry, { learned, most: HELP }) ?? entry.spec.name;
  const fields = fieldsOf(entry.spec.inputSchema);
  const children = <Tool {...done} entry={entry} help={help} fields={fields} />;
  const page = { title: `${entry.pack}.${entry.tool}`, section: "/tools", self: toolPath(entry) };
  return await framed(frame(), { ...page, children });
}

interface FormCall {
  readonly sent: URLSearchParams;
  readonly signal: AbortSignal;
  readonly parts: PageParts;
}

async function call(entry: ToolEntry, { sent, signal, parts }: FormCall): Promise<Outcome> {
  let args: JsonObject = {};
  try {
    args = readArguments(fieldsOf(entry.spec.inputSchema), sent);
    const confirm = sent.get("confirm") ?? undefined;
    const request = { wire: entry.wire, args, confirm, signal, client: CLIENT };
    const { value } = await callTool(parts.deps, request);
    return { kind: "result", excerpt: excerpt(value, RESULT) };
  } catch (thrown) {
    if (thrown instanceof PackError && thrown.code === "needs_confirmation") {
      const { confirm: id, calls } = thrown.details as unknown as ConfirmDetails;
      return { kind: "confirm", id, args, calls };
    }
    const { code, message } = problemOf(thrown, parts.deps.log).error;
    return { kind: "failed", code, message };
  }
}
