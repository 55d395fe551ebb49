/** Code that nunjucks makes of templates which the check lets pass, made by chance from a fixed seed. */

import assert from "node:assert/strict";
import { parse } from "@babel/parser";
import nunjucks from "nunjucks";
import { isObject } from "#base";
import { checkTemplate } from "../../packs/template/check_template.ts";

const TEMPLATES = 3_000;
const NAMES = "a b loop range cycler __proto__ constructor env cb t_1 output frame runtime".split(
  " ",
);
const TESTS = "defined divisibleby eq even iterable lower mapping none number sameas string".split(
  " ",
);
const FILTERS = "abs batch default e first groupby join length replace safe sort tojson".split(" ");
const OPERATORS = "+ - * / // % ** ~ == === != !== < > <= >= and or in is".split(" ");
const VALUES = [
  ...NAMES,
  "1",
  "2.5",
  "'x'",
  String.raw`'"\"q\\"'`,
  "'\u2028'",
  "none",
  "true",
  "[]",
  "{}",
  "99999999999999999999999",
  "1e5",
  "0x1",
  "``",
];
/** Objects that rendering gives to the code, and what operators are made of. */
const OWN = new Set(["runtime", "env", "context", "frame", "parentTemplate", "Math"]);

function createRandom(seed: number) {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const choose = (makers: readonly (() => string)[]) => makers[below(makers.length)]?.() ?? "";
  return { below, choose, pick: (texts: readonly string[]) => texts[below(texts.length)] ?? "" };
}

const { below, choose, pick } = createRandom(7);

function expression(depth: number): string {
  if (depth <= 0) return pick(VALUES);
  const next = () => expression(depth - 1 - below(2));
  return choose([
    () => `${next()} ${pick(OPERATORS)} ${next()}`,
    () => `${pick(["-", "+", "not ", "- -", "-+"])}${next()}`,
    () => `(${next()})`,
    () => `(${next()}, ${next()})`,
    () => `[${next()}, ${next()}]`,
    () => `{${pick(["'k'", "k", "'__proto__'", "1"])}: ${next()}}`,
    () => `${pick(NAMES)}.${pick(NAMES)}`,
    () => `${pick(NAMES)}[${next()}]`,
    () => `${next()} if ${next()} else ${next()}`,
    () => `${pick(NAMES)}(${next()})`,
    () => `${pick(NAMES)}.${pick(NAMES)}(${next()}, k=${next()})`,
    () => `${next()} | ${pick(FILTERS)}`,
    () => `${next()} | ${pick(FILTERS)}(${next()}, ${next()})`,
    () => `${next()} is ${pick(["", "not "])}${pick(TESTS)}`,
    () => `${next()} is ${pick(TESTS)}(${next()})`,
    () => `${next()} is ${pick(TESTS)}(${next()}, ${next()})`,
    () => `${next()} is ${pick(TESTS)}()`,
    () => `${next()} not in ${next()}`,
    () => `${next()}[${next()}]`,
    () => `(${next()})(${next()})`,
  ]);
}

function statement(depth: number): string {
  const next = () => depth > 0 ? statement(depth - 1) : "";
  return choose([
    () => `{{ ${expression(3)} }}`,
    () =>
      `{% if ${expression(2)} %}${next()}{% elif ${expression(1)} %}{% else %}${next()}{% endif %}`,
    () => `{% for ${pick(NAMES)} in ${expression(2)} %}${next()}{% else %}${next()}{% endfor %}`,
    () => `{% for ${pick(NAMES)}, ${pick(NAMES)} in ${expression(2)} %}${next()}{% endfor %}`,
    () => `{% set ${pick(NAMES)}, ${pick(NAMES)} = ${expression(2)} %}`,
    () =>
      `{% switch ${expression(1)} %}{% case ${
        expression(1)
      } %}${next()}{% default %}{% endswitch %}`,
    () => "text \"\\ \u2028 ' ` ${a}",
  ]);
}

/** A call or a member of anything but what rendering gives to the code, or undefined. */
function foreignUse(node: unknown): string | undefined {
  if (!isObject(node) || typeof node.type !== "string") return undefined;
  const foreign = /Call|New/.test(node.type) ? !isOwnCall(node.callee) : isForeignMember(node);
  if (foreign) return JSON.stringify(node).slice(0, 400);
  if (/RegExp|Template|Arrow|Import|Await/.test(node.type)) return node.type;
  for (const [key, value] of Object.entries(node)) {
    if (key === "loc") continue;
    for (const child of [value].flat()) {
      const use = foreignUse(child);
      if (use !== undefined) return use;
    }
  }
  return undefined;
}

function isOwnCall(callee: unknown): boolean {
  if (!isObject(callee)) return false;
  if (callee.type === "Identifier") return callee.name === "cb";
  if (callee.type !== "MemberExpression" || callee.computed || !isObject(callee.object)) {
    return false;
  }
  const { object, property } = callee;
  if (object.type === "Identifier") return OWN.has(String(object.name));
  const name = isObject(object.callee) && isObject(object.callee.property)
    ? object.callee.property.name
    : undefined;
  return object.type === "CallExpression" && (name === "getTest" || name === "getFilter") &&
    isObject(property) && property.name === "call";
}

/** True for a member with a computed name, but for those of the compiler: `t_1[t_2][0]`. */
function isForeignMember(node: unknown): boolean {
  if (!isObject(node) || node.type !== "MemberExpression" || node.computed !== true) return false;
  const { object, property } = node;
  if (!isVariable(property) && !(isObject(property) && property.type === "NumericLiteral")) {
    return true;
  }
  const isInner = isObject(object) && object.type === "MemberExpression" &&
    object.computed === true;
  return isInner ? isForeignMember(object) : !isVariable(object);
}

function isVariable(node: unknown): boolean {
  return isObject(node) && node.type === "Identifier" && /^t_\d+$/.test(String(node.name));
}

/** The compiled code, or undefined where the template is refused. */
function compiled(template: string): string | undefined {
  try {
    checkTemplate(nunjucks.parser.parse(template, [], {}), "templates");
    return nunjucks.compiler.compile(template, [], [], "templates", { autoescape: false });
  } catch {
    return undefined;
  }
}

Deno.test("templates that pass the check call nothing but what rendering gives them", () => {
  let passed = 0;
  for (let count = 0; count < TEMPLATES; count++) {
    const template = statement(2) + statement(1);
    const code = compiled(template);
    if (code === undefined) continue;
    let program: unknown;
    try {
      ({ program } = parse(code, { allowReturnOutsideFunction: true }));
    } catch {
      continue; // the engine refuses it as well
    }
    passed++;
    assert.equal(foreignUse(program), undefined, `${template}\n${code}`);
  }
  assert.ok(passed > TEMPLATES / 20, `${passed}`);
});
