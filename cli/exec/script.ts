/** Script of `exec`: a file, `-e CODE`, or `-` for stdin. */

import { basename, dirname, resolve } from "node:path";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";

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
  try {
    return await Deno.readTextFile(path);
  } catch (cause) {
    const why = cause instanceof Deno.errors.NotFound
      ? "no such file"
      : cause instanceof Deno.errors.IsADirectory
      ? "it is a folder"
      : "it cannot be opened";
    throw new CliError(2, `${problem}: ${why}: check the path`, { cause });
  }
}
