/** Context of a command: input and output, options, and a printer. */

import type { CommandSpec } from "./command_spec.ts";
import { CliError } from "./error.ts";
import type { CliIo } from "./io.ts";
import type { Printer } from "./print.ts";

export interface Invocation {
  /** `gateway start`. */
  readonly command: string;
  /** By long name; flags are `true`. */
  readonly options: Readonly<Record<string, string | true>>;
  readonly operands: readonly string[];
  /** Arguments of the script. */
  readonly scriptArgs: readonly string[];
}

export interface Context extends Invocation {
  readonly io: CliIo;
  readonly print: Printer;
  /** All commands that the help shows. */
  readonly commands: readonly CommandSpec[];
}

/** Runs one command; resolves with its exit code. */
export type Command = (context: Context) => Promise<number>;

/** Reads the text of an option, or undefined. */
export function textOption({ options }: Invocation, name: string): string | undefined {
  const value = options[name];
  return typeof value === "string" ? value : undefined;
}

/** Reads the address of the gateway that the command line or the environment names. */
export function gatewayOption({ io, ...invocation }: Context): string | undefined {
  return textOption(invocation, "gateway") ?? (io.env.TOOLSCRIPT_GATEWAY_URL || undefined);
}

/** Reads `--timeout` in seconds, or undefined. Throws `CliError` with exit code 2. */
export function timeoutOption(invocation: Invocation): number | undefined {
  const text = textOption(invocation, "timeout");
  if (text === undefined) return undefined;
  const seconds = Number(text);
  if (text.trim() !== "" && Number.isFinite(seconds) && seconds > 0) return seconds;
  throw new CliError(2, `Cannot take "--timeout ${text}": it must be a number of seconds above 0`);
}
