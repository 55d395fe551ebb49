/** Servers of other clients, taken over into `onetool.yaml`; their secrets go to `secrets.yaml`. */

import { isDeepStrictEqual } from "node:util";
import { dirname, join } from "node:path";
import { dump, loadAll } from "js-yaml";
import { escapeUnseen, isObject } from "#base";
import { findFile, writtenServers } from "#config";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { exists } from "../paths.ts";
import { quotedName } from "../terminal/names.ts";
import { importServer, type ServerImport } from "../init/import_server.ts";
import { ignoreState } from "../init/ignore.ts";
import { firstConfig } from "../init/first_config.ts";
import { openSecrets } from "../init/secret_keeper.ts";
import { type InitPlace, readExisting, writeWhole } from "../init/write_new.ts";
import type { Entry } from "./clients.ts";
import type { Target } from "./targets.ts";

export interface TakeOver {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** Settings of the servers that are new in the configuration. */
  readonly added: Readonly<Record<string, unknown>>;
  /** True where files of the project alone name some of them. */
  readonly isForeign: boolean;
  /** Names of the servers that leave a client's file, by its path. */
  readonly moved: ReadonlyMap<string, readonly string[]>;
  /** Messages for the person. */
  readonly notes: readonly string[];
  /** Writes the secrets and the configuration. Throws `CliError`. */
  readonly apply: () => void;
}

export interface ClientServers {
  readonly target: Target;
  readonly servers: ReadonlyMap<string, Entry>;
}

/** Plans the move of all servers of these files. The same server in two files becomes one. */
export async function takeOver(
  { io }: Context,
  { place, files }: {
    /** The folder `.onetool` of the configuration, and the root it belongs to. */
    readonly place: InitPlace;
    readonly files: readonly ClientServers[];
  },
): Promise<TakeOver> {
  const root = join(place.folder, "..");
  const file = await findFile(root) ?? join(place.folder, "onetool.yaml");
  const before = exists(file) ? readExisting(file, "add servers to") : "";
  const isProject = place.root !== place.folder;
  const existing = writtenServers(file, { home: io.home, env: io.env, isProject });
  // Beside the configuration, where its references lead.
  const secrets = openSecrets({ ...place, folder: dirname(file) });
  const added = new Map<string, unknown>();
  const ofUser = new Set<string>();
  /** Names of those that got a folder since their client starts them in no project. */
  const apart = new Set<string>();
  const moved = new Map<string, readonly string[]>();
  const notes: string[] = [];
  const find = (name: string) =>
    added.get(name) ?? (Object.hasOwn(existing, name) ? existing[name] : undefined);

  /** Name under which the settings stand, or will stand, in the configuration. */
  function nameFor(name: string, { settings, isApart }: Taken): string {
    for (let count = 1;; count++) {
      const free = count === 1 ? name : `${name}_${count}`;
      const current = find(free);
      if (current === undefined || isDeepStrictEqual(current, settings)) return free;
      if (!added.has(free)) continue;
      if (isApart && isDeepStrictEqual(current, withoutFolder(settings))) return free;
      if (apart.has(free) && isDeepStrictEqual(withoutFolder(current), settings)) return free;
    }
  }

  function take(name: string, entry: Entry, { client, file, isUser }: Target): boolean {
    const [label, place] = [quotedName(name), escapeUnseen(file)];
    const own = client.read ? client.read(entry) : entry;
    const isApart = client.project === undefined;
    const server = importServer({ name, entry: own, file, isApart }, { secrets, env: io.env });
    if (server.kind === "left") {
      if (name !== "toolscript") notes.push(`Left the server ${label} in ${place}: ${server.why}`);
      return false;
    }
    const free = nameFor(server.name, server);
    if (free !== server.name) {
      notes.push(`The server ${label} of ${place} is now "${free}": another one has its name`);
    }
    // What the project names as well starts where the user's own does, without a question.
    if (find(free) === undefined || (added.has(free) && server.isApart)) {
      added.set(free, server.settings);
      if (server.isApart) apart.add(free);
    }
    if (isUser) ofUser.add(free);
    if (server.lacks.length > 0) {
      notes.push(`The server "${free}" is switched off: set ${server.lacks.join(" and ")} first`);
    }
    return true;
  }

  for (const { target, servers } of files) {
    const names = [...servers].filter(([name, entry]) => take(name, entry, target));
    moved.set(target.file, names.map(([name]) => name));
  }
  const settings = Object.fromEntries(added);
  const after = added.size === 0 ? before : await withServers(before, settings, file);
  return {
    file,
    before,
    after,
    added: settings,
    isForeign: [...added.keys()].some((name) => !ofUser.has(name)),
    moved,
    notes,
    apply() {
      if (added.size === 0) return;
      ignoreState(place);
      secrets.write();
      writeWhole(file, after, { root: place.root });
    },
  };
}

type Taken = Extract<ServerImport, { kind: "taken" }>;

function withoutFolder(settings: unknown): unknown {
  if (!isObject(settings)) return settings;
  const { cwd: _, ...rest } = settings;
  return rest;
}

function serversOf(text: string, file: string): Readonly<Record<string, unknown>> {
  // A file of comments has no document.
  const [root]: readonly unknown[] = loadAll(text, { filename: file });
  const servers = isObject(root) ? root.servers : undefined;
  return isObject(servers) ? servers : {};
}

/** The configuration with these servers behind its own. Throws `CliError` where its servers are not
 * written as a block. */
async function withServers(text: string, servers: object, file: string): Promise<string> {
  if (text.trim() === "") return await firstConfig(servers);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const lines = text.split(/\r?\n/);
  const head = lines.findIndex((line) => /^servers:\s*(#.*)?$/.test(line));
  const expected = { ...serversOf(text, file), ...servers };
  const block = head === -1
    ? [...trimEnd(lines), "", ...blockOf({ servers }, "")]
    : insertInto(lines, head, servers);
  const whole = `${trimEnd(block).join(eol)}${eol}`;
  if (isDeepStrictEqual(serversOf(whole, file), expected)) return whole;
  throw new CliError(
    1,
    `Cannot add servers to "${file}": its servers are not written as a block: write "servers:", and ` +
      "each server below it",
  );
}

function insertInto(lines: readonly string[], head: number, servers: object): string[] {
  let end = head + 1;
  for (let at = head + 1; at < lines.length && !/^[^\s#]/.test(lines[at] ?? ""); at++) {
    if (/^\s+[^\s#]/.test(lines[at] ?? "")) end = at + 1;
  }
  const indent = /^[ ]+/.exec(
    lines.slice(head + 1, end).find((line) => /^ +[^\s#]/.test(line)) ?? "",
  );
  const block = blockOf(servers, indent?.[0] ?? "  ");
  return [...lines.slice(0, end), ...block, ...lines.slice(end)];
}

function blockOf(value: object, indent: string): string[] {
  return dump(value, { lineWidth: 100, noRefs: true }).trimEnd().split("\n").map((line) =>
    indent + line
  );
}

function trimEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => line.trim() !== "") + 1);
}
