/** Check of templates against allow lists. The compiler of nunjucks inserts the names of tests,
 * filters, loop variables and calls into its code unescaped, so only plain names are allowed there. It
 * writes the arguments of a test without commas, so a test has at most one. */

import { isObject } from "#base";
import { TemplateError } from "./error.ts";

/** A node of nunjucks' syntax tree. */
export interface TemplateNode {
  readonly typename: string;
  readonly lineno: number;
  readonly fields: readonly string[];
  readonly [field: string]: unknown;
}

const NODES = new Set(
  ("Root NodeList Output TemplateData Symbol Literal LookupVal Filter If InlineIf For Set Array " +
    "Dict Pair Group Compare CompareOperand Or And Not In Is Add Sub Mul Div FloorDiv Mod Pow Neg " +
    "Pos Concat KeywordArgs Value FunCall Switch Case").split(" "),
);
const FILTERS = new Set(
  ("abs batch capitalize center d default dictsort dump e escape first float forceescape groupby " +
    "indent int join last length list lower nl2br random rejectattr replace reverse round safe " +
    "selectattr slice sort string striptags sum title tojson trim truncate upper urlencode urlize " +
    "wordcount").split(" "),
);

const TESTS = new Set(
  ("defined divisibleby eq equalto escaped even falsy ge greaterthan gt iterable le lessthan lower " +
    "lt mapping ne null number odd sameas string truthy undefined upper").split(" "),
);

/** Throws `TemplateError` for anything in a template that is not on the lists. */
export function checkTemplate(node: TemplateNode, kind: string): void {
  const reason = refusalOf(node);
  if (reason !== undefined) throw refused(node, reason, kind);
  for (const field of node.fields) {
    for (const item of [node[field]].flat()) if (isNode(item)) checkTemplate(item, kind);
  }
}

/** Phrase for the refused part of a node, or undefined. */
function refusalOf(node: TemplateNode): string | undefined {
  const { typename } = node;
  switch (typename) {
    case "Symbol":
      return isName(node) ? undefined : `the name ${JSON.stringify(node.value)}`;
    case "Literal":
      return isObject(node.value) ? "a regular expression" : undefined;
    case "For":
      return isNameOrNames(node.name) ? undefined : "a loop variable that is not a name";
    case "Set":
      if (isObject(node.body)) return "a block that is set";
      return namesOnly(node.targets) ? undefined : "a set of something that is not a name";
    case "FunCall":
      return hasPlainName(node.name) ? undefined : "a call of something with no plain name";
    case "Filter":
      if (FILTERS.has(nameOf(node.name))) return undefined;
      return `the filter "${isNode(node.name) ? node.name.value : ""}"`;
    case "Is":
      if (!TESTS.has(testOf(node.right))) return "an unknown test after `is`";
      return hasOneArgument(node.right) ? undefined : "a test with several arguments";
    default:
      return NODES.has(typename) ? undefined : typename;
  }
}

/** Name of `odd`, `divisibleby(3)` or `none`, else an empty text. */
function testOf(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.typename === "Literal") return node.value === null ? "null" : "";
  return nameOf(node.typename === "FunCall" ? node.name : node);
}

/** True for a test with at most one argument, by its position. */
function hasOneArgument(test: unknown): boolean {
  if (!isNode(test) || test.typename !== "FunCall") return true;
  const { args } = test;
  if (!isNode(args) || !Array.isArray(args.children)) return false;
  const [argument, ...others] = args.children;
  return others.length === 0 && !(isNode(argument) && argument.typename === "KeywordArgs");
}

/** True for a callee `name` or `name.name`. */
function hasPlainName(callee: unknown): boolean {
  if (!isNode(callee) || callee.typename !== "LookupVal") return isName(callee);
  const { target, val } = callee;
  return isName(target) && isNode(val) && val.typename === "Literal" && isPlain(val.value);
}

function isNameOrNames(node: unknown): boolean {
  return isNode(node) && node.typename === "Array" ? namesOnly(node.children) : isName(node);
}

function namesOnly(nodes: unknown): boolean {
  return Array.isArray(nodes) && nodes.every(isName);
}

function isName(node: unknown): boolean {
  return nameOf(node) !== "";
}

/** Name of a symbol with a plain name, else an empty text. */
function nameOf(node: unknown): string {
  return isNode(node) && node.typename === "Symbol" && isPlain(node.value)
    ? String(node.value)
    : "";
}

function isPlain(name: unknown): boolean {
  return typeof name === "string" && /^[A-Za-z_]\w*$/.test(name);
}

function isNode(value: unknown): value is TemplateNode {
  return isObject(value) && typeof value.typename === "string";
}

function refused(node: TemplateNode, what: string, kind: string): TemplateError {
  const line = node.lineno + 1;
  return new TemplateError(`The template uses ${what} (line ${line}), which ${kind} do not have`);
}
