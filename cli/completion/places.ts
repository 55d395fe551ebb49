/** Words that may stand after each command, for every shell. */

import { CLIENTS } from "../connect/clients.ts";
import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "../command_spec.ts";

export interface Word {
  /** `exec`, `--config`. */
  readonly text: string;
  readonly about: string;
  /** True for an option that takes a value. */
  readonly takesValue: boolean;
}

export interface Place {
  /** Words of the command line so far, without options: none, `gateway`, `gateway start`. */
  readonly after: readonly string[];
  readonly words: readonly Word[];
}

export interface Places {
  /** Places with more words come first. */
  readonly all: readonly Place[];
  /** Options with a value, of all commands: the word after them is no command. */
  readonly withValue: readonly string[];
}

/** Lists the places of a command line, with the words of each. */
export function places(commands: readonly CommandSpec[]): Places {
  const firsts = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
  const common = optionWords(GLOBAL_OPTIONS);
  const all: Place[] = commands.filter(({ name }) => name.includes(" "))
    .map((spec) => ({ after: spec.name.split(" "), words: [...ownWords(spec), ...common] }));
  for (const first of firsts) {
    const spec = commands.find(({ name }) => name === first);
    const below = commands.filter(({ name }) => name.startsWith(`${first} `))
      .map(({ name, about }) => plain(name.slice(first.length + 1), about));
    all.push({ after: [first], words: [...below, ...(spec ? ownWords(spec) : []), ...common] });
  }
  const top = [...firsts].map((first) => {
    const about = commands.find(({ name }) => name === first)?.about;
    return plain(first, about ?? `Commands that begin with ${first}`);
  });
  all.push({ after: [], words: [...top, ...common] });
  const options = all.flatMap(({ words }) => words).filter(({ takesValue }) => takesValue);
  return { all, withValue: [...new Set(options.map(({ text }) => text))].sort() };
}

function ownWords({ operands = "", options = {} }: CommandSpec): readonly Word[] {
  const clients = operands.includes("CLIENT") ? CLIENTS.map((name) => plain(name, "Client")) : [];
  const shells = operands.split(" | ").filter((word) => /^[a-z]+$/.test(word));
  return [...clients, ...shells.map((name) => plain(name, "Shell")), ...optionWords(options)];
}

function optionWords(options: Readonly<Record<string, OptionSpec>>): readonly Word[] {
  return Object.entries(options).map(([name, { value, about }]) => ({
    text: `--${name}`,
    about,
    takesValue: value !== undefined,
  }));
}

function plain(text: string, about: string): Word {
  return { text, about, takesValue: false };
}
