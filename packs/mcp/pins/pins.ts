/** Pins of one gateway: compares each tool of a server with what was seen first. */

import { Buffer } from "node:buffer";
import { idle, type Log } from "#base";
import type { ToolSpec } from "../../types.ts";
import type { PinMode } from "./pin_modes.ts";
import { compareTools, isMilder, strictHints, type ToolChange } from "./pin.ts";
import { MOST_PINNED, pinMark, type PinSet, readPins, updatePins } from "./pin_file.ts";

/** Bytes of the pins of one server. */
const MOST_OF_ONE = 12 * 1024 * 1024;

export interface PinDeps {
  readonly cacheDir: string;
  readonly mode: () => PinMode;
  readonly log: Log;
}

export interface Review {
  /** Tools to use in place of the list: a held tool as it was, and under `warn` annotations that do
   * not promise more than before. */
  readonly tools: readonly ToolSpec[];
  /** By the name of the tool. */
  readonly changes: ReadonlyMap<string, ToolChange>;
}

export interface ReviewedList {
  readonly tools: readonly ToolSpec[];
  /** False for a list of the cache. */
  readonly isSent: boolean;
}

export interface Pins {
  readonly mode: PinMode;
  /** True while the file was damaged and not every server has been accepted since. */
  readonly isDamaged: boolean;
  /** Compares a server's list; one that the server has just sent pins the tools that it sends for the
   * first time. */
  review(server: string, list: ReviewedList): Review;
  /** Counter that grows when the pins or the mode may have changed. The file is read again if
   * another process has written it. */
  version(): number;
  /** Waits until the pins are written. */
  flush(): Promise<void>;
}

/** Opens the pins of a project; the file is read at the first review. */
export function createPins({ cacheDir, mode, log }: PinDeps): Pins {
  let pins: PinSet | undefined;
  let mark: string | undefined;
  let version = 0;
  let last = mode();
  let saving: Promise<unknown> = Promise.resolve();
  /** Tools that are not in the file yet, by server. */
  let unsaved = new Map<string, readonly ToolSpec[]>();

  function load(): PinSet {
    if (pins) return pins;
    mark = pinMark(cacheDir);
    pins = readPins(cacheDir);
    if (pins.isDamaged) {
      const fix = "toolscript pins accept SERVER";
      log("warning", "The pins of tools are damaged: every tool counts as changed", { fix });
    }
    return pins;
  }

  /** Servers that send their lists at the same time are written together: the file may be large. */
  function save(server: string, tools: readonly ToolSpec[]): void {
    const isQueued = unsaved.size > 0;
    unsaved.set(server, [...unsaved.get(server) ?? [], ...tools]);
    if (!isQueued) saving = saving.then(idle).then(saveAll);
  }

  async function saveAll(): Promise<void> {
    const batch = unsaved;
    unsaved = new Map();
    const read = () => pinMark(cacheDir) === mark ? load() : readPins(cacheDir);
    try {
      pins = await updatePins(cacheDir, (saved) => {
        for (const [server, tools] of batch) pin(saved.servers, server, tools);
        return saved;
      }, read);
      mark = pinMark(cacheDir);
      version++; // what another process accepted meanwhile is among them
    } catch (error) {
      const servers = [...batch.keys()].join(", ");
      log("warning", "Cannot pin the tools of a server", { server: servers, error: String(error) });
    }
  }

  return {
    get mode() {
      return mode();
    },
    get isDamaged() {
      return load().isDamaged;
    },
    review(server, { tools, isSent }) {
      const current = mode();
      if (current === "off") return { tools, changes: new Map() };
      const { review, fresh } = reviewWith(load(), { server, tools, mode: current });
      if (isSent && fresh.length > 0) {
        pin(load().servers, server, fresh);
        save(server, fresh);
      }
      return review;
    },
    version() {
      if (mode() !== last) version++;
      last = mode();
      if (!pins || pinMark(cacheDir) === mark) return version;
      pins = undefined;
      load();
      return ++version;
    },
    async flush() {
      await saving;
    },
  };
}

/** Adds tools that have no pin. */
function pin(servers: PinSet["servers"], server: string, tools: readonly ToolSpec[]): void {
  const pinned = servers.get(server) ?? new Map<string, ToolSpec>();
  for (const tool of tools) if (!pinned.has(tool.name)) pinned.set(tool.name, tool);
  servers.set(server, pinned);
}

/** True if the pins of a server, with those of its tools that have none yet, fit into the file
 * beside those of the other servers. Tools without room count as changed. */
function fits(servers: PinSet["servers"], { server, tools }: Omit<ServerList, "mode">): boolean {
  const own = servers.get(server);
  const unknown = tools.filter(({ name }) => !own?.has(name));
  if (unknown.length === 0) return true;
  const others = [...servers].flatMap(([name, pinned]) =>
    name === server ? [] : [...pinned.values()]
  );
  const left = roomBeside(MOST_OF_ONE, [...own?.values() ?? [], ...unknown]);
  return left >= 0 && roomBeside(MOST_PINNED - MOST_OF_ONE + left, others) >= 0;
}

/** Bytes that are left of `room` with the tools in it; negative where they do not fit. */
function roomBeside(room: number, tools: readonly ToolSpec[]): number {
  let left = room;
  for (const tool of tools) {
    if (left < 0) break;
    left -= bytesOf(tool);
  }
  return left;
}

const SIZES = new WeakMap<ToolSpec, number>();

function bytesOf(tool: ToolSpec): number {
  const bytes = SIZES.get(tool) ?? Buffer.byteLength(JSON.stringify(tool));
  SIZES.set(tool, bytes);
  return bytes;
}

export interface ServerList {
  readonly server: string;
  readonly tools: readonly ToolSpec[];
  readonly mode: PinMode;
}

/** The review of a list, and the tools that are pinned as they are. */
export function reviewWith(
  { servers, isDamaged }: PinSet,
  { server, tools, mode }: ServerList,
): { readonly review: Review; readonly fresh: readonly ToolSpec[] } {
  const pinned = servers.get(server);
  const canPin = fits(servers, { server, tools });
  if (!pinned && !isDamaged && canPin) {
    return { review: { tools, changes: new Map() }, fresh: tools };
  }
  const changes = new Map<string, ToolChange>();
  const fresh: ToolSpec[] = [];
  const used = tools.map((now) => {
    const before = pinned?.get(now.name);
    const change = before ? compareTools(before, now) : { kinds: ["new"] as const, now };
    if (!change) return now;
    if (!before && pinned && mode !== "hold" && canPin) {
      fresh.push(now);
      return now;
    }
    changes.set(now.name, change);
    if (!before) return pinned && canPin ? now : { ...now, annotations: {} };
    if (mode === "hold") return before;
    return isMilder(now, before) ? { ...now, annotations: strictHints(now, before) } : now;
  });
  return { review: { tools: used, changes }, fresh };
}
