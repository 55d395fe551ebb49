/** The four lists: names that are blocked, confirmed, warned about or allowed; rules beside them. */

import { createEffects, type DeclaredEffects, type EffectReader } from "../effect.ts";
import { type Level, LEVEL_NAMES, LEVELS, type PolicyDecision } from "./levels.ts";
import type { ToolEntry } from "../types.ts";
import { type CallRule, createCallRules, type JudgedCall, rankOf } from "./rules/call_rules.ts";
import { type Compile, createCompiler, isWild, type NamePattern } from "./name_pattern.ts";
import { camelCase, snakeCase } from "./names.ts";

export { type Level, LEVEL_NAMES, LEVELS, type PolicyDecision };

/** Patterns by list (`security:` in the config); `allow` lets names through. */
export type PolicyLists = { readonly [L in Level | "allow"]?: readonly string[] } & {
  /** False allows everything. */
  readonly enabled?: boolean;
  /** Tools that rules are about, as the configuration writes them: calls in code that one of them may
   * restrict are looked at once more with their arguments. */
  readonly rules?: readonly { readonly tool?: string; readonly then?: string }[];
};

/** Names of a tool and its pack, in any spelling, with those that code has for them where they are others
 * (`then_`, `filesDelete_2`). */
export interface ToolName
  extends Pick<ToolEntry, "pack" | "tool">, Partial<Pick<ToolEntry, "packKey" | "toolKey">> {}

/** Decides by name. A pattern without a dot is for names without one: a call of a builtin, an
 * import, a whole pack. A pattern with a dot is for qualified names: `os.system`. */
export interface Policy {
  /** A call in code, `exec` or `os.system`. */
  decide(name: string): PolicyDecision;
  /** An import in code, `fs` or `fs/promises`. */
  decideImport(module: string): PolicyDecision;
  /** A tool: as `github.delete_repo` and `github.deleteRepo`, by its pack alone, or by its wire name.
   * The built-in lists name parts of the platform and do not apply to tools. */
  decideTool(name: ToolName): PolicyDecision;
  /** A call of a tool, by the lists and the rules together. */
  decideCall(entry: ToolEntry, call: JudgedCall): Promise<PolicyDecision>;
  /** Tells that some call of a tool is asked about. */
  mayAsk(entry: ToolEntry): boolean;
  /** Tells that every call of a tool is blocked. */
  isBlocked(entry: ToolEntry): boolean;
  /** A whole pack, with its prompts and resources: by its name, or as `github.*`. */
  decidePack(pack: string): PolicyDecision;
  /** A read of a prompt or a resource of a pack: as the whole pack, and by the rules for its reads. */
  decideRead(pack: string): PolicyDecision;
  /** Effect of a tool, as the configuration, the pack or its annotations tell it. */
  readonly effectOf: EffectReader;
}

export interface PolicyOptions {
  /** Built-in lists, which the others extend; `allow` removes names from these only. */
  readonly defaults?: PolicyLists;
  /** Effects that the configuration declares. */
  readonly effects?: DeclaredEffects;
  /** Rules about calls. */
  readonly rules?: readonly CallRule[];
  /** Path of the project, for rules. */
  readonly project?: string;
  /** Servers by the packs of their further accounts: what is said of a server holds for these. */
  readonly accounts?: Accounts;
}

type Accounts = Readonly<Record<string, string>>;

/** Pattern of a call in code that a rule may restrict. */
export const SEEN_IN_CODE = "security.rules";

const ALLOWED: PolicyDecision = { level: "allowed" };
const MAX_REMEMBERED = 10_000;

/** Compiles the lists once. `blocked` goes before `ask`, `ask` before `warned`, that before `allow`.
 *
 * @example
 * ```ts
 * import { createPolicy } from "#packs";
 * const policy = createPolicy({ ask: ["github.delete_*"] });
 * console.assert(policy.decideTool({ pack: "github", tool: "deleteRepo" }).level === "ask");
 * ```
 */
