/** Registry of all tools: resolves, checks and routes every call. */

import { isDeepStrictEqual } from "node:util";
import {
  createPace,
  Listeners,
  type Log,
  type Pace,
  type Span,
  type Tracer,
  untraced,
} from "#base";
import { createArgumentReader } from "./arguments.ts";
import { createCallTurns } from "./call_turns.ts";
import { mayRepeat } from "../effect.ts";
import { checkPolicy } from "./dispatch_policy.ts";
import { PackError } from "../errors.ts";
import { nameTools, packProperties, toolProperties } from "./names.ts";
import { insteadCall } from "./prefix.ts";
import { createPackLives } from "./pack_lives.ts";
import { createPolicy, type Policy, type PolicyDecision } from "./policy.ts";
import type { JudgedCall } from "./rules/call_rules.ts";
import { withoutYielding } from "./precedence.ts";
import type { Args, CallOptions, CallResult, Pack, ToolEntry } from "../types.ts";
import { withRetries } from "./retry.ts";
import { unknownPack, unknownTool } from "../unknown.ts";
import { untrustedError } from "./untrusted.ts";
import { type CallWitness, witnessed, witnessedIfMade } from "./witness.ts";

const GRACE_MS = 10_000;

export interface Registry extends AsyncDisposable {
  /** In the order of the config. */
  packs(): readonly Pack[];
  /** Every tool with all its names, in the order of packs. */
  entries(): readonly ToolEntry[];
  /** Calls a tool by its wire name, also spelled as in code (`everything__getTinyImage`): resolves
   * abbreviated parameters, validates, checks the policy, dispatches. Throws `PackError`. */
  call(wire: string, args: unknown, options: CallOptions): Promise<CallResult>;
  /** Name of a tool for people, `github.create_issue`: the own names where the registry has the tool,
   * else derived from the wire name. */
  nameOf(wire: string): string;
  /** Policy that calls are checked against. */
  policy(): Policy;
  /** Decides about a call with its arguments as the tool would get them. Throws `PackError`. */
  decide(
    entry: ToolEntry,
    call: Pick<CallOptions, "origin" | "signal"> & { readonly args: Args },
  ): Promise<PolicyDecision>;
  /** Waits until the tools of these packs are known or unavailable; `null` means all packs. */
  settle(names: readonly string[] | null): Promise<void>;
  /** Calls `listener` when `entries()` may have changed. Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
  /** Replaces packs and policy (OT-14). A pack that is not in the list gets no further calls and is
   * disposed of. Resolves when the removed packs without calls have ended. */
  replace(packs: readonly Pack[], policy: Policy): Promise<void>;
  /** Turns of the work about calls. */
  readonly pace: Pace;
  /** Adds a witness of every call. */
  observe(witness: CallWitness): void;
}

export interface RegistryOptions {
  readonly log: Log;
  /** Time that calls may delay the end of a removed pack; 10 s. */
  readonly graceMs?: number;
  /** Policy for calls; without one, everything is allowed. */
  readonly policy?: Policy;
  /** Tracer for calls without a span. */
  readonly tracer?: Tracer;
}

