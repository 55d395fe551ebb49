/** Writes modules as the sandbox loads them: the entry as a function, others as modules. */

import { Edits } from "../syntax/edits.ts";
import { isErasable } from "../syntax/erasable.ts";
import { freeName } from "../syntax/free_name.ts";
import { guarded, guardImports } from "./import_guard.ts";
import { formOf } from "./form.ts";
import { declaredNames } from "../syntax/lower.ts";
import { endOf, type Node, type ParsedModule, startOf, type Statement } from "../syntax/parse.ts";
import { stripTypes } from "../syntax/strip.ts";
import type { MagicName, Prelude } from "../command/types.ts";
import type { Form, ServedModule } from "./types.ts";

export interface WrapOptions {
  /** Declarations of a command's ambient names. */
  readonly prelude?: Prelude;
  readonly magic?: readonly MagicName[];
}

type Served = Pick<ServedModule, "served" | "shifts" | "transpile" | "form">;
type Import = Extract<Node, { type: "ImportDeclaration" }>;
type Export = Extract<
  Node,
  { type: "ExportNamedDeclaration" | "ExportDefaultDeclaration" | "ExportAllDeclaration" }
>;

/** Writes the entry: an async function that returns the value of the program, or its argument for a
 * program without one. Imports move to the first line; all other code stays in place. */
export function wrapEntry(module: ParsedModule, { prelude, magic = [] }: WrapOptions = {}): Served {
  const edits = new Edits(module.text);
  const stripped = stripTypes(module, edits);
  const form = formOf(module, stripped);
  const names = {
    nothing: freeName("$nothing", module.text),
    result: freeName("$result", module.text),
    toolscript: freeName("$toolscript", module.text),
  };
  let imports = prelude ? preludeImports(prelude, form, names.toolscript) : "";
  let result = names.nothing;
  for (const statement of module.program.body) {
    if (isErasable(statement)) continue;
    if (statement.type === "ImportDeclaration") {
      imports += form === "function"
        ? printBinding(statement, stripped.values, names.toolscript)
        : printImport(statement, stripped.values);
      edits.blank(startOf(statement), endOf(statement), ";");
    } else if (isExport(statement)) {
      const exported = unwrapExport(statement, names.result, edits);
      imports += exported.imports;
      result = exported.result ?? result;
    }
  }
  if (result === names.nothing) returnLast(module, edits);
  guardImports(module, edits);
  blankInterpreter(module, edits);
  const frame = magicFrame(magic, names.nothing);
  const begin = `async(${names.nothing})=>{${frame.begin}${prelude?.local ?? ""}`;
  const opening = `(function(${names.toolscript}){"use strict";${imports}return ${begin}`;
  edits.begin(form === "function" ? opening : `${imports}export default ${begin}`);
  const { served, shifts } = edits.apply();
  // A comment may end the text; a line break added to an existing one could join it.
  const gap = /[\n\r\u2028\u2029]$/.test(served) ? "" : "\n";
  const end = `${frame.end}${form === "function" ? "}})" : "}"}`;
  const whole = `${served}${gap}return ${result};${end}`;
  return guarded({ served: whole, shifts, transpile: stripped.decorated, form });
}

/** Imports in the prelude of a command: `import {a,b as c} from "toolscript";`. */
function preludeImports({ imports }: Prelude, form: Form, toolscript: string): string {
  if (form === "module" || imports === "") return imports;
  const names = imports.slice(imports.indexOf("{"), imports.indexOf("}") + 1);
  return `const ${names.replaceAll(" as ", ":")}=${toolscript};`;
}

/** Returns `[kind, value, ...values]` for a program with magic variables, whose values are read
 * when it has ended in any way. It stays one function, so that its stack has no further frame. */
function magicFrame(magic: readonly MagicName[], nothing: string): { begin: string; end: string } {
  if (magic.length === 0) return { begin: "", end: "" };
  const values = `[$v===${nothing}?0:$v===undefined?1:2,$v===${nothing}?null:$v,${magic.join()}]`;
  return { begin: `let ${magic.join()};return(async()=>{`, end: `})().then(($v)=>${values});` };
}

/** Writes a module beside the entry: its text without types. */
export function serveModule(module: ParsedModule): Served {
  const edits = new Edits(module.text);
  const { values, decorated } = stripTypes(module, edits);
  const types = typeNames(module);
  for (const statement of module.program.body) {
    if (isErasable(statement)) continue;
    if (statement.type === "ImportDeclaration" && statement.specifiers.length > 0) {
      rewrite(statement, printImport(statement, values), edits);
    }
    if (statement.type === "ExportNamedDeclaration" && !statement.declaration) {
      rewrite(statement, printExport(statement, types), edits);
    }
  }
  guardImports(module, edits);
  blankInterpreter(module, edits);
  return guarded({ ...edits.apply(), transpile: decorated, form: "module" });
}

function rewrite(statement: Statement, text: string, edits: Edits): void {
  edits.insert(startOf(statement), text);
  edits.blank(startOf(statement), endOf(statement), ";");
}

/** Import on one line, without names that are only types; empty if all are. */
function printImport(node: Import, values: ReadonlySet<string>): string {
  if (node.specifiers.length === 0) return `import ${quote(node.source.value)};`;
  const { specifiers, others } = importedNames(node, values);
  if (specifiers.length > 0) {
    others.push(`{${specifiers.map((names) => names.join(" as ")).join(",")}}`);
  }
  return others.length === 0 ? "" : `import ${others.join(",")} from ${quote(node.source.value)};`;
}

