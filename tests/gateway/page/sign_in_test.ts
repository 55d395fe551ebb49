import assert from "node:assert/strict";
import { visitAs } from "../../cli/auth/stage.ts";
import { startIssuer } from "../../support/auth/issuer.ts";
import { startResource } from "../../support/auth/resource.ts";
import { delay, openGateway } from "../../support/gateway.ts";
import { openSession } from "./browser_session.ts";

Deno.test("a person signs in to a server on its page, and out again", async () => {
  await using issuer = startIssuer({ expiresIn: 3600 });
  await using resource = startResource(issuer);
  await using gateway = await openGateway({ servers: { crm: { url: resource.url } } });
  await gateway.ready();
  const browser = await openSession(gateway);
  const page = async () => {
    const text = await (await browser.fetch("/servers/crm")).text();
    for (const secret of issuer.secrets) assert.ok(!text.includes(secret));
    return text;
  };
  /** Reads the page until it says this. */
  const until = async (text: RegExp) => {
    while (!text.test(await page())) await delay(20);
  };

  assert.match(await page(), /Needs a sign-in.*action="\/page\/servers\/crm\/sign-in"/s);
  assert.match(await (await browser.fetch("/")).text(), /Needs a sign-in/);
  const foreign = await browser.submit("/page/servers/crm/sign-in", {}, { origin: "null" });
  await foreign.body?.cancel();
  assert.equal(foreign.status, 403);

  const begun = await browser.submit("/page/servers/crm/sign-in");
  assert.equal(begun.status, 303);
  const address = begun.headers.get("location") ?? "";
  assert.equal(new URL(address).origin, new URL(issuer.url).origin);
  await visitAs(issuer, address);
  await until(/Signed in<.*until <time/s);
  await until(/Connected/);
  assert.equal((await gateway.post("/tools/crm__whoami", {})).status, 200);

  const ended = await browser.submit("/page/servers/crm/sign-out");
  assert.deepEqual([ended.status, ended.headers.get("location")], [303, "/servers/crm"]);
  assert.ok([...issuer.tokens.values()].every(({ revoked }) => revoked));
  await until(/Needs a sign-in/);
  assert.doesNotMatch(await page(), /Sign out/);
});

Deno.test("a server without a sign-in offers none", async () => {
  await using gateway = await openGateway();
  const browser = await openSession(gateway);
  assert.doesNotMatch(await (await browser.fetch("/servers/ot")).text(), /sign-in/);
  for (const way of ["in", "out"]) {
    const response = await browser.submit(`/page/servers/ot/sign-${way}`);
    await response.body?.cancel();
    assert.equal(response.status, 404);
  }
});
