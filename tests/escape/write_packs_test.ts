/** A program changes what a pack of the user's imports, runs or loads in the project. */

import type { JsonObject, JsonValue } from "#base";
import { type ProjectStage, withProject } from "../support/project.ts";
import { longestTurn } from "../support/turns.ts";

interface Case {
  readonly files: Readonly<Record<string, string>>;
  /** `packs.mine.permissions`. */
  readonly permissions?: JsonValue;
  readonly trusted?: boolean;
  readonly closed?: readonly string[];
  readonly open: readonly string[];
}

const PYTHON = ".onetool/tools/mine/mine_tools.py";
const TYPESCRIPT = ".onetool/tools/mine/mine_tools.ts";
/** What every program may write where no pack reaches the project. */
const ORDINARY = [
  "src/reports.py",
  "src/who.ts",
  "scripts/lint.sh",
  "native/lib.so",
  "notes.md",
  "a.json",
  "package.json",
  "Makefile",
  "bin/tool",
];

/** Text of a pack with these permissions. */
function asks(permissions: string): string {
  return `// /// script\n// [permissions]\n// ${permissions}\n// ///\nexport const one = () => 1;\n`;
}

async function assertCase(
  { closed = [], open }: Pick<Case, "closed" | "open">,
  { call, refused }: ProjectStage,
): Promise<void> {
  for (const path of closed) {
    await refused("file.write", { path, text: "x", overwrite: true });
  }
  for (const path of open) await call("file.write", { path, text: "x", overwrite: true });
}

function testCases(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { files, permissions, trusted, ...paths }] of Object.entries(cases)) {
    const config: JsonObject = permissions === undefined
      ? {}
      : { packs: { mine: { permissions } } };
    Deno.test(`no program changes what a pack reaches: ${name}`, () =>
      withProject({ config, files, trusted }, (stage) => assertCase(paths, stage)));
  }
}

const PYTHON_PATHS = {
  closed: [
    "src/reports.py",
    "src/new.py",
    "reports/__init__.py",
    "deep/fast.so",
    "deep/x.pyc",
    "pyproject.toml",
    "deep/pyproject.toml",
    "setup.cfg",
  ],
  open: ["src/who.ts", "scripts/lint.sh", "data/a.csv", "data/a.json", "notes.md", "bin/tool"],
};
const SCRIPT_PATHS = {
  closed: ["scripts/lint.sh", "scripts/helper.sh", "lib/common.sh", "src/who.ts", "package.json"],
  open: ["notes.md", "data/a.csv"],
};

testCases({
  "no pack": { files: {}, open: ORDINARY },
  "a TypeScript pack without permissions": {
    files: { [TYPESCRIPT]: asks('run = ["scripts/lint.sh"]') },
    open: ORDINARY,
  },
  "a pack that runs a program of the system": {
    files: { [TYPESCRIPT]: asks('run = ["git"]') },
    permissions: { run: ["git"], net: ["example.com"] },
    open: ORDINARY.filter((path) => path !== "package.json"),
  },
  "Python imports": { files: { [PYTHON]: "" }, ...PYTHON_PATHS },
  "a Python pack for all projects": { files: { [`~/${PYTHON}`]: "" }, open: ORDINARY },
  "Python imports, before the project is trusted": {
    files: { [PYTHON]: "" },
    trusted: false,
    ...PYTHON_PATHS,
  },
  "a script that is granted": {
    files: { [TYPESCRIPT]: asks('run = ["scripts/lint.sh"]'), "scripts/lint.sh": "#!/bin/sh\n" },
    permissions: { run: ["scripts/lint.sh"] },
    ...SCRIPT_PATHS,
  },
  "a script that the header names, where all is granted": {
    files: { [TYPESCRIPT]: asks('run = ["scripts/lint.sh"]'), "scripts/lint.sh": "#!/bin/sh\n" },
    permissions: true,
    ...SCRIPT_PATHS,
  },
  "a script that a header of the home folder names": {
    files: {
      [`~/${TYPESCRIPT}`]: asks('run = ["./scripts/lint.sh"]'),
      "scripts/lint.sh": "#!/bin/sh\n",
    },
    permissions: { run: true },
    ...SCRIPT_PATHS,
  },
  "a script that is granted, before the project is trusted": {
    files: { [TYPESCRIPT]: asks('run = ["scripts/lint.sh"]'), "scripts/lint.sh": "#!/bin/sh\n" },
    permissions: { run: ["scripts/lint.sh"] },
    trusted: false,
    ...SCRIPT_PATHS,
  },
  "a script that is still missing": {
    files: { [TYPESCRIPT]: asks("run = true") },
    permissions: { run: "scripts/late.sh" },
    closed: ["scripts/late.sh", "scripts/late.sh/a.md", "scripts/lint.sh", "src/who.ts"],
    open: ["notes.md"],
  },
  "an interpreter": {
    files: { [TYPESCRIPT]: asks('run = ["node", "/usr/bin/python3"]') },
    permissions: { run: ["node", "/usr/bin/python3"] },
    closed: ["src/who.ts", "tools/run.mjs", "src/reports.py"],
    open: ["scripts/lint.sh", "data/a.json", "notes.md", "bin/tool"],
  },
  ...Object.fromEntries(
    ["sh", "make", "env", "npx", true].map((program) => [`whatever ${program} starts`, {
      files: { [TYPESCRIPT]: asks("run = true") },
      permissions: { run: program === true ? true : [String(program)] },
      closed: ["scripts/lint.sh", "src/who.ts", "src/reports.py", "Makefile", "bin/tool", "a.json"],
      open: ["notes.md", "data/a.csv", "page.html"],
    }]),
  ),
  "a library": {
    files: { [TYPESCRIPT]: asks('ffi = ["native/lib.so"]'), "native/lib.so": "\x7fELF" },
    permissions: { ffi: ["native/lib.so"] },
    closed: ["native/lib.so", "native/other.so", "native/addon.node"],
    open: ["native/readme.md", "native/a.json", "src/who.ts", "scripts/lint.sh"],
  },
  "a folder of libraries": {
    files: { [TYPESCRIPT]: asks('ffi = ["native"]'), "native/lib.so": "" },
    permissions: { ffi: ["native"] },
    closed: ["native/lib.so", "native/plain", "native/deep/lib.so.1", "native/lib.bin"],
    open: ["native/readme.md", "native/a.csv", "lib.so", "src/who.ts"],
  },
  "any library": {
    files: { [TYPESCRIPT]: asks("ffi = true") },
    permissions: { ffi: true },
    closed: ["native/lib.so", "lib.so.2", "x.dylib", "x.dll", "x.node"],
    open: ["src/who.ts", "scripts/lint.sh", "a.json", "src/reports.py"],
  },
  "modules that a header may read": {
    files: { [TYPESCRIPT]: asks('read = ["src"]') },
    permissions: true,
    closed: ["src/who.ts", "src/new.js", "deno.json"],
    open: ["src/reports.py", "scripts/lint.sh", "notes.md"],
  },
});

