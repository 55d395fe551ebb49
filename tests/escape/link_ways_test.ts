/** A program changes what links with closed names lead to, as the system follows them. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type ProjectOptions, withProject } from "../support/project.ts";

interface Case {
  readonly name: string;
  /** Texts of links by their paths, from the project. */
  readonly links: Readonly<Record<string, string>>;
  readonly files?: Readonly<Record<string, string>>;
  readonly config?: ProjectOptions["config"];
  readonly refused: readonly string[];
  readonly open?: readonly string[];
}

function withLinks({ links, files, config }: Case): ProjectOptions {
  return {
    files: { "pkg/deep/a.txt": "", "pkg/scripts/a.sh": "", ...files },
    config,
    async prepare({ project }) {
      for (const [name, text] of Object.entries(links)) {
        const path = join(project, name);
        await Deno.mkdir(dirname(path), { recursive: true });
        await Deno.symlink(text, path);
      }
    },
  };
}

const LONG = "L".repeat(250);
const REST = "R".repeat(59);
const HOOK = ".claude/hooks/h.sh";
const GIT = { ".git/HEAD": "" };
const server = (command: string, ...args: string[]) => ({ servers: { s: { command, args } } });

const CASES: readonly Case[] = [
  {
    name: "`..` behind a link",
    links: { current: "pkg/deep", [HOOK]: "../../current/../scripts/a.sh" },
    // By the words alone, as Node resolves what it has found.
    refused: ["pkg/scripts/a.sh", "scripts/a.sh"],
    open: ["pkg/scripts/b.sh", "pkg/deep/a.txt", "docs/scripts/a.sh"],
  },
  {
    name: "`.`, slashes and `..` behind a link",
    links: { current: "pkg/deep", [HOOK]: "../..//current/./..//./scripts///a.sh" },
    refused: ["pkg/scripts/a.sh"],
  },
  {
    name: "`..` behind links that lead to links",
    links: {
      one: "two/../sub",
      two: "pkg/deep",
      "pkg/sub": "../lib/deep",
      "lib/deep/a.txt": "../x",
      [HOOK]: "../../one/../scripts/a.sh",
    },
    refused: ["lib/scripts/a.sh"],
    open: ["pkg/scripts/a.sh"],
  },
  {
    name: "`..` behind a link of a link on the way",
    links: { current: "pkg/deep", way: "current/..", [HOOK]: "../../way/scripts/a.sh" },
    refused: ["pkg/scripts/a.sh"],
  },
  {
    name: "`..` behind a missing folder",
    links: { [HOOK]: "../../missing/../scripts/a.sh" },
    refused: ["scripts/a.sh"],
    open: ["missing/a.txt"],
  },
  {
    name: "a long text",
    links: {
      [LONG]: ".",
      [REST]: ".",
      [HOOK]: `../../${`${LONG}/`.repeat(16)}${REST}/scripts/a.sh`,
    },
    refused: ["scripts/a.sh"],
    open: ["scripts/b.sh"],
  },
  {
    name: "a folder that Toolscript fills",
    links: {
      ".claude": ".onetool/cache/claude",
      ".onetool/cache/claude/hooks/h.sh": "../../../../scripts/a.sh",
      ".onetool/cache/claude/hooks/lib": "../../../tmp/lib",
      ".onetool/tmp/lib/x": "../../../scripts/b.sh",
      ".onetool/trash/other/x": "../../../scripts/c.sh",
    },
    refused: ["scripts/a.sh", "scripts/b.sh"],
    open: ["scripts/c.sh"],
  },
  {
    name: "a folder above one that Toolscript fills",
    links: { ".claude": "made/state", "made/state/.onetool/cache/x": "../../../../scripts/a.sh" },
    refused: ["scripts/a.sh"],
  },
  {
    name: "an open link into a folder that Toolscript fills",
    links: {
      tools: ".onetool/cache/tools",
      more: "pkg/../.onetool/run",
      ".onetool/cache/tools/.husky/pre-commit": "../../../../scripts/a.sh",
      ".onetool/run/CLAUDE.md": "../../scripts/b.sh",
    },
    refused: ["scripts/a.sh", "scripts/b.sh"],
  },
  {
    name: "a folder that git fills",
    links: { ".claude": ".git/lfs/x", ".git/lfs/x/hooks/h.sh": "../../../../scripts/a.sh" },
    refused: ["scripts/a.sh"],
  },
  {
    name: "`..` in core.hooksPath",
    links: { current: "pkg/deep", "pkg/hooks/pre-commit": "../scripts/a.sh" },
    files: { ...GIT, ".git/config": "[core]\n\thooksPath = current/../hooks\n" },
    refused: ["pkg/hooks/pre-push", "pkg/scripts/a.sh", "pkg/hooks"],
    open: ["pkg/b.txt"],
  },
  {
    name: "hooks in a folder that Toolscript fills",
    links: { ".onetool/cache/hooks/pre-commit": "../../../scripts/a.sh" },
    files: { ...GIT, ".git/config": "[core]\n\thooksPath = .onetool/cache/hooks\n" },
    refused: ["scripts/a.sh"],
  },
  {
    name: "`..` in filters and in included settings",
    links: { current: "pkg/deep" },
    files: {
      ...GIT,
      ".git/config": '[filter "f"]\n\tclean = sh current/../scripts/a.sh\n' +
        "[include]\n\tpath = ../current/../more.cfg\n",
      "pkg/more.cfg": '[filter "g"]\n\tclean = sh scripts/b.sh\n',
    },
    refused: ["pkg/scripts/a.sh", "pkg/more.cfg", "scripts/b.sh"],
  },
  {
    name: "modules of a server",
    links: {
      current: "impl/deep",
      "impl/deep/a": "x",
      "srv/helper.py": "../current/../helper.dat",
      "srv/lib": "../.onetool/cache/lib",
      ".onetool/cache/lib/two.py": "../../../impl/two.dat",
    },
    files: { "srv/server.py": "import helper" },
    config: server("python3", "srv/server.py"),
    refused: ["impl/helper.dat", "impl/two.dat"],
    open: ["impl/three.dat"],
  },
  {
    name: "`..` in the script of a server",
    links: { current: "impl/deep", "impl/deep/a": "x" },
    files: { "impl/srv/start": "" },
    config: server("bash", "current/../srv/start"),
    refused: ["impl/srv/start", "srv/start"],
    open: ["impl/srv/notes.md"],
  },
  {
    name: "`..` in a manifest",
    links: { current: "impl/deep", "impl/deep/a": "x" },
    files: {
      "impl/srv/start.sh": "",
      "app/Makefile": "serve:\n\tsh ../current/../srv/start.sh ../data/x.sh\n",
      "data/x.sh": "",
    },
    config: { servers: { s: { command: "make", args: ["serve"], cwd: "app" } } },
    refused: ["impl/srv/start.sh", "data/x.sh"],
    open: ["impl/srv/notes.md", "data/y.md"],
  },
  {
    name: "`..` in the script of a server, by its words alone",
    links: { current: "impl/deep", "impl/deep/a": "x" },
    files: { "srv/server.js": "" },
    config: server("node", "current/../srv/server.js"),
    refused: ["srv/server.js", "srv/lib.js", "impl/srv/server.js"],
  },
];

