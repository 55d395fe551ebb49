import assert from "node:assert/strict";
import { join } from "node:path";
import { findGateways } from "#gateway/running";
import { cli } from "../support/cli.ts";
import { waitForText } from "../support/files.ts";

Deno.test("ui opens the page of a gateway, which it starts where none runs", async (t) => {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "toolscript-ui-" }));
  const [home, cwd] = [join(root, "home"), join(root, "project")];
  await Deno.mkdir(home);
  await Deno.mkdir(join(cwd, ".onetool"), { recursive: true });
  const at = { home, cwd };
  try {
    await t.step("--no-browser prints an address that is good once", async () => {
      assert.equal((await findGateways(home)).length, 0);
      const { code, stdout, stderr } = await cli(["ui", "--no-browser"], at);
      assert.equal(code, 0, stderr);
      const [gateway] = await findGateways(home);
      assert.ok(gateway?.shared);
      const [, base] = /^(http:\/\/127\.0\.0\.1:\d+)\/\?code=[\w-]{32,}\n$/.exec(stdout) ?? [];
      assert.equal(base, gateway.url);
      assert.equal((await visit(stdout.trim())).status, 303);
      assert.equal((await visit(stdout.trim())).status, 401);
    });

    await t.step("a second one uses the same gateway", async () => {
      const { stdout } = await cli(["ui", "--no-browser", "--json"], at);
      const { url } = JSON.parse(stdout);
      assert.equal((await visit(url)).status, 303);
      assert.equal((await findGateways(home)).length, 1);
    });

    await t.step("BROWSER is started with the address, never through a shell", async () => {
      const browser = join(root, "browser");
      const argv = join(root, "argv");
      await Deno.writeTextFile(
        browser,
        `#!/bin/sh\nprintf '%s\\n' "$@" > ${argv}.new\nmv ${argv}.new ${argv}\n`,
      );
      await Deno.chmod(browser, 0o755);
      const rows = [
        [browser, /^(\S+)\n$/],
        [`${browser} --new %s`, /^--new\n(\S+)\n$/],
        [`/nonexistent/x:${browser}`, /^(\S+)\n$/],
        [`${browser} $(touch\t${root}/hacked);`, /^\$\(touch\n\S+\/hacked\);\n(\S+)\n$/],
      ] as const;
      for (const [BROWSER, pattern] of rows) {
        const { code, stdout, stderr } = await cli(["ui"], { ...at, env: { BROWSER } });
        assert.deepEqual([code, stdout], [0, ""], stderr);
        assert.match(stderr, /Opened http:\/\/127/);
        const [, address = ""] = pattern.exec(await waitForText(argv)) ?? [];
        assert.equal((await visit(address)).status, 303, BROWSER);
        await Deno.remove(argv);
      }
      await assert.rejects(Deno.stat(join(root, "hacked")));
    });

    await t.step("without a browser that works it prints the address", async () => {
      const env = { BROWSER: "/nonexistent/browser:false" };
      const { code, stdout, stderr } = await cli(["ui"], { ...at, env });
      assert.equal(code, 0);
      assert.match(stderr, /Cannot open a browser/);
      assert.equal((await visit(stdout.trim())).status, 303);
    });

    await t.step("a named gateway that does not answer is an error", async () => {
      const { code, stderr } = await cli(["ui", "--gateway", "http://127.0.0.1:1"], at);
      assert.equal(code, 3);
      assert.match(stderr, /does not answer/);
    });
  } finally {
    await cli(["gateway", "stop", "--all"], { home, cwd: root });
    await Deno.remove(root, { recursive: true });
  }
});

async function visit(address: string): Promise<Response> {
  const response = await fetch(address, { redirect: "manual" });
  await response.body?.cancel();
  return response;
}
