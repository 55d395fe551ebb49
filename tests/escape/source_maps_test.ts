/** A program names a file of the person as the source of its own lines: errors would have its name, and
 * show its lines. */

import assert from "node:assert/strict";
import { openGateway } from "../support/gateway.ts";

const SOURCE = "file:///home/person/.onetool/secrets.yaml";
const MAPPINGS = "AAAA" + ";AACA".repeat(25);
const MAP = { version: 3, sources: [SOURCE], names: [], mappings: MAPPINGS };
const COMMENT = `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(MAP))}`;
const MAKE = 'const make = () => new Error("x");';
const STACK = "export default make().stack;";

interface Program {
  readonly script: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Programs whose value is the stack of an error, with a comment that names a map. */
const COMMENTED: Readonly<Record<string, Program>> = {
  "a function": { script: `${MAKE}\n${STACK}\n${COMMENT}` },
  "a module": { script: `import.meta.url;\n${MAKE}\n${STACK}\n${COMMENT}\n` },
  "a module that Deno transpiles": {
    script: `const it = (of: unknown, _: unknown) => of as never;\n@it class A {}\n` +
      `${MAKE}\n${STACK}\n${COMMENT}`,
  },
  "a module beside": {
    script: `import { make } from "./lib.ts";\n${STACK}`,
    files: { "lib.ts": `export ${MAKE}\n${COMMENT}` },
  },
  "a comment before code": { script: `import.meta.url;\n${COMMENT}\n${MAKE}\n${STACK}\n/* */` },
};

/** Programs that import an address which is a module of their own. */
const IMPORTING: Readonly<Record<string, (address: string) => string>> = {
  "as it is": (address) => `const a = ${address};\nawait import(a);`,
  "after another test": (address) =>
    `RegExp.prototype.test = () => true;\nconst a = ${address};\nawait import(a);`,
  "after another search": (address) =>
    `RegExp.prototype.exec = () => ["."] as never;\nconst a = ${address};\nawait import(a);`,
  "with another String": (address) =>
    `globalThis.String = (() => "./a") as never;\nconst a = ${address};\nawait import(a);`,
  "with a String of its own": (address) =>
    `const String = () => "./a";\nconst a = ${address};\nawait import(a);`,
  "as an object that changes": (address) =>
    `let n = 0;\nconst a = { toString: () => n++ === 0 ? "./a" : ${address} };\nawait import(a as never);`,
  "behind moved parentheses": (address) =>
    `let a: any;\nconst ok: any = "./ok", data: any = ${address};\n` +
    "await import((ok ? ok : (a = (x: any)/*)*/:\n any => 1)) ? data : <T\n >/*(*/(p: T) => 1);",
  "in a text behind a class": (address) =>
    "interface X {}\nconst f = (_: string) => class {};\n" +
    "class A extends f(`implements //`) implements X {}\n" +
    `const s = \`) {}\nawait import(${address});\nconst t = \`; // \`;`,
  "behind a comment of scripts": (address) =>
    "const f = (of: any, _: any) => of;\n@f class A {}\nlet x: any = 1, y: any = 2;\n" +
    `x <!-- y; \`\nawait import(${address});\n//\`;`,
  "in a text behind a decorator": (address) =>
    "interface X {}\nconst f = (_: string) => (of: any, _: any) => of;\n" +
    "@f(`implements //`) class A implements X {}\n" +
    `const s = \`) {}\nawait import(${address});\nconst t = \`; // \`;`,
};

for (const [name, { script, files }] of Object.entries(COMMENTED)) {
  Deno.test(`no line of a program has another source: ${name}`, async () => {
    await using gateway = await openGateway();
    const reply = await gateway.run(script, files ? { files } : {});
    assert.match(String(reply.value), /^Error: x\n/, JSON.stringify(reply));
    assert.ok(!String(reply.value).includes(SOURCE), String(reply.value));
  });
}

for (const [name, scriptOf] of Object.entries(IMPORTING)) {
  Deno.test(`no program imports a module that it makes up: ${name}`, async () => {
    await using gateway = await openGateway();
    const address = '"data:text/javascript,console.log(%22made%20up%22)"';
    const reply = await gateway.run(scriptOf(address));
    assert.ok(!JSON.stringify(reply).includes("made up\\n"), JSON.stringify(reply));
  });
}
