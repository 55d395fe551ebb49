/** Declares the names that a command assigns to without declaring them (rule 3). */

import { PYTHON_WORDS } from "../python_words.ts";
import { endOf, type Node, startOf } from "../../syntax/parse.ts";
import { isAssignable } from "./globals.ts";
import type { Implicit } from "./meaning.ts";
import type { Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import type { Write } from "./path.ts";
import type { MagicName } from "../types.ts";
import type { Survey } from "./survey.ts";

const MAGIC: readonly MagicName[] = ["__format__", "__sanitize__"];

/** Names that a command declares by an assignment outside functions; `keywords` are not
 * assignments. */
export function implicitNames(
  survey: Survey,
  keywords: ReadonlySet<Node>,
): ReadonlyMap<string, Implicit & { readonly writes: readonly Write[] }> {
  const assignments = new Map<string, { writes: Write[]; top: boolean }>();
  for (const write of survey.writes) {
    const { name, path } = write;
    if (keywords.has(path.node) || path.scope.lookup(name) || isAssignable(name)) continue;
    if (isMagic(name)) continue;
    const entry = assignments.get(name) ?? { writes: [], top: false };
    entry.writes.push(write);
    entry.top ||= write.plain && path.top;
    assignments.set(name, entry);
  }
  const names = new Map<string, Implicit & { writes: readonly Write[] }>();
  for (const [name, { writes, top }] of assignments) {
    if (!top) continue;
    const node = writes[0]?.path.node;
    const init = writes.length === 1 && node?.type === "AssignmentExpression" &&
        node.left.type === "Identifier"
      ? node.right
      : undefined;
    names.set(name, { writes, ...(init ? { init } : {}) });
  }
  return names;
}

/** Declares each name at its first assignment, if that is a top-level statement and no earlier code
 * uses the name; otherwise before the program. */
export function declareNames(
  names: ReadonlyMap<string, { readonly writes: readonly Write[] }>,
  rewriting: Rewriting,
): void {
  const firstReads = topReads(rewriting.survey);
  for (const [name, { writes }] of names) {
    const first = writes.find(({ plain, path }) => plain && path.top);
    const node = first?.path.node;
    const statement = first?.path.parent;
    const early = (firstReads.get(name) ?? Infinity) < (node ? startOf(node) : 0) ||
      writes[0] !== first;
    if (
      early || node?.type !== "AssignmentExpression" || node.left.type !== "Identifier" ||
      statement?.node.type !== "ExpressionStatement" || statement.parent?.node.type !== "Program"
    ) {
      rewriting.needs.variables.add(name);
      continue;
    }
    rewriting.edits.insert(startOf(node), "let ");
    if (writes.length > 1 || isOpen(node.right)) {
      rewriting.edits.insert(endOf(node.left), ": any");
    }
  }
}

export function isMagic(name: string): name is MagicName {
  return name === "__format__" || name === "__sanitize__";
}

/** Turns a declaration of a magic variable into an assignment. A last statement that assigns one
 * gets braces, so that it has no value. */
export function rewriteMagic(
  { survey, edits, text }: Rewriting,
  body: readonly Node[],
): MagicName[] {
  const assigned = new Set<string>();
  for (const name of MAGIC) {
    if (!survey.root.own(name)) continue;
    const statement = body.find((item) => declaresOnly(item, name));
    if (!statement || statement.type !== "VariableDeclaration") continue;
    edits.blank(startOf(statement), startOf(statement) + statement.kind.length, ";");
    const id = statement.declarations[0]?.id;
    const annotation = id?.type === "Identifier" ? id.typeAnnotation : undefined;
    if (annotation) edits.blank(startOf(annotation), endOf(annotation));
    assigned.add(name);
  }
  for (const { name, path } of survey.writes) {
    if (isMagic(name) && !path.scope.lookup(name)) assigned.add(name);
  }
  for (const { node, scope } of survey.reads) {
    if (node.type === "Identifier" && isMagic(node.name) && !scope.lookup(node.name)) {
      assigned.add(node.name);
    }
  }
  const last = body.at(-1);
  if (last && assignsMagic(last)) {
    edits.insert(startOf(last), "{");
    edits.close(startOf(last), endOf(last), text[endOf(last) - 1] === ";" ? "}" : ";}");
  }
  return MAGIC.filter((name) => assigned.has(name));
}

/** `const __format__ = "yml"`. */
function declaresOnly(statement: Node, name: string): boolean {
  if (statement.type !== "VariableDeclaration" || statement.declarations.length !== 1) return false;
  const [item] = statement.declarations;
  return item?.id.type === "Identifier" && item.id.name === name && Boolean(item.init);
}

function assignsMagic(statement: Node): boolean {
  if (declaresOnly(statement, "__format__") || declaresOnly(statement, "__sanitize__")) return true;
  if (statement.type !== "ExpressionStatement") return false;
  const { expression } = statement;
  return expression.type === "AssignmentExpression" && expression.left.type === "Identifier" &&
    isMagic(expression.left.name);
}

/** Position of the first read of each name outside functions. */
function topReads({ reads }: Survey): ReadonlyMap<string, number> {
  const positions = new Map<string, number>();
  for (const { node, top } of reads) {
    if (!top || node.type !== "Identifier") continue;
    positions.set(node.name, Math.min(positions.get(node.name) ?? Infinity, startOf(node)));
  }
  return positions;
}

/** Tells whether a value leaves the type of its variable open: `null`, `[]`, `{}`. */
function isOpen(node: Node): boolean {
  const value = inner(node);
  switch (value.type) {
    case "NullLiteral":
      return true;
    case "Identifier":
      return PYTHON_WORDS.get(value.name) === null || value.name === "undefined";
    case "ArrayExpression":
      return value.elements.length === 0;
    case "ObjectExpression":
      return value.properties.length === 0;
    default:
      return false;
  }
}