export function createPolicy(lists: PolicyLists, options: PolicyOptions = {}): Policy {
  const { accounts = {} } = options;
  const effectOf = createEffects(options.effects);
  if (lists.enabled === false) {
    const allow = () => ALLOWED;
    return {
      decide: allow,
      decideImport: allow,
      decideTool: allow,
      decidePack: allow,
      decideCall: () => Promise.resolve(ALLOWED),
      decideRead: allow,
      effectOf,
      mayAsk: () => false,
      isBlocked: () => false,
    };
  }
  const compile = createCompiler();
  const rulesOf = (lists: PolicyLists) => createRules(lists, { compile });
  const rules = createRules(lists, { defaults: options.defaults, compile });
  const toolRules = rulesOf(lists);
  const packRules = rulesOf(wholePacks(withRules(lists, options.rules ?? [])));
  const readRules = rulesOf(wholePacks(withRules(lists, options.rules ?? [], "read")));
  const callRules = createCallRules({
    rules: options.rules ?? [],
    project: options.project ?? "",
    serverOf: (pack) => Object.hasOwn(accounts, pack) ? accounts[pack] ?? pack : pack,
    matches: (pattern, entry) => {
      const { find } = createRule("ask", { patterns: [pattern], compile });
      return find(namesOfTool(entry, accounts)) !== undefined;
    },
  });
  const seenRules = options.rules ? [] : seenInCode(lists);
  const remembered = new Map<string, PolicyDecision>();
  const remember = (key: string, names: () => Names, from: readonly Rule[]): PolicyDecision => {
    const last = remembered.get(key);
    if (last) return last;
    if (remembered.size >= MAX_REMEMBERED) remembered.clear();
    const decision = decide(from, names());
    remembered.set(key, decision);
    return decision;
  };
  const decideTool: Policy["decideTool"] = (name) => {
    const { pack, tool, packKey, toolKey } = name;
    const key = JSON.stringify([pack, tool, packKey, toolKey]);
    return remember(key, () => namesOfTool(name, accounts), [...toolRules, ...seenRules]);
  };
  return {
    effectOf,
    async decideCall(entry, call) {
      const [byList, byRule] = [decideTool(entry), await callRules.decide(entry, call)];
      if (!byRule || rankOf(byList) < rankOf(byRule)) return byList;
      return rankOf(byList) === rankOf(byRule) ? { ...byList, ...byRule } : byRule;
    },
    isBlocked: (entry) => decideTool(entry).level === "blocked" || callRules.isBlocked(entry),
    mayAsk(entry) {
      const { level } = decideTool(entry);
      if (level !== "allowed" && LEVELS[level] === "refuse") return false;
      return level === "ask" || callRules.mayAsk(entry);
    },
    decide: (name) => remember(`call ${name}`, () => namesInCode(name), rules),
    decideImport: (module) => remember(`import ${module}`, () => namesOfModule(module), rules),
    decideTool,
    decidePack: (pack) => remember(`pack ${pack}`, () => namesOfPack(pack, accounts), packRules),
    decideRead: (pack) => remember(`read ${pack}`, () => namesOfPack(pack, accounts), readRules),
  };
}

/** Names of one thing, by the kind of pattern that may match them. */
interface Names {
  readonly bare?: readonly string[];
  readonly qualified?: readonly string[];
}

interface Rule {
  readonly level: PolicyDecision["level"];
  readonly find: (names: Names) => string | undefined;
}

/** Rules in order of precedence. */
function createRules(
  lists: PolicyLists,
  { defaults = {}, compile }: {
    readonly defaults?: PolicyLists;
    readonly compile: Compile;
  },
): Rule[] {
  const ruleOf = (level: Rule["level"], patterns?: readonly string[]) =>
    createRule(level, { patterns, compile });
  const refused = LEVEL_NAMES.filter((level) => LEVELS[level] === "refuse");
  const others = LEVEL_NAMES.filter((level) => LEVELS[level] !== "refuse");
  const rulesOf = ({ allow, ...from }: PolicyLists) => [
    ...others.map((level) => ruleOf(level, from[level])),
    ruleOf("allowed", allow),
  ];
  return [
    ...refused.flatMap((level) => [lists, defaults].map((from) => ruleOf(level, from[level]))),
    ...rulesOf(lists),
    ...rulesOf(defaults),
  ];
}

function createRule(
  level: Rule["level"],
  { patterns = [], compile }: {
    readonly patterns?: readonly string[];
    readonly compile: Compile;
  },
): Rule {
  const cleaned = [...new Set(patterns.map((pattern) => pattern.trim()))].filter(Boolean);
  const bare = createFinder(cleaned.filter((pattern) => !pattern.includes(".")), compile);
  const qualified = createFinder(cleaned.filter((pattern) => pattern.includes(".")), compile);
  return {
    level,
    find: (names) => bare(names.bare ?? []) ?? qualified(names.qualified ?? []),
  };
}

