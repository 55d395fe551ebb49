/** `toolscript completion SHELL`: the script that completes commands and options in a shell. */

import type { CommandSpec } from "../command_spec.ts";
import type { Command } from "../context.ts";
import { CliError } from "../error.ts";
import { fishScript } from "./fish.ts";
import { places } from "./places.ts";
import { bashScript, zshScript } from "./posix.ts";

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Builds the command, which prints the script made from these commands. */
export function createCompletion(commands: readonly CommandSpec[]): Command {
  return async ({ operands: [shell = ""], print }) => {
    const names = Object.keys(SCRIPTS).join(", ");
    const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1];
    if (!script) {
      throw new CliError(2, `Cannot complete in ${JSON.stringify(shell)}: use one of ${names}`);
    }
    await print.data(script(places(commands)));
    return 0;
  };
}
