/** The link of a sign-in shows the whole host, in a narrow window too. */

import assert from "node:assert/strict";
import { startIssuer } from "../../support/auth/issuer.ts";
import { startResource } from "../../support/auth/resource.ts";
import { openGateway } from "../../support/gateway.ts";
import { newClient, overHttp } from "../mcp/clients.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { signIn } from "./chromium.ts";

const HOST = `github.com.login.oauth.authorize.${"a".repeat(50)}.${"b".repeat(50)}.evil.example`;

const ignore = findChromium() === undefined;

Deno.test("the link of a sign-in shows the whole host in every window", { ignore }, async () => {
  const fields = { authorization_endpoint: `https://${HOST}/authorize` };
  await using issuer = startIssuer({ fields });
  await using resource = startResource(issuer);
  await using gateway = await openGateway({ servers: { github: { url: resource.url } } });
  await gateway.ready();
  await using browser = await openChromium();
  await using connection = await overHttp(gateway, newClient("legacy"));
  const call = connection.client.callTool({
    name: "run",
    arguments: { command: "github.whoami()" },
  }).catch(() => {});
  for (const width of [320, 360, 1200]) {
    await using session = await signIn(browser, gateway, { viewport: { width, height: 700 } });
    const link = session.page.locator(".question a.button");
    await link.waitFor();
    assert.equal(await link.innerText(), `Sign in at ${HOST}`);
    const box = await link.boundingBox() ?? assert.fail("the link is not in sight");
    assert.ok(box.x >= 0 && box.x + box.width <= width, JSON.stringify(box));
    const text = await link.evaluate((one) => [one.scrollWidth, one.clientWidth]);
    assert.ok((text[0] ?? 0) <= (text[1] ?? 0), JSON.stringify(text));
    if (width === 1200) await session.page.locator(".question button[value=no]").click();
  }
  await call;
});
