/** `toolscript result HANDLE`: reads a result that was too large to send whole. */

import { isObject, type JsonObject } from "#base";
import { PackError } from "#packs";
import { type Client, createClient, GatewayError } from "../client.ts";
import { readConfig } from "../config.ts";
import { connectTo, findShared } from "../gateway_connection.ts";
import { type Context, gatewayOption, textOption } from "../context.ts";
import { CliError } from "../error.ts";

const NUMBERS = ["offset", "limit", "tail", "context"] as const;
const TEXTS = ["search", "path"] as const;

/** Reads from the gateway of the project, or without one from its store on disk. */
export async function result(context: Context): Promise<number> {
  const { operands: [handle], options, print } = context;
  if (handle === undefined) {
    throw new CliError(2, "Cannot read a result: no handle: use toolscript result HANDLE");
  }
  const page = await readPage(context, { handle, ...argumentsOf(context) });
  if (options.json === true) await print.json(page);
  else {
    const lines = Array.isArray(page.lines) ? page.lines : [];
    if (lines.length > 0) await print.data(lines.join("\n"));
    await print.say(placeOf(page));
  }
  return 0;
}

function argumentsOf(context: Context): JsonObject {
  const args: Record<string, string | number | boolean> = {};
  for (const name of NUMBERS) {
    const text = textOption(context, name);
    if (text === undefined) continue;
    if (!/^-?\d{1,9}$/.test(text)) {
      throw new CliError(2, `Cannot take "--${name} ${text}": it must be a whole number`);
    }
    args[name] = Number(text);
  }
  for (const name of TEXTS) {
    const text = textOption(context, name);
    if (text !== undefined) args[name] = text;
  }
  if (context.options.fuzzy === true) args.fuzzy = true;
  return args;
}

async function readPage(context: Context, args: JsonObject): Promise<Record<string, unknown>> {
  const { io } = context;
  const url = gatewayOption(context);
  if (url !== undefined) return await ask((await connectTo(context, url)).client, args);
  const config = await readConfig(context);
  const shared = await findShared(context, config);
  if (shared) return await ask(createClient({ ...shared, fetch: io.fetch }), args);
  const { createResultStore, readResult } = await import("#runtime");
  const { output: { folder, resultTtlMs, maxInlineBytes }, sandbox: { outputBytes } } = config;
  const store = createResultStore({
    folder,
    ttlMs: () => resultTtlMs,
    outputBytes: () => outputBytes,
    now: io.now,
  });
  const { value } = await readResult({ store, maxInlineBytes }, args).catch((error) => {
    if (error instanceof PackError) throw failed(error);
    throw error;
  });
  return value;
}

async function ask(client: Client, args: JsonObject): Promise<Record<string, unknown>> {
  const page = await client.callOt("result", args).catch((error) => {
    if (error instanceof GatewayError) throw failed(error);
    throw error;
  });
  return isObject(page) ? page : {};
}

/** Converts an error: exit code 3 for an unknown or expired result, 2 for invalid options. */
function failed(error: PackError | GatewayError): CliError {
  const { reason } = error.details;
  const isMissing = reason === "missing" || reason === "expired";
  const code = isMissing ? 3 : error.code === "invalid_arguments" ? 2 : 1;
  return new CliError(code, error.message, { cause: error });
}

/** Formats `lines 1 to 100, 402 are stored; more from --offset 101`. */
function placeOf(
  { offset, returned, total_lines, has_more, cut }: Record<string, unknown>,
): string {
  const [first, count] = [Number(offset), Number(returned)];
  const place = count === 0 ? "no lines" : `lines ${first} to ${first + count - 1}`;
  const more = has_more === true ? `; more from --offset ${first + count}` : "";
  return `${place}, ${total_lines} are stored${cut === true ? "; the line is cut" : ""}${more}`;
}
