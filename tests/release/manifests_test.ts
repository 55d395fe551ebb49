/** The plugins' manifests: each keeps the rules of its format, and what it names starts. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Schema, Validator } from "@cfworker/json-schema";
import { load } from "js-yaml";
import { valid } from "semver";
import { bundleManifest } from "../../release/bundle.ts";
import { assertGreets, type Entry, environmentOf, expand, openPlace } from "./greet.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PLUGIN = join(ROOT, "plugin");
const TEXT: Schema = { type: "string", minLength: 1 };
const AUTHOR: Schema = {
  type: "object",
  required: ["name"],
  properties: { name: TEXT, email: TEXT },
  additionalProperties: false,
};
const COMMON = {
  name: { type: "string", pattern: "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$" },
  version: TEXT,
  description: TEXT,
  author: AUTHOR,
  license: TEXT,
  keywords: { type: "array", items: TEXT },
} satisfies Record<string, Schema>;
const PATH: Schema = { type: "string", pattern: "^\\./(?!.*\\.\\.)" };

/** Rules of each format, as its documentation states them. */
const RULES: Readonly<Record<string, Schema>> = {
  "plugin/.claude-plugin/plugin.json": {
    type: "object",
    required: ["name"],
    properties: { ...COMMON, hooks: PATH, skills: PATH, mcpServers: PATH },
    additionalProperties: false,
  },
  "plugin/.codex-plugin/plugin.json": {
    type: "object",
    required: ["name", "version", "description"],
    properties: {
      ...COMMON,
      skills: PATH,
      mcpServers: PATH,
      interface: { type: "object", required: ["displayName"] },
    },
    additionalProperties: false,
  },
  "plugin/.cursor-plugin/plugin.json": {
    type: "object",
    required: ["name"],
    properties: { ...COMMON, displayName: TEXT, skills: PATH, mcpServers: PATH },
    additionalProperties: false,
  },
  "plugin/gemini-extension.json": {
    type: "object",
    required: ["name", "version"],
    properties: {
      name: COMMON.name,
      version: TEXT,
      description: TEXT,
      mcpServers: {
        type: "object",
        // an extension may set all but "trust"
        additionalProperties: { type: "object", not: { required: ["trust"] } },
      },
    },
    additionalProperties: false,
  },
  "server.json": {
    type: "object",
    required: ["$schema", "name", "description", "version"],
    properties: {
      $schema: {
        const: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
      },
      name: { type: "string", maxLength: 200, pattern: "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$" },
      title: { type: "string", minLength: 1, maxLength: 100 },
      description: { type: "string", minLength: 1, maxLength: 100 },
      version: { type: "string", maxLength: 255 },
      packages: {
        type: "array",
        items: {
          type: "object",
          required: ["registryType", "identifier", "version", "transport"],
          properties: {
            registryType: { const: "npm" },
            identifier: { const: "toolscript" },
            transport: { const: { type: "stdio" } },
            packageArguments: {
              type: "array",
              items: {
                type: "object",
                required: ["type", "value"],
                properties: { type: { const: "positional" }, value: TEXT },
              },
            },
          },
        },
      },
    },
    additionalProperties: false,
  },
};

async function read(path: string): Promise<Record<string, unknown>> {
  return JSON.parse(await Deno.readTextFile(join(ROOT, path)));
}

async function entryIn(path: string): Promise<unknown> {
  const { mcpServers } = await read(path);
  assert.ok(mcpServers instanceof Object && "toolscript" in mcpServers, path);
  return mcpServers.toolscript;
}

