/** Source files of the product with what each imports and exports, read off their syntax trees. */

import { fileURLToPath } from "node:url";

export interface SourceImport {
  /** Path below the root, of a file of ours. */
  readonly target: string;
  /** Names taken from it; `*` for all of them. */
  readonly names: readonly string[];
  /** Names under which they are exported again; `*` for all, none for an import. */
  readonly exportedAs: readonly string[];
}

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly SourceImport[];
  /** Names declared here and exported. */
  readonly exports: readonly string[];
}

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));
export const FOLDERS = [
  "assembly",
  "cli",
  "config",
  "files",
  "gateway",
  "packs",
  "runtime",
  "sandbox",
  "telemetry",
];
export const { imports: IMPORTS } = JSON.parse(Deno.readTextFileSync(`${ROOT}import_map.json`)) as {
  imports: Readonly<Record<string, string>>;
};

/** Every source file of the product, by path. */
export function readSources(): ReadonlyMap<string, Source> {
  const paths = ["main.ts", ...FOLDERS.flatMap((folder) => [...filesIn(folder)])];
  return new Map(paths.map((path) => [path, readSource(path)]));
}

/** Source files below a folder, without declarations of libraries. */
export function* filesIn(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${ROOT}${folder}`)) {
    const path = `${folder}/${name}`;
    if (isDirectory) yield* filesIn(path);
    else if (/\.tsx?$/.test(name)) yield path;
  }
}

/** One file, parsed by the linter. */
export function readSource(path: string): Source {
  const text = Deno.readTextFileSync(`${ROOT}${path}`);
  const imports: SourceImport[] = [];
  const exports: string[] = [];
  const add: Add = (specifier, names, { exportedAs = [], from = path } = {}) => {
    const target = resolve(from, specifier);
    if (target !== undefined) imports.push({ target, names, exportedAs });
  };
  Deno.lint.runPlugin(collector({ add, exports, text }), `${ROOT}${path}`, text);
  return { path, text, imports, exports };
}

type Add = (
  specifier: string,
  names: readonly string[],
  more?: { readonly exportedAs?: readonly string[]; readonly from?: string },
) => void;

function collector(
  { add, exports, text }: { readonly add: Add; readonly exports: string[]; readonly text: string },
): Deno.lint.Plugin {
  /** A file that loads a module takes of it what it names anywhere. */
  const words = [...new Set(text.match(/[\w$]+/g))];
  const create = (): Deno.lint.LintVisitor => ({
    ImportDeclaration: (node) => add(node.source.value, node.specifiers.map(importedName)),
    ImportExpression(node) {
      if (node.source.type === "Literal") add(String(node.source.value), words);
    },
    Property({ key, value }) {
      // The table of commands names files and functions.
      const [file] = value.type === "ArrayExpression" ? value.elements : [];
      if (textOf(key) === "load") add(textOf(file), words, { from: "cli/commands.ts" });
    },
    TSImportType(node) {
      const { argument } = node as { argument?: { readonly literal?: unknown } };
      add(textOf(argument?.literal), words);
    },
    ExportAllDeclaration: (node) => add(node.source.value, ["*"], { exportedAs: ["*"] }),
    ExportNamedDeclaration(node) {
      const names = node.specifiers.map(({ local }) => textOf(local));
      const exported = node.specifiers.map((item) => textOf(item.exported));
      if (node.source) add(textOf(node.source), names, { exportedAs: exported });
      else exports.push(...exported, ...declaredNames(node.declaration));
    },
    NewExpression(node) {
      const [specifier] = node.arguments;
      if (textOf(node.callee) === "URL" && specifier?.type === "Literal") {
        add(String(specifier.value), []);
      }
    },
    CallExpression(node) {
      const { callee, arguments: [specifier] } = node;
      if (callee.type === "MemberExpression" && textOf(callee.property) === "resolve") {
        if (specifier?.type === "Literal") add(String(specifier.value), []);
      }
    },
  });
  return { name: "sources", rules: { read: { create } } };
}

function importedName(
  node:
    | Deno.lint.ImportSpecifier
    | Deno.lint.ImportDefaultSpecifier
    | Deno.lint.ImportNamespaceSpecifier,
): string {
  if (node.type === "ImportNamespaceSpecifier") return "*";
  return node.type === "ImportSpecifier" ? textOf(node.imported) : "default";
}

function declaredNames(node: unknown): string[] {
  const { id, declarations = [] } = (node ?? {}) as {
    readonly id?: unknown;
    readonly declarations?: readonly { readonly id: unknown }[];
  };
  return [id, ...declarations.map((declaration) => declaration.id)].map(textOf)
    .filter((name) => name !== "");
}

/** The text of an identifier or of a literal. */
function textOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { readonly name?: unknown; readonly value?: unknown };
  return typeof name === "string" ? name : typeof value === "string" ? value : "";
}

/** The file of ours that a specifier names, or undefined. */
function resolve(path: string, specifier: string): string | undefined {
  const mapped = Object.hasOwn(IMPORTS, specifier) ? IMPORTS[specifier] : undefined;
  if (mapped?.startsWith("./")) return mapped.slice(2);
  if (!/^\.\.?\/.*\.tsx?$/.test(specifier)) return undefined;
  return new URL(specifier, `file:///${path}`).pathname.slice(1);
}
