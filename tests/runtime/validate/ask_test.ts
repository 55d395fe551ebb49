/** Calls and names that must be confirmed (VAL-32). */

import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { createSecurityPolicy, validateCode } from "../../../runtime/validate/mod.ts";

Deno.test("VAL-32 ask patterns require confirmation of the shown call", () => {
  const policy = createSecurityPolicy({ ask: ["requests.*", "urllib.*"] });
  const code =
    'const u = "x"\nrequests.get("https://a")\nurllib.open({ url: "b", deep: [1, -2, null] })';
  const { valid, requiresConfirmation, findings, errors } = validateCode(code, { policy });
  deepStrictEqual([valid, requiresConfirmation, errors], [true, true, []]);
  deepStrictEqual(findings.map(({ level, call }) => [level, call]), [
    ["ask", { kind: "code", tool: "requests.get", arguments: {}, line: 2 }],
    ["ask", { kind: "code", tool: "urllib.open", arguments: {}, line: 3 }],
  ]);
  strictEqual(validateCode("1", { policy }).requiresConfirmation, false);
});

Deno.test("VAL-32 tools are shown under the names of the configuration's patterns", async (t) => {
  const policy = createSecurityPolicy({ ask: ["github.delete_*"], blocked: ["github.wipe"] });
  const packs = new Set(["github"]);
  const rows: [string, unknown[]][] = [
    ["github.delete_repo({ name: 'a' })", [{ name: "a" }]],
    ["github.deleteRepo({ name: 'a' })", [{ name: "a" }]],
    ["tools.github.deleteRepo()", [{}]],
    ["const { deleteRepo } = github; deleteRepo({ n: 1 })", [{ n: 1 }]],
    ["const g = github; g['delete_repo']({ n: 1 })", [{ n: 1 }]],
    ['import { tools } from "toolscript"; tools.github.deleteRepo({ name })', [undefined]],
    ['import { tools as t } from "toolscript"; t.github.deleteRepo(...x, 1)', [undefined]],
    ['import * as all from "toolscript"; all.tools.github.deleteRepo({ a: 1 })', [{ a: 1 }]],
    ["for (const name of names) github.delete_repo({ name })", [undefined]],
    ["github.delete_repo({ __proto__: { a: 1 } })", [undefined]],
    ["github.delete_repo({ '__proto__': { a: 1 } })", [undefined]],
    ["github.delete_repo({ a: { n: 1e999 } })", [undefined]],
    ["github.delete_repo({ a: 1n })", [undefined]],
    ["github.delete_repo({ get a() { return 1 } })", [undefined]],
    ["github.delete_repo({ ['a']: 1 })", [undefined]],
    ["github.delete_repo({ a: 'b' + 'c' })", [undefined]],
    ["github.delete_repo({ a: `${'b'}` })", [undefined]],
    ["github.delete_repo({ a: `b`, 0x10: [1, -2, null, true] })", [{
      16: [1, -2, null, true],
      a: "b",
    }]],
    ["github.delete_repo({ a: 1 }, 2)", [undefined]],
    ["github.delete_repo({ a: 1, a: 2 })", [{ a: 2 }]],
    ["github['delete_' + 'repo']({ a: 1 })", [undefined]],
    ["github[`delete_repo`]({ a: 1 })", [undefined]],
    ["(x ? github.delete_repo : github.delete_user)({ a: 1 })", [undefined, undefined]],
    ["github.delete_repo.call({ a: 1 })", [undefined]],
    ["github.delete_repo.bind(1, { b: 1 })({ a: 1 })", [undefined]],
    ["github.delete_repo`a`", [undefined]],
    ["new github.delete_repo({ a: 1 })", [undefined]],
    ["Reflect.get(github, 'delete_repo')({ a: 1 })", [undefined]],
    ["names.map(github.delete_repo)", []],
    ["github.list()", []],
    ["const github = { delete_repo() {} }; github.delete_repo()", []],
  ];
  for (const [code, expected] of rows) {
    await t.step(code, () => {
      const { findings, errors } = validateCode(code, { policy, packs });
      deepStrictEqual(errors, []);
      deepStrictEqual(findings.map(({ call }) => call?.arguments), expected);
    });
  }
  deepStrictEqual(validateCode("github.wipe({})", { policy, packs }).errors, [
    "github.wipe is not allowed (matches 'github.wipe')",
  ]);
});

Deno.test("VAL-32 of very many findings the first use of each builtin stays", () => {
  const policy = createSecurityPolicy({ ask: ["github.*", "fetch", "Deno.*"] });
  const code = "github.a({ n: 1 });\n".repeat(250) + "fetch(1);\n".repeat(250) + "Deno.cwd()";
  const { findings } = validateCode(code, { policy, packs: new Set(["github"]) });
  deepStrictEqual(findings.length, 200);
  deepStrictEqual([...new Set(findings.map(({ name }) => name))], [
    "github.a",
    "fetch",
    "Deno.cwd",
  ]);
});

Deno.test("VAL-32 a result is open where tools are passed on", () => {
  const policy = createSecurityPolicy({ ask: ["github.*"] });
  const isOpen = (code: string) =>
    validateCode(code, { policy, packs: new Set(["github"]) }).open === true;
  const closed = [
    "github.a({ n })",
    "const g = github; g.a({})",
    "for (const n of l) github['a'](n)",
  ];
  const open = ["github[name]({})", "f(github)", "names.map(github.a)", "tools[p].a()", "[github]"];
  deepStrictEqual([closed.map(isOpen), open.map(isOpen)], [
    closed.map(() => false),
    open.map(() => true),
  ]);
});