Deno.test("each manifest keeps the rules of its format, and the files that it names are there", async (t) => {
  for (const [path, schema] of Object.entries(RULES)) {
    await t.step(path, async () => {
      const content = await read(path);
      const { errors } = new Validator(schema, "7").validate(content);
      assert.deepEqual(errors, []);
      assert.ok(valid(String(content.version)), path);
      for (const value of Object.values(content)) {
        if (typeof value !== "string" || !value.startsWith("./")) continue;
        const file = join(ROOT, dirname(path), "..", value);
        assert.ok(await Deno.stat(file), `${path}: ${value}`);
      }
    });
  }
  await t.step("a manifest that breaks a rule fails", () => {
    const rules = RULES["plugin/.cursor-plugin/plugin.json"] ?? {};
    for (
      const broken of [{ name: "A b" }, { name: "a", skills: "../x" }, { name: "a", other: 1 }]
    ) {
      assert.equal(new Validator(rules, "7").validate(broken).valid, false, JSON.stringify(broken));
    }
  });
  await t.step("only manifests lie in the folders of manifests", () => {
    for (const name of [".claude-plugin", ".codex-plugin", ".cursor-plugin"]) {
      const files = [...Deno.readDirSync(join(PLUGIN, name))].map(({ name }) => name);
      assert.deepEqual(files, ["plugin.json"], name);
    }
  });
  await t.step("no client takes the hooks or the server of another for its own", () => {
    for (const name of ["hooks/hooks.json", "hooks.json", ".mcp.json", "mcp.json"]) {
      assert.throws(() => Deno.statSync(join(PLUGIN, name)), Deno.errors.NotFound, name);
    }
  });
});

Deno.test("marketplaces lead to the plugin", async () => {
  const paths = {
    ".agents/plugins/marketplace.json": ({ source }: Listed) => Object(source).path,
    ".cursor-plugin/marketplace.json": ({ source }: Listed) => source,
  };
  for (const [path, pathOf] of Object.entries(paths)) {
    const { name, plugins } = await read(path);
    assert.equal(name, "toolscript");
    assert.ok(Array.isArray(plugins) && plugins.length === 1, path);
    const manifest = path.startsWith(".agents") ? ".codex-plugin" : ".cursor-plugin";
    const file = join(String(pathOf(plugins[0])), manifest, "plugin.json");
    assert.equal((await read(file)).name, plugins[0].name, path);
  }
});

interface Listed {
  readonly source: unknown;
}

Deno.test("the skill has the head that every client asks for", async () => {
  const text = await Deno.readTextFile(join(PLUGIN, "skills", "toolscript", "SKILL.md"));
  const [, head = ""] = /^---\n([^]*?)\n---\n/.exec(text) ?? [];
  const { name, description } = load(head) as Record<string, string>;
  assert.equal(name, "toolscript"); // that of its folder
  assert.ok(description && description.length <= 1_024);
});

Deno.test("the server of each plugin starts in the session's project", async (t) => {
  await using place = await openPlace();
  const { cwd, home, away } = place;
  // Codex has no variable for the plugin's folder: it starts the installed command
  const bin = await place.installed(ROOT);
  const plugin = { extensionPath: PLUGIN, CURSOR_PLUGIN_ROOT: PLUGIN };
  const values = { ...plugin, "/": "/", workspacePath: cwd, workspaceFolder: cwd };
  const cases: Record<string, { entry: Entry; folder: string }> = {
    codex: { entry: expand(await entryIn("plugin/mcp/codex.json"), values), folder: cwd },
    cursor: { entry: expand(await entryIn("plugin/mcp/cursor.json"), values), folder: away },
    gemini: { entry: expand(await entryIn("plugin/gemini-extension.json"), values), folder: away },
    opencode: { entry: await opencodeEntry(), folder: cwd },
  };
  for (const [name, { entry, folder }] of Object.entries(cases)) {
    await t.step(name, async () => {
      const env = environmentOf(home, bin);
      const answer = await assertGreets(entry, { cwd: folder, env, run: 'words.loud(text="hi")' });
      assert.match(answer, /HI/);
    });
  }
});

