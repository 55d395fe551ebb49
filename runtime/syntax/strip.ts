/** Erases types from a module in place, and lowers the TypeScript that exists at run time. */

import { type Edits, lastIn, masked, nextText } from "./edits.ts";
import { hasTypesOnly, isErasable } from "./erasable.ts";
import { callableNames, lowerEnum, lowerNamespace, lowerParameterProperties } from "./lower.ts";
import {
  afterDecorators,
  children,
  endOf,
  isNode,
  type Node,
  type ParsedModule,
  startOf,
} from "./parse.ts";

export interface Stripped {
  /** Names that are read as values; an import of any other name is a type. */
  readonly values: ReadonlySet<string>;
  /** The module has decorators, which stay. */
  readonly decorated: boolean;
}

const TYPE_PARTS = [
  "typeAnnotation",
  "typeParameters",
  "typeArguments",
  "superTypeArguments",
  "returnType",
] as const;

/** Erases the types of a module through `edits`; the caller handles imports and exports. */
export function stripTypes(module: ParsedModule, edits: Edits): Stripped {
  const values = new Set<string>();
  const callables = callableNames(module.program.body);
  let decorated = false;
  const stack: Node[] = [module.program];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (isErasable(node)) {
      edits.blank(startOf(node), endOf(node), ";");
      continue;
    }
    if (node.type === "Identifier") values.add(node.name);
    if (node.type === "Decorator") decorated = true;
    stripMember(node, edits);
    stripNode(node, edits, callables);
    for (const child of valueChildren(node)) stack.push(child);
  }
  return { values, decorated };
}

/** Child nodes that exist at run time. */
export function valueChildren(node: Node): Node[] {
  switch (node.type) {
    case "MemberExpression":
    case "OptionalMemberExpression":
      return node.computed ? [node.object, node.property] : [node.object];
    case "TSAsExpression":
    case "TSSatisfiesExpression":
    case "TSTypeAssertion":
      return [node.expression];
    case "LabeledStatement":
      return [node.body];
    case "ImportDeclaration":
    case "ExportAllDeclaration":
    case "BreakStatement":
    case "ContinueStatement":
    case "TSImportEqualsDeclaration":
      return [];
    case "ExportNamedDeclaration":
      if (node.declaration) return [node.declaration];
      return node.source
        ? []
        : node.specifiers.flatMap((item) =>
          item.type === "ExportSpecifier" && item.exportKind !== "type" ? [item.local] : []
        );
    case "TSEnumMember":
      return node.initializer ? [node.initializer] : [];
    case "TSModuleDeclaration":
      return [node.body];
    default:
      return children(node).filter((child) => !isTypePart(node, child));
  }
}

function isTypePart(node: Node, child: Node): boolean {
  if ("key" in node && node.key === child && "computed" in node) {
    return !node.computed && child.type === "Identifier" &&
      !("shorthand" in node && node.shorthand);
  }
  return hasTypesOnly(child);
}

function stripNode(node: Node, edits: Edits, callables: ReadonlySet<string>): void {
  switch (node.type) {
    case "TSAsExpression":
    case "TSSatisfiesExpression":
      return blankTail(node, node.expression, edits);
    case "TSNonNullExpression":
      return edits.blank(endOf(node) - 1, endOf(node));
    case "TSTypeAssertion":
      edits.blank(startOf(node), startOf(node.expression), "(");
      return edits.close(startOf(node), endOf(node), ")");
    case "TSEnumDeclaration":
      return lowerEnum(node, edits);
    case "TSModuleDeclaration":
      return lowerNamespace(node, edits, callables);
    case "TSImportEqualsDeclaration":
      return edits.blank(startOf(node), startOf(node) + "import".length, "var");
    case "ClassDeclaration":
    case "ClassExpression":
      stripClass(node, edits);
      break;
    case "VariableDeclarator":
      if (node.definite) blankMark("!", node.id, edits);
      break;
    case "ClassMethod":
      if (node.kind === "constructor") lowerParameterProperties(node, edits);
      break;
    case "ArrowFunctionExpression":
      stripArrow(node, edits);
      return stripParameters(node.params, edits);
  }
  if ("params" in node && Array.isArray(node.params)) stripParameters(node.params, edits);
  stripTypeParts(node, edits);
}

/** Blanks the annotation, type parameters, type arguments and return type of a node. */
function stripTypeParts(node: Node, edits: Edits): void {
  for (const key of TYPE_PARTS) {
    const part: unknown = key in node ? node[key as keyof Node] : undefined;
    if (isNode(part) && hasTypesOnly(part)) edits.blank(startOf(part), endOf(part));
  }
}

/** Blanks the type of `x as T`; a semicolon replaces it where the next line would continue the
 * expression. */