for (const one of CASES) {
  Deno.test(`closed is what a closed name leads to: ${one.name}`, () =>
    withProject(withLinks(one), async ({ call, refused }) => {
      for (const path of one.refused) {
        await refused("file.write", { path, text: "x", overwrite: true });
      }
      for (const path of one.open ?? []) {
        await call("file.write", { path, text: "x", overwrite: true });
      }
    }));
}

const TURN: Case = {
  name: "",
  links: {
    current: "pkg/deep",
    [HOOK]: "../../current/../scripts/a.sh",
    "srv/lib": "../short/lib",
    short: "impl",
  },
  files: { "impl/lib/a.py": "", "srv/server.py": "", "docs/a.md": "" },
  config: server("python3", "srv/server.py"),
  refused: [],
};

Deno.test("links and folders on the way to what is closed cannot be moved or deleted", () =>
  withProject(withLinks(TURN), async ({ call, refused }) => {
    for (const path of ["current", "pkg", "pkg/deep", "short"]) {
      await refused("file.move", { from: path, to: "gone" });
      await refused("file.delete", { path, recursive: true });
    }
    await call("file.move", { from: "docs", to: "notes" });
  }));

const UNDECIDED: readonly Case[] = [
  {
    name: "over 40 links",
    links: Object.fromEntries([
      ...Array.from({ length: 45 }, (_, at) => [`links/l${at}`, `l${at + 1}`]),
      [HOOK, "../../links/l0"],
    ]),
    refused: ["scripts/a.sh"],
  },
  {
    name: "a way of over 1,024 names",
    links: {
      h: ".",
      ...Object.fromEntries(Array.from({ length: 5 }, (_, at) => {
        return [`l${at}`, `${"pkg/../".repeat(500)}l${at + 1}`];
      })),
      [HOOK]: "../../l0/scripts/a.sh",
    },
    refused: ["scripts/a.sh"],
  },
  {
    name: "the settings of git name it",
    links: { h: "h/h" },
    files: { ...GIT, ".git/config": "[core]\n\thooksPath = h/hooks\n" },
    refused: ["scripts/a.sh"],
  },
  {
    name: "a server names it",
    links: { h: "h/h" },
    config: server("python3", "h/server.py"),
    refused: ["scripts/a.sh"],
  },
];

for (const one of UNDECIDED) {
  Deno.test(`every file is closed where a link cannot be followed: ${one.name}`, () =>
    withProject(withLinks(one), async ({ refused }) => {
      const { message } = await refused("file.write", { path: "docs/any.md", text: "x" });
      assert.match(message, /a link may lead there: the way to ".*" has over .* (?:links|names)/);
      assert.match(message, /packs\.file\.writable/);
    }));
}

Deno.test("links that lead round in a circle close nothing but themselves", () =>
  withProject(
    withLinks({ name: "", links: { [HOOK]: "h.sh", a: "b", b: "a" }, refused: [] }),
    async (
      { call },
    ) => {
      await call("file.write", { path: "docs/any.md", text: "x" });
    },
  ));
