/** Packs of a project that are reached by links: each of them needs trust. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { loadConfig } from "#config";
import { cli } from "../support/cli.ts";

const PACK = `Deno.writeTextFileSync("ran", "");\nexport function go(): string { return ""; }\n`;

interface Layout {
  /** Paths of the pack's text, relative to the project. */
  readonly files: readonly string[];
  /** Targets of links, by their path. */
  readonly links?: Readonly<Record<string, string>>;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "a link to the folder of the packs itself": {
    files: [".onetool/tools/evil_tools.ts"],
    links: { ".onetool/tools/evil": "." },
  },
  "a link to the same folder by another way": {
    files: [".onetool/tools/evil_tools.ts"],
    links: { ".onetool/tools/evil": "../../.onetool/tools" },
  },
  "a link back, where the folder of the packs is a link": {
    files: ["parts/evil_tools.ts"],
    links: { ".onetool/tools": "../parts", "parts/evil": "../.onetool/tools" },
  },
  "a link to a pack's folder elsewhere": {
    files: ["parts/evil_tools.ts"],
    links: { ".onetool/tools/evil": "../../parts" },
  },
  "a link to the project": {
    files: ["evil_tools.ts"],
    links: { ".onetool/tools/evil": "../.." },
  },
  "a pack after folders that are too deep to be read": {
    files: [".onetool/tools/evil/evil_tools.ts", `.onetool/tools/${"a/".repeat(20)}a`],
  },
};

async function withLayout(
  { files, links = {} }: Layout,
  work: (place: { readonly home: string; readonly project: string }) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  const [home, project] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(home);
  for (const file of files) {
    await Deno.mkdir(dirname(join(project, file)), { recursive: true });
    await Deno.writeTextFile(join(project, file), PACK);
  }
  for (const [path, target] of Object.entries(links)) {
    await Deno.mkdir(dirname(join(project, path)), { recursive: true });
    await Deno.symlink(target, join(project, path));
  }
  try {
    await work({ home, project });
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("a pack needs trust whatever links lead to it", async (t) => {
  for (const [name, layout] of Object.entries(LAYOUTS)) {
    await t.step(name, () =>
      withLayout(layout, async ({ home, project }) => {
        const { trust } = await loadConfig({ env: {}, home, cwd: project });
        assert.equal(trust.kind, "untrusted");
        assert.deepEqual(trust.items.starts, ["pack .onetool/tools/evil/evil_tools.ts"]);
      }));
  }
});

Deno.test("a pack behind a link to its own folder is not loaded without trust", () =>
  withLayout({
    files: [".onetool/tools/evil_tools.ts"],
    links: { ".onetool/tools/evil": "." },
  }, async ({ home, project }) => {
    const options = { home, cwd: project, env: { TOOLSCRIPT_TRUST: "" } };
    const { code, stdout } = await cli(["run", "--json", "evil.go()"], options);
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.details.reason], [1, "unavailable", "untrusted"]);
  }));

Deno.test({
  name: "a project is not trusted while one of its folders of packs cannot be listed",
  // Root lists every folder.
  ignore: Deno.uid() === 0,
  fn: () =>
    withLayout({ files: [".onetool/tools/evil/evil_tools.ts"] }, async ({ home, project }) => {
      const folder = join(project, ".onetool/tools/evil");
      await Deno.chmod(folder, 0o311);
      try {
        const { trust } = await loadConfig({ env: {}, home, cwd: project });
        assert.deepEqual([trust.kind, trust.hash], ["untrusted", undefined]);
      } finally {
        await Deno.chmod(folder, 0o700);
      }
    }),
});
