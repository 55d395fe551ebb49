/** Databases that the `db` pack may use, by name. */

import type { NameLookup } from "#base";
import { isInside } from "#files";
import type { ClosedPaths } from "../../closed/mod.ts";
import { PackError } from "../../errors.ts";
import { type CheckedFile, checkedFile } from "../kit/checked_file.ts";
import type { Files } from "../kit/files.ts";
import { listed, nearest } from "../../nearest.ts";
import type { Engine } from "./engine.ts";
import { createPostgresEngine } from "./postgres/engine.ts";
import { createTraffic, type Traffic } from "./postgres/traffic.ts";
import { type DbConnection, type DbSettings, sqlitePath } from "./settings.ts";
import { createSqliteEngine } from "./sqlite/engine.ts";
import type { HolderDeps } from "./sqlite/holder.ts";
import { createSqliteProcesses } from "./sqlite/processes.ts";

/** Public facts of a connection, without secrets. */
export interface ConnectionInfo {
  readonly name: string;
  readonly kind: "sqlite" | "postgres" | "unknown";
  readonly write: boolean;
  /** The file, or `user@host/database`. */
  readonly target: string;
}

export interface Connections extends AsyncDisposable {
  list(): ConnectionInfo[];
  /** Engine of a named connection, of the only connection, or of a file. Throws `PackError`. */
  find(name: string | undefined): Promise<FoundConnection>;
}

export interface FoundConnection {
  readonly engine: Engine;
  readonly info: ConnectionInfo;
  /** SQLite: the file that was checked; undefined where none is there yet. */
  readonly file?: CheckedFile;
}

export interface ConnectionsDeps extends Omit<HolderDeps, "processes"> {
  readonly files: Files;
  readonly closed: ClosedPaths;
  readonly names: NameLookup;
}

/** Maximum number of files that are known and that no connection names. */
const MAX_FILES = 1_000;

/** Makes the connections. Engines are made at their first use and kept. */
export function createConnections(settings: DbSettings, deps: ConnectionsDeps): Connections {
  const engines = new Map<string, Engine>();
  const opened = new Map<string, Engine>();
  const shared = { ...deps, traffic: createTraffic(), processes: createSqliteProcesses() };
  const connections = Object.entries(settings.connections).map(([name, one]) => ({ name, ...one }));
  const infos = connections.map((one) => infoOf(one, deps.files));

  /** Engine of an SQLite file that no connection names, within the folders of the `file` pack. */
  async function file(path: string) {
    const place = await deps.files.folders.existing(path, "open");
    const engine = opened.get(place.path) ??
      createSqliteEngine(place.path, { ...shared, isReal: true, write: false });
    opened.delete(place.path);
    opened.set(place.path, engine);
    const [[oldest, last] = []] = opened;
    if (opened.size > MAX_FILES && oldest !== undefined) {
      opened.delete(oldest);
      await last?.[Symbol.asyncDispose]();
    }
    const info = { name: path, kind: "sqlite", write: false, target: place.label } as const;
    return { engine, info, file: place.file };
  }

  return {
    list: () => infos,
    async find(name) {
      const connectionName = name ?? onlyName(infos);
      const connection = connections.find((one) => one.name === connectionName);
      const info = infos.find((one) => one.name === connectionName);
      if (connection && info) {
        const file = await checkOpen(connection, deps);
        const engine = engines.get(connectionName) ?? engineOf(connection, shared);
        engines.set(connectionName, engine);
        return { engine, info, file };
      }
      const path = sqlitePath(connectionName);
      if (path !== undefined) return await file(path);
      throw unknown(connectionName, infos);
    },
    async [Symbol.asyncDispose]() {
      const all = [...engines.values(), ...opened.values()];
      await Promise.all(all.map((engine) => engine[Symbol.asyncDispose]()));
    },
  };
}

/** Returns the file of a connection that is there. Throws if it is closed, or links to a closed file, or
 * lies outside of the project behind a link that a stranger may have made. */
async function checkOpen(
  { name, url: target, write }: DbConnection,
  { closed, files }: Pick<ConnectionsDeps, "closed" | "files">,
): Promise<CheckedFile | undefined> {
  if (target.kind !== "sqlite") return undefined;
  const real = await Deno.realPath(target.path).catch(() => undefined);
  const isOwn = real !== undefined && isInside(await files.folders.base(), real);
  const link = isOwn ? undefined : files.folders.strangerLink(target.path);
  if (link !== undefined) {
    throw new PackError("unavailable", `Cannot use the connection "${name}": ${link}`);
  }
  const path = real ?? target.path;
  const file = await Deno.lstat(path).catch(() => undefined);
  const options = { isNamed: true, info: file };
  const why = await closed.read(path, options) ??
    (write ? (await closed.change(path, options))?.why : undefined);
  if (why === undefined) return checkedFile(file);
  throw new PackError("blocked", `Cannot use the connection "${name}": ${why}: name another file`, {
    details: { reason: "protected" },
  });
}

function engineOf(
  { name, url: target, write, superuser }: DbConnection,
  { traffic, names, ...deps }: HolderDeps & {
    readonly traffic: Traffic;
    readonly names: NameLookup;
  },
): Engine {
  switch (target.kind) {
    case "sqlite":
      return createSqliteEngine(target.path, { ...deps, write });
    case "postgres":
      return createPostgresEngine({ url: target.url, write, superuser, traffic, names });
    case "unknown":
      throw new PackError(
        "unavailable",
        `Cannot use the connection "${name}": its url is neither sqlite:path nor ` +
          "postgres://user@host/database: correct it in packs.db.connections",
      );
    default:
      return target satisfies never;
  }
}

function infoOf({ name, write, url: target }: DbConnection, { folders }: Files): ConnectionInfo {
  const label = target.kind === "sqlite"
    ? folders.labelOf(target.path)
    : target.kind === "postgres"
    ? withoutSecrets(target.url)
    : "";
  return { name, kind: target.kind, write, target: label };
}

/** User, host and database of a URL; the driver takes its parameters before its parts. */
function withoutSecrets(url: string): string {
  const { username, hostname, port, pathname, searchParams } = new URL(url);
  const [user, host, at] = Object.entries({ user: username, host: hostname, port })
    .map(([name, part]) => searchParams.getAll(name).at(-1) || part);
  return `${user && `${user}@`}${host}${at && `:${at}`}${pathname}`;
}

function onlyName(infos: readonly ConnectionInfo[]): string {
  const [only, another] = infos;
  if (only && !another) return only.name;
  if (only) {
    const names = infos.map(({ name }) => name).join(", ");
    throw new PackError("invalid_arguments", `Cannot tell which database: pass one of ${names}`);
  }
  throw new PackError(
    "invalid_arguments",
    'Cannot tell which database: none is configured: pass connection="sqlite:path/to/file.db", or ' +
      "name one in packs.db.connections",
  );
}

function unknown(name: string, infos: readonly ConnectionInfo[]): PackError {
  const near = nearest(name, infos.map((info) => info.name));
  const available = infos.length > 0 ? listed(near) : "none";
  const label = /:\/\//.test(name) ? "that URL" : `"${name}"`;
  return new PackError(
    "tool_error",
    `Cannot use ${label}: no such connection: available: ${available}: or sqlite:path for a file`,
  );
}
