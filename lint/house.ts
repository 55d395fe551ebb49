/** House rules of the linter: which way imports run, how large a file or a function is, how deep its
 * statements are nested, that no literal is spread into another, and that dots take line breaks. */

/** Folders that each folder may import, by door. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  base: [],
  files: ["base"],
  sandbox: ["base", "files"],
  packs: ["base", "sandbox", "files"],
  runtime: ["base", "packs", "sandbox", "files"],
  gateway: ["base", "runtime", "packs", "sandbox", "files"],
  config: ["base", "packs", "files"],
  telemetry: ["base", "files"],
  cli: ["base", "gateway", "runtime", "packs", "sandbox", "config", "files"],
  assembly: [
    "base",
    "cli",
    "config",
    "telemetry",
    "gateway",
    "runtime",
    "packs",
    "sandbox",
    "files",
  ],
};
/** Rooms of `runtime`, its folders and the files beside them, with those that each may import. */
const ROOMS_BELOW: Readonly<Record<string, readonly string[]>> = {
  syntax: [],
  command: ["syntax"],
  validate: ["syntax"],
  check: ["recent.ts"],
  describe: ["check", "syntax"],
  program: ["check", "command", "recent.ts", "syntax", "validate"],
  reply: ["triggers.ts"],
  search: [],
  inbox: [],
  types: [],
  shapes: ["types"],
  run: [
    "catalog.ts",
    "check",
    "inbox",
    "program",
    "reply",
    "shapes",
    "syntax",
    "types",
    "validate",
  ],
  stats: ["inbox", "reply", "run"],
  journal: ["run"],
  ot: ["check", "command", "reply", "run", "search", "stats", "types"],
};
/** May import every door. */
const MAIN = "main.ts";
const ROOT = new URL("../", import.meta.url).pathname;
const MAX_FILE_LINES = 300;
/** Lines of a function without those of the functions in it. */
const MAX_OWN_LINES = 40;
/** Lines of a function with those of the functions in it. */
const MAX_WHOLE_LINES = 100;
/** Statements with a body, one in another. */
const MAX_DEPTH = 3;

/** Path of a file that the rules are for, below the project's root. */
function placeOf(filename: string): { folder: string; path: string } | undefined {
  if (!filename.startsWith(ROOT)) return undefined;
  const path = filename.slice(ROOT.length);
  const [folder = ""] = path.split("/");
  return path === MAIN || Object.hasOwn(BELOW, folder) ? { folder, path } : undefined;
}

/** Message about an import that goes upward or past a door, or undefined. */
function misplaced(filename: string, specifier: string): string | undefined {
  const here = placeOf(filename);
  if (!here || here.path === MAIN) return undefined;
  const door = /^#(?<folder>\w+)(?:\/|$)/.exec(specifier)?.groups?.folder;
  if (door !== undefined) {
    if (BELOW[here.folder]?.includes(door)) return undefined;
    return `"${here.folder}" may not import "${specifier}": imports run downward only`;
  }
  if (!specifier.startsWith(".")) return undefined;
  const target = new URL(specifier, `file:///${here.path}`).pathname.slice(1);
  if (target.startsWith(`${here.folder}/`)) return misplacedRoom(here.path, target);
  return `Import another folder by its door, not by the path "${specifier}"`;
}

/** Message about an import between rooms of `runtime` that could be tied both ways, or undefined. */
function misplacedRoom(from: string, target: string): string | undefined {
  const [room = "", imported = ""] = [from, target].map((path) =>
    /^runtime\/(?<room>[^/]+)/.exec(path)?.groups?.room ?? ""
  );
  const below = ROOMS_BELOW[room];
  if (room === imported || below === undefined || below.includes(imported)) return undefined;
  return `"runtime/${room}" may not import "runtime/${imported}": rooms import downward only`;
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
    function check(node: Deno.lint.Node | null): void {
      if (node?.type !== "Literal" || typeof node.value !== "string") return;
      const message = misplaced(context.filename, node.value);
      if (message !== undefined) context.report({ node, message });
    }
    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      TSImportType(node) {
        const { argument } = node as unknown as { readonly argument: Deno.lint.Node };
        check(argument.type === "TSLiteralType" ? argument.literal : null);
      },
    };
  },
};

