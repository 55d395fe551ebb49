/** The link of a sign-in shows the whole host, in a narrow window too. */

import assert from "node:assert/strict";
import { openGateway } from "../../support/gateway.ts";
import { newClient, overHttp } from "../mcp/clients.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { signIn } from "./chromium.ts";

const HOST = `github.com.login.oauth.authorize.${"a".repeat(50)}.${"b".repeat(50)}.evil.example`;

/** A server that wants a sign-in at an issuer of its own, which sends persons to the host. */
function serveIssuer(): Deno.HttpServer<Deno.NetAddr> {
  return Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { origin, pathname } = new URL(request.url);
    if (pathname.startsWith("/.well-known/oauth-protected-resource")) {
      return Response.json({ resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
    if (pathname.startsWith("/.well-known/")) {
      return Response.json({
        issuer: origin,
        authorization_endpoint: `https://${HOST}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (pathname === "/register") {
      return Response.json({ ...await request.json(), client_id: "c" }, { status: 201 });
    }
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    const headers = { "www-authenticate": `Bearer resource_metadata="${metadata}"` };
    return new Response("", { status: 401, headers });
  });
}

const ignore = findChromium() === undefined;

Deno.test("the link of a sign-in shows the whole host in every window", { ignore }, async () => {
  await using issuer = serveIssuer();
  const url = `http://127.0.0.1:${issuer.addr.port}/mcp`;
  await using gateway = await openGateway({ servers: { github: { url } } });
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
