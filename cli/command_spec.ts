/** Descriptions of a command and of its options. */

import type { Command } from "./context.ts";

export interface OptionSpec {
  readonly type: "string" | "boolean";
  readonly short?: string;
  /** Placeholder of the value in the help. */
  readonly value?: string;
  readonly about: string;
}

export interface CommandSpec {
  /** Words of the command: `gateway start`. */
  readonly name: string;
  readonly operands: string;
  readonly about: string;
  /** Maximum number of operands. */
  readonly most: number;
  /** Everything after the first operand, or after `-e CODE`, belongs to the script. */
  readonly script?: boolean;
  readonly options: Readonly<Record<string, OptionSpec>>;
  readonly load: () => Promise<Command>;
}

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  config: { type: "string", value: "FILE", about: "Use this configuration file" },
  gateway: { type: "string", value: "URL", about: "Use the gateway at this address" },
  json: { type: "boolean", about: "Print data as JSON" },
  verbose: { type: "boolean", about: "Print details and stack traces" },
  quiet: { type: "boolean", about: "Print errors only" },
  "no-color": { type: "boolean", about: "Print no colors (also: NO_COLOR)" },
  help: { type: "boolean", short: "h", about: "Show help" },
  version: { type: "boolean", short: "V", about: "Show the version" },
} as const satisfies Record<string, OptionSpec>;