/** Rules where only names are known: calls in code are looked at once more, with their arguments. */
function seenInCode({ rules = [] }: PolicyLists): Rule[] {
  if (!rules.some(({ then }) => then === "ask" || then === "blocked" || then === "warned")) {
    return [];
  }
  return [{ level: "ask", find: () => SEEN_IN_CODE }];
}

/** Lists with the tools of rules that always hold. */
function withRules(
  lists: PolicyLists,
  rules: readonly CallRule[],
  of?: CallRule["effect"],
): PolicyLists {
  const always = rules.filter(({ when, effect }) => {
    return when === undefined && (effect === undefined || effect === of);
  });
  const added = LEVEL_NAMES.map((level) => {
    const tools = always.flatMap(({ then, tool = "*" }) => then === level ? [tool] : []);
    return [level, [...lists[level] ?? [], ...tools]];
  });
  return { ...lists, ...Object.fromEntries(added) };
}

/** Patterns that cover all tools of a pack. */
function wholePacks(lists: PolicyLists): PolicyLists {
  const isWhole = (pattern: string) => /^[^.]*(\.\*+)?$/.test(pattern.trim());
  const names = [...LEVEL_NAMES, "allow"] as const;
  return Object.fromEntries(names.map((name) => [name, lists[name]?.filter(isWhole)]));
}

type Finder = (names: readonly string[]) => string | undefined;

/** Finds the pattern that matches one of some names: exact names first, which are cheap. */
function createFinder(patterns: readonly string[], compile: Compile): Finder {
  const exact = new Map<string, string>();
  const wild: { readonly pattern: string; readonly matches: NamePattern }[] = [];
  for (const pattern of patterns) {
    const name = stripScheme(pattern);
    if (isWild(name)) wild.push({ pattern, matches: compile(name) });
    else exact.set(name, pattern);
  }
  return (names) => {
    for (const name of names) {
      const pattern = exact.get(name);
      if (pattern !== undefined) return pattern;
    }
    return wild.find(({ matches }) => names.some(matches))?.pattern;
  };
}

function decide(rules: readonly Rule[], names: Names): PolicyDecision {
  for (const { level, find } of rules) {
    const pattern = find(names);
    if (pattern !== undefined) return { level, pattern };
  }
  return ALLOWED;
}

function namesInCode(name: string): Names {
  return name.includes(".") ? { qualified: [name] } : { bare: [name] };
}

function namesOfModule(module: string): Names {
  const name = stripScheme(module);
  return { bare: [name, rootOf(name)] };
}

function namesOfTool({ pack, tool, packKey, toolKey }: ToolName, accounts: Accounts): Names {
  const packs = [...new Set([...packNames(pack, accounts), packKey ?? pack])];
  const tools = [...new Set([...spellings(tool), toolKey ?? tool])];
  return {
    bare: [...packs, ...packs.map((first) => `${first}__${tool}`)],
    qualified: packs.flatMap((first) => tools.map((second) => `${first}.${second}`)),
  };
}

function namesOfPack(pack: string, accounts: Accounts): Names {
  const packs = packNames(pack, accounts);
  return { bare: packs, qualified: packs.map((name) => `${name}.*`) };
}

/** Names of a pack, with those of the server that it is an account at. */
function packNames(pack: string, accounts: Accounts): string[] {
  const server = Object.hasOwn(accounts, pack) ? accounts[pack] : undefined;
  return server === undefined ? spellings(pack) : [...spellings(pack), ...spellings(server)];
}

/** A name and its spellings in code and configs: `deleteRepo`, `delete_repo`, `delete-repo`. */
function spellings(name: string): string[] {
  const snake = snakeCase(name);
  return [...new Set([name, camelCase(name), snake, snake.replaceAll("_", "-")])];
}

function stripScheme(name: string): string {
  return name.startsWith("node:") ? name.slice("node:".length) : name;
}

/** Root module of `fs/promises`; a scope and its name are one part. */
function rootOf(module: string): string {
  const [first = "", second] = module.split("/");
  return first.startsWith("@") && second !== undefined ? `${first}/${second}` : first;
}
