/** Makes converted types safe for a compiler: no definition stands for itself, and no intersection
 * multiplies out to thousands of cases. */

import { ANYTHING, type Converted, type Type } from "./ir.ts";

/** A definition while the schema is being converted. */
export interface Draft {
  readonly name: string;
  type: Type;
  /** Definitions that stand for the whole value of this one. */
  readonly bare: Set<number>;
}

const MAX_CASES = 64;

/** Takes the drafts, the root first. */
export function breakCircles(drafts: readonly Draft[]): Converted {
  const circular = findCircular(drafts);
  const [root = ANYTHING, ...types] = drafts.map((draft, index) => {
    return circular.has(index) ? ANYTHING : draft.type;
  });
  const cases = caseCounter([root, ...types]);
  return {
    root: simplify(root, cases),
    definitions: types.map((type, index) => ({
      name: drafts[index + 1]?.name ?? "",
      type: simplify(type, cases),
    })),
  };
}

/** Definitions that come back to themselves without an object or an array between: `a = b | c`,
 * `b = a`. A compiler refuses them, and no value is described by them. */
function findCircular(drafts: readonly Draft[]): Set<number> {
  const circular = new Set<number>();
  const visited = new Set<number>();
  const visit = (index: number, path: Set<number>) => {
    if (path.has(index)) circular.add(index);
    if (path.has(index) || visited.has(index)) return;
    path.add(index);
    for (const next of drafts[index]?.bare ?? []) visit(next, path);
    path.delete(index);
    visited.add(index);
  };
  drafts.forEach((_, index) => visit(index, new Set()));
  return circular;
}

type Count = (type: Type) => number;

/** Counts the cases that a type multiplies out to, through references. */
function caseCounter(types: readonly Type[]): Count {
  const counts = new Map<number, number>();
  const count: Count = (type) => {
    switch (type.kind) {
      case "union":
        return type.members.reduce((sum, member) => sum + count(member), 0);
      case "intersection":
        return type.members.reduce((product, member) => product * count(member), 1);
      case "reference": {
        const earlier = counts.get(type.definition);
        if (earlier !== undefined) return earlier;
        counts.set(type.definition, 1);
        const cases = count(types[type.definition] ?? ANYTHING);
        counts.set(type.definition, cases);
        return cases;
      }
      default:
        return 1;
    }
  };
  return count;
}

function simplify(type: Type, cases: Count): Type {
  const inner = (member: Type) => simplify(member, cases);
  switch (type.kind) {
    case "array":
      return { ...type, item: inner(type.item) };
    case "tuple":
      return { ...type, items: type.items.map(inner), rest: type.rest && inner(type.rest) };
    case "object":
      return {
        ...type,
        properties: type.properties.map((property) => ({
          ...property,
          type: inner(property.type),
        })),
        others: type.others && inner(type.others),
      };
    case "union":
      return { ...type, members: type.members.map(inner) };
    case "intersection":
      return cases(type) > MAX_CASES ? ANYTHING : { ...type, members: type.members.map(inner) };
    default:
      return type;
  }
}
