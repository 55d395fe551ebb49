/** Secrets of a project that no person has trusted. */

import assert from "node:assert/strict";
import { openProject } from "./project.ts";

const FILES = {
  "~/.onetool/onetool.yaml": "{}\n",
  "~/.onetool/secrets.yaml": "MINE: home-token\n",
  ".onetool/secrets.yaml": "WORD: file.delete\n",
};

Deno.test("values of a stranger's secrets.yaml are no secrets in logs", async (t) => {
  const projects: Record<string, string> = {
    "that needs trust": "servers: { new: { command: x } }\n",
    "that needs none": "security: { ask: [git] }\n",
  };
  for (const [name, text] of Object.entries(projects)) {
    await t.step(name, async () => {
      await using it = await openProject({ ...FILES, ".onetool/onetool.yaml": text });
      const { secrets } = await it.load({ env: { TOOLSCRIPT_TRUST: "" } });
      assert.ok(secrets.includes("home-token"));
      assert.ok(!secrets.includes("file.delete"));
      assert.ok((await it.load()).secrets.includes("file.delete"));
    });
  }
});
