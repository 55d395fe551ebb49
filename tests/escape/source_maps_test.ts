/** A program names a file of the person as the source of its own lines: errors would show them. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openGateway } from "../support/gateway.ts";

const THROWN = `
const error = make();
Object.defineProperty(Event.prototype, "preventDefault", { get() { throw error; } });
globalThis.dispatchEvent = () => true;
setTimeout(() => { throw error; }, 0);
await new Promise((done) => setTimeout(done, 2_000));`;
const MAKE = 'const make = () => new Error("x");';

/** Programs with a comment that names a map, and the modules beside them. */
const PROGRAMS: Readonly<
  Record<string, (comment: string) => { script: string; files?: Record<string, string> }>
> = {
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

for (const [name, programOf] of Object.entries(PROGRAMS)) {
  Deno.test(`no line of a file is shown for one of a program: ${name}`, async () => {
    await using gateway = await openGateway();
    const secret = "ghp_of_the_home_folder";
    const path = join(gateway.home, ".onetool", "secrets.yaml");
    await Deno.writeTextFile(path, `T: ${secret}\n`.repeat(30), { mode: 0o600 });
    const mappings = "AAAA" + ";AACA".repeat(25);
    const map = { version: 3, sources: [`file://${path}`], names: [], mappings };
    const comment = `//# sourceMappingURL=data:application/json;base64,${
      btoa(JSON.stringify(map))
    }`;
    const { script, files } = programOf(comment);
    const reply = await gateway.run(script, files ? { files } : {});
    assert.ok(!JSON.stringify(reply).includes(secret), JSON.stringify(reply));
    assert.equal(reply.ok, false);
  });
}
