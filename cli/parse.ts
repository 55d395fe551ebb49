/** Parser of the command line: from words to a command with its options. */

import { parseArgs } from "node:util";
import { ALL_COMMANDS } from "./commands.ts";
import { type CommandSpec, GLOBAL_OPTIONS, type OptionSpec } from "./command_spec.ts";
import type { Invocation } from "./context.ts";
import { CliError } from "./error.ts";

type Token = ReturnType<typeof tokenise>[number];
type OptionToken = Token & { kind: "option" };

/** Unknown command or option, with the valid ones. */
export class UnknownWord extends CliError {
  readonly word: string;
  readonly valid: readonly string[];
  constructor(what: string, word: string, valid: readonly string[]) {
    super(2, `Unknown ${what} ${JSON.stringify(word)}`);
    this.word = word;
    this.valid = valid;
  }
}

/** Finds the command and checks its options. Throws `CliError` with exit code 2. */
export function parseCommandLine(argv: readonly string[]): Invocation {
  const { spec, words, bare } = findCommand(tokenise(argv, ALL_COMMANDS));
  const tokens = spec ? tokenise(argv, [spec]) : tokenise(argv, ALL_COMMANDS);
  const cut = spec?.script ? scriptStart(tokens, words.length) : undefined;
  const used = cut === undefined ? tokens : tokens.filter((token) => token.index <= cut.index);
  const options = readOptions(used, spec);
  const operands = used.filter((token) => token.kind === "positional").slice(words.length)
    .map((token) => token.value);
  if (bare && !options.help && !options.version) throw notACommand(bare);
  const most = spec?.most ?? 0;
  if (spec && operands.length > most) {
    const extra = JSON.stringify(operands[most]);
    const usage = `usage: toolscript ${spec.name} ${spec.operands ?? ""}`;
    throw new CliError(2, `Cannot take ${extra}: ${usage}`);
  }
  return {
    command: spec?.name ?? bare?.[0] ?? "",
    options,
    operands,
    scriptArgs: cut === undefined ? [] : argv.slice(cut.next),
  };
}

/** Splits the words by the options of these commands; of two with one name, the first counts. */
function tokenise(argv: readonly string[], specs: readonly CommandSpec[]) {
  const options: Record<string, { type: "string" | "boolean"; short?: string }> = {};
  for (const table of [GLOBAL_OPTIONS, ...specs.map((spec) => spec.options ?? {})]) {
    for (const [name, { value, short }] of Object.entries<OptionSpec>(table)) {
      const type = value === undefined ? "boolean" : "string";
      options[name] ??= short === undefined ? { type } : { type, short };
    }
  }
  const settings = { options, strict: false, allowPositionals: true, tokens: true } as const;
  return parseArgs({ args: [...argv], ...settings }).tokens;
}

interface CommandMatch {
  readonly spec?: CommandSpec;
  /** Words of its name on the command line. */
  readonly words: readonly string[];
  /** Words without a matching command. */
  readonly bare?: readonly string[];
}

function findCommand(tokens: readonly Token[]): CommandMatch {
  const words = tokens.filter((token) => token.kind === "positional").map((token) => token.value);
  const [first, second] = words;
  if (first === undefined) return { words: [] };
  const double = ALL_COMMANDS.find((spec) => spec.name === `${first} ${second}`);
  if (double && second !== undefined) return { spec: double, words: [first, second] };
  const single = ALL_COMMANDS.find((spec) => spec.name === first);
  if (single) return { spec: single, words: [first] };
  // `toolscript FILE.ts` is `toolscript exec FILE.ts`.
  const exec = ALL_COMMANDS.find((spec) => spec.script);
  if (exec && /\.m?[tj]s$/.test(first)) return { spec: exec, words: [] };
  return { words: [], bare: words };
}

function notACommand([first = "", second]: readonly string[]): CliError {
  const group = ALL_COMMANDS.map((spec) => spec.name.split(" "))
    .filter(([word, rest]) => word === first && rest !== undefined).map(([, rest = ""]) => rest);
  if (group.length === 0) {
    const commands = new Set(ALL_COMMANDS.map((spec) => spec.name.split(" ")[0] ?? ""));
    return new UnknownWord("command", first, [...commands]);
  }
  if (second !== undefined) return new UnknownWord(`command after "${first}"`, second, group);
  return new CliError(2, `Cannot run "${first}": no subcommand: use ${group.join(", ")}`);
}

/** Finds where the arguments of the script begin: our last token, and the next word. */
function scriptStart(
  tokens: readonly Token[],
  words: number,
): { index: number; next: number } | undefined {
  let positionals = 0;
  for (const token of tokens) {
    if (token.kind === "positional" && ++positionals > words) {
      return { index: token.index, next: token.index + 1 };
    }
    if (token.kind === "option" && token.name === "eval") {
      return { index: token.index, next: token.index + (token.inlineValue ? 1 : 2) };
    }
  }
  return undefined;
}

function readOptions(tokens: readonly Token[], spec: CommandSpec | undefined) {
  const table: Record<string, OptionSpec> = { ...GLOBAL_OPTIONS, ...spec?.options };
  const options: Record<string, string | true> = {};
  for (const token of tokens) {
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(table, token.name) ? table[token.name] : undefined;
    if (!option) {
      throw new UnknownWord("option", token.rawName, Object.keys(table).map((name) => `--${name}`));
    }
    options[token.name] = valueOf(token, option);
  }
  return options;
}

function valueOf(token: OptionToken, option: OptionSpec): string | true {
  const { rawName, value, inlineValue } = token;
  if (option.value === undefined) {
    if (option.inline && value !== undefined && value !== "") return value;
    if (value === undefined) return true;
    throw new CliError(2, `Cannot take "${rawName}=…": it has no value: write "${rawName}"`);
  }
  // An option is not a value, but code may begin with a minus.
  const isOption = !inlineValue && token.name !== "eval" && /^-./.test(value ?? "");
  if (value !== undefined && !isOption) return value;
  throw new CliError(2, `Cannot take "${rawName}": it needs a value: "${rawName} ${option.value}"`);
}