/** Makes the registry over packs, and disposes of them with itself. */
export function createRegistry(
  initial: readonly Pack[],
  { log, graceMs = GRACE_MS, tracer = untraced, ...options }: RegistryOptions,
): Registry {
  let { policy = createPolicy({}) } = options;
  let packs = withoutYielding(initial, log);
  const listeners = new Listeners();
  const readArguments = createArgumentReader();
  const pace = createPace();
  const turnsOf = createCallTurns(pace);
  let table: Table | undefined;
  const witnesses: CallWitness[] = [];

  const lives = createPackLives({ onChange: changed, graceMs });
  void lives.follow(initial);

  function changed(): void {
    table = undefined;
    listeners.tell();
  }

  function current(): Table {
    table ??= buildTable(packs, { policy, log });
    return table;
  }

  return {
    packs: () => packs,
    entries: () => current().entries,
    call(wire, args, options) {
      const parent = (options.span ?? tracer).within(options.trace);
      let called: ToolEntry | undefined;
      const result = parent.span(
        "tool.call",
        { tool: wire },
        (span) => dispatch(wire, args, { ...options, span, onEntry: (entry) => called = entry }),
      );
      const { origin } = options;
      const report = { wire, args, origin, entryOf: () => called, witnesses };
      return options.planned ? witnessedIfMade(result, report) : witnessed(result, report);
    },
    policy: () => policy,
    decide: (entry, call) => policy.decideCall(entry, { ...call, inTurn: turnsOf(entry, call) }),
    nameOf(wire) {
      const entry = current().find(wire);
      return entry ? `${entry.pack}.${entry.tool}` : wire.replace("__", ".");
    },
    async settle(names) {
      const pending = packs.filter(({ name }) => names === null || names.includes(name));
      await Promise.all(pending.map((pack) => pack.settle()));
    },
    onChange: listeners.add,
    pace,
    async replace(next, nextPolicy) {
      policy = nextPolicy;
      packs = withoutYielding(next, log);
      const left = lives.follow(next);
      changed();
      await left;
    },
    observe: (witness) => void witnesses.push(witness),
    async [Symbol.asyncDispose]() {
      listeners.clear();
      await lives[Symbol.asyncDispose]();
    },
  };

  async function dispatch(
    wire: string,
    args: unknown,
    { onEntry, ...options }: DispatchOptions,
  ): Promise<CallResult> {
    const entry = current().find(wire) ?? await findLate(wire, packs, current);
    const pack = packs.find(({ name }) => name === entry?.pack);
    if (!entry || !pack) throw await turnsOf(wire, options)(() => unknown(wire, current(), packs));
    onEntry(entry);
    // During the call its server may take the tool off its list.
    if (isExternal(entry, pack)) options.onForeign?.();
    const name = `${entry.pack}.${entry.tool}`;
    options.span.set({ tool: name, source: entry.source });
    const inTurn = turnsOf(entry, options);
    const resolved = await inTurn(() => readArguments(args, entry));
    const judged = { args: resolved, origin: options.origin, inTurn };
    const decision = await policy.decideCall(entry, judged);
    await checkPolicy({ decision, log, entry, args: resolved, options });
    const standIn = await options.instead?.(insteadCall(entry, resolved));
    if (standIn) return standIn;
    const decided = { ...judged, entry, decision };
    const heir = () => heirOf(pack, decided, { packs, policy, table: current() });
    const callOptions = { ...options, decided: entry.spec };
    const work = (live: Pack) => live.call(entry.tool, resolved, callOptions);
    const call = () => lives.call({ pack, tool: name, heir }, work);
    const retry = mayRepeat(entry) ? options.retry ?? 0 : 0;
    return await withRetries(call, { retry, signal: options.signal });
  }
}

interface DecidedCall extends JudgedCall {
  readonly entry: ToolEntry;
  readonly decision: PolicyDecision;
}

interface Current {
  readonly packs: readonly Pack[];
  readonly policy: Policy;
  readonly table: Table;
}

/** Finds the pack of this process that has come in place of one, where its tool is the same and the
 * policy of now decides the same about the call. */
async function heirOf(
  { name, source, external }: Pack,
  { entry, decision, ...call }: DecidedCall,
  { packs, policy, table }: Current,
): Promise<Pack | undefined> {
  const heir = packs.find((pack) => pack.name === name);
  if (source !== "local" || heir?.source !== source || heir.external !== external) return;
  if (!isDeepStrictEqual(table.find(entry.wire), entry)) return;
  return isDeepStrictEqual(await policy.decideCall(entry, call), decision) ? heir : undefined;
}

interface DispatchOptions extends CallOptions {
  readonly span: Span;
  /** Receives the tool before it is called. */
  readonly onEntry: (entry: ToolEntry) => void;
}

