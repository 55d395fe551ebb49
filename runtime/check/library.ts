/** The language's and Deno's own declarations, in as few files as can be. */

import { dirname, join } from "node:path";

const REFERENCE = /^\/\/\/ *<reference lib="([\w.]+)" *\/>.*$/gm;

/** A module among libraries: what it declares without `global` is its own. */
const MODULE = /^export /m;

/** Reads all declarations of globals: one merged text, and the files that must stay separate. The
 * compiler merges an interface that several files declare (`Array` is in a dozen) again for every
 * program; it merges a declaration in one file once.
 *
 * `executable` is the compiler's, beside its `lib.*.d.ts`; `deno` prints its own types.
 */
export async function readLibrary(executable: string, deno: string): Promise<readonly string[]> {
  const [language, ...others] = await Promise.all([
    readLanguage(dirname(executable), "esnext", new Set()),
    printTypes(deno),
    Deno.readTextFile(new URL("./sandbox_globals.d.ts", import.meta.url)),
  ]);
  const texts = [...language, ...others].map(withoutReferences);
  const { modules = [], scripts = [] } = Object.groupBy(
    texts,
    (text) => MODULE.test(text) ? "modules" : "scripts",
  );
  return [scripts.join("\n"), ...modules];
}

/** A library after those that it refers to, each once. */
async function readLanguage(folder: string, name: string, seen: Set<string>): Promise<string[]> {
  seen.add(name);
  const text = await Deno.readTextFile(join(folder, `lib.${name}.d.ts`));
  const texts: string[] = [];
  for (const [, other = ""] of text.matchAll(REFERENCE)) {
    if (!seen.has(other)) texts.push(...await readLanguage(folder, other, seen));
  }
  return [...texts, text];
}

async function printTypes(deno: string): Promise<string> {
  const { stdout } = await new Deno.Command(deno, {
    args: ["types"],
    stdin: "null",
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

function withoutReferences(text: string): string {
  return text.replace(/^\/\/\/ *<reference .*$/gm, "");
}