/** The entry that the plugin of opencode puts into its configuration. */
async function opencodeEntry(): Promise<Entry> {
  const { Toolscript } = await import("../../plugin/opencode/toolscript.js");
  const { config } = await Toolscript();
  const own = { mcp: { other: { type: "local" } }, skills: { paths: ["/own"] } };
  await config(own);
  await config(own); // a second time changes nothing
  const { mcp, skills } = own as unknown as {
    readonly mcp: Readonly<Record<string, { type: string; command: string[] }>>;
    readonly skills: { readonly paths: readonly string[] };
  };
  assert.deepEqual(Object.keys(mcp).sort(), ["other", "toolscript"]);
  assert.deepEqual(skills.paths, ["/own", join(PLUGIN, "skills")]);
  const kept = { mcp: { toolscript: { type: "remote", url: "x" } } };
  await config(kept);
  assert.deepEqual(kept.mcp.toolscript, { type: "remote", url: "x" });
  const [command = "", ...args] = mcp.toolscript?.command ?? [];
  return { command, args };
}

Deno.test("the hooks of the Claude Code plugin start a gateway and stop it, from both manifests", async (t) => {
  const hooks = {
    "plugin/hooks/claude.json": (content: Record<string, unknown>) => content.hooks,
    ".claude-plugin/marketplace.json": (content: Record<string, unknown>) =>
      Object((content.plugins as unknown[])[0]).hooks,
  };
  const roots = [PLUGIN, ROOT];
  for (const [index, [path, hooksOf]] of Object.entries(hooks).entries()) {
    await t.step(path, async () => {
      await using place = await openPlace();
      const { cwd, home } = place;
      const file = join(home, "env");
      const events = hooksOf(await read(path)) as Record<
        string,
        { hooks: { command: string }[] }[]
      >;
      const env = {
        ...environmentOf(home),
        CLAUDE_PLUGIN_ROOT: roots[index] ?? "",
        CLAUDE_ENV_FILE: file,
      };
      for (
        const [event, more] of [["SessionStart", " --timeout 60"], ["SessionEnd", ""]] as const
      ) {
        const command = `${events[event]?.[0]?.hooks[0]?.command}${more}`;
        const child = new Deno.Command("sh", {
          args: ["-c", command],
          cwd,
          env,
          clearEnv: true,
          stdin: "piped",
          stderr: "piped",
        }).spawn();
        const writer = child.stdin.getWriter();
        await writer.write(new TextEncoder().encode(JSON.stringify({ session_id: "s", cwd })));
        await writer.close();
        const { code, stderr } = await child.output();
        assert.equal(code, 0, new TextDecoder().decode(stderr));
      }
      assert.match(await Deno.readTextFile(file), /^export TOOLSCRIPT_GATEWAY_URL=http:/);
      const left = [...Deno.readDirSync(join(home, ".onetool", "run"))];
      assert.deepEqual(left.filter(({ name }) => name.endsWith(".json")), []);
    });
  }
});

Deno.test("the bundle's manifest names its starter, and a folder that the person chooses", () => {
  const { server, user_config: settings } = bundleManifest("1.2.3", "linux") as {
    readonly server: { readonly entry_point: string; readonly mcp_config: Entry };
    readonly user_config: Readonly<Record<string, unknown>>;
  };
  const { command, args } = server.mcp_config;
  const expected = ["mcp", "--project", "${user_config.project}"];
  assert.deepEqual([command, ...args], [
    "node",
    `\${__dirname}/${server.entry_point}`,
    ...expected,
  ]);
  assert.deepEqual(Object.keys(settings), ["project"]);
});

Deno.test("a plugin that was copied away from its clone says that Toolscript is not installed", async () => {
  await using place = await openPlace();
  const copy = await place.copy(PLUGIN);
  const { code, stderr } = await new Deno.Command("node", {
    args: [join(copy, "bin", "toolscript"), "run", "1 + 1"],
    cwd: place.cwd,
    env: environmentOf(place.home),
  }).output();
  assert.equal(code, 1);
  const text = new TextDecoder().decode(stderr);
  assert.equal(
    text,
    "Error: Cannot start Toolscript: it is not installed: npm install -g toolscript\n",
  );
});