const size: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename)) return {};
    /** Lines of the functions inside the one that is open. */
    const nested: number[] = [];
    const enter = () => void nested.push(0);
    function exit(node: FunctionNode): void {
      const inner = nested.pop() ?? 0;
      const whole = countLines(context.sourceCode.getText(node));
      const parent = nested.length - 1;
      if (parent >= 0) nested[parent] = (nested[parent] ?? 0) + whole;
      const own = whole - inner;
      const report = (message: string) => context.report({ node, message });
      if (own > MAX_OWN_LINES) {
        report(`A function of ${own} lines: over ${MAX_OWN_LINES}, split it`);
      } else if (whole > MAX_WHOLE_LINES) {
        report(`A function of ${whole} lines with those in it: over ${MAX_WHOLE_LINES}, split it`);
      }
    }
    return {
      Program(node) {
        const lines = countLines(context.sourceCode.text);
        if (lines <= MAX_FILE_LINES) return;
        const message = `A file of ${lines} lines: over ${MAX_FILE_LINES}, split it`;
        context.report({ node, message });
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

const NESTING = [
  "IfStatement",
  "ForStatement",
  "ForInStatement",
  "ForOfStatement",
  "WhileStatement",
  "DoWhileStatement",
  "SwitchStatement",
  "TryStatement",
] as const;

const depth: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename)) return {};
    /** Depth in each open function. */
    const open: number[] = [0];
    const enterFunction = () => void open.push(0);
    const exitFunction = () => void open.pop();
    const change = (by: number) => (open[open.length - 1] = (open.at(-1) ?? 0) + by);
    function enter(node: Deno.lint.Node): void {
      if (isElseIf(node) || change(1) !== MAX_DEPTH + 1) return;
      const message = `A statement nested ${MAX_DEPTH + 1} deep: over ${MAX_DEPTH}, split it`;
      context.report({ node, message });
    }
    function exit(node: Deno.lint.Node): void {
      if (!isElseIf(node)) change(-1);
    }
    const visitor: Record<string, (node: Deno.lint.Node) => void> = {};
    for (const type of NESTING) {
      visitor[type] = enter;
      visitor[`${type}:exit`] = exit;
    }
    for (const type of ["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]) {
      visitor[type] = enterFunction;
      visitor[`${type}:exit`] = exitFunction;
    }
    return visitor as Deno.lint.LintVisitor;
  },
};

/** `else if` stands beside its `if`, not in it. */
function isElseIf(node: Deno.lint.Node): boolean {
  const { parent } = node as Deno.lint.IfStatement;
  return node.type === "IfStatement" && parent?.type === "IfStatement" && parent.alternate === node;
}

/** A literal that is spread saves lines, and takes its keys out of the type check. */
const spread: Deno.lint.Rule = {
  create(context) {
    function check(node: Deno.lint.SpreadElement | Deno.lint.JSXSpreadAttribute): void {
      if (!["ObjectExpression", "ArrayExpression"].includes(node.argument.type)) return;
      context.report({ node, message: "A literal that is spread: write its members in its place" });
    }
    return { SpreadElement: check, JSXSpreadAttribute: check };
  },
};

/** Folder whose patterns decide which names are closed. */
const CLOSED = "packs/closed/";

/** A name may have line breaks, which `.` takes with the flag `s` only. */
const dots: Deno.lint.Rule = {
  create(context) {
    if (!placeOf(context.filename)?.path.startsWith(CLOSED)) return {};
    function check(node: Deno.lint.Node, pattern: string | undefined, flags: string): void {
      if (flags.includes("s") || (pattern !== undefined && !hasDot(pattern))) return;
      const message = "A dot in a pattern without the flag `s`: a line break in a name passes it";
      context.report({ node, message });
    }
    function made(node: Deno.lint.NewExpression | Deno.lint.CallExpression): void {
      if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
      const flags = node.arguments[1];
      // Flags that are computed are those of another pattern.
      if (flags && flags.type !== "Literal") return;
      check(node, undefined, flags ? String(flags.value) : "");
    }
    return {
      Literal(node) {
        const { regex } = node as { readonly regex?: { pattern: string; flags: string } };
        if (regex) check(node, regex.pattern, regex.flags);
      },
      NewExpression: made,
      CallExpression: made,
    };
  },
};

/** True if a pattern has a dot that is no text of its own: outside of a class, and not escaped. */
function hasDot(pattern: string): boolean {
  return pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/gs, "").includes(".");
}

const house: Deno.lint.Plugin = { name: "house", rules: { layers, size, depth, spread, dots } };
export default house;
