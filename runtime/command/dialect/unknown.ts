/** Finds packs and tools in a command that do not exist (RUN-23, RUN-26, RUN-27). */

import { listed, nearest } from "#packs/nearest";
import { type Node, placeOf, startOf } from "../../syntax/parse.ts";
import { isAbsent, isGlobal } from "./globals.ts";
import type { NameTable, Target } from "../names.ts";
import { notPython, pythonFunction } from "../python.ts";
import { isIdentifier, type Rewriting } from "./rewriting.ts";
import { inner } from "../../syntax/expression.ts";
import type { Path } from "./path.ts";
import type { CommandFinding } from "../types.ts";

/** Finding for the first unknown name in a command; its place is one of the parsed text. */
export function findUnknown(rewriting: Rewriting): CommandFinding | null {
  const { survey, meanings, calls } = rewriting;
  let first: { at: number; node: Node; tell: () => Problem } | undefined;
  const note = (node: Node, tell: () => Problem) => {
    const at = startOf(node);
    if (!first || at < first.at) first = { at, node, tell };
  };
  for (const { path } of calls) {
    const tell = calleeProblem(path, rewriting);
    if (tell) note(path.node, tell);
  }
  for (const { node, scope } of survey.members) {
    const target = meanings.of(node, scope);
    if (isMissing(target)) note(node, () => missing(target, meanings.table));
  }
  for (const { node, scope } of survey.reads) {
    if (node.type !== "Identifier" || !meanings.isFree(node.name, scope)) continue;
    const target = meanings.table.aliasTarget(node.name);
    if (isMissing(target)) note(node, () => missing(target, meanings.table, node.name));
  }
  if (!first) return null;
  return { kind: "finding", ...first.tell(), ...placeOf(first.node) };
}

type Problem = Pick<CommandFinding, "code" | "message" | "details">;
type Missing = Extract<Target, { kind: "no_pack" | "no_tool" | "no_snippet" }>;

function isMissing(target: Target | undefined): target is Missing {
  return target?.kind === "no_pack" || target?.kind === "no_tool" || target?.kind === "no_snippet";
}

/** Problem with the first name of a callee. */
function calleeProblem(
  { node, scope }: Path,
  { meanings }: Rewriting,
): (() => Problem) | undefined {
  if (node.type !== "CallExpression" && node.type !== "OptionalCallExpression") return undefined;
  const path: string[] = [];
  let callee = inner(node.callee);
  while (callee.type === "MemberExpression" || callee.type === "OptionalMemberExpression") {
    if (!callee.computed && callee.property.type === "Identifier") {
      path.unshift(callee.property.name);
    }
    callee = inner(callee.object);
  }
  if (callee.type !== "Identifier") return undefined;
  const { name } = callee;
  // The checker or the program itself reports a name that the sandbox removed.
  if (isGlobal(name) || isAbsent(name) || !meanings.isFree(name, scope)) return undefined;
  const { table } = meanings;
  if (table.ambient(name) || table.aliasTarget(name)) return undefined;
  if (path.length > 0) {
    return () => missing({ kind: "no_pack", name }, table, [name, ...path].join("."));
  }
  return () => noFunction(name, table);
}

function missing(target: Missing, { names }: NameTable, called?: string): Problem {
  switch (target.kind) {
    case "no_tool": {
      const pack = usable(target.pack);
      const { problem } = target.pack;
      if (problem !== undefined) return off(called ?? `${pack}.${target.name}`, pack, problem);
      const near = nearest(target.name, target.pack.tools.map(usable));
      return describeProblem(called ?? `${pack}.${target.name}`, `no such tool in "${pack}"`, near);
    }
    case "no_pack": {
      const near = nearest(target.name, names.packs.map(usable));
      return describeProblem(
        called ?? `tools.${target.name}`,
        `no such pack "${target.name}"`,
        near,
      );
    }
    case "no_snippet": {
      const near = nearest(target.name, Object.keys(names.snippets));
      return describeProblem(
        called ?? `snippets.${target.name}`,
        `no such snippet "${target.name}"`,
        near,
      );
    }
    default:
      return target satisfies never;
  }
}

function off(called: string, pack: string, problem: string): Problem {
  return {
    code: "type_error",
    message: `Cannot call "${called}": the pack "${pack}" cannot be used: ${problem}`,
    details: { available: [], total: 0 },
  };
}

function describeProblem(
  called: string,
  problem: string,
  near: ReturnType<typeof nearest>,
): Problem {
  return {
    code: "type_error",
    message: `Cannot call "${called}": ${problem}: available: ${listed(near)}`,
    details: { available: [...near.available], total: near.total },
  };
}

/** Error for an unknown function: a missing alias, or a function of Python. */
function noFunction(name: string, { names }: NameTable): Problem {
  const python = pythonFunction(name);
  if (python) return { code: "syntax_error", message: notPython(`${name}(…)`, python) };
  const candidates = [
    ...Object.keys(names.aliases),
    ...names.packs.flatMap((pack) => pack.tools.map((tool) => `${usable(pack)}.${usable(tool)}`)),
  ];
  return describeProblem(name, "no such tool, alias or function", nearest(name, candidates));
}

/** Spelling of a pack or tool that is an identifier. */
function usable({ name, key }: { readonly name: string; readonly key: string }): string {
  return isIdentifier(name) ? name : key;
}
