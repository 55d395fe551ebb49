/** Files of TLS that the URL of a database names. */

import { withProject } from "../support/project.ts";

const FILES = { "certs/pg.key": "key", "certs/ca.pem": "ca", "certs/own.pem": "own" };
const URL =
  "postgres://reader@db.example/x?sslkey=certs/pg.key&sslrootcert=certs/ca.pem&sslcert=certs/own.pem";

Deno.test("no program reads the key of a database, or changes its certificates", () =>
  withProject({
    config: { packs: { db: { connections: { one: URL } } } },
    files: FILES,
  }, async ({ call, refused }) => {
    await refused("file.read", { path: "certs/pg.key" });
    for (const path of Object.keys(FILES)) {
      await refused("file.write", { path, text: "x", overwrite: true });
    }
    await call("file.read", { path: "certs/ca.pem" });
    await call("file.write", { path: "certs/notes.md", text: "x" });
  }));
