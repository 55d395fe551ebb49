/** The last runs of one gateway, in memory: programs, calls, results and output, cut and bounded. */

import { Listeners } from "#base";
import type { CallWitness } from "#packs";
import type { RunWatcher } from "../run/watched.ts";
import { type Redact, RunRecord } from "./run_record.ts";
import type { JournalEvent, RunDetails, RunFacets, RunFilter, RunSummary } from "./types.ts";

export interface JournalOptions {
  /** Name of a tool for people, `github.create_issue`. */
  readonly nameOf: (wire: string) => string;
  /** Takes secrets out of what is shown. */
  readonly redact: Redact;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Runs that are kept. */
  readonly mostRuns?: number;
  /** Characters that are kept. */
  readonly mostCharacters?: number;
}

export interface RunPage {
  readonly limit: number;
  /** Runs that are left out before. */
  readonly offset?: number;
}

export interface RunList {
  readonly runs: readonly RunSummary[];
  /** Number of runs that match. */
  readonly total: number;
}

export interface Journal extends Disposable {
  readonly witness: CallWitness;
  readonly watch: RunWatcher;
  /** Runs that match, the latest first; those within others are left out. */
  list(filter: RunFilter, page: RunPage): RunList;
  facets(): RunFacets;
  find(run: string): RunDetails | undefined;
  /** Name of the client that sent a run. */
  clientOf(run: string): string | undefined;
  /** Calls `listener` for each change. Returns the function that unsubscribes. */
  onChange(listener: (event: JournalEvent) => void): () => void;
}

const MOST_RUNS = 1_000;
const MOST_CHARACTERS = 33_554_432;
/** Delay before the excerpts of ended calls are made: the program goes on first. */
const DELAY_MS = 100;
/** Minimum time between two events about what a run prints. */
const PRINT_MS = 500;
const MOST_FACETS = 200;

/** Builds the journal, empty. */
export function createJournal(options: JournalOptions): Journal {
  const { nameOf, redact, now, mostRuns = MOST_RUNS, mostCharacters = MOST_CHARACTERS } = options;
  const records = new Map<string, RunRecord>();
  const listeners = new Listeners<JournalEvent>();
  const unsettled = new Set<RunRecord>();
  const printed = createDelay(PRINT_MS, (record: RunRecord) => {
    if (record.state === "running") tell(record);
  });
  let timer: ReturnType<typeof setTimeout> | undefined;

  function settleLater(record: RunRecord): void {
    unsettled.add(record);
    if (timer !== undefined) return;
    timer = setTimeout(settleNext, DELAY_MS);
    Deno.unrefTimer(timer);
  }

  /** Settles one run at a time, so that other work runs in between. */
  function settleNext(): void {
    timer = undefined;
    const [record] = unsettled;
    if (!record) return drop(records, { mostRuns, mostCharacters });
    unsettled.delete(record);
    record.settle();
    timer = setTimeout(settleNext, 0);
  }

  function tell({ run, state }: RunRecord): void {
    listeners.tell({ type: "run", run, state });
  }

  return {
    witness(call) {
      const record = records.get(call.origin?.run ?? "");
      if (!record) return unheard;
      const tool = nameOf(call.wire);
      const ended = record.call(tool, call, now());
      const { run } = record;
      listeners.tell({ type: "call", run, tool, state: "running" });
      return (end) => {
        ended(end, now());
        settleLater(record);
        listeners.tell({ type: "call", run, tool, state: "error" in end ? "failed" : "ok" });
      };
    },
    watch(begun) {
      const record = new RunRecord(begun, now());
      records.set(begun.run, record);
      tell(record);
      const over = () => {
        settleLater(record);
        tell(record);
      };
      return {
        event(event) {
          if (event.type !== "stdout" && event.type !== "stderr") return;
          record.print(event.type, event.data);
          printed.add(record);
        },
        ended(reply) {
          record.end(reply);
          over();
        },
        refused(error) {
          record.refuse(error, now());
          over();
        },
      };
    },
    list(filter, { limit, offset = 0 }) {
      const all = [...records.values()].reverse()
        .filter((record) => record.within === null && matches(record, filter));
      const page = all.slice(offset, offset + limit);
      return { runs: page.map((record) => record.summary(redact)), total: all.length };
    },
    clientOf: (run) => records.get(run)?.client,
    facets: () => facetsOf([...records.values()]),
    find(run) {
      const record = records.get(run);
      if (!record) return undefined;
      const parts = [...records.values()].filter(({ within }) => within === run);
      return { ...record.details(redact), parts: parts.map((part) => part.summary(redact)) };
    },
    onChange: listeners.add,
    [Symbol.dispose]() {
      clearTimeout(timer);
      printed[Symbol.dispose]();
      listeners.clear();
    },
  };
}

/** Removes the oldest runs that have ended, while there are too many or they are too large. */
function drop(
  records: Map<string, RunRecord>,
  { mostRuns, mostCharacters }: Required<Pick<JournalOptions, "mostRuns" | "mostCharacters">>,
): void {
  let size = 0;
  for (const record of records.values()) size += record.size;
  for (const record of records.values()) {
    if (records.size <= mostRuns && size <= mostCharacters) return;
    if (record.state === "running") continue;
    records.delete(record.run);
    size -= record.size;
  }
}

interface Delay<T> extends Disposable {
  add(item: T): void;
}

/** Does the work for each item a moment after the first of them was added, once. */
function createDelay<T>(ms: number, work: (item: T) => void): Delay<T> {
  const items = new Set<T>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  function workAll(): void {
    timer = undefined;
    const all = [...items];
    items.clear();
    all.forEach(work);
  }

  return {
    add(item) {
      items.add(item);
      if (timer !== undefined) return;
      timer = setTimeout(workAll, ms);
      Deno.unrefTimer(timer);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

function matches(record: RunRecord, { client, outcome, tool }: RunFilter): boolean {
  if (client !== undefined && record.client !== client) return false;
  if (tool !== undefined && !record.tools.has(tool)) return false;
  if (outcome === "ended") return record.state !== "running";
  return outcome === undefined || record.state === outcome || record.code === outcome;
}

function facetsOf(records: readonly RunRecord[]): RunFacets {
  const sorted = (values: Iterable<string>) => [...new Set(values)].sort().slice(0, MOST_FACETS);
  return {
    clients: sorted(records.map(({ client }) => client)),
    codes: sorted(records.flatMap(({ code }) => code ?? [])),
    tools: sorted(records.flatMap(({ tools }) => [...tools])),
  };
}

function unheard(): void {}
