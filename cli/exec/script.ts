/** Script of `exec`: a file, `-e CODE`, or `-` for stdin. */

import { basename, dirname, resolve } from "node:path";
import { readRegularText } from "#files";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";

const MAX_MB = 16;
/** Handles that the caller opened, as a shell does for `<(…)`: these may be pipes. */
const HANDLE = /^\/(?:dev\/(?:stdin|fd\/\d+)|proc\/self\/fd\/\d+)$/;

export interface Script {
  readonly text: string;
  /** Name in error messages, relative to `folder`. */
  readonly file: string;
  /** Folder of its relative imports, absolute. */
  readonly folder: string;
  /** True if the script came from stdin, so that the program has no input. */
  readonly usesStdin: boolean;
}

/** Reads the script. Throws `CliError` with exit code 2 if it is missing. */
export async function readScript(context: Context): Promise<Script> {
  const { io, operands } = context;
  const code = textOption(context, "eval");
  const [name] = operands;
  if (code !== undefined) {
    return { text: code, file: "eval.ts", folder: io.cwd, usesStdin: false };
  }
  if (name === "-") {
    const text = await new Response(io.stdin.readable).text();
    return { text, file: "stdin.ts", folder: io.cwd, usesStdin: true };
  }
  const verb = context.command === "lint" ? "lint" : "run";
  if (name === undefined) {
    const code = verb === "run" ? ", -e CODE" : "";
    throw new CliError(2, `Cannot ${verb}: no script: give a FILE${code}, or - for stdin`);
  }
  const path = resolve(io.cwd, name);
  const text = await readFile(path, `Cannot ${verb} ${JSON.stringify(name)}`);
  return { text, file: moduleName(path), folder: dirname(path), usesStdin: false };
}

/** Converts the last part of the path to a valid module name. */
function moduleName(path: string): string {
  // deno-lint-ignore no-control-regex
  const name = basename(path).replace(/[\\?#%:\x00-\x1f\x7f]/g, "_").replace(/^[.\s]+/, "_").trim();
  return name.endsWith(".ts") ? name : `${name}.ts`;
}

async function readFile(path: string, problem: string): Promise<string> {
  const failed = (why: string, options?: ErrorOptions) =>
    new CliError(2, `${problem}: ${why}: check the path`, options);
  try {
    if (HANDLE.test(path)) return await Deno.readTextFile(path);
    const { isDirectory, isFile } = await Deno.stat(path);
    if (isDirectory) throw failed("it is a folder");
    if (!isFile) throw failed("it is no regular file");
    const text = readRegularText(path, MAX_MB * 1_048_576);
    if (text === undefined) throw failed(`it has over ${MAX_MB} MB`);
    return text;
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const isMissing = cause instanceof Deno.errors.NotFound;
    throw failed(isMissing ? "no such file" : "it cannot be opened", { cause });
  }
}
