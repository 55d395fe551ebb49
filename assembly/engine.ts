/** Parts that run programs: registry, catalog, sandbox, runner. */

import type { Config } from "#config";
import { createCallAnswerer, directFilter, instructionsOf, ownTools } from "#gateway";
import { createRegistry, type Registry } from "#packs";
import {
  auditOfConfirmation,
  auditOfQuestion,
  type Catalog,
  type CatalogNames,
  type Checker,
  type Confirmations,
  createCatalog,
  createChecker,
  createConfirmations,
  createFinder,
  createHabits,
  createInbox,
  createJournal,
  createModuleGenerator,
  createProgramReader,
  createReplyWriter,
  createRunner,
  createShapes,
  createStatistics,
  type Finder,
  type Habits,
  type Inbox,
  type Journal,
  type ProgramReader,
  rejectedRun,
  type Runner,
  type Shapes,
  type Statistics,
} from "#runtime";
import { createSandbox, type Sandbox } from "#sandbox";
import { type Base, newSecret } from "./base.ts";

export interface Engine {
  readonly registry: Registry;
  readonly statistics: Statistics;
  readonly shapes: Shapes;
  readonly finder: Finder;
  readonly habits: Habits;
  readonly journal: Journal;
  readonly checker: Checker;
  readonly reader: ProgramReader;
  readonly catalog: Catalog;
  readonly sandbox: Sandbox;
  readonly confirmations: Confirmations;
  readonly inbox: Inbox;
  readonly runner: Runner;
}

/** Builds the engine. Its registry is empty until it gets the packs. */
export function buildEngine(base: Base): Engine {
  const { options, live, log, tracer } = base;
  const { config } = options;
  const registry = createRegistry([], { log, tracer, graceMs: config.gateway.graceMs });
  const statistics = buildStatistics(base, registry);
  const shapes = buildShapes(base);
  registry.observe(statistics.witness);
  registry.observe(shapes.witness);
  const habits = createHabits({
    cacheDir: config.cacheDir,
    learns: () => live.current.types.learn,
    now: Date.now,
    log,
  });
  registry.observe(habits.witness);
  const journal = buildJournal(base, registry);
  const finder = createFinder({
    registry: () => registry,
    vocabulary: () => live.current,
    habits,
    learned: (entry) => shapes.resultOf(entry),
  });
  const checker = createChecker({ log, deno: Deno.execPath() });
  const reader = createProgramReader();
  const generator = createModuleGenerator({ learned: (entry) => shapes.resultOf(entry), log });
  const names = namesOf(config);
  const catalog = createCatalog({ registry, checker, reader, generator, names, log });
  const sandbox = buildSandbox(base, catalog);
  catalog.onModule(() => sandbox.refresh());
  shapes.onChange((packs) => {
    const all = withAccounts(packs, live.current);
    catalog.relearn(all);
    finder.relearn(all);
  });
  const confirmations = createConfirmations({
    now: Date.now,
    newId: newSecret,
    onConfirmed: (confirmed) => statistics.audit(auditOfConfirmation(confirmed)),
  });
  const observers = { registry, statistics, shapes, finder, habits, journal };
  const parts = { ...observers, checker, reader, catalog };
  const inbox = buildInbox(base);
  inbox.subscribe((event) => {
    const audit = auditOfQuestion(event);
    if (audit) statistics.audit(audit);
  });
  const all = { ...parts, sandbox, confirmations, inbox };
  return { ...all, runner: buildRunner({ ...base, ...all }) };
}

/** Names and lists that the catalog takes from the configuration. */
export function namesOf(config: Config): CatalogNames {
  const { alias: aliases, snippets, projects, security: lists } = config;
  return { aliases, snippets, projects, lists };
}

/** Builds the inbox; where others find the gateway, and the configuration wants it, the page can
 * answer. */
function buildInbox({ options, live, listener }: Base): Inbox {
  return createInbox({
    newId: newSecret,
    now: Date.now,
    waitMs: () => live.current.security.askTimeoutMs,
    address: () => options.shared && live.current.security.page ? `${listener.url}/` : undefined,
  });
}

function buildStatistics({ options, live, log, telemetry }: Base, registry: Registry): Statistics {
  return createStatistics({
    folder: options.config.stats.folder,
    settings: () => live.current.stats,
    registry,
    sent: () => directFilter(live.current.direct),
    offered: () =>
      `${JSON.stringify(ownTools(live.current.mcp))}${
        instructionsOf(registry, live.current.prompts)
      }`,
    log,
    now: Date.now,
    clock: () => performance.now(),
    redact: telemetry.redact,
    onAudit: telemetry.audit,
  });
}

/** Builds the journal; it follows the runs of a gateway that others can look at. */
function buildJournal({ options, telemetry }: Base, registry: Registry): Journal {
  const nameOf = (wire: string) => registry.nameOf(wire);
  const journal = createJournal({ nameOf, redact: telemetry.redactWhole, now: Date.now });
  if (options.shared) registry.observe(journal.witness);
  return journal;
}

function buildShapes({ options, live, log }: Base): Shapes {
  return createShapes({
    cacheDir: options.config.cacheDir,
    learns(pack) {
      const { types, servers } = live.current;
      return types.learn && servers.find(({ name }) => name === pack)?.learn !== false;
    },
    typesOf: (pack) => typesOf(pack, live.current),
    log,
  });
}

/** Pack whose types a pack has: that of the first account of its server. */
function typesOf(pack: string, { servers }: Pick<Config, "servers">): string {
  const server = servers.find(({ name }) => name === pack);
  return server && server.kind !== "stdio" ? server.account?.server ?? pack : pack;
}

/** These packs, and those that have their types. */
function withAccounts(packs: ReadonlySet<string>, config: Config): ReadonlySet<string> {
  const names = config.servers.map(({ name }) => name);
  return new Set([...packs, ...names.filter((name) => packs.has(typesOf(name, config)))]);
}

function buildSandbox({ options, live, listener, log }: Base, catalog: Catalog): Sandbox {
  const stdinBytes = options.config.gateway.maxBodyBytes;
  return createSandbox({
    origin: listener.url,
    settings: () => ({ ...live.current.sandbox, stdinBytes }),
    preload: () => catalog.expression(),
    log,
    deno: Deno.execPath(),
  });
}

function buildRunner(parts: Base & Omit<Engine, "runner">): Runner {
  const { options, live, log, results, statistics, journal } = parts;
  return createRunner({
    ...parts,
    answerCall: createCallAnswerer({ maxBytes: () => live.current.sandbox.callBytes, log }),
    writer: createReplyWriter({ store: results, settings: () => live.current.output }),
    settings() {
      const { sandbox, security: { sanitize, approve } } = live.current;
      return { ...sandbox, sanitize, approve };
    },
    now: () => performance.now(),
    runId: () => `r_${newSecret()}`,
    onRun: statistics.onRun,
    onRejected(run) {
      const audit = rejectedRun(run);
      if (audit) statistics.audit(audit);
    },
    watch: options.shared ? journal.watch : undefined,
  });
}
