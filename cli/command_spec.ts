/** Descriptions of a command and of its options. */

export interface OptionSpec {
  readonly short?: string;
  /** Placeholder of the value in the help; an option without one is true where it is given. */
  readonly value?: string;
  /** True for an option that may have a value, behind `=` only. */
  readonly inline?: boolean;
  readonly about: string;
}

export interface CommandSpec {
  /** Words of the command: `gateway start`. */
  readonly name: string;
  readonly operands?: string;
  readonly about: string;
  /** Maximum number of operands; none by default. */
  readonly most?: number;
  /** Everything after the first operand, or after `-e CODE`, belongs to the script. */
  readonly script?: boolean;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** File and name of the function that runs it. */
  readonly load: readonly [file: string, name: string];
}

/** Options of every command. */
export const GLOBAL_OPTIONS = {
  config: { value: "FILE", about: "Use this configuration file" },
  gateway: { value: "URL", about: "Use the gateway at this address" },
  json: { about: "Print data as JSON" },
  verbose: { about: "Print details and stack traces" },
  quiet: { about: "Print errors only" },
  "no-color": { about: "Print no colors (also: NO_COLOR)" },
  help: { short: "h", about: "Show help" },
  version: { short: "V", about: "Show the version" },
} as const satisfies Record<string, OptionSpec>;
