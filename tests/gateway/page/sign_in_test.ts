import assert from "node:assert/strict";
import { visitAs } from "../../cli/auth/stage.ts";
import { startIssuer } from "../../support/auth/issuer.ts";
import { startResource } from "../../support/auth/resource.ts";
import { delay, openGateway } from "../../support/gateway.ts";
import { newClient, overHttp, textOf } from "../mcp/clients.ts";
import { openSession } from "./browser_session.ts";
import { findChromium, openChromium } from "../../support/chromium.ts";
import { expectAccessible, settled, signIn } from "./chromium.ts";

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

Deno.test({
  name: "a person signs in from a question in a browser, and the call goes on",
  ignore: findChromium() === undefined,
}, async () => {
  await using issuer = startIssuer({ expiresIn: 3600 });
  await using resource = startResource(issuer);
  await using gateway = await openGateway({ servers: { crm: { url: resource.url } } });
  await gateway.ready();
  await using browser = await openChromium();
  await using session = await signIn(browser, gateway);
  const { page, context } = session;
  await page.locator("#live.ok").waitFor();
  await using connection = await overHttp(gateway, newClient("legacy"));
  const call = () =>
    connection.client.callTool({ name: "run", arguments: { command: "crm.whoami()" } });
  const refused = call();
  const card = page.locator(".question");
  await card.waitFor();
  assert.match(await card.innerText(), /Sign in[^]*crm/);
  await expectAccessible(page);
  await card.focus();
  await settled(page);
  await page.keyboard.press("n");
  assert.match(textOf(await refused), /the sign-in was declined/);
  await page.getByText("Nothing waits for you").waitFor();

  const result = call();
  const opened = context.waitForEvent("page");
  await card.waitFor();
  await settled(page);
  await card.getByRole("link", { name: `Sign in at ${new URL(issuer.url).host}` }).click();
  await (await opened).getByText("You can close this window.").waitFor();
  assert.equal(textOf(await result), "ana whoami");
  await page.getByText("Nothing waits for you").waitFor();
});

Deno.test({
  name: "a sign-in has a tab of its own, from which no way leads to the page",
  ignore: findChromium() === undefined,
}, async () => {
  await using issuer = startIssuer({ expiresIn: 3600 });
  await using resource = startResource(issuer);
  await using gateway = await openGateway({ servers: { crm: { url: resource.url } } });
  await gateway.ready();
  await using browser = await openChromium();
  await using session = await signIn(browser, gateway);
  const { page, context } = session;
  await page.goto(`${gateway.url}/servers/crm`);
  const opened = context.waitForEvent("page");
  await page.getByRole("button", { name: "Sign in" }).click();
  const tab = await opened;
  await tab.getByText("You can close this window.").waitFor();
  assert.deepEqual(await tab.evaluate("[history.length, globalThis.opener]"), [1, null]);
  assert.equal(page.url(), `${gateway.url}/servers/crm`);
  await page.mouse.move(0, 0);
  await page.getByText("Signed in", { exact: true }).waitFor();
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
