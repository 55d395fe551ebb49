/** Names of generated types. Different tools never come to share one, so that each tool's text can
 * be made, and kept, without looking at the others. */

import { type Converted, type Definition, targetOf, type Type } from "./ir.ts";

/** A type's name for a key: `createIssue` → `CreateIssue`. Keys that are not plain ASCII are
 * spelled out after `T$`, which no other name begins with. */
export function typeName(key: string): string {
  if (/^[a-z_]\w*$/.test(key)) return key.charAt(0).toUpperCase() + key.slice(1);
  return `T$${key.replace(/[^A-Za-z0-9]/g, (unit) => `$${unit.charCodeAt(0).toString(16)}_`)}`;
}

/** Names of the definitions behind the type `owner`: `ListArgs_Node`. */
export function definitionNames(owner: string, definitions: readonly Definition[]): string[] {
  const names = new Set<string>();
  return definitions.map(({ name }) => {
    // One letter first and no `_`: so the owner can be read off, and no tool has this name.
    const plain = name.slice(0, 60).replace(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => {
      return next.toUpperCase();
    }).replace(/[^A-Za-z0-9]/g, "");
    const clean = plain.charAt(0).toUpperCase() + plain.slice(1);
    const whole = /^[A-Z]/.test(clean) ? clean : `T${clean}`;
    const base = /(Args|Result|Tools)$/.test(whole) ? `${whole}Type` : whole;
    let unique = base;
    for (let count = 2; names.has(unique); count++) unique = `${base}${count}`;
    names.add(unique);
    return `${owner}_${unique}`;
  });
}

/** Returns true if a tool with this input can be called without arguments. */
export function takesNothing(converted: Converted): boolean {
  // A chain of unions leads to one definition in millions of ways.
  const answers = new Map<Type, boolean>();
  const check = (type: Type, depth: number): boolean => {
    if (depth > 32) return true;
    const answer = answers.get(type) ?? checkOnce(type, depth);
    answers.set(type, answer);
    return answer;
  };
  const checkOnce = (type: Type, depth: number): boolean => {
    answers.set(type, true);
    switch (type.kind) {
      case "object":
        return type.properties.every((property) => property.optional);
      case "union":
        return type.members.some((member) => check(member, depth + 1));
      case "intersection":
        return type.members.every((member) => check(member, depth + 1));
      case "reference": {
        const target = targetOf(type.definition, converted);
        return target === undefined || check(target, depth + 1);
      }
      default:
        return true;
    }
  };
  return check(converted.root, 0);
}
