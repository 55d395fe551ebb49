/** The house rules that the linter holds: which way imports run, and how large a file may be. */

/** What each folder may import, by door. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  files: [],
  sandbox: ["files"],
  packs: ["sandbox", "files"],
  runtime: ["packs", "sandbox", "files"],
  gateway: ["runtime", "packs", "sandbox", "files"],
  config: ["packs", "sandbox", "files"],
  telemetry: ["sandbox", "files"],
  cli: ["gateway", "runtime", "packs", "sandbox", "config", "files"],
};
const MAX_FILE_LINES = 300;
const MAX_FUNCTION_LINES = 60;

/** The folder of ours that a file lies in, and its path below the project's root. */
function place(filename: string): { folder: string; path: string } | undefined {
  const root = new URL("../", import.meta.url).pathname;
  if (!filename.startsWith(root)) return undefined;
  const path = filename.slice(root.length);
  const [folder] = path.split("/");
  return folder !== undefined && folder in BELOW ? { folder, path } : undefined;
}

/** What is wrong with an import of `specifier` in a file, or undefined. */
function misplaced(filename: string, specifier: string): string | undefined {
  const here = place(filename);
  if (!here) return undefined;
  const door = /^#(?<folder>\w+)$/.exec(specifier)?.groups?.folder;
  if (door !== undefined) {
    if (BELOW[here.folder]?.includes(door)) return undefined;
    return `"${here.folder}" may not import "#${door}": imports run downward only`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = new URL(specifier, `file:///${here.path}`).pathname.slice(1);
  if (target.startsWith(`${here.folder}/`)) return undefined;
  return `Import another folder by its door, not by the path "${specifier}"`;
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

type FunctionNode =
  | Deno.lint.FunctionDeclaration
  | Deno.lint.FunctionExpression
  | Deno.lint.ArrowFunctionExpression;

const layers: Deno.lint.Rule = {
  create(context) {
    function check(node: Deno.lint.StringLiteral | null): void {
      const message = node ? misplaced(context.filename, node.value) : undefined;
      if (node && message !== undefined) context.report({ node, message });
    }
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source as Deno.lint.StringLiteral | null),
      ExportAllDeclaration: (node) => check(node.source),
    };
  },
};

const size: Deno.lint.Rule = {
  create(context) {
    /** Lines of the functions inside the one that is open; they are counted for themselves. */
    const nested: number[] = [];
    const enter = () => void nested.push(0);
    function exit(node: FunctionNode): void {
      const inner = nested.pop() ?? 0;
      const lines = countLines(context.sourceCode.getText(node));
      const parent = nested.length - 1;
      if (parent >= 0) nested[parent] = (nested[parent] ?? 0) + lines;
      if (lines - inner <= MAX_FUNCTION_LINES || !place(context.filename)) return;
      const message = `A function of ${lines - inner} lines: over ${MAX_FUNCTION_LINES}, split it`;
      context.report({ node, message });
    }
    return {
      Program(node) {
        if (!place(context.filename)) return;
        const lines = countLines(context.sourceCode.text);
        if (lines <= MAX_FILE_LINES) return;
        context.report({
          node,
          message: `A file of ${lines} lines: over ${MAX_FILE_LINES}, split it`,
        });
      },
      FunctionDeclaration: enter,
      FunctionExpression: enter,
      ArrowFunctionExpression: enter,
      "FunctionDeclaration:exit": exit,
      "FunctionExpression:exit": exit,
      "ArrowFunctionExpression:exit": exit,
    };
  },
};

const house: Deno.lint.Plugin = { name: "house", rules: { layers, size } };
export default house;