Deno.test("no program changes what a pack reaches: the allowed folders", () =>
  withProject({
    config: {
      packs: {
        file: { allowed: ["~/other"] },
        mine: { permissions: { run: ["sh"] } },
      },
    },
    files: { [PYTHON]: "", "~/other/a.txt": "", ".onetool/tools/two/two_tools.ts": "" },
  }, async ({ home, ...stage }) => {
    const at = (paths: readonly string[]) => paths.map((path) => `${home}/other/${path}`);
    const closed = at(["reports.py", "lint.sh", "a.txt"]);
    await assertCase({ closed, open: at(["a.md", "a.csv"]) }, { home, ...stage });
  }));

Deno.test("a folder takes nothing of a pack with it, and brings nothing", () =>
  withProject({
    config: { packs: { mine: { permissions: { run: ["late/lint.sh"] } } } },
    files: {
      ".onetool/tools/other/other_tools.py": "",
      [TYPESCRIPT]: asks('run = ["late/lint.sh"]'),
      "src/reports.py": "",
      "stage/lint.sh": "#!/bin/sh\n",
      "views/a.md": "",
    },
  }, async ({ call, refused }) => {
    await refused("file.move", { from: "src", to: "old" });
    await refused("file.delete", { path: "src", recursive: true });
    await refused("file.edit", { path: "src/reports.py", old: "a", new: "x" });
    await refused("file.move", { from: "stage", to: "late" });
    await call("file.move", { from: "views", to: "pages" });
  }));

Deno.test("packs.file.writable opens what a pack reaches", () =>
  withProject({
    config: { packs: { file: { writable: ["src/**/*.py"] } } },
    files: { [PYTHON]: "" },
  }, async ({ call, refused }) => {
    await call("file.write", { path: "src/reports.py", text: "x" });
    const { message } = await refused("file.write", { path: "lib/reports.py", text: "x" });
    if (!/a pack runs it/.test(message)) throw new Error(message);
  }));

Deno.test("packs whose headers are too long to read all may start anything", () => {
  const text = `export const one = 1;\n${"//\n".repeat(1_000_000)}`;
  return withProject({
    config: { packs: { mine: { permissions: true }, other: { permissions: { run: true } } } },
    files: { [TYPESCRIPT]: text, ".onetool/tools/other/other_tools.ts": text },
  }, async (stage) => {
    await assertCase({ closed: ["scripts/lint.sh", "bin/tool"], open: ["notes.md"] }, stage);
  });
});

Deno.test("packs that no person has trusted hold no reading up, whatever they are granted", () => {
  const names = Array.from({ length: 900 }, (_, at) => `p${at}`);
  const packs = Object.fromEntries(names.map((name) => [name, { permissions: true }]));
  return withProject({
    config: { packs },
    files: { "large.ts": "\n".repeat(4_000_000), "README.md": "" },
    trusted: false,
    async prepare({ project }) {
      for (const name of names) {
        const folder = `${project}/.onetool/tools/${name}`;
        await Deno.mkdir(folder, { recursive: true });
        await Deno.symlink("../../../large.ts", `${folder}/${name}_tools.ts`);
      }
    },
  }, async ({ call }) => {
    const longest = longestTurn();
    await call("file.read", { path: "README.md" });
    const ms = longest();
    if (ms > 10_000) throw new Error(`${ms} ms of the processor in one turn`);
  });
});
