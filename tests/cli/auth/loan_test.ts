/** Loans of tokens in the audit: each, whatever the one who borrows does. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { loadConfig } from "#config";
import { readAudit } from "#runtime/stats";
import { recordLoan } from "../../../cli/auth/loan.ts";
import { cliCommand } from "../../support/cli.ts";
import { type AuthStage, openStage } from "./stage.ts";
import { statsFolder } from "../../support/stats.ts";

/** Servers of the loans in the audit of the stage's project. */
function loansOf(stage: Pick<AuthStage, "home" | "project">): readonly string[] {
  return readAudit(statsFolder(stage)).filter(({ kind }) => kind === "loan")
    .map(({ tool }) => tool);
}

Deno.test("a token is lent after its loan is written, however it is lent", async (t) => {
  await using stage = await openStage({ quirks: { expiresIn: 3600 } });
  assert.equal((await stage.login(["crm", "--no-browser"])).code, 0);
  await t.step("to one who ends the process at once", async () => {
    const place = { home: stage.home, cwd: stage.project };
    const child = cliCommand(["auth", "header", "crm"], place).spawn();
    await child.stderr.cancel();
    const reader = child.stdout.getReader();
    assert.equal((await reader.read()).done, false);
    try {
      child.kill("SIGKILL");
    } catch (cause) {
      if (!(cause instanceof TypeError)) throw cause; // The process has ended.
    }
    await child.status;
    await reader.cancel();
    assert.deepEqual(loansOf(stage), ["crm"]);
  });
  await t.step("to one who reads nothing", async () => {
    const place = { home: stage.home, cwd: stage.project };
    const child = cliCommand(["auth", "header", "crm"], place).spawn();
    await child.stdout.cancel();
    await child.stderr.cancel();
    await child.status;
    assert.deepEqual(loansOf(stage), ["crm", "crm"]);
  });
  await t.step("as a whole sign-in", async () => {
    const env = { TOOLSCRIPT_PASSPHRASE: "hush" };
    const { code, stdout } = await stage.run(["auth", "export", "crm"], { env });
    assert.equal(code, 0);
    assert.match(stdout, /^toolscript-sign-in-1\./);
    assert.deepEqual(loansOf(stage), ["crm", "crm", "crm"]);
    assert.match((await stage.run(["stats", "--json"])).stdout, /crm\.auth-export/);
  });
});

Deno.test("a loan is written once another process gives the file free", async () => {
  await using stage = await openStage();
  const { home, project } = stage;
  const config = await loadConfig({ env: { TOOLSCRIPT_TRUST: "all" }, home, cwd: project });
  const loan = { pack: "crm", at: Date.now(), ms: 1, by: "auth header" } as const;
  await recordLoan(config, loan);
  const other = new DatabaseSync(join(statsFolder(stage), "stats.db"));
  other.exec("BEGIN IMMEDIATE");
  const recorded = recordLoan(config, { ...loan, at: Date.now() + 1 });
  other.exec("COMMIT");
  other.close();
  await recorded;
  assert.deepEqual(loansOf(stage), ["crm", "crm"]);
});
