/** `deno task pictures`: the pictures of four pages in docs/pictures/. */

import { Client } from "@modelcontextprotocol/client";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openGateway, type TestGateway } from "../../support/gateway.ts";
import { pinnedCommand } from "../../support/servers.ts";
import { overHttp } from "../mcp/clients.ts";
import { openChromium } from "../../support/chromium.ts";
import { signIn } from "./chromium.ts";

const OUT = fileURLToPath(new URL("../../../docs/pictures/", import.meta.url));
const WIDE = { width: 1_440, height: 900 };
const NARROW = { width: 390, height: 844 };

const root = await Deno.makeTempDir();
const [home, project, notes] = ["home", "site", "notes"].map((name) => join(root, name));
for (const path of [home, project, notes]) await Deno.mkdir(path ?? "");
{
  await using gateway = await openGateway({
    servers: {
      files: pinnedCommand("filesystem", [notes ?? ""]),
      memory: { ...pinnedCommand("memory"), env: { MEMORY_FILE_PATH: join(root, "memory.json") } },
      everything: pinnedCommand("everything"),
      billing: { command: "/opt/billing/bin/billing-mcp" },
    },
    security: {
      ask: ["files.move_file", "memory.delete_*"],
    },
  }, { home, project });
  await gateway.ready();
  await work(gateway);
  await using browser = await openChromium();
  await Deno.mkdir(OUT, { recursive: true });
  const run = /\/runs\/r_[\w-]+(?=".*?found = )/;
  const runs = await (await gateway.fetch("/runs?tool=files.write_file")).text();
  const pictures = [
    ["now", "/", WIDE, "light"],
    ["run", run.exec(runs)?.[0] ?? /\/runs\/r_[\w-]+/.exec(runs)?.[0] ?? "/runs", WIDE, "dark"],
    ["tool", "/tools?tool=files__edit_file", NARROW, "light"],
    ["statistics", "/stats", NARROW, "dark"],
  ] as const;
  for (const [name, path, viewport, colorScheme] of pictures) {
    await using session = await signIn(browser, gateway, { viewport, colorScheme });
    await session.page.goto(gateway.url + path);
    await session.page.locator("#live.ok").waitFor();
    await session.page.screenshot({ path: join(OUT, `${name}.png`) });
  }
}
await Deno.remove(root, { recursive: true });
Deno.exit(); // the questions have no one to answer them

/** Runs of three agents, and questions of two. */
async function work(gateway: TestGateway): Promise<void> {
  async function send(client: string, command: string): Promise<void> {
    await (await gateway.post("/run", { command }, { "user-agent": client })).body?.cancel();
  }
  const folder = JSON.stringify(`${notes}/`);
  await send("codex", `const size: number = "large"; size`);
  for (const n of [1, 2, 3]) await send("cursor", `everything.get_sum(a=${n}, b=${n * n})`);
  await send("claude-code", `files.read_text_file(path=${folder} + "missing.md")`);
  await send(
    "claude-code",
    `names = ["atlas", "beacon", "cobalt"]
for (const name of names) {
  files.write_file(path=${folder} + name + ".md", content="# " + name)
}
found = await Promise.all(names.map((name) => files.read_text_file(path=${folder} + name + ".md")))
console.log("read", found.length, "notes")
found.map((note) => note.content)`,
  );
  await send("cursor", `ot.help("read a file")`);
  const entity =
    '{ "name": "Ana", "entityType": "person", "observations": ["likes short answers"] }';
  await send("claude-code", `memory.create_entities(entities=[${entity}])`);
  for (
    const command of [
      `files.move_file(source=${folder} + "atlas.md", destination=${folder} + "archive/atlas.md")`,
      `people = memory.read_graph().entities.map((e) => e.name)
memory.delete_entities(entityNames=people)`,
    ]
  ) {
    const { client } = await overHttp(
      gateway,
      new Client({ name: "claude-desktop", version: "1" }),
    );
    void client.callTool({ name: "run", arguments: { command } }).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  void send("codex", "everything.trigger_long_running_operation(duration=60, steps=6)");
  await new Promise((resolve) => setTimeout(resolve, 500));
}
