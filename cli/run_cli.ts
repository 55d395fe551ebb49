/** One invocation of the program, from its arguments to its exit code. */

import { messageOf } from "#base";
import { importLate } from "#base/late";
import { ALL_COMMANDS, COMMANDS } from "./commands.ts";
import type { Command, Context, Invocation } from "./context.ts";
import { CliError } from "./error.ts";
import type { CliIo } from "./io.ts";
import { parseCommandLine, UnknownWord } from "./parse.ts";
import { createPrinter, type Printer } from "./print.ts";

/** Runs the command that `argv` names; never throws. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  let print = createPrinter(io, { quiet: false, noColor: noColor(io) });
  let verbose = argv.includes("--verbose");
  try {
    const invocation = parseCommandLine(argv);
    const { options } = invocation;
    verbose = options.verbose === true;
    print = createPrinter(io, {
      quiet: options.quiet === true,
      noColor: options["no-color"] === true || noColor(io),
    });
    return await dispatch(invocation, { io, print });
  } catch (error) {
    return await report(error, { print, verbose, cwd: io.cwd });
  }
}

function noColor(io: CliIo): boolean {
  return (io.env.NO_COLOR ?? "") !== "";
}

async function dispatch(
  invocation: Invocation,
  { io, print }: Pick<Context, "io" | "print">,
): Promise<number> {
  const { command, options } = invocation;
  const spec = ALL_COMMANDS.find(({ name }) => name === command);
  if (options.version) {
    await print.data(`toolscript ${io.version}`);
    return 0;
  }
  if (options.help || !spec) {
    const { helpFor, helpForGroup, overview } = await import("./help/help.ts");
    const text = () => spec ? helpFor(spec) : helpForGroup(command, COMMANDS) ?? overview(COMMANDS);
    if (options.help) await print.data(text());
    else await print.say(overview(COMMANDS));
    return options.help ? 0 : 2;
  }
  const [file, name] = spec.load;
  const module = await importLate<Readonly<Record<string, Command>>>(file, import.meta.url);
  const run = module[name];
  if (!run) throw new Error(`No function "${name}" in "${file}"`);
  return await run({ ...invocation, io, print, commands: COMMANDS });
}

interface ReportOptions {
  readonly print: Printer;
  readonly verbose: boolean;
  readonly cwd: string;
}

async function report(error: unknown, { print, verbose, cwd }: ReportOptions): Promise<number> {
  // The reader of stdout has closed it, so nothing more can be printed.
  if (error instanceof Deno.errors.BrokenPipe) return 1;
  const stack = verbose && error instanceof Error && error.stack ? `\n${error.stack}` : "";
  if (error instanceof UnknownWord) {
    await print.error(`${error.message}: ${await suggestion(error)}${stack}`);
    return error.exitCode;
  }
  const findings = error instanceof Error && error.name === "ConfigError" && "findings" in error;
  if (findings) {
    const { reportConfigError } = await importLate<typeof import("./config.ts")>(
      "./config.ts",
      import.meta.url,
    );
    await reportConfigError(error, { print, cwd });
    return 2;
  }
  const message = messageOf(error);
  await print.error(`${message}${stack}`);
  return error instanceof CliError ? error.exitCode : 1;
}

async function suggestion({ word, valid }: UnknownWord): Promise<string> {
  const { closest } = await import("#packs/nearest");
  const near = closest(word, valid);
  return near ? `did you mean "${near}"?` : `use ${valid.join(", ")}`;
}
