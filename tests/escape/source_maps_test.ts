/** A program names a file of the person as the source of its own lines: errors would show them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";

const SECRET = "ghp_of_the_home_folder";

/** Throws past the loader's handlers, so that Deno prints the error with its line. */
const THROWN = `
const error = make();
Object.defineProperty(Event.prototype, "preventDefault", { get() { throw error; } });
Object.defineProperty(globalThis, "PromiseRejectionEvent", { get() { throw error; } });
globalThis.dispatchEvent = () => true;
setTimeout(() => { throw error; }, 0);
await new Promise((done) => setTimeout(done, 2_000));`;
const MAKE = 'const make = () => new Error("x");';

interface Program {
  readonly script: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** Programs with a comment that names a map, and the modules beside them. */
const COMMENTED: Readonly<Record<string, (comment: string) => Program>> = {
  "a function": (comment) => ({ script: `${MAKE}${THROWN}\n${comment}` }),
  "a module": (comment) => ({ script: `import.meta.url;\n${MAKE}${THROWN}\n${comment}\n` }),
  "a module that Deno transpiles": (comment) => ({
    script:
      `const it = (of: unknown, _: unknown) => of as never;\n@it class A {}\nimport.meta.url;` +
      `\n${MAKE}${THROWN}\n${comment}`,
  }),
  "a module beside": (comment) => ({
    script: `import { make } from "./lib.ts";\n${THROWN}`,
    files: { "lib.ts": `export ${MAKE}\n${comment}` },
  }),
  "a comment before code": (comment) => ({
    script: `import.meta.url;\n${comment}\n${MAKE}${THROWN}\n/* end */`,
  }),
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
  "behind a comment of scripts, in a module": (address) =>
    "import.meta.url;\nlet x: any = 1, y: any = 2;\n" +
    `x <!-- y; \`\nimport ${address};\n//\`;`,
  "in a text behind a decorator": (address) =>
    "interface X {}\nconst f = (_: string) => (of: any, _: any) => of;\n" +
    "@f(`implements //`) class A implements X {}\n" +
    `const s = \`) {}\nawait import(${address});\nconst t = \`; // \`;`,
};

async function neverShows(programOf: (map: string) => Program): Promise<void> {
  await using gateway = await openGateway();
  const path = join(gateway.home, ".onetool", "secrets.yaml");
  await Deno.writeTextFile(path, `T: ${SECRET}\n`.repeat(30), { mode: 0o600 });
  const mappings = "AAAA" + ";AACA".repeat(25);
  const map = { version: 3, sources: [`file://${path}`], names: [], mappings };
  const comment = `//# sourceMappingURL=data:application/json;base64,${btoa(JSON.stringify(map))}`;
  const { script, files } = programOf(comment);
  const reply = await gateway.run(script, files ? { files } : {});
  assert.ok(!JSON.stringify(reply).includes(SECRET), JSON.stringify(reply));
}

for (const [name, programOf] of Object.entries(COMMENTED)) {
  Deno.test(`no line of a file is shown for one of a program: ${name}`, () =>
    neverShows(programOf));
}

for (const [name, scriptOf] of Object.entries(IMPORTING)) {
  Deno.test(`no program imports a module that it makes up: ${name}`, () =>
    neverShows((comment) => {
      const module = btoa(`${MAKE}${THROWN}\n${comment}`);
      return { script: scriptOf(`"data:text/javascript;base64," + "${module}"`) };
    }));
}
