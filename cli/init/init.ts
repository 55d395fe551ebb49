/** `toolscript init`: a first configuration, with the servers of other clients. */

import { isAbsolute, join } from "node:path";
import { escapeUnseen, setOff } from "#base";
import { configJsonSchema, findFile, findProject, linesOf } from "#config";
import { loadAnew, loadReadable, reportConfigError, withStoredTrust } from "../config.ts";
import { OWN_NAME } from "../connect/clients.ts";
import type { Context } from "../context.ts";
import { CliError } from "../error.ts";
import { nearPath } from "../paths.ts";
import { promptNames, quotedName } from "../terminal/names.ts";
import { trustOwn } from "../trust/trust_own.ts";
import { type ClientServer, readClients } from "./client_files.ts";
import { firstConfig } from "./first_config.ts";
import { ignoreState } from "./ignore.ts";
import { openSecrets } from "./secret_keeper.ts";
import { importServer } from "./import_server.ts";
import { type InitPlace, readExisting, writeNew, writeWhole } from "./write_new.ts";

interface ImportedServer {
  readonly name: string;
  readonly from: string;
  readonly enabled: boolean;
}

interface OmittedServer {
  readonly name: string;
  readonly from: string;
  readonly why: string;
}

interface ImportResult {
  /** Settings by name of the server, as they are written. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly imported: readonly ImportedServer[];
  readonly omitted: readonly OmittedServer[];
  /** Messages for the person. */
  readonly notes: readonly string[];
}

const NOTHING: ImportResult = { settings: {}, imported: [], omitted: [], notes: [] };

export async function init(context: Context): Promise<number> {
  const { io, options, print } = context;
  const root = options.home === true ? io.home : await findProject(io);
  const existing = await findFile(root);
  if (existing !== undefined) readExisting(existing, "use");
  const before = (await loadReadable(withStoredTrust(context)))?.trust;
  const folder = join(root, ".onetool");
  const place = { folder, root: options.home === true ? folder : root };
  const ignored = ignoreState(place);
  const gathered = existing === undefined
    ? await gather(context, { ...place, base: root })
    : NOTHING;
  const files = existing === undefined ? await writeConfig(place, gathered) : [];
  if (ignored !== undefined) files.push(ignored);
  writeSchema(place);
  const { imported: servers, omitted: left, settings } = gathered;
  if (options.json === true) {
    await print.json({ config: existing ?? join(folder, "onetool.yaml"), files, servers, left });
  } else for (const path of files) await print.data(placeOf(path, io.cwd));
  if (existing) await print.say(`Kept ${placeOf(existing, io.cwd)}: it exists already`);
  for (const { name, from } of servers) {
    await print.say(`Imported the server "${name}" from ${escapeUnseen(from)}`);
  }
  for (const note of gathered.notes) await print.warn(note);
  try {
    const isForeign = servers.some(({ from }) => !isAbsolute(from));
    if (existing !== undefined || options.home === true) await loadAnew(context);
    else await trustOwn(context, { before, lines: linesOf({ servers: settings }), isForeign });
  } catch (error) {
    await reportConfigError(error, { print, cwd: io.cwd });
    return 2;
  }
  const code = servers.length > 0 ? await tellTokens(context) : 0;
  if (code !== 0) return code;
  if (servers.length > 0) {
    await print.say("See which of their tools only read: toolscript effects");
  }
  await print.say("Check that everything works: toolscript doctor");
  return 0;
}

/** The path of a file below a folder, on one line. */
function placeOf(file: string, folder: string): string {
  return escapeUnseen(nearPath(file, folder));
}

/** Tells the person at the terminal of tokens. */
async function tellTokens(context: Context): Promise<number> {
  if (context.io.person === undefined || context.options.json === true) return 0;
  const { compareTokens } = await import("./compare_tokens.ts");
  return await compareTokens(context);
}

/** Reads the servers of other clients that a person wants; writes their secrets. */
async function gather(
  context: Context,
  { base, ...place }: InitPlace & { readonly base: string },
): Promise<ImportResult> {
  const { io, options } = context;
  const secrets = openSecrets(place);
  const clients = readClients(base, { io, desktop: options["claude-desktop"] === true });
  const settings = new Map<string, unknown>();
  const imported: ImportedServer[] = [];
  const omitted: OmittedServer[] = [];
  const notes = [...clients.problems];
  for (const entry of await askImport(context, clients.servers, base)) {
    const from = nearPath(entry.file, base);
    const server = importServer(entry, { secrets, env: io.env });
    if (server.kind === "taken" && !settings.has(server.name)) {
      const { name, lacks } = server;
      settings.set(name, server.settings);
      imported.push({ name, from, enabled: server.settings.enabled !== false });
      if (lacks.length > 0) {
        notes.push(`The server "${name}" is switched off: set ${lacks.join(" and ")} first`);
      }
      continue;
    }
    const why = server.kind === "left" ? server.why : "another server has this name";
    omitted.push({ name: entry.name, from, why });
    notes.push(`Left out the server ${quotedName(entry.name)} of ${escapeUnseen(from)}: ${why}`);
  }
  if (secrets.size > 0) {
    secrets.write();
    const what = secrets.size === 1 ? "One secret was" : `${secrets.size} secrets were`;
    notes.push(`${what} copied to .onetool/secrets.yaml, mode 0600`);
  }
  return { settings: Object.fromEntries(settings), imported, omitted, notes };
}

/** Writes the configuration; returns the written files. Throws `CliError` where it exists. */
async function writeConfig(
  { folder, root }: InitPlace,
  { settings: servers }: ImportResult,
): Promise<string[]> {
  const file = join(folder, "onetool.yaml");
  if (writeNew(file, await firstConfig(servers), { root })) return [file];
  throw new CliError(1, `Cannot write "${file}": it exists already: repeat the command`);
}

/** Writes the schema, for editors only. */
function writeSchema({ folder, root }: InitPlace): void {
  const schema = join(folder, "cache", "onetool.schema.json");
  writeWhole(schema, `${JSON.stringify(configJsonSchema(), null, 2)}\n`, { root });
}

const MOST_NAMES = 20;

/** Asks for each file whether its servers are taken over, and returns those that are; all of them
 * without a person, or where data is printed. */
export async function askImport(
  { io: { person }, options, print }: Context,
  servers: readonly ClientServer[],
  base: string,
): Promise<readonly ClientServer[]> {
  if (!person || options.json === true) return servers;
  const chosen: ClientServer[] = [];
  for (const [file, all] of Map.groupBy(servers, (server) => server.file)) {
    const names = all.map(({ name }) => name).filter((name) => name !== OWN_NAME);
    const from = placeOf(file, base);
    const text = (columns: number) =>
      [`${from}:`, ...setOff([promptNames(names, MOST_NAMES)], { columns })].join("\n");
    const count = names.length === 1 ? "1 server" : `${names.length} servers`;
    const prompt = `${count} of ${from}. Take over? [Y/n] `;
    const answer = names.length === 0 ? "" : await print.ask({ text, prompt }, { person });
    if (/^\s*(y(es)?)?\s*$/i.test(answer ?? "no")) chosen.push(...all);
  }
  return chosen;
}
