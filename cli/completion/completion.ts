/** `toolscript completion SHELL`: the script that completes commands and options in a shell. */

import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { fishScript } from "./fish.ts";
import { places } from "./places.ts";
import { bashScript, zshScript } from "./posix.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Prints the script, made from the table of commands. */
export async function completion(
  { operands: [shell = ""], print, commands }: Context,
): Promise<number> {
  const names = Object.keys(SCRIPTS).join(", ");
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
  if (!script) {
    throw new CliError(2, `Cannot complete in ${JSON.stringify(shell)}: use one of ${names}`);
  }
  await print.data(script(places(commands)));
  return 0;
}
