/** A sign-in that the person at a terminal is asked for. */

import assert from "node:assert/strict";
import { startIssuer } from "../../support/auth/issuer.ts";
import { startResource } from "../../support/auth/resource.ts";
import { delay, openGateway } from "../../support/gateway.ts";
import { atTerminal } from "../../support/terminal.ts";
import { visitAs } from "./stage.ts";

Deno.test("the terminal shows the address, takes a no, and is let go by the sign-in", async (t) => {
  await using issuer = startIssuer();
  await using resource = startResource(issuer);
  await using gateway = await openGateway({ servers: { crm: { url: resource.url } } });
  await gateway.ready();
  const { home, project: cwd, url, token } = gateway;
  const env = { TOOLSCRIPT_GATEWAY_URL: url, TOOLSCRIPT_TOKEN: token };
  const run = (typed: readonly { readonly after: string; readonly text: string }[]) =>
    atTerminal(["run", "crm.whoami()"], { home, cwd, env, typed });

  await t.step("no", async () => {
    const { code, screen } = await run([{ after: "[N]o: ", text: "n\n" }]);
    assert.equal(code, 1);
    assert.match(screen, /The server "crm" wants a sign-in: open the address/);
    assert.ok(screen.includes(`${issuer.url}/authorize?`), screen);
    assert.match(screen, /declined/);
  });
  await t.step("signed in", async () => {
    const running = run([]);
    for (;;) {
      const [question] = await (await gateway.fetch("/questions")).json();
      if (question) {
        await visitAs(issuer, question.url);
        break;
      }
      await delay(10);
    }
    const { code, screen } = await running;
    assert.equal(code, 0, screen);
    assert.match(screen, /ana whoami/);
  });
});
