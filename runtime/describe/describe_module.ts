/** Describes one pack: starts the compiler, asks it for the exports of the pack, and stops it. */

import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { endWith, isObject } from "#base";
import { type ModuleSource, type PackDescription, type PackFinding, SDK } from "#packs";
import { readSnapshot } from "../check/compiler.ts";
import { findCompiler, launchCompiler } from "../check/launch.ts";
import { readDiagnostics } from "../check/diagnostics.ts";
import { readLibrary } from "../check/library.ts";
import { parseModule } from "../syntax/parse.ts";
import { openComments, originalOffset } from "./comments.ts";
import { PACK, PackDisk, PROJECT_FILE } from "./disk.ts";
import { readTools } from "./functions.ts";
import { Questions } from "./questions.ts";

const DEADLINE_MS = 60_000;
const SDK_FILES = ["toolscript.ts", "context.ts"];
/** Errors about modules that the compiler does not see: packages named in the file itself, modules
 * of Node, packages without types. */
const UNRESOLVED = new Set([2307, 7016, 2580, 2591, 2584]);
const ELSEWHERE = /^Cannot find module '(?:npm|jsr|node|https?):/;

/** Describes one module; a module that does not parse is not sent to the compiler. */
export async function describeModule(
  source: ModuleSource,
  { deno, signal }: { readonly deno: string; readonly signal: AbortSignal },
): Promise<PackDescription> {
  const syntax = syntaxFinding(source.entry, source.files.get(source.entry) ?? "");
  if (syntax) return { tools: [], findings: [syntax] };
  return await describe(source, { setup: await setUp(deno), signal });
}

interface Setup {
  readonly executable: string;
  readonly library: readonly string[];
  readonly sdk: ReadonlyMap<string, string>;
}

async function setUp(deno: string): Promise<Setup> {
  const folder = dirname(fileURLToPath(SDK));
  const sdk = SDK_FILES.map(async (name) => {
    return [name, await Deno.readTextFile(`${folder}/${name}`)] as const;
  });
  const executable = await findCompiler();
  const library = await readLibrary(executable, deno);
  return { executable, library, sdk: new Map(await Promise.all(sdk)) };
}

/** Finding for a module that does not parse. */
function syntaxFinding(file: string, text: string): PackFinding | undefined {
  const parsed = parseModule(text);
  if (parsed.kind === "parsed") return undefined;
  return { severity: "error", message: `Syntax error: ${parsed.message}`, file, line: parsed.line };
}

async function describe(
  source: ModuleSource,
  { setup, signal }: { readonly setup: Setup; readonly signal: AbortSignal },
): Promise<PackDescription> {
  const { executable, library, sdk } = setup;
  const disk = new PackDisk({ source, library, sdk });
  const { child, channel } = launchCompiler(executable, {
    answer: (method, params) => disk.answer(method, params),
  });
  const limit = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
  await using _end = endWith(child, limit);
  await channel.request("initialize", null);
  const opened = await channel.request("updateSnapshot", { openProjects: [PROJECT_FILE] });
  return await ask(new Questions(channel, readSnapshot(opened)), { source, disk });
}

async function ask(
  questions: Questions,
  { source, disk }: { readonly source: ModuleSource; readonly disk: PackDisk },
): Promise<PackDescription> {
  const { entry, files } = source;
  const file = `${PACK}/${entry}`;
  const lists = inAuthorsText(await questions.diagnostics(file), files.get(entry) ?? "");
  const problems = readDiagnostics([{ path: entry, lists }], { entry, files });
  const tools = await readTools({
    ask: questions,
    textOf: (name) => disk.textOf(name),
    isForeign: (name) => disk.isForeign(name),
  });
  const findings = problems.filter(({ code, message }) => {
    return !UNRESOLVED.has(code) || (code === 2307 && !ELSEWHERE.test(message));
  }).map(({ code, message, line }): PackFinding => ({
    severity: "warning",
    message: `Type error: ${message.replaceAll(`${PACK}/`, "./").split("\n")[0]}`,
    file: entry,
    line,
    ...(code === 2307
      ? { fix: "Add it to the dependencies in the file's `// /// script` header" }
      : {}),
  }));
  return { tools, findings };
}

/** Diagnostics with offsets of the author's text. */
function inAuthorsText(lists: readonly unknown[][], text: string): unknown[][] {
  const { breaks } = openComments(text);
  return lists.map((list) =>
    (list ?? []).map((item) => {
      if (!isObject(item)) return item;
      const pos = originalOffset(Number(item.pos), breaks);
      return { ...item, pos, end: originalOffset(Number(item.end), breaks) };
    })
  );
}
