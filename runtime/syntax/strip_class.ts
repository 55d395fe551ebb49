/** Erases types and modifiers from classes. */

import type { Edits } from "./edits.ts";
import { afterDecorators, endOf, type Node, startOf } from "./parse.ts";
import { lastIn, masked } from "./tokens.ts";

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
  const at = lastIn(text, "implements", { from: startOf(node), to: startOf(first) });
  edits.blank(at, endOf(last));
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
    ? edits.text.indexOf("(", endOf(node.key))
    : endOf(node);
  const offset = masked(edits.text, { from: endOf(node.key), to }).indexOf(mark);
  if (offset >= 0) edits.blank(endOf(node.key) + offset, endOf(node.key) + offset + 1);
}
