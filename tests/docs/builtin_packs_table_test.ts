/** The settings in `docs/builtin-packs.md` are those of the config, defaults included. */

import assert from "node:assert/strict";
import { type Config, loadConfig } from "#config";
import schema from "../../docs/onetool.schema.json" with { type: "json" };

const PAGE = new URL("../../docs/builtin-packs.md", import.meta.url);
const MB = 2 ** 20;

/** Where the configuration in use holds the value of a setting. */
const USED: Readonly<Record<string, (packs: Config["packs"]) => unknown>> = {
  "file.enabled": ({ file }) => file.enabled,
  "file.write": ({ file }) => file.write,
  "file.backup": ({ file }) => file.backup,
  "file.backup_days": ({ file }) => file.backupDays,
  "file.max_file_mb": ({ file }) => file.maxFileBytes / MB,
  "file.max_text_kb": ({ file }) => file.maxTextBytes / 1024,
  "file.max_entries": ({ file }) => file.maxEntries,
  "grep.enabled": ({ grep }) => grep.enabled,
  "grep.max_file_mb": ({ grep }) => grep.maxFileBytes / MB,
  "grep.max_results": ({ grep }) => grep.maxResults,
  "grep.timeout": ({ grep }) => grep.timeoutMs / 1000,
  "grep.ripgrep": ({ grep }) => grep.ripgrep,
  "git.enabled": ({ git }) => git.enabled,
  "git.timeout": ({ git }) => git.timeoutMs / 1000,
  "git.max_output_mb": ({ git }) => git.maxOutputBytes / MB,
  "web.enabled": ({ web }) => web.enabled,
  "web.timeout": ({ web }) => web.timeoutMs / 1000,
  "web.max_mb": ({ web }) => web.maxBytes / MB,
  "web.cache_ttl": ({ web }) => web.cacheTtlMs / 1000,
  "web.cache_mb": ({ web }) => web.cacheBytes / MB,
  "web.concurrent": ({ web }) => web.concurrent,
  "web.user_agent": ({ web }) => web.userAgent,
  "web.robots": ({ web }) => web.robots,
  "web.memory_mb": ({ web }) => web.memoryMb,
  "package.enabled": ({ package: packages }) => packages.enabled,
  "package.timeout": ({ package: packages }) => packages.timeoutMs / 1000,
  "package.max_mb": ({ package: packages }) => packages.maxBytes / MB,
  "package.concurrent": ({ package: packages }) => packages.concurrent,
  "package.cache_ttl": ({ package: packages }) => packages.cacheTtlMs / 1000,
  "brave.enabled": ({ brave }) => brave.enabled,
  "brave.base_url": ({ brave }) => brave.baseUrl,
  "brave.timeout": ({ brave }) => brave.timeoutMs / 1000,
  "brave.concurrent": ({ brave }) => brave.concurrent,
  "llm.enabled": ({ llm }) => llm.enabled,
  "llm.timeout": ({ llm }) => llm.timeoutMs / 1000,
  "llm.max_input_kb": ({ llm }) => llm.maxInputChars / 1000,
};

Deno.test("docs/builtin-packs.md names every setting of every pack, with its default", async (t) => {
  const folder = await Deno.makeTempDir();
  const { packs } = await loadConfig({ env: {}, home: folder, cwd: folder });
  await Deno.remove(folder);
  const page = await Deno.readTextFile(PAGE);
  for (const [pack, { properties }] of Object.entries(schema.properties.packs.properties)) {
    await t.step(pack, () => {
      const section = new RegExp(`^## ${pack}$[^]*?(?=^## |(?![^]))`, "m").exec(page)?.[0] ?? "";
      const rows = settingsIn(section);
      assert.deepEqual([...rows.keys()].sort(), Object.keys(properties).sort());
      for (const [setting, shown] of rows) {
        const used = USED[`${pack}.${setting}`];
        if (used) assert.equal(shown, String(used(packs)), setting);
      }
    });
  }
});

/** Setting and default of each row. */
function settingsIn(section: string): Map<string, string> {
  const table = /^\| setting [^]*?(?:\n\n|(?![^]))/m.exec(section)?.[0] ?? "";
  const found = table.matchAll(/^\| `(?<key>[\w.]+)` +\| (?<value>[^|]*?) +\|/gm);
  return new Map(
    [...found].map(({ groups }) => [groups?.key ?? "", groups?.value?.replaceAll("`", "") ?? ""]),
  );
}
