/** `toolscript types`: the module that toolscripts import, with every signature, as one file. */

import { resolve } from "node:path";
import { throughDraft } from "#files";
import type { Client } from "../client.ts";
import { connect } from "../gateway_connection.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools } from "./ready.ts";

export async function types(context: Context): Promise<number> {
  const { io, print, options } = context;
  const filter = textOption(context, "filter") ?? "*";
  const out = textOption(context, "out");
  await using connection = await connect(context);
  const { client } = connection;
  await fetchTools(client, print);
  const { text, unmatched } = await fetchTypes(client, filter);
  for (const entry of filter === "*" ? [] : unmatched) await print.warn(`No such tool: ${entry}`);
  if (out === undefined) {
    if (options.json === true) await print.json({ text });
    else await print.data(text);
    return 0;
  }
  try {
    await throughDraft(
      resolve(io.cwd, out),
      (draft) => Deno.writeTextFile(draft, text, { createNew: true }),
    );
  } catch (cause) {
    throw new CliError(1, `Cannot write ${JSON.stringify(out)}: check the path`, { cause });
  }
  await print.say(`Written to ${out}`);
  return 0;
}

const HEADER =
  "// Written by `toolscript types`: what toolscripts import, for editors and readers.\n";
const VALUES = `
export declare const tools: Tools;
// deno-lint-ignore no-explicit-any
export declare const proj: any;
// deno-lint-ignore no-explicit-any
export declare const snippets: any;
`;
/** Declarations of what the modules have from `runtime/types/pack_proxy.ts`. */
const FROM_PROXY = `
/** Options of a call, after its arguments. */
export interface CallOptions {
  /** Calls again, at most so many times, where a call that changes nothing more fails with an error
   * that is \`retryable\`. */
  readonly retry?: number;
}

/** Why a call of a tool gave no result. */
export declare class ToolError extends Error {
  /** What kind of error: \`invalid_arguments\`, \`unknown_tool\`, \`tool_error\`, \`timeout\`… */
  readonly code: string;
  /** Whether the same call may work later. */
  readonly retryable: boolean;
  /** The tool that was called, \`github.create_issue\`. */
  readonly tool?: string;
  readonly details: Readonly<Record<string, unknown>>;
}
`;
/** Patterns of lines of the generated module: its imports and its notes. */
const IMPORT = /^import type \{ (?<name>\w+) \} from "\.\/(?<path>types\/\w+\.ts)";$/gm;
const UNMATCHED = /^\/\/ No such tool: (?<entry>".*")$/gm;
const INDEX = "\nexport interface Tools {\n";

/** Joins the generated module and its imports: each pack in a namespace, so that two packs may use
 * the same names. */
async function fetchTypes(
  client: Client,
  filter: string,
): Promise<{ readonly text: string; readonly unmatched: readonly string[] }> {
  const query = `?filter=${encodeURIComponent(filter)}`;
  const read = async (path: string) =>
    await (await client.request(`/runtime/${path}${query}`)).text();
  const module = await read("tools.ts");
  const packs = await Promise.all(
    [...module.matchAll(IMPORT)].map(async ({ groups: { name = "", path = "" } = {} }) => {
      const body = withoutHeader(await read(path));
      return `\ndeclare namespace ${name} {\n${body}}\ntype ${name} = ${name}.${name};\n`;
    }),
  );
  const from = module.lastIndexOf(INDEX);
  const index = module.slice(from, module.indexOf("\n}\n", from) + 3);
  return {
    text: [HEADER, index, VALUES, FROM_PROXY, ...packs].join(""),
    unmatched: [...module.matchAll(UNMATCHED)].map(({ groups }) => groups?.entry ?? ""),
  };
}

function withoutHeader(text: string): string {
  return text.replace(/^\/\/ .*\n(?:import type .*\n)?\n?/, "");
}
