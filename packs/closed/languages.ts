/** Languages of programs, and the files that they load as modules. */

export type Language =
  | "javascript"
  | "python"
  | "shell"
  | "native"
  | "other";

const JAVASCRIPT = "[cm]?[jt]sx?|node|wasm";
const PYTHON = "pyw?|py[cdizx]|so|dylib|dll";
const OTHER = "rb|pl|pm|php|lua|jar|class|ps1|bat|cmd|r|jl|exs?|clj|groovy|kts?|scala|tcl|awk|mk";

/** Endings of the modules that a program may load, by its language. */
export const MODULES: Readonly<Record<Language, RegExp>> = {
  javascript: endings(JAVASCRIPT),
  python: endings(PYTHON),
  native: endings("so(?:\\.\\d+)*|dylib|dll|wasm"),
  // A shell starts programs of every language.
  shell: endings([JAVASCRIPT, PYTHON, OTHER, "(?:ba|z|k|fi)?sh"].join("|")),
  other: endings([JAVASCRIPT, PYTHON, OTHER, "(?:ba|z|k|fi)?sh"].join("|")),
};

const BY_ENDING: readonly (readonly [Language, RegExp])[] = [
  ["javascript", endings(JAVASCRIPT)],
  ["python", endings("pyw?|py[cz]")],
  ["shell", endings("(?:ba|z|k|fi)?sh")],
  ["native", endings("exe|dll|so|dylib")],
  ["other", endings(OTHER)],
];

const INTERPRETERS: readonly (readonly [Language, RegExp])[] = [
  ["javascript", /\b(?:node|deno|bun|tsx|ts-node)\b/],
  ["python", /\b(?:python|pypy|uv)\b|\bpython\d/],
  ["shell", /\b(?:ba|da|z|k|fi)?sh\b/],
  ["other", /\b(?:ruby|perl|php|lua|rscript|julia|elixir|tclsh|awk)\b/i],
];

/** Endings that a command may leave out: `node server` runs `server.js`. */
export const IMPLIED: readonly string[] = ["js", "mjs", "cjs", "ts", "mts", "cts", "json", "py"];

/** Language of a file by its name; undefined if it is not a program. */
export function languageOfName(name: string): Language | undefined {
  return BY_ENDING.find(([, ending]) => ending.test(name))?.[0];
}

/** Language of a program by its first bytes, for names without a known ending. */
export function languageOfBytes(bytes: Uint8Array): Language | undefined {
  const [first, second] = bytes;
  if (first === 0x23 && second === 0x21) {
    const line = new TextDecoder().decode(bytes).split("\n", 1)[0] ?? "";
    return INTERPRETERS.find(([, name]) => name.test(line))?.[0];
  }
  const isElf = first === 0x7f && second === 0x45;
  const isMach = [0xcf, 0xce, 0xca, 0xfe].includes(first ?? 0) && (second ?? 0) >= 0xba;
  return isElf || isMach ? "native" : undefined;
}

function endings(pattern: string): RegExp {
  return new RegExp(`\\.(?:${pattern})$`, "i");
}