/** The same names, destructured from the module as an object. */
function printBinding(node: Import, values: ReadonlySet<string>, from: string): string {
  const { specifiers } = importedNames(node, values);
  const whole = node.specifiers.find((item) => item.type === "ImportNamespaceSpecifier");
  const targets = specifiers.length > 0
    ? [`{${specifiers.map((names) => names.join(":")).join(",")}}`]
    : [];
  if (whole && values.has(whole.local.name)) targets.push(whole.local.name);
  return targets.map((target) => `const ${target}=${from};`).join("");
}

function importedNames(node: Import, values: ReadonlySet<string>) {
  const specifiers: [imported: string, local: string][] = [];
  const others: string[] = [];
  for (const item of node.specifiers) {
    const local = item.local.name;
    if (!values.has(local)) continue;
    if (item.type === "ImportDefaultSpecifier") others.push(local);
    else if (item.type === "ImportNamespaceSpecifier") others.push(`* as ${local}`);
    else if (item.importKind !== "type") specifiers.push([nameText(item.imported), local]);
  }
  return { specifiers, others };
}

function printExport(
  node: Extract<Node, { type: "ExportNamedDeclaration" }>,
  types: ReadonlySet<string>,
): string {
  const parts: string[] = [];
  for (const item of node.specifiers) {
    if (item.type === "ExportNamespaceSpecifier") parts.push(`* as ${nameText(item.exported)}`);
    if (item.type !== "ExportSpecifier" || item.exportKind === "type") continue;
    const local = nameText(item.local);
    if (!node.source && types.has(local)) continue;
    parts.push(`${local} as ${nameText(item.exported)}`);
  }
  const from = node.source ? ` from ${quote(node.source.value)}` : "";
  const [first = ""] = parts;
  return `export ${first.startsWith("*") ? first : `{${parts.join(",")}}`}${from};`;
}

/** Names that a module declares only as types. */
function typeNames(module: ParsedModule): ReadonlySet<string> {
  const types = new Set<string>();
  const values = new Set<string>();
  for (const statement of module.program.body) {
    const node = statement.type === "ExportNamedDeclaration" && statement.declaration
      ? statement.declaration
      : statement;
    if (node.type === "TSInterfaceDeclaration" || node.type === "TSTypeAliasDeclaration") {
      types.add(node.id.name);
    } else {
      for (const name of declaredNames(node)) (isErasable(node) ? types : values).add(name);
    }
  }
  return types.difference(values);
}

function isExport(statement: Statement): statement is Export & Statement {
  return statement.type === "ExportNamedDeclaration" ||
    statement.type === "ExportDefaultDeclaration" || statement.type === "ExportAllDeclaration";
}

/** Removes `export` from a statement of the entry; a default export is the result of the program. */
function unwrapExport(
  node: Export,
  result: string,
  edits: Edits,
): { imports: string; result?: string } {
  if (node.type === "ExportDefaultDeclaration") return unwrapDefault(node, result, edits);
  if (node.type === "ExportNamedDeclaration" && node.declaration) {
    edits.blank(startOf(node), startOf(node.declaration));
    return { imports: "" };
  }
  edits.blank(startOf(node), endOf(node), ";");
  const specifiers = node.type === "ExportNamedDeclaration" ? node.specifiers : [];
  const [value] = specifiers.flatMap((item) =>
    item.type === "ExportSpecifier" && nameText(item.exported) === "default"
      ? [nameText(item.local)]
      : []
  );
  if (!node.source) return { imports: "", ...(value === undefined ? {} : { result: value }) };
  const from = quote(node.source.value);
  return value === undefined
    ? { imports: `import ${from};` }
    : { imports: `import {${value} as ${result}} from ${from};`, result };
}

function unwrapDefault(
  node: Extract<Node, { type: "ExportDefaultDeclaration" }>,
  result: string,
  edits: Edits,
): { imports: string; result: string } {
  const { declaration } = node;
  const start = startOf(declaration);
  edits.blank(startOf(node), start, ";");
  if ("id" in declaration && declaration.id && declaration.type.endsWith("Declaration")) {
    return { imports: "", result: declaration.id.name };
  }
  edits.insert(start, `const ${result}=(`);
  edits.close(start, endOf(declaration), ");");
  return { imports: "", result };
}

/** Returns the value of the last statement that has an effect, if it is an expression. */
function returnLast(module: ParsedModule, edits: Edits): void {
  const last = module.program.body.findLast((statement) => !isInert(statement));
  const directive = last ? undefined : module.program.directives.at(-1);
  const value = directive?.value ??
    (last?.type === "ExpressionStatement" ? last.expression : undefined);
  if (!value) return;
  edits.insert(startOf(value), "return (");
  edits.close(startOf(value), endOf(value), ");");
}

/** Tells whether a statement has no effect in its place: types, imports, export lists, functions. */
function isInert(statement: Statement): boolean {
  switch (statement.type) {
    case "EmptyStatement":
    case "FunctionDeclaration":
    case "ImportDeclaration":
    case "ExportAllDeclaration":
      return true;
    case "ExportNamedDeclaration":
      return !statement.declaration || isErasable(statement) || isInert(statement.declaration);
    default:
      return isErasable(statement);
  }
}

function blankInterpreter(module: ParsedModule, edits: Edits): void {
  const { interpreter } = module.program;
  if (interpreter) edits.blank(startOf(interpreter), endOf(interpreter));
}

function nameText(node: Node): string {
  if (node.type === "StringLiteral") return quote(node.value);
  return node.type === "Identifier" ? node.name : "";
}

/** String literal without line breaks of any kind. */
function quote(text: string): string {
  return JSON.stringify(text).replace(
    /[\u2028\u2029]/g,
    (mark) => `\\u${mark.charCodeAt(0).toString(16)}`,
  );
}
