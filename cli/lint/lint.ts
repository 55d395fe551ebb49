/** `toolscript lint`: checks of a toolscript without running it. */

import type { LintFinding } from "#runtime";
import { readConfig } from "../config.ts";
import type { Context } from "../context.ts";
import { gatherFiles } from "../exec/gather.ts";
import { readScript } from "../exec/script.ts";

/** Prints findings; exit code 1 for an error that prevents the run. */
export async function lint(context: Context): Promise<number> {
  const { io, print, options } = context;
  const script = await readScript(context);
  const { security } = await readConfig(context);
  const { createSecurityPolicy, lintProgram } = await import("#runtime");
  const [deno = "deno"] = io.program;
  const source = { script: script.text, file: script.file, ...await gatherFiles(script) };
  const findings = await lintProgram(source, { policy: createSecurityPolicy(security), deno });
  if (options.json === true) await print.json(findings);
  else if (findings.length > 0) await print.data(findings.map(lineOf).join("\n"));
  else await print.say("No findings");
  return findings.some(({ level }) => level === "error") ? 1 : 0;
}

function lineOf({ file, line, column, level, message, rule }: LintFinding): string {
  return `${file}:${line}:${column} ${level}: ${message}${rule === undefined ? "" : ` (${rule})`}`;
}
