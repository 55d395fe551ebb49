/** Rewrites the command language as TypeScript on the syntax tree. No line moves. */

import { Edits, lastIn } from "../../syntax/edits.ts";
import { endOf, type Node, type ParsedModule, placeOf, startOf } from "../../syntax/parse.ts";
import type { Shift } from "../../syntax/place.ts";
import { keywordsOf, rewriteArguments } from "./arguments.ts";
import { declareNames, implicitNames, rewriteMagic } from "./declare.ts";
import { cannotWait } from "./cannot_wait.ts";
import { writeWaits } from "./implicit_await.ts";
import { Meanings } from "./meaning.ts";
import type { NameTable } from "../names.ts";
import { type Ambient, writePrelude } from "./prelude.ts";
import { notPython, pythonType } from "../python.ts";
import { type Call, noNeeds, type Rewriting } from "./rewriting.ts";
import type { Path } from "./path.ts";
import { survey } from "./survey.ts";
import type { CommandFinding } from "../types.ts";
import { findUnknown } from "./unknown.ts";
import { planWaits } from "./waits.ts";
import { rewriteWord } from "./words.ts";

export interface Rewritten extends Ambient {
  readonly kind: "rewritten";
  readonly text: string;
  readonly shifts: readonly Shift[];
  readonly unknown: CommandFinding | null;
}

/** Rewrites a parsed command; places in findings are those of the parsed text. */
export function rewrite(module: ParsedModule, table: NameTable): Rewritten | CommandFinding {
  const { rewriting, implicit } = begin(module, table);
  const python = findPythonic(module, rewriting);
  if (python) return python;
  declareNames(implicit, rewriting);
  const magic = rewriteMagic(rewriting, module.program.body);
  for (const call of rewriting.calls) {
    const misplaced = rewriteArguments(call, rewriting);
    if (misplaced) return positionalLast(misplaced.node);
  }
  for (const path of rewriting.survey.divisions) rewriteDivision(path, rewriting);
  const waits = planWaits(rewriting);
  writeWaits(waits, rewriting);
  for (const path of rewriting.survey.reads) rewriteWord(path, rewriting);
  const { served, shifts } = rewriting.edits.apply();
  return {
    kind: "rewritten",
    text: served,
    shifts: served === module.text ? [] : shifts.filter(({ length }) => length > 0),
    unknown: findUnknown(rewriting) ?? (waits.obstacle && cannotWait(waits.obstacle, rewriting)),
    ...writePrelude(rewriting, magic),
  };
}

/** Surveys a command, in this order: tool calls decide which assignments are keyword arguments, the
 * other assignments declare names, and declared names are not packs. */
function begin(module: ParsedModule, table: NameTable) {
  const view = survey(module.program);
  const meanings = new Meanings(table, view);
  const first = view.calls.map((path) => callOf(path, meanings));
  const implicit = implicitNames(view, new Set<Node>(first.flatMap(keywordsOf)));
  meanings.assume(implicit);
  const calls = implicit.size === 0 ? first : view.calls.map((path) => callOf(path, meanings));
  const rewriting: Rewriting = {
    text: module.text,
    edits: new Edits(module.text),
    survey: view,
    meanings,
    calls,
    targets: new Map(calls.flatMap(({ path, target }) => target ? [[path.node, target]] : [])),
    needs: noNeeds(module.text),
  };
  return { rewriting, implicit };
}

function callOf(path: Path, meanings: Meanings): Call {
  const callee = "callee" in path.node ? path.node.callee as Node : path.node;
  return { path, target: meanings.of(callee, path.scope) };
}

function positionalLast(node: Node): CommandFinding {
  return {
    kind: "finding",
    code: "syntax_error",
    message: "A positional argument follows a keyword argument: write it first, or with " +
      "its name, f(first, second=2)",
    ...placeOf(node),
  };
}

/** Finds Python that parses as TypeScript with another meaning: `x: int = 5`, `a, b = f()`. */
function findPythonic(module: ParsedModule, rewriting: Rewriting): CommandFinding | undefined {
  for (const path of rewriting.survey.labels) {
    const finding = annotation(path, rewriting);
    if (finding) return finding;
  }
  for (const statement of module.program.body) {
    const finding = unpacking(statement, rewriting);
    if (finding) return finding;
  }
  return undefined;
}

function annotation({ node, scope }: Path, rewriting: Rewriting): CommandFinding | undefined {
  if (node.type !== "LabeledStatement" || node.body.type !== "ExpressionStatement") {
    return undefined;
  }
  const { expression } = node.body;
  const value = expression.type === "AssignmentExpression" ? expression.right : undefined;
  let type: Node = expression.type === "AssignmentExpression" ? expression.left : expression;
  while (type.type === "MemberExpression") type = type.object;
  const pythonName = type.type === "Identifier" && !scope.lookup(type.name)
    ? pythonType(type.name)
    : undefined;
  if (pythonName === undefined) return undefined;
  const text = (part: Node) => rewriting.text.slice(startOf(part), endOf(part)).slice(0, 60);
  const right = value ? ` = ${text(value)}` : "";
  return pythonFinding(node, text(node), `let ${node.label.name}: ${pythonName}${right}`);
}

function unpacking(statement: Node, rewriting: Rewriting): CommandFinding | undefined {
  if (statement.type !== "ExpressionStatement") return undefined;
  const { expression } = statement;
  if (expression.type !== "SequenceExpression") return undefined;
  const names: string[] = [];
  for (const item of expression.expressions) {
    const target = item.type === "AssignmentExpression" ? item.left : item;
    if (target.type !== "Identifier" || rewriting.survey.root.lookup(target.name)) return undefined;
    names.push(target.name);
    if (item.type !== "AssignmentExpression") continue;
    const text = (from: number, to: number) => rewriting.text.slice(from, to).slice(0, 60);
    const python = text(startOf(expression), endOf(expression));
    const rest = rewriting.text.slice(startOf(item.right), endOf(expression)).slice(0, 60);
    const value = item === expression.expressions.at(-1) ? rest : `[${rest}]`;
    return pythonFinding(statement, python, `const [${names.join(", ")}] = ${value}`);
  }
  return undefined;
}

function pythonFinding(node: Node, python: string, write: string): CommandFinding {
  const code = "syntax_error";
  return { kind: "finding", code, message: notPython(python, write), ...placeOf(node) };
}

/** Rewrites `proj.site / "src"` as `proj.site.join("src")`. */
function rewriteDivision(path: Path, { meanings, edits, text }: Rewriting): void {
  const { node, scope } = path;
  if (node.type !== "BinaryExpression") return;
  if (!meanings.isProjectPath(node.left, scope)) return;
  const from = endOf(node.left);
  const to = startOf(node.right);
  const at = lastIn(text, "/", { from, to });
  if (at < 0) return;
  if (node.left.type === "AwaitExpression") {
    edits.insert(startOf(node.left), "(");
    edits.insert(from, ")");
  }
  edits.insert(from, ".join(");
  edits.blank(at, at + 1);
  edits.close(to, endOf(node.right), ")");
}
