/** Files of a stranger that start servers and name one another. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { addServer } from "../../packs/closed/programs.ts";
import { noPrograms } from "../../packs/closed/scripts.ts";
import { withProject } from "../support/project.ts";

type Files = Readonly<Record<string, string>>;

function serverOf(command: string, ...args: string[]): Files {
  return { ".mcp.json": JSON.stringify({ mcpServers: { a: { command, args } } }) };
}

/** Files of which each has the text that `link` makes of all their names. */
function among(names: readonly string[], link: (names: readonly string[]) => string): Files {
  return Object.fromEntries(names.map((name) => [name, link(names)]));
}

function numbered(length: number, pattern: string): string[] {
  return Array.from({ length }, (_, at) => pattern.replace("*", String(at)));
}

const including = (names: readonly string[]) => `include ${names.join(" ")}\n`;
const sourcing = (names: readonly string[]) => names.map((name) => `. ./${name}\n`).join("");
const makefiles = (count: number, pattern = "m*.mk"): Files => ({
  ...serverOf("make", "serve"),
  ...among(["Makefile", ...numbered(count, pattern)], including),
});

const FEW: Readonly<Record<string, Files>> = {
  "makefiles": makefiles(90),
  "scripts": { ...serverOf("sh", "s0.sh"), ...among(numbered(90, "s*.sh"), sourcing) },
  "settings": {
    ...serverOf("npm", "start"),
    ...among(["package.json", ...numbered(90, "n*.json")], JSON.stringify),
  },
};

for (const [name, files] of Object.entries(FEW)) {
  Deno.test(`${name} that name one another are read once each, and closed alone`, () =>
    withProject({ files, trusted: false }, async ({ call, refused }) => {
      const paths = Object.keys(files);
      await Promise.all(paths.map((path) => refused("file.write", { path, text: "" })));
      await call("file.write", { path: "notes.md", text: "" });
    }));
}

const MANY: Readonly<Record<string, Files>> = {
  "in one folder": makefiles(490),
  "each in a folder of its own": makefiles(490, "d*/m.mk"),
  "by scripts": { ...serverOf("sh", "s0.sh"), ...among(numbered(490, "s*.sh"), sourcing) },
  "by words with many colons": {
    ...serverOf("make"),
    "Makefile": numbered(30, "a*").map((name) => numbered(100, `${name}_*.mk`).join(":"))
      .join(" "),
  },
  "for many servers": {
    ".mcp.json": JSON.stringify({
      mcpServers: Object.fromEntries(
        numbered(60, "d*").map((cwd) => [cwd, { command: "make", args: ["-C", cwd] }]),
      ),
    }),
    ...among(numbered(60, "d*/Makefile"), () => including(numbered(400, "m*.mk"))),
  },
};

for (const [name, files] of Object.entries(MANY)) {
  Deno.test(`too many files that name one another close every file: ${name}`, () =>
    withProject({
      config: { packs: { file: { writable: ["open/**"] } } },
      files: { ...files, "README.md": "hello\n" },
      trusted: false,
    }, async ({ call, refused }) => {
      await call("file.read", { path: "README.md" });
      const { message } = await refused("file.write", { path: "notes.md", text: "" });
      assert.match(message, /the files that start servers name too many others/);
    }));
}

Deno.test("programs have each folder of modules once with an ending", async () => {
  const folder = await Deno.makeTempDir();
  for (const [name, text] of Object.entries(makefiles(20))) {
    await Deno.writeTextFile(join(folder, name), text);
  }
  const programs = noPrograms();
  const server = { command: "make", args: ["serve"], env: {}, cwd: folder };
  await addServer(server, programs, { home: folder, path: "/usr/bin", allowed: [folder] });
  const modules = [...programs.modules].map((one) => `${one.folder} ${one.ending}`);
  assert.ok(modules.length > 0);
  assert.deepEqual(modules, [...new Set(modules)]);
  await Deno.remove(folder, { recursive: true });
});
