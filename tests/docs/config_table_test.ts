/** The table of keys in `docs/operations.md` is that of `config/schema.ts`, defaults included. */

import assert from "node:assert/strict";
import { type Config, loadConfig } from "#config";
import schema from "../../docs/onetool.schema.json" with { type: "json" };

const PAGE = new URL("../../docs/operations.md", import.meta.url);
/** Where the configuration in use holds the value of a key. */
const USED: Readonly<Record<string, (config: Config) => unknown>> = {
  "gateway.host": ({ gateway }) => gateway.host,
  "gateway.port": ({ gateway }) => gateway.port,
  "gateway.max_body_mb": ({ gateway }) => gateway.maxBodyBytes / 2 ** 20,
  "gateway.grace": ({ gateway }) => gateway.graceMs / 1000,
  "logging.format": ({ logging }) => logging.format,
  "logging.max_mb": ({ logging }) => logging.maxBytes / 2 ** 20,
  "logging.files": ({ logging }) => logging.files,
  "sandbox.timeout": ({ sandbox }) => sandbox.timeoutMs / 1000,
  "sandbox.cpu": ({ sandbox }) => sandbox.cpuSeconds,
  "sandbox.memory_mb": ({ sandbox }) => sandbox.memoryMb,
  "sandbox.output_mb": ({ sandbox }) => sandbox.outputBytes / 2 ** 20,
  "sandbox.calls": ({ sandbox }) => sandbox.calls,
  "sandbox.in_flight": ({ sandbox }) => sandbox.inFlight,
  "sandbox.call_mb": ({ sandbox }) => sandbox.callBytes / 2 ** 20,
  "sandbox.queue": ({ sandbox }) => sandbox.queue,
  "sandbox.check": ({ sandbox }) => sandbox.check,
  "workers.idle_timeout": ({ workers }) => workers.idleTimeoutMs / 1000,
  "security.enabled": ({ security }) => security.enabled,
  "security.ask_timeout": ({ security }) => security.askTimeoutMs / 1000,
  "output.max_inline_size": ({ output }) => output.maxInlineBytes,
  "output.preview_lines": ({ output }) => output.previewLines,
  "stats.enabled": ({ stats }) => stats.enabled,
  "stats.keep_days": ({ stats }) => stats.keepMs / 86_400_000,
  "output.result_ttl": ({ output }) => output.resultTtlMs / 1000,
};

const SERVER: Described = schema.properties.servers.additionalProperties as unknown as Described;

interface Described {
  readonly description: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

Deno.test("docs/operations.md names every key of the configuration", async () => {
  const page = await Deno.readTextFile(PAGE);
  const shown = rows(page);
  const unused: readonly string[] = /^Read and checked, without effect so far: (?<keys>[^]*?)\.$/m
    .exec(page)?.groups?.keys?.match(/(?<=`)[\w.]+(?=`)/g) ?? [];
  const { $schema: _, ...all } = (schema as unknown as Described).properties ?? {};
  for (const [name, rule] of Object.entries(all)) {
    if (unused.includes(name)) continue;
    const keys = rule.properties && !["servers", "packs"].includes(name)
      ? Object.keys(rule.properties).map((key) => `${name}.${key}`)
      : [name];
    for (const key of keys) {
      if (unused.includes(key)) continue;
      assert.ok(shown.has(key), `docs/operations.md lacks the key "${key}"`);
    }
  }
  for (const key of [...shown.keys(), ...unused]) {
    assert.ok(describe(all, key), `docs/operations.md has a key "${key}" that is none`);
  }
});

Deno.test("docs/operations.md shows the defaults that are used", async () => {
  const folder = await Deno.makeTempDir();
  const config = await loadConfig({ env: {}, home: folder, cwd: folder });
  await Deno.remove(folder);
  const shown = rows(await Deno.readTextFile(PAGE));
  for (const [key, used] of Object.entries(USED)) {
    assert.equal(shown.get(key), String(used(config)), key);
  }
});

Deno.test("docs/servers.md names every field of a server", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/servers.md", import.meta.url));
  const table = /^\| field [^]*?\n\n/m.exec(page)?.[0] ?? "";
  const firsts = table.split("\n").map((row) => row.split("|")[1] ?? "");
  const named = firsts.flatMap((cell) => cell.match(/(?<=`)\w+(?=`)/g) ?? []);
  assert.deepEqual(named.sort(), Object.keys(SERVER.properties ?? {}).sort());
});

/** Key and default of each row of the table of keys. */
function rows(page: string): Map<string, string> {
  const table = /^\| key [^]*?\n\n/m.exec(page)?.[0] ?? "";
  const found = table.matchAll(/^\| `(?<key>[\w.]+)` +\| (?<value>[^|]*?) +\|/gm);
  return new Map(
    [...found].map(({ groups }) => [groups?.key ?? "", groups?.value?.replaceAll("`", "") ?? ""]),
  );
}

function describe(all: Readonly<Record<string, Described>>, key: string): Described | undefined {
  const [name = "", sub] = key.split(".");
  return sub === undefined ? all[name] : all[name]?.properties?.[sub];
}
