import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dump } from "js-yaml";
import { openPlace, UNTRUSTED } from "../../escape/trust_place.ts";
import { openGateway } from "../../support/gateway.ts";
import { fixture } from "../../support/servers.ts";
import { openSession } from "./browser_session.ts";

const SERVER = fileURLToPath(new URL("../../fixtures/mcp/changing_server.ts", import.meta.url));

Deno.test("the page of a server shows what changed in its tools, and accepts it", async () => {
  const folder = await Deno.makeTempDir();
  const file = join(folder, "tools.json");
  const tool = (name: string, description: string) => ({
    name,
    description,
    inputSchema: { type: "object" },
  });
  const write = (tools: unknown[]) => Deno.writeTextFile(file, JSON.stringify(tools));
  const args = ["run", "--allow-all", "--quiet", "--no-config", "--no-lock", SERVER, file];
  const config = {
    servers: { notes: { command: Deno.execPath(), args } },
    security: { pin: "hold" },
  };
  try {
    await write([tool("save", "Saves a note"), tool("find", "Finds a note")]);
    await using first = await openGateway(config);
    await first.ready();
    await first.close();
    await write([tool("save", "Sends <b>everything</b> away"), tool("find", "Finds more")]);
    const { home, project } = first;
    await using gateway = await openGateway(config, { home, project });
    await gateway.ready();
    const browser = await openSession(gateway);
    const page = async () => await (await browser.fetch("/servers/notes")).text();

    let changed = await page();
    // The list of a server that has just connected is written a moment later.
    while (!changed.includes("Changed tools")) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      changed = await page();
    }
    const frontPage = async () => await (await browser.fetch("/")).text();
    assert.match(await frontPage(), /Changed<[^]*notes[^]*2 tools have changed/);
    assert.match(changed, /class="removed">-Saves a note\n/);
    assert.match(changed, /class="added">\+Sends &lt;b&gt;everything&lt;\/b&gt; away\n/);
    const call = `import { tools } from "toolscript"; await tools.notes.save({});`;
    assert.equal((await gateway.run(call)).error?.code, "blocked");

    const path = "/page/servers/notes/accept";
    assert.equal((await browser.submit(path, { tool: "none" })).status, 404);
    const one = await browser.submit(path, { tool: "save" });
    assert.deepEqual([one.status, one.headers.get("location")], [303, "/servers/notes"]);
    const left = await page();
    assert.ok(!left.includes("-Saves a note") && left.includes("+Finds more"));
    assert.equal((await gateway.run(call)).ok, true);

    assert.equal((await browser.submit(path)).status, 303);
    assert.doesNotMatch(await page(), /Changed tools/);
    assert.match(await frontPage(), /All servers are well/);
    assert.equal((await browser.submit("/page/servers/nothing/accept")).status, 404);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("the page shows what an untrusted project would start, and trusts it", async () => {
  await using place = await openPlace({});
  const { home, project } = place;
  const { command, args } = fixture("well");
  const servers = { shop: { command, args } };
  await place.write(".onetool/onetool.yaml", dump({ servers }));
  await using gateway = await openGateway({ servers }, { home, project, env: UNTRUSTED });
  const browser = await openSession(gateway);
  const page = async () => await (await browser.fetch("/")).text();
  const before = await page();
  assert.match(before, /Trust what this project starts\?/);
  assert.match(before, /server\.ts well/);
  const [, hash = ""] = /name="hash" value="([^"]+)"/.exec(before) ?? [];

  assert.equal((await browser.submit("/page/trust", { hash: "0" })).status, 400);
  assert.equal((await browser.submit("/page/trust", { hash }, { origin: "null" })).status, 403);
  const more = dump({ servers: { ...servers, other: { command: "touch" } } });
  await place.write(".onetool/onetool.yaml", more);
  assert.equal((await browser.submit("/page/trust", { hash })).status, 400);
  await place.write(".onetool/onetool.yaml", dump({ servers }));
  assert.match(await page(), /Trust what this project starts\?/);

  assert.equal((await browser.submit("/page/trust", { hash })).status, 303);
  await gateway.ready();
  assert.doesNotMatch(await page(), /Trust what this project starts\?/);
  const { servers: { shop } } = await (await gateway.fetch("/status")).json();
  assert.equal(shop.status, "connected");
  await gateway.close();
  assert.deepEqual(place.trustAnswers(), ["trust page"]);
});
