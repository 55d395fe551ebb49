/** Files of TLS that the URL of a database names. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { loadConfig } from "#config";
import { openProject } from "../config/project.ts";
import { withProject } from "../support/project.ts";

const FILES = { "certs/pg.key": "key", "certs/ca.pem": "ca", "certs/own.pem": "own" };
const ADDRESS =
  "postgres://reader@db.example/x?sslkey=certs/pg.key&sslrootcert=certs/ca.pem&sslcert=certs/own.pem";

Deno.test("no program reads the key of a database, or changes its certificates", () =>
  withProject({
    config: { packs: { db: { connections: { one: ADDRESS } } } },
    files: FILES,
  }, async ({ call, refused }) => {
    await refused("file.read", { path: "certs/pg.key" });
    for (const path of Object.keys(FILES)) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    await call("file.read", { path: "certs/ca.pem" });
    await call("file.write", { path: "certs/notes.md", text: "x" });
  }));

Deno.test("the driver reads these files where they are closed", async () => {
  await using it = await openProject({
    ".onetool/onetool.yaml": JSON.stringify({
      packs: {
        db: { connections: { one: `${ADDRESS}&sslkey=certs/new.key`, plain: "postgres://h/x" } },
      },
    }),
  });
  const { packs } = await loadConfig({
    env: { TOOLSCRIPT_TRUST: "all" },
    home: it.home,
    cwd: it.project,
  });
  const { one, plain } = packs.db.connections;
  assert.deepEqual(plain?.url, { kind: "postgres", url: "postgres://h/x" });
  assert.ok(one?.url.kind === "postgres");
  const { searchParams } = new URL(one.url.url);
  assert.deepEqual(Object.fromEntries(searchParams), {
    sslkey: join(it.project, "certs/new.key"),
    sslrootcert: join(it.project, "certs/ca.pem"),
    sslcert: join(it.project, "certs/own.pem"),
  });
});