interface Table {
  readonly entries: readonly ToolEntry[];
  find(wire: string): ToolEntry | undefined;
}

function buildTable(
  packs: readonly Pack[],
  { policy, log }: { readonly policy: Policy; readonly log: Log },
): Table {
  const { entries, warnings } = nameTools(
    packs.map((pack) => ({ name: pack.name, source: pack.source, tools: pack.tools() })),
    policy.effectOf,
  );
  for (const warning of warnings) log("warning", warning);
  const byWire = new Map(entries.map((entry) => [entry.wire, entry]));
  let findSpelled: Table["find"] | undefined;
  return {
    entries,
    find: (wire) => byWire.get(wire) ?? (findSpelled ??= createSpellings(entries))(wire),
  };
}

/** Makes the look-up of tools by the spellings of their packs and names in code. */
function createSpellings(entries: readonly ToolEntry[]): Table["find"] {
  const byPack = Map.groupBy(entries, ({ pack }) => pack);
  const tools = new Map([...byPack].map(([pack, own]) => [pack, toolProperties(own)]));
  const packs = packProperties(entries);
  return (wire) => {
    for (const [spelling, pack] of packs) {
      if (!wire.startsWith(`${spelling}__`)) continue;
      const entry = tools.get(pack)?.get(wire.slice(spelling.length + 2));
      if (entry) return entry;
    }
    return undefined;
  };
}

/** True for a tool whose results and errors are foreign text: by its pack's configuration, and for a
 * tool of this process by its annotation (RUN-58 to 60). */
function isExternal({ spec }: ToolEntry, { external, source }: Pack): boolean {
  return external ?? (source === "local" && spec.annotations?.openWorldHint === true);
}

/** Waits for packs without tools, such as a server that is still connecting. */
async function findLate(
  wire: string,
  packs: readonly Pack[],
  current: () => Table,
): Promise<ToolEntry | undefined> {
  const pending = packs.filter((pack) =>
    wire.startsWith(`${pack.name}__`) && pack.tools().length === 0
  );
  await Promise.all(pending.map((pack) => pack.settle()));
  const entry = current().find(wire);
  if (entry) return entry;
  for (const pack of pending) {
    throwUnavailable(pack, `${pack.name}.${wire.slice(pack.name.length + 2)}`);
  }
  return undefined;
}

function throwUnavailable(pack: Pack, name: string): void {
  const { state, error } = pack.status();
  if (state === "connected" || state === "idle") return;
  if (state === "untrusted") throw untrustedError(pack.name, name);
  const step = pack.step?.();
  if (step) {
    const { reason, message, command } = step;
    const text = `Cannot call "${name}": the server "${pack.name}" is not available: ${message}`;
    throw new PackError("unavailable", text, { tool: name, details: { reason, command } });
  }
  const reason = error ?? state;
  if (pack.source === "worker" || pack.source === "local") {
    throw new PackError(
      "unavailable",
      `Cannot call "${name}": the pack "${pack.name}" cannot be used: ${
        pack.problem?.() ?? reason
      }`,
      { tool: name, details: { reason } },
    );
  }
  throw new PackError(
    "unavailable",
    `Cannot call "${name}": server "${pack.name}" is not connected (${reason}): ` +
      "look at its state with `toolscript gateway status` and at its command in the config",
    { tool: name, retryable: true, details: { reason } },
  );
}

function unknown(wire: string, table: Table, packs: readonly Pack[]): PackError {
  const split = wire.indexOf("__");
  const packName = split < 0 ? wire : wire.slice(0, split);
  const pack = packs.find(({ name }) => name === packName || wire.startsWith(`${name}__`));
  if (!pack) return unknownPack(wire.replace("__", "."), packName, packs);
  const names = table.entries.filter((entry) => entry.pack === pack.name).map(({ tool }) => tool);
  return unknownTool(pack, wire.slice(pack.name.length + 2), names);
}
