/** Runs every test, files of one folder together: what they import loads once for all of them.
 * Arguments go to `deno test`. */

import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import manifest from "../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const FOLDER = join(ROOT, "tests");
const LEFT_OUT = new Set(manifest.test.exclude.map((folder) => join(ROOT, folder, "/")));
/** Few enough that the processors end at about the same time. */
const MOST_TOGETHER = 8;
/** The memory of one file is measured without that of others. */
const MEASURES_MEMORY = /Deno\.memoryUsage\(/;

const folder = await Deno.makeTempDir({ prefix: "toolscript-tests-" });
try {
  const modules = await Promise.all(groups().map(write));
  const tests = new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--parallel", ...Deno.args, ...modules],
    cwd: ROOT,
    env: { DENO_JOBS: String(2 + navigator.hardwareConcurrency) },
  }).spawn();
  // The folder is removed after the tests; a terminal interrupts both.
  Deno.addSignalListener("SIGINT", () => {});
  Deno.addSignalListener("SIGTERM", () => tests.kill("SIGTERM"));
  Deno.exitCode = (await tests.status).code;
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** Files that are loaded together. */
function groups(): string[][] {
  const files = Object.groupBy(
    testFiles(FOLDER),
    (file) => MEASURES_MEMORY.test(Deno.readTextFileSync(file)) ? file : roomOf(file),
  );
  return Object.values(files).flatMap((together = []) => {
    const count = Math.ceil(together.length / MOST_TOGETHER);
    return Array.from(
      { length: count },
      (_, at) => together.filter((_file, index) => index % count === at),
    );
  });
}

function* testFiles(folder: string): Generator<string> {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1);
  for (const { name, isDirectory } of entries) {
    const path = join(folder, name);
    if (isDirectory && !LEFT_OUT.has(join(path, "/"))) yield* testFiles(path);
    if (name.endsWith("_test.ts")) yield path;
  }
}

/** Folder of a file below `tests/`. */
function roomOf(file: string): string {
  return relative(FOLDER, file).split("/")[0] ?? "";
}

/** Writes a module that loads the files. */
async function write(files: readonly string[], index: number): Promise<string> {
  const path = join(folder, `${roomOf(files[0] ?? "")}_${index}_test.ts`);
  const lines = files.map((file) => `import ${JSON.stringify(pathToFileURL(file).href)};\n`);
  await Deno.writeTextFile(path, lines.join(""));
  return path;
}