function blankTail(node: Node, inner: Node, edits: Edits): void {
  const { text } = edits;
  const after = nextText(text, endOf(node));
  const joins = after.newline && /^[([`]/.test(text.slice(after.at, after.at + 1));
  edits.blank(endOf(inner), endOf(node), joins ? ";" : "");
}

function stripParameters(params: readonly Node[], edits: Edits): void {
  for (const [index, param] of params.entries()) {
    if (index === 0 && param.type === "Identifier" && param.name === "this") {
      edits.blank(startOf(param), skipComma(edits.text, endOf(param)));
    }
    const target = param.type === "TSParameterProperty" ? param.parameter : param;
    const bare = target.type === "AssignmentPattern" ? target.left : target;
    if ("optional" in bare && bare.optional) blankMark("?", bare, edits);
  }
}

function skipComma(text: string, at: number): number {
  const after = nextText(text, at).at;
  return text[after] === "," ? after + 1 : at;
}

/** Blanks the `?` or `!` between a name and its annotation. */
function blankMark(mark: "?" | "!", target: Node, edits: Edits): void {
  const annotation = "typeAnnotation" in target ? target.typeAnnotation : undefined;
  const end = annotation ? startOf(annotation) : endOf(target);
  const at = lastIn(edits.text, mark, { from: startOf(target), to: end });
  if (at >= 0) edits.blank(at, at + 1);
}

/** Blanks the types of an arrow function. No line break may precede `=>`, nor separate `async` or
 * `return` from `(`: where an erased type holds one, the parenthesis moves to the other end of the
 * type. */
function stripArrow(
  node: Extract<Node, { type: "ArrowFunctionExpression" }>,
  edits: Edits,
): void {
  const { text } = edits;
  const { typeParameters, returnType } = node;
  if (typeParameters) {
    const start = startOf(typeParameters);
    const end = endOf(typeParameters);
    const open = nextText(text, end).at;
    const moved = hasBreak(text.slice(start, open));
    edits.blank(start, end, moved ? "(" : "");
    if (moved) edits.blank(open, open + 1);
  }
  if (returnType) {
    const start = startOf(returnType);
    const end = endOf(returnType);
    const last = node.params.at(-1) ?? typeParameters;
    const close = lastIn(text, ")", { from: last ? endOf(last) : startOf(node), to: start });
    const moved = hasBreak(text.slice(close, end));
    if (!moved) return edits.blank(start, end);
    edits.blank(close, close + 1);
    edits.blank(start, end - 1);
    edits.blank(end - 1, end, ")");
  }
}

function hasBreak(text: string): boolean {
  return /[\n\r\u2028\u2029]/.test(text);
}

const MODIFIERS = /\b(?:public|private|protected|readonly|override|abstract|declare)\b/g;

/** Blanks `abstract`, and `implements` with its list; the caller blanks type parameters. */
export function stripClass(
  node: Extract<Node, { type: "ClassDeclaration" | "ClassExpression" }>,
  edits: Edits,
): void {
  const { text } = edits;
  if ("abstract" in node && node.abstract) {
    const from = afterDecorators(node);
    const at = masked(text, { from, to: startOf(node.body) }).search(/\babstract\b/);
    if (at >= 0) edits.blank(from + at, from + at + "abstract".length);
  }
  const [first] = node.implements ?? [];
  const last = node.implements?.at(-1);
  if (!first || !last) return;
  const head = [node.id, node.typeParameters, node.superClass, node.superTypeArguments];
  const from = Math.max(afterDecorators(node), ...head.map((part) => part ? endOf(part) : 0));
  edits.blank(lastIn(text, "implements", { from, to: startOf(first) }), endOf(last));
}

/** Blanks modifiers and marks around the name of a class member; ignores other nodes. */
export function stripMember(node: Node, edits: Edits): void {
  switch (node.type) {
    case "ClassMethod":
    case "ClassPrivateMethod":
      blankModifiers(node, edits);
      if (node.optional) blankBehindKey("?", node, edits);
      return;
    case "ClassProperty":
    case "ClassPrivateProperty":
    case "ClassAccessorProperty":
      blankModifiers(node, edits);
      stripProperty(node, edits);
  }
}

type Property = Extract<
  Node,
  { type: "ClassProperty" | "ClassPrivateProperty" | "ClassAccessorProperty" }
>;
type Member = Property | Extract<Node, { type: "ClassMethod" | "ClassPrivateMethod" }>;

/** Ends a field without a value in a semicolon, so that the next member does not continue it. */
function stripProperty(node: Property, edits: Edits): void {
  if ("optional" in node && node.optional) blankBehindKey("?", node, edits);
  if (node.definite) blankBehindKey("!", node, edits);
  const { typeAnnotation } = node;
  if (!typeAnnotation) return;
  edits.blank(startOf(typeAnnotation), endOf(typeAnnotation), node.value ? "" : ";");
}

/** Replaces the first modifier by a semicolon, which separates the member from the one before. */
function blankModifiers(node: Member, edits: Edits): void {
  const from = afterDecorators(node);
  const stretch = masked(edits.text, { from, to: startOf(node.key) });
  for (const match of stretch.matchAll(MODIFIERS)) {
    const at = from + match.index;
    edits.blank(at, at + match[0].length, at === startOf(node) ? ";" : "");
  }
}

function blankBehindKey(mark: "?" | "!", node: Member, edits: Edits): void {
  const annotation = "typeAnnotation" in node ? node.typeAnnotation : undefined;
  const to = annotation
    ? startOf(annotation)
    : "params" in node
    ? startOf(node.typeParameters ?? node.params[0] ?? node.body)
    : endOf(node);
  const offset = masked(edits.text, { from: endOf(node.key), to }).indexOf(mark);
  if (offset >= 0) edits.blank(endOf(node.key) + offset, endOf(node.key) + offset + 1);
}
