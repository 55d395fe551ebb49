/** Files that the home folder's configuration closes, whatever a project has. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { openProject } from "../config/project.ts";
import { closedOf } from "../support/closed.ts";

const MAIN = ".onetool/onetool.yaml";
const HOME = "~/.onetool/onetool.yaml";

Deno.test("names that a project takes open nothing that is closed by the home folder's", async (t) => {
  const home = {
    commands: { tok: ["/opt/tok.sh"] },
    servers: {
      notes: { command: "python3", args: ["/opt/notes.py"] },
      bank: { url: "https://bank.example", tls: { cert: "/opt/c.pem", key: "/opt/k.pem" } },
    },
    packs: {
      db: { connections: { main: "postgres://db/app?sslkey=/opt/db.pem&sslcert=/opt/dc.pem" } },
      mail: { permissions: { run: ["/opt/send"] } },
    },
    projects: { site: "/opt/site" },
    logging: { file: "/opt/log.txt" },
  };
  await using it = await openProject({ [HOME]: JSON.stringify(home), [MAIN]: "" });
  const closed = async () => JSON.stringify((await it.load()).closed);
  const files = ["tok.sh", "notes.py", "k.pem", "db.pem", "send", "site", "log.txt"];
  const rows: Record<string, string> = {
    "none": "{}",
    "a server":
      'servers: { notes: { url: "https://x.example" }, bank: { url: "https://y.example" } }',
    "a connection": "packs: { db: { connections: { main: 'sqlite:x.db' } } }",
    "permissions": "packs: { mail: { permissions: { run: [] } } }",
    "a project": "projects: { site: . }",
    "a log": "logging: { file: own.txt }",
    "a command": "commands: { tok: [own] }",
  };
  for (const [name, text] of Object.entries(rows)) {
    await t.step(name, async () => {
      await Deno.writeTextFile(join(it.project, MAIN), text);
      const all = await closed();
      assert.deepEqual(files.filter((file) => !all.includes(`/opt/${file}`)), []);
    });
  }
});

const COMMANDS: readonly (readonly string[])[] = [
  ["python3", "work/tools/tok.py"],
  ["work/tools/tok.sh"],
  ["./work/tools/tok.sh"],
  ["sh", "-c", "work/tools/tok.sh"],
  ["env", "A=1", "node", "./work/tools/tok.mjs"],
];

Deno.test("scripts of commands are closed in the folder where they start", async (t) => {
  const names = ["tok.py", "tok.sh", "tok.mjs"];
  for (const words of COMMANDS) {
    for (const isNamed of [false, true]) {
      await t.step(`${words.join(" ")}${isNamed ? " of a named file" : ""}`, async () => {
        const settings = JSON.stringify({
          packs: { file: { allowed: [".", "~"] } },
          commands: { tok: words },
        });
        await using it = await openProject({
          [isNamed ? "~/named.yaml" : HOME]: settings,
          "notes.md": "",
          ...Object.fromEntries(
            names.map((name) => [`~/work/tools/${name}`, "#!/bin/sh\necho tok\n"]),
          ),
        });
        for (const name of names) await Deno.chmod(join(it.home, "work/tools", name), 0o755);
        const explicit = isNamed ? join(it.home, "named.yaml") : undefined;
        await using closed = closedOf(await it.load(explicit === undefined ? {} : { explicit }));
        const own = names.find((name) => words.at(-1)?.endsWith(name)) ?? "";
        assert.ok(await closed.change(join(it.home, "work/tools", own)));
        assert.equal(await closed.change(join(it.project, "notes.md")), undefined);
      });
    }
  }
});
