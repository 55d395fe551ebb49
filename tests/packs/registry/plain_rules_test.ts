/** Expressions that need no limit of time, and those that do. */

import assert from "node:assert/strict";
import { Environment } from "@marcbachmann/cel-js";
import { isPlain } from "../../../packs/registry/rules/when.ts";

const PLAIN = [
  "args.amount > 100.0 && args.path.startsWith('x') && !args.path.endsWith('y')",
  "has(args.a) ? size(args.l) > 3 : !(args.x in ['a', 'b'])",
  "args.l[0] == -1 || args['k'] != null || args.l.size() <= 2",
  "args.text == 'matches('",
];
const OTHERS = [
  "args.a in args.b",
  "args.a == args.b",
  "[args.a] == [args.b]",
  "has(args.a) && ['x', args.b] != [args.a, 'x']",
  "args.l.exists(x, x > 1)",
  "args.text.matches('^(a+)+b$')",
  "size(args.l + args.l + args.l) > 3",
  "args.text.split('').size() > 1",
  "args.text.contains(args.part)",
  "cel.bind(a, args.l, a.size() > 1)",
  "size(args.l.map(x, x)) > 1",
  "args.text.startsWith(args.l.join(','))",
  "has(args.a) && args.l[args.l.filter(x, true).size()] == 1",
  Array.from({ length: 60 }, (_, at) => `args.a == ${at}`).join(" || "),
];

Deno.test("only expressions whose time is that of their arguments need no limit", () => {
  const environment = new Environment().registerVariable("args", "dyn");
  for (const [texts, expected] of [[PLAIN, true], [OTHERS, false]] as const) {
    for (const text of texts) assert.equal(isPlain(environment.parse(text).ast), expected, text);
  }
});
